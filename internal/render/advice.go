package render

import "strings"

// Advice is what would have allowed a call.
type Advice struct {
	// Allow holds alternatives, each a list of the permissions that it takes.
	Allow [][]string `json:"allow"`
	// Why completes the sentence "what would have allowed it is …" where there
	// is no alternative.
	Why string `json:"why,omitempty"`
}

// Advice writes what would have allowed a call as lines of a policy file;
// nothing for a call that was allowed.
func (p *Page) Advice(a Advice) {
	if len(a.Allow) == 0 && a.Why == "" {
		return
	}
	p.Heading("what would have allowed it")
	if a.Why != "" {
		p.line("  ", Plain(a.Why))
	}
	for i, list := range a.Allow {
		if i > 0 {
			p.line("or")
		}
		for _, match := range list {
			p.line("  ", Plain(yamlText(match)), ": allow")
		}
	}
}

// yamlText returns a text in the quotes that need no escapes.
func yamlText(s string) string {
	if strings.ContainsAny(s, `"\`) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return `"` + s + `"`
}
