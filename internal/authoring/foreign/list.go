package foreign

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A listReader reads lists of texts, of which each is an entry.
type listReader struct {
	source *Source
	in     *draft.Input
	// parse sets the tool and the pattern of an entry, or says why it cannot be
	// read.
	parse func(e *draft.Entry) (why string)
}

// list reads a list, which may be missing.
func (r *listReader) list(d policy.Decision, n *document.Node) {
	if n == nil {
		return
	}
	if n.Kind != document.List {
		leave(r.in, r.source, "the list of what is "+listed[d], n.Line, "it is no list of texts", d == policy.Allow)
		return
	}
	for i := range n.Items {
		item := &n.Items[i]
		if item.Kind != document.Text {
			leave(r.in, r.source, fmt.Sprintf("%s entry %d", d, i+1), item.Line, "it is no text", d == policy.Allow)
			continue
		}
		r.one(d, item)
	}
}

var listed = map[policy.Decision]string{policy.Deny: "denied", policy.Ask: "asked about", policy.Allow: "allowed"}

// one reads one text.
func (r *listReader) one(d policy.Decision, n *document.Node) {
	e := draft.Entry{Action: d, Text: n.Text}
	why := ""
	switch {
	case strings.TrimSpace(n.Text) == "":
		why = "it is empty"
	case draft.Hidden(n.Text):
		why = "it has characters that cannot be seen"
	default:
		why = r.parse(&e)
	}
	if why == "" {
		r.in.Add(e)
		return
	}
	leave(r.in, r.source, d.String()+" "+clipped(n.Text), n.Line, why, d == policy.Allow)
}

// call divides "Name(argument)". An argument of a deny may lack its bracket.
func call(e *draft.Entry) (name, arg, why string) {
	name, arg, bracket := strings.Cut(e.Text, "(")
	name = strings.TrimSpace(name)
	switch {
	case bracket && strings.HasSuffix(arg, ")"):
		arg = strings.TrimSuffix(arg, ")")
	case bracket && e.Action == policy.Allow:
		why = "it has no closing parenthesis"
	}
	return name, strings.TrimSpace(arg), why
}
