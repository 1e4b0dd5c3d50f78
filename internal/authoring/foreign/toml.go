package foreign

import (
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
)

// parseTOML reads TOML. Of a text that cannot be read as a whole, each table is
// read alone, and those that cannot be read are left out with a note.
func parseTOML(s *Source, in *draft.Input) (*document.Node, error) {
	if len(strings.TrimSpace(string(s.Data))) == 0 {
		return nil, fmt.Errorf("%s: is empty: name a file with permissions", s.Path)
	}
	top, err := config.Parse("settings.toml", s.Data)
	if err == nil {
		if top.Kind != document.Map {
			return &document.Node{Kind: document.Map}, nil
		}
		return &top, nil
	}
	tables := tomlTables(string(s.Data))
	if len(tables) == 1 {
		line, why := problem(err)
		return nil, fmt.Errorf("%s:%d: %s", s.Path, line, why)
	}
	joined := &document.Node{Kind: document.Map}
	for _, t := range tables {
		n, err := config.Parse("settings.toml", []byte(t.text))
		if err != nil {
			line, why := problem(err)
			head, _, _ := strings.Cut(strings.TrimSpace(t.text), "\n")
			if !strings.HasPrefix(head, "[") {
				head = "the keys before the first table"
			}
			in.Note(clipped(head), "", "LOOSER: left out; "+place(line+t.line, s)+why)
			continue
		}
		moved(&n, t.line)
		join(joined, &n)
	}
	return joined, nil
}

// tomlTables divides a text at the lines that begin a table.
func tomlTables(text string) []part {
	var out []part
	for i, line := range strings.SplitAfter(text, "\n") {
		if strings.HasPrefix(line, "[") || len(out) == 0 {
			out = append(out, part{line: i})
		}
		out[len(out)-1].text += line
	}
	return out
}

// problem returns the place of the first problem of an error, and what it is.
// It quotes nothing of the file.
func problem(err error) (line int, why string) {
	var problems config.Problems
	if errors.As(err, &problems) && len(problems) > 0 {
		line = problems[0].Line
	}
	return line, "it is not TOML"
}

// moved moves a document down by some lines.
func moved(n *document.Node, by int) {
	n.Line += by
	for i := range n.Keys {
		moved(&n.Keys[i], by)
	}
	for i := range n.Items {
		moved(&n.Items[i], by)
	}
}

// join adds the members of a mapping to another one, and the items of lists of
// one name to each other.
func join(to, from *document.Node) {
	for i := range from.Keys {
		old := to.Entry(from.Keys[i].Text)
		switch {
		case old == nil:
			to.Keys, to.Items = append(to.Keys, from.Keys[i]), append(to.Items, from.Items[i])
		case old.Kind == document.List && from.Items[i].Kind == document.List:
			old.Items = append(old.Items, from.Items[i].Items...)
		case old.Kind == document.Map && from.Items[i].Kind == document.Map:
			join(old, &from.Items[i])
		}
	}
}
