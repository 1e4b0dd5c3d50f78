// Package corpus reads the commands of the files of testdata, for tests that
// judge them all. It says nothing of what is to be decided about them.
package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Lines returns the commands of all files below a directory. None is an error.
func Lines(dir string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".txt" {
			return err
		}
		data, err := os.ReadFile(file)
		all = append(all, commands(string(data))...)
		return err
	})
	if err == nil && len(all) == 0 {
		err = errors.New("no corpus")
	}
	return all, err
}

// commands returns those of a file: whole scripts below headings, or one a line.
func commands(text string) []string {
	var out []string
	if strings.HasPrefix(text, "==") {
		for part := range strings.SplitSeq("\n"+text, "\n==") {
			if _, script, ok := strings.Cut(part, "\n"); ok {
				out = append(out, script)
			}
		}
		return out
	}
	for line := range strings.Lines(text) {
		if line = command(strings.TrimSuffix(line, "\n")); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// command returns the command of a line: the part behind the last column, or the
// whole line of a plain list.
func command(line string) string {
	if line == "" || strings.HasPrefix(line, "#") {
		return ""
	}
	if parts := strings.Split(line, " · "); len(parts) > 1 {
		line = strings.Join(parts[min(3, len(parts)-1):], " · ")
	}
	line = strings.ReplaceAll(line, "⏎", "\n")
	if escaped, ok := strings.CutPrefix(line, "$ "); ok {
		line = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(escaped)
	}
	return line
}
