package cli

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/render"
)

// table returns the description for people.
func (v *bundleView) table() [][]string {
	rows := [][]string{
		{"bundle", v.File}, {"revision", orNone(v.Revision)}, {"sequence", fmt.Sprint(v.Sequence)},
		{"built", timeOr(v.Built, "not stated")}, {"expires", timeOr(v.Expires, "never")},
	}
	add := func(name string, values []string) {
		for _, value := range values {
			rows = append(rows, []string{name, value})
			name = ""
		}
	}
	add("roots", v.roots())
	add("policies", texts(v.Policies))
	add("modules", texts(v.Modules))
	add("tests", texts(v.Tests))
	if len(v.Data) > 0 {
		add("data", []string{strings.Join(v.Data, ", ")})
	}
	signed := v.Signature.String()
	if v.Signature != nil {
		signed += "; not verified: see policyctl bundle verify"
	}
	return append(rows, []string{"size", count(v.Size, "byte")}, []string{"sha256", v.SHA256}, []string{"signature", signed})
}

func texts[T fmt.Stringer](list []T) (all []string) {
	for _, each := range list {
		all = append(all, each.String())
	}
	return all
}

func (v *bundleView) roots() (all []string) {
	for _, root := range v.Roots {
		if root == "" {
			root = "all of data"
		}
		all = append(all, root)
	}
	return all
}

// String describes the policy on one line.
func (v policyView) String() string {
	if v.Rules == nil {
		return v.Name + " (invalid)"
	}
	return v.Name + " (" + strings.Join(append([]string{count(*v.Rules, "rule")}, v.Keys...), ", ") + ")"
}

// String describes the module on one line.
func (v moduleView) String() string {
	text := v.Name + " (package " + shownOr(v.Package, "not found")
	if v.Compiled {
		text += ", compiled rules"
	}
	return text + ")"
}

// String describes the fixture on one line.
func (v testView) String() string {
	if v.Cases == nil {
		return v.Name + " (invalid)"
	}
	return v.Name + " (" + count(*v.Cases, "case") + ")"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func timeOr(t *time.Time, none string) string {
	if t == nil {
		return none
	}
	return t.Format(time.RFC3339)
}

// printJSON prints a value of which others wrote texts: what a reader cannot
// see is an escape, so that it does nothing to a terminal.
func (p *Process) printJSON(value any) error {
	var b, out bytes.Buffer
	if err := render.JSON(&b, value); err != nil {
		return err
	}
	for _, r := range b.String() {
		if unicode.IsPrint(r) || r == '\n' {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	_, err := p.Stdout.Write(out.Bytes())
	return err
}
