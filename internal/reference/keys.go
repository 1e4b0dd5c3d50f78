package reference

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/config"
)

const keysIntro = `These are the keys of a policy file, which is strict YAML: a key that is not listed is an error.
` + "`policyctl eval --policy FILE COMMAND`" + ` decides under one and shows every problem with its place, and
` + "`--set KEY=VALUE`" + ` sets a single key.

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
		rows[first] = append(rows[first], fmt.Sprintf("| %s | %s |", cell(code(k.Path)), cell(prose(k.About))))
	}
	for i := range d.classes {
		c := &d.classes[i]
		c.about = count(len(rows[c.name]), "key")
		c.body = "| key | meaning |\n|---|---|\n" + strings.Join(rows[c.name], "\n")
	}
	return d
}
