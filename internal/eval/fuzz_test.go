package eval

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// corpus returns the lines of the repository's corpus files.
func corpus(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob("../../testdata/*.txt")
	if err != nil || len(files) == 0 {
		tb.Fatal("there is no corpus", err)
	}
	var lines []string
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		for l := range strings.Lines(string(b)) {
			fields := strings.SplitN(strings.TrimSuffix(l, "\n"), " · ", 4)
			if len(fields) == 4 && !strings.HasPrefix(l, "#") {
				lines = append(lines, unescapeCase(fields[3]))
			}
		}
	}
	return lines
}

// unescapeCase decodes a line that begins with "$ ".
func unescapeCase(s string) string {
	text, ok := strings.CutPrefix(s, "$ ")
	if !ok {
		return s
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(text)
}

// tableLines returns the lines of the tables of this package's tests.
func tableLines() []string {
	var lines []string
	for _, rows := range [][]row{lists, compounds, functions, heredocs, substitutions, evaluations, arithmetics, directories, joins, redirections, contexts, payloads, words, programWords, problems} {
		for _, r := range rows {
			lines = append(lines, r.line)
		}
	}
	for _, w := range wrappers {
		lines = append(lines, w+" ls -l /a")
	}
	return append(append(lines, inert...), seen...)
}

func FuzzRead(f *testing.F) {
	for _, l := range append(tableLines(), corpus(f)...) {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, src string) {
		l := Read(src, testEnv)
		if d := cmp.Diff(l, Read(src, testEnv), cmpopts.IgnoreUnexported(program.Option{}, command.Command{}), ignoreGrammar); d != "" {
			t.Errorf("two readings differ: %s", d)
		}
		checkLine(t, l)
	})
}

// ignoreGrammar leaves the entries of the grammar table out of a comparison.
var ignoreGrammar = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().Type().String() == "*program.Program"
}, cmp.Ignore())

// checkLine asserts what holds for every line.
func checkLine(t *testing.T, l *Line) {
	t.Helper()
	if l.Problem != nil {
		checkSpan(t, l, "the problem", l.Problem.Span)
		if len(l.Commands) > 0 || l.Problem.Code == "" || l.Problem.Why == "" {
			t.Errorf("a problem %+v beside %d commands", *l.Problem, len(l.Commands))
		}
	}
	if len(l.Commands) > maxCommands {
		t.Errorf("%d commands", len(l.Commands))
	}
	for _, s := range l.Spawns {
		checkSpan(t, l, "a spawn", s.Span)
	}
	for _, o := range l.Oddities {
		checkSpan(t, l, "an oddity", o.Span)
	}
	for i := range l.Commands {
		checkCommand(t, l, i)
	}
}

func checkCommand(t *testing.T, l *Line, i int) {
	t.Helper()
	c := &l.Commands[i]
	checkSpan(t, l, "a command", c.Span)
	if c.Parent >= i || c.Source >= i || c.Parent < -1 || c.Source < -1 {
		t.Errorf("command %d has parent %d and source %d", i, c.Parent, c.Source)
	}
	if c.Args.Payload < 0 || c.Args.Payload > len(c.Words) {
		t.Errorf("command %d of %d words has its payload at %d", i, len(c.Words), c.Args.Payload)
	}
	for _, o := range c.Args.Operands {
		if o.At <= 0 || o.At >= len(c.Words) {
			t.Errorf("command %d of %d words has an operand at %d", i, len(c.Words), o.At)
		}
	}
	for k, w := range c.Words {
		checkSpan(t, l, "a word", w.Span)
		v, ok := w.Literal()
		stands := strings.ReplaceAll(l.Source[w.Span.From:w.Span.To], "\\\n", "")
		if ok && !w.Quoted && !w.Many && c.Parent < 0 && !(c.Keyword && k == 0) && strings.TrimRight(stands, "\\") != strings.TrimRight(v, "\\") {
			t.Errorf("the word %q stands as %q", v, stands)
		}
	}
	for _, r := range c.Redirects {
		checkSpan(t, l, "a redirection", r.Span)
		checkSpan(t, l, "a redirection's target", r.Target.Span)
	}
	for _, a := range c.Assigns {
		checkSpan(t, l, "an assignment", a.Span)
	}
	c.Effects(func(e command.Effect) bool {
		checkSpan(t, l, "an effect", e.Span)
		return true
	})
}

func checkSpan(t *testing.T, l *Line, what string, s shell.Span) {
	t.Helper()
	if s.From < 0 || s.From > s.To || s.To > len(l.Source) {
		t.Errorf("%s has the span %v of %d bytes", what, s, len(l.Source))
	}
}

// TestLaws asserts for the tables and the corpus what the fuzzer asserts for
// any line.
func TestLaws(t *testing.T) {
	for _, src := range append(tableLines(), corpus(t)...) {
		checkLine(t, Read(src, testEnv))
	}
}

// TestReprint reads lines again as the printer of the parser's module writes
// them: the same commands run.
func TestReprint(t *testing.T) {
	seed.Slow(t)
	for _, src := range append(tableLines(), corpus(t)...) {
		file, err := syntax.NewParser().Parse(strings.NewReader(src), "")
		if err != nil || Read(src, testEnv).Problem != nil || misprinted(src) {
			continue
		}
		for _, p := range []*syntax.Printer{syntax.NewPrinter(), syntax.NewPrinter(syntax.SingleLine(true)), syntax.NewPrinter(syntax.Indent(2), syntax.SpaceRedirects(true))} {
			var b bytes.Buffer
			if err := p.Print(&b, file); err != nil {
				continue // not every tree has a single line
			}
			again := b.String()
			if _, err := syntax.NewParser().Parse(strings.NewReader(again), ""); err != nil {
				continue // a mistake of the printer
			}
			if got, want := render(Read(again, testEnv)), render(Read(src, testEnv)); got != want {
				t.Errorf("%s\nreprinted %s\n got %s\nwant %s", src, again, got, want)
			}
		}
	}
}

// misprinted reports whether the printer moves words, those of a coprocess that
// look like assignments, puts blanks into a subscript, or closes a substitution
// on the line of its here-document, joins a comment with the next line, or doubles a
// backslash at the end.
func misprinted(src string) bool {
	return strings.Contains(src, "coproc") && strings.Contains(src, "=") || strings.Contains(src, "[PATH=1]") || strings.Contains(src, "$(cat <<") || strings.Contains(src, "#") && strings.Contains(src, "\\\n") || strings.HasSuffix(src, "\\")
}

// lenient are lines of the tables that bash parses and that are not read: they
// lack something, or other shells read them otherwise.
var lenient = []string{"cat <<E", "! ", "echo `echo \\`ls\\``"}

// TestParses shows that the lines of the tables are lines of bash.
func TestParses(t *testing.T) {
	seed.Slow(t)
	path := bash(t)
	for _, src := range tableLines() {
		cmd := exec.Command(path, "--norc", "-n", "-O", "extglob")
		cmd.Stdin = strings.NewReader(src)
		out, err := cmd.CombinedOutput()
		unread := Read(src, testEnv).Problem != nil && !slices.Contains(lenient, src)
		if (err != nil) != unread {
			t.Errorf("%s\nbash says %v %s", src, err, out)
		}
	}
}
