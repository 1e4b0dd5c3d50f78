package options_test

import (
	"bytes"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/program"
)

// entry matches the line of a manual page that begins what is said of an option: up to the
// description, which stands behind several blanks.
var entry = regexp.MustCompile(`^ {2,12}(-\S(?:.*?\S)??)(?:  .*)?$`)

// part matches one spelling of an option in such a line.
var part = regexp.MustCompile(`^(-{1,2})([A-Za-z0-9][A-Za-z0-9-]*)(.*)$`)

// argument matches what stands for an argument in a word of its own; another word may begin
// the description.
var argument = regexp.MustCompile(`^ (?:[A-Z][A-Z0-9_-]+|<[^ ]+>|file|filename|dir|directory|path|name|num|number|n|string|size|pattern|command|program|user|group|host|port|type|format|mode|list|value)$`)

// manual returns the claims of the manual page of a program, nil if none is installed.
func manual(name string) (out []claim) {
	text, err := page(name)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(text) {
		m := entry.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		for _, c := range spelled(m[1]) {
			c.program = name
			out = append(out, c)
		}
	}
	return out
}

// manuals returns the claims of the manual pages of all programs with a grammar.
func manuals() (out []claim) {
	var wg sync.WaitGroup
	rows := program.All()
	claims, next := make([][]claim, len(rows)), make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				for name := range strings.FieldsSeq(rows[i].Names) {
					claims[i] = append(claims[i], manual(name)...)
				}
			}
		})
	}
	for i, p := range rows {
		if !p.Opaque {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	return slices.Concat(claims...)
}

// page returns the text of a manual page.
func page(name string) (string, error) {
	for _, section := range []string{"1", "8", "6"} {
		cmd := exec.Command("man", "-E", "ascii", section, name)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "MANWIDTH=200", "MAN_KEEP_FORMATTING=", "LC_ALL=C", "MANPAGER=cat", "HOME=/nonexistent"}
		if text, err := cmd.Output(); err == nil {
			return unstruck(text), nil
		}
	}
	return "", exec.ErrNotFound
}

// unstruck takes away what prints bold and underlined letters.
func unstruck(text []byte) string {
	for {
		at := bytes.IndexByte(text, '\b')
		if at < 1 {
			return string(text)
		}
		text = append(text[:at-1:at-1], text[at+1:]...)
	}
}

// spelled reads the spellings of one option, each a claim; nil where they are not plain. What a
// long name takes, its letter takes too, unless that is optional.
func spelled(text string) (out []claim) {
	letters := 0
	for spelling := range strings.SplitSeq(text, ", ") {
		m := part.FindStringSubmatch(strings.TrimSpace(spelling))
		if m == nil || m[1] == "-" && len(m[2]) > 1 {
			return nil
		}
		c := claim{by: "the manual page", names: []string{m[2]}}
		switch rest := m[3]; {
		case rest == "":
		case strings.HasPrefix(rest, "["):
			c.takes = program.Attached
		case strings.HasPrefix(rest, "="), argument.MatchString(rest):
			c.takes = program.Argument
		default:
			return nil
		}
		if len(m[2]) == 1 {
			letters++
		}
		out = append(out, c)
	}
	last := out[len(out)-1].takes
	for i := range out {
		if c := &out[i]; len(c.names[0]) == 1 && letters < len(out) && last == program.Argument {
			c.takes = last
		}
	}
	return out
}
