package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/policy"
)

func TestVerdictColours(t *testing.T) {
	d := Decided{Call: policy.Shell("ls x", "/w")}
	d.Decision, d.Stage, d.Why = policy.Ask, policy.StageConfirm, "why"
	d.Line = eval.Read("ls x", eval.Env{Dir: "/w"})
	d.Span = &shell.Span{From: 3, To: 4}
	var b strings.Builder
	page := NewPage(&b)
	page.Colour = true
	page.Verdict(d)
	if err := page.Close(); err != nil {
		t.Fatal(err)
	}
	want := "" +
		faint + "decision   " + reset + bold + yellow + "ask" + reset + "\n" +
		faint + "why        " + reset + "why\n" +
		faint + "command    " + reset + "ls x\n" +
		faint + "           " + reset + bold + yellow + "   ^" + reset + "\n" +
		faint + "message    " + reset + d.Message() + "\n" +
		faint + "stage      " + reset + "confirm\n" +
		faint + "risk       " + reset + "high\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// TestWidth writes a page of 40 columns: values and last cells go on below their
// beginning, between words, and marks stand below what they mark.
func TestWidth(t *testing.T) {
	d := Decided{Call: policy.Shell("echo one two three four five && rm -rf build", "/w")}
	d.Decision, d.Stage, d.Why = policy.Ask, policy.StageConfirm, "it deletes directories and everything in them"
	d.Line = eval.Read("echo one two three four five && rm -rf build", eval.Env{Dir: "/w"})
	d.Span = &shell.Span{From: 32, To: 44}
	var b strings.Builder
	page := NewPage(&b)
	page.Width = 40
	page.Verdict(d)
	page.Table([][]string{{"a", "one two three four five six seven eight"}, {"bb", "x"}})
	page.Text("error: one two three four five six seven eight")
	if err := page.Close(); err != nil {
		t.Fatal(err)
	}
	want := `decision   ask
why        it deletes directories and
           everything in them
command    … four five && rm -rf build
                          ^^^^^^^^^^^^
`
	if got := b.String(); !strings.HasPrefix(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	if want := "a   one two three four five six seven\n    eight\nbb  x\nerror: one two three four five six\n  seven eight\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	for row := range strings.Lines(b.String()) {
		if n := columns(strings.TrimSuffix(row, "\n")); n > 40 {
			t.Errorf("%d columns: %s", n, row)
		}
	}
}

func TestStates(t *testing.T) {
	var b strings.Builder
	page := NewPage(&b)
	page.Colour = true
	page.Table([][]string{{"ok", "hook", "ok"}, {"problem", "flags", "x"}})
	page.Text("a.yaml:1:2: error: x is an error")
	if err := page.Close(); err != nil {
		t.Fatal(err)
	}
	want := green + "ok       " + reset + "hook   ok\n" + red + "problem  " + reset + "flags  x\na.yaml:1:2: " + red + "error" + reset + ": x is an error\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestSetText(t *testing.T) {
	for want, s := range map[string]shell.Set{
		"x":                            {Values: []string{"x"}},
		"''":                           {Values: []string{""}},
		"'a b'":                        {Values: []string{"a b"}},
		"(a | b)":                      {Values: []string{"a", "b"}},
		"(*.go | a glob)":              {Values: []string{"*.go"}, Glob: true},
		"(/ | anything)":               {Values: []string{"/"}, Open: true},
		"(anything after a/)":          {Open: true, Prefix: "a/"},
		"(any number)":                 {Open: true, Number: true},
		"()":                           {},
		"(a | b | c | d | e | 2 more)": {Values: strings.Split("abcdefg", "")},
	} {
		if got := setText(s); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestYAMLText(t *testing.T) {
	for in, want := range map[string]string{
		`shell ls *`:        `"shell ls *"`,
		`shell ls \*`:       `'shell ls \*'`,
		`shell echo "it's"`: `'shell echo "it''s"'`,
	} {
		if got := yamlText(in); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
