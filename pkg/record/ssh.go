package record

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
)

// sshFacets describes a login or a command on another host. What other clients
// do is unknown.
func sshFacets(c *command.Command) []facet {
	if clientOf(c) == program.SSH {
		return []facet{hidden("ssh")}
	}
	if c.How("obtains") != "output" || c.Args.Has("V", "Q") {
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
func (f *facet) target(c *command.Command) {
	text, ok := wordText(&c.Words[c.Args.Operands[0].At])
	user := ""
	if rest, isURL := strings.CutPrefix(text, "ssh://"); isURL {
		text, _, _ = strings.Cut(rest, "/")
	}
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		user, text = text[:at], text[at+1:]
	}
	host, known := HostOf(text)
	f.fields["host"] = host
	if !ok || !known || c.Args.Has("o", "F") { // an option may name another host
		f.hide("host")
	}
	if o := c.Args.Option("l"); o != nil {
		login, _ := wordText(&o.Arg)
		if user != "" && user != login || twice(c, "l") {
			login = "" // versions of ssh disagree about which of them counts
		}
		user = login
	}
	if user == "" || !ok || c.Args.Has("o", "F") {
		f.hide("user") // the configuration of ssh may name one
		return
	}
	f.fields["user"] = user
}

// remote adds the command, which ssh joins with blanks. A login with an input
// runs that.
func (f *facet) remote(c *command.Command) {
	if len(c.Args.Operands) < 2 {
		if c.In(command.Piped) || c.Input != nil || slices.ContainsFunc(c.Redirects, func(r command.Redirect) bool { return r.Reads() }) {
			f.hide("command")
		}
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
