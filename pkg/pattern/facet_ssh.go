package pattern

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/shell"
)

// sshFacets describes a login or a command on another host.
func sshFacets(c *shell.Command) []facet {
	if c.Name != "ssh" && c.Name != "slogin" || c.Args.Has("V", "Q") {
		return nil
	}
	if c.Args.Unlisted || c.Args.Open || len(c.Args.Operands) == 0 {
		return []facet{hidden("ssh")}
	}
	f := facet{name: "ssh", fields: map[string]any{}}
	f.target(c)
	f.remote(c)
	return []facet{f}
}

// target adds host and user.
func (f *facet) target(c *shell.Command) {
	text, ok := wordText(&c.Words[c.Args.Operands[0].At])
	user := ""
	if rest, isURL := strings.CutPrefix(text, "ssh://"); isURL {
		text, _, _ = strings.Cut(rest, "/")
	}
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		user, text = text[:at], text[at+1:]
	}
	host, known := hostOf(text)
	f.fields["host"] = host
	if !ok || !known || c.Args.Has("o", "F") { // an option may name another host
		f.hide("host")
	}
	if o := c.Args.Option("l"); o != nil && user == "" {
		user, _ = wordText(&o.Arg)
	}
	if user == "" || !ok || c.Args.Has("o", "F") {
		f.hide("user") // the configuration of ssh may name one
		return
	}
	f.fields["user"] = user
}

// remote adds the command, which ssh joins with blanks.
func (f *facet) remote(c *shell.Command) {
	if len(c.Args.Operands) < 2 {
		return
	}
	first := c.Args.Operands[1].At
	words := make([]string, 0, len(c.Words)-first)
	for i := first; i < len(c.Words); i++ {
		text, ok := wordText(&c.Words[i])
		if !ok {
			f.hide("command")
			return
		}
		words = append(words, text)
	}
	f.fields["command"] = strings.Join(words, " ")
}
