package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/shell"
)

func TestVerdictColours(t *testing.T) {
	d := Decided{Call: policy.Shell("ls x", "/w")}
	d.Decision, d.Stage, d.Why = policy.Ask, policy.StageConfirm, "why"
	d.Line = shell.Read("ls x", shell.Env{Dir: "/w"})
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
		faint + "stage      " + reset + "confirm\n" +
		faint + "why        " + reset + "why\n" +
		faint + "risk       " + reset + "high\n" +
		faint + "command    " + reset + "ls x\n" +
		faint + "           " + reset + bold + yellow + "   ^" + reset + "\n" +
		faint + "message    " + reset + d.Message() + "\n"
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
