package eval

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
)

// codeFiles keeps what the code of command i writes to files.
func (r *reader) codeFiles(i int) {
	c := &r.line.Commands[i]
	for _, code := range c.Code() {
		if code.Program == nil {
			continue
		}
		written := map[string]bool{}
		c.Calls(code.Program, r.env.Home, func(at *command.Command, call *script.Call) bool {
			if call.Act == script.Writes && call.Text != nil {
				r.codeWrites(i, at.Dir, call, written)
			}
			return true
		})
	}
}

// codeWrites keeps what a call in the code of command i writes that works in a
// directory; written are the files to which others wrote before.
func (r *reader) codeWrites(i int, dir shell.Set, call *script.Call, written map[string]bool) {
	text := shell.Set{Open: true}
	for _, t := range call.Text.Texts {
		text.Values = append(text.Values, script.Filled(t, "unknown"))
	}
	for _, v := range call.Values {
		for _, path := range shell.Paths(dir, shell.Set{Values: slices.DeleteFunc(slices.Clone(v.Texts), command.IsUnknownText)}) {
			r.disk.write(&r.line.Commands[i], shell.Set{Values: []string{path}}, text, written[path] || strings.HasPrefix(call.Name, "append"))
			written[path] = true
		}
	}
}
