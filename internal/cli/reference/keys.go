package reference

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/config"
)

const keysIntro = `These are the keys of a policy file, which is strict YAML, TOML or JSON: a key that is not listed is an error.
` + "`policyctl check FILE`" + ` shows every problem of one with its place, and ` + "`policyctl config show --origin`" + ` the
values in force. [policy.schema.json](policy.schema.json) is its JSON Schema, for editors.

A project's own file, environment variables that reach a hook, and what the managed policy locks may only tighten: the
last column says in which direction that is. [Configuration](../configuration.md) has the rest.

` + "`[]`" + ` stands for each entry of a list, and ` + "`*`" + ` for a name that the policy chooses.`

func keysPage(keys []config.Key) document {
	d := document{title: "The policy file", intro: keysIntro}
	rows := make(map[string][]string)
	for _, k := range keys {
		first := k.Path
		if i := strings.IndexAny(first, ".["); i >= 0 {
			first = first[:i]
		}
		if rows[first] == nil {
			d.classes = append(d.classes, class{name: first})
		}
		rows[first] = append(rows[first], fmt.Sprintf("| %s | %s | %s | %s |",
			cell(code(k.Path)), cell(prose(k.About)), cell(orDash(k.Default, code)), cell(orDash(k.Project, prose))))
	}
	for i := range d.classes {
		c := &d.classes[i]
		c.about = count(len(rows[c.name]), "key")
		c.body = "| key | meaning | default | in a project |\n|---|---|---|---|\n" + strings.Join(rows[c.name], "\n")
	}
	return d
}

// orDash returns how a text is written, a dash for none.
func orDash(text string, write func(string) string) string {
	if text == "" {
		return "–"
	}
	return write(text)
}
