package cli_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli"
)

// words returns what a page says, wherever its lines end: a backslash that continues a
// command is no word.
func words(text string) []string {
	return slices.DeleteFunc(strings.Fields(text), func(w string) bool { return w == `\` })
}

// fits complains about lines that are wider than the page and could be broken: that is,
// but for one word, or one text in quotes, that is too wide alone.
func fits(t *testing.T, what, page string, width int) {
	t.Helper()
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		if utf8.RuneCountInString(line) <= width {
			continue
		}
		rest := strings.TrimLeft(line, " ")
		if !strings.Contains(rest, " ") || strings.HasPrefix(rest, "'") {
			continue
		}
		t.Errorf("%s at %d columns: %q", what, width, line)
	}
}

// The help of each command fits pages of 60 columns, and says there what it says on wider
// ones: no word is cut, and none is broken.
func TestHelpFits(t *testing.T) {
	n := 0
	every(cli.Commands(), func(c *cobra.Command) {
		args := append([]string{"help"}, strings.Fields(c.CommandPath())[1:]...)
		wide := said(t, "120", args...)
		n++
		for _, columns := range []struct {
			text  string
			width int
		}{{"60", 60}, {"80", 80}} {
			page := said(t, columns.text, args...)
			fits(t, c.CommandPath(), page, columns.width)
			if !slices.Equal(words(page), words(wide)) {
				t.Errorf("%s says something else at %d columns", c.CommandPath(), columns.width)
			}
		}
	})
	if n < 80 {
		t.Errorf("only %d commands", n)
	}
}

// So do the pages that a person looks at.
func TestPagesFit(t *testing.T) {
	for _, args := range [][]string{
		{"packs"}, {"status"}, {"log"}, {"stages"}, {"explain", "cd web && npm test | tail -5"}, {"explain", "rm -rf ~/src"},
		{"explain", "kubectl get pods -n shop | grep web && git push --force origin main"}, {"why-not", "gh pr view 12"}, {"eval", "git status && rm -rf ~"},
		{"dangerous", "git-push-force"}, {"floor", "root-delete"},
	} {
		wide := said(t, "200", args...)
		for _, columns := range []struct {
			text  string
			width int
		}{{"60", 60}, {"80", 80}, {"120", 120}} {
			page := said(t, columns.text, args...)
			fits(t, strings.Join(args, " "), page, columns.width)
			if args[0] == "packs" || args[0] == "log" || args[0] == "dangerous" || args[0] == "floor" {
				if !slices.Equal(words(page), words(wide)) {
					t.Errorf("%s says something else at %d columns", strings.Join(args, " "), columns.width)
				}
			}
			if strings.TrimSpace(page) == "" {
				t.Errorf("%s says nothing", strings.Join(args, " "))
			}
		}
	}
}

// What a pack is for is told whole.
func TestPacksWhole(t *testing.T) {
	page := strings.Join(words(said(t, "60", "packs")), " ")
	for _, want := range []string{"databases, dumps, buckets and files with secrets", "code that signs releases, patient data", "asked only about what leaves it"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
}
