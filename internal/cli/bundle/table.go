package bundle

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/cli/console"
)

// table returns the description for people.
func (v *view) table() [][]string {
	rows := [][]string{
		{"bundle", v.File}, {"revision", console.OrNone(v.Revision)}, {"sequence", fmt.Sprint(v.Sequence)},
		{"built", console.TimeOr(v.Built, "not stated")}, {"expires", console.TimeOr(v.Expires, "never")},
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
	return append(rows, []string{"size", console.Count(v.Size, "byte")}, []string{"sha256", v.SHA256}, []string{"signature", signed})
}

func texts[T fmt.Stringer](list []T) (all []string) {
	for _, each := range list {
		all = append(all, each.String())
	}
	return all
}

func (v *view) roots() (all []string) {
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
	return v.Name + " (" + strings.Join(append([]string{console.Count(*v.Rules, "rule")}, v.Keys...), ", ") + ")"
}

// String describes the module on one line.
func (v moduleView) String() string {
	text := v.Name + " (package " + console.ShownOr(v.Package, "not found")
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
	return v.Name + " (" + console.Count(*v.Cases, "case") + ")"
}
