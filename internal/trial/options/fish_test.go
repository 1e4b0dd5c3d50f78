package options_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/shell"

	"github.com/policyctl/policyctl/internal/program"
)

// fishDir is where Debian's package fish-common has the completions.
const fishDir = "/usr/share/fish/completions"

// subCondition matches a condition that holds behind sub-commands.
var subCondition = regexp.MustCompile(`^(?:__fish_seen_subcommand_from|__fish_\w+_using_(?:sub)?command|__fish_\w+_command)((?: [a-z][a-z0-9-]*)+)$`)

// ofProgram matches a condition under which an option is one of the program itself.
var ofProgram = regexp.MustCompile(`^(?:__fish_use_subcommand|__fish_\w+_needs_command|__fish_no_arguments|__fish_is_first_token)?$`)

// fish returns the claims of the completions of fish, of those lines that are one command with
// plain words.
func fish(t *testing.T) (out []claim) {
	files, err := filepath.Glob(fishDir + "/*.fish")
	if err != nil || len(files) == 0 {
		t.Fatalf("no completions below %s: install fish", fishDir)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "complete ") || strings.ContainsAny(line, "$\\(") {
				continue
			}
			if words, err := shell.Fields(line, func(string) string { return "" }); err == nil {
				out = append(out, completion(words[1:])...)
			}
		}
	}
	return out
}

// completion returns the claims of a command complete.
func completion(words []string) (out []claim) {
	var programs, condition []string
	c := claim{by: "fish", silent: true} // many completions do not tell
	for i := 0; i < len(words); i++ {
		flag, value, attached := strings.Cut(words[i], "=")
		next := func() string {
			if !attached && i+1 < len(words) {
				i++
				value = words[i]
			}
			return value
		}
		switch flag {
		case "-c", "--command":
			programs = append(programs, next())
		case "-s", "--short-option", "-l", "--long-option", "-o", "--old-option":
			c.names = append(c.names, next())
		case "-n", "--condition":
			condition = append(condition, next())
		case "-r", "--require-parameter", "-x", "--exclusive", "-rF", "-rf", "-fr", "-xa", "-ra", "-fra", "-rfa", "-rka", "-xka", "-rk":
			c.takes, c.silent = program.Argument, false
		case "-a", "--arguments", "-d", "--description", "-w", "--wraps", "-fa", "-ka", "-kxa":
			next()
		case "-f", "--no-files", "-F", "--force-files", "-k", "--keep-order":
		default:
			return nil
		}
	}
	if len(c.names) == 0 || len(condition) > 1 {
		return nil
	}
	subs := []string{""}
	if len(condition) == 1 && !ofProgram.MatchString(condition[0]) {
		m := subCondition.FindStringSubmatch(condition[0])
		if m == nil {
			return nil
		}
		subs = strings.Fields(m[1])
	}
	for _, p := range programs {
		for _, sub := range subs {
			c.program, c.sub = p, sub
			out = append(out, c)
		}
	}
	return out
}
