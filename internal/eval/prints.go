package eval

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// echoes returns what echo writes in the shells that may run it: some decode
// escapes without -e, or print the options.
func (r *reader) echoes(words []shell.Word) shell.Set {
	args, ok := command.Literals(words)
	if !ok {
		return command.Echoed(words)
	}
	out := shell.Set{Values: []string{command.EchoText(args)}}
	options, args := command.EchoOptions(args)
	text := strings.Join(args, " ")
	escapes := strings.Contains(text, `\`)
	switch {
	case r.shells&^(shell.InBash|shell.InAsh) != 0: // zsh drops a -
		out.Open = escapes || options != "" && options != "n" || len(args) > 0 && args[0] == "-"
	case escapes && strings.Contains(options, "e"): // busybox knows no -E behind it
		out.Open = strings.Contains(options, "E") || !command.PlainEscapes(text, false)
	}
	if out.Open && escapes && (strings.Contains(options, "e") || r.shells&(shell.InBash|shell.InAsh) == 0) {
		decoded, _ := command.EchoEscapes(text, strings.Contains(options, "e")) // as busybox does with -e
		if decoded += "\n"; !out.Has(decoded) {
			out.Values = append(out.Values, decoded)
		}
	}
	return out
}

// filtered returns what a filter makes of text that is known.
func (r *reader) filtered(c *command.Command, in shell.Set) shell.Set {
	unknown := shell.Set{Open: true}
	if program.Lookup(c.Name) == nil {
		for _, w := range c.Words[1:] {
			if v, ok := w.Literal(); !ok || !strings.HasPrefix(v, "-") {
				return unknown // perhaps a file, which it reads instead
			}
		}
	}
	for _, o := range c.Args.Operands {
		if w := &c.Words[o.At]; o.Role == program.RoleRead && !w.Has("-") && !isAccounts(w) {
			return unknown
		}
	}
	out := shell.Set{Open: in.Open || len(in.Values) == 0}
	for _, text := range in.Values {
		if made, ok := command.FilterText(c, text); ok && len(text) <= command.MaxOutput {
			out.Values = append(out.Values, made)
		} else {
			out.Open = true
		}
	}
	return out
}

// pathOutput returns what a program that prints a path or a variable writes.
func (r *reader) pathOutput(i int) shell.Set {
	c := &r.line.Commands[i]
	how := c.How("path")
	if how == "directory" {
		out := command.Lines(c.Dir)
		out.Open = out.Open || c.In(command.Adrift) || len(c.Words) > 1 && !(len(c.Words) == 2 && c.Words[1].Has("-L")) // -P shows where a link leads
		return out
	}
	if how == "variables" {
		return r.environmentOutput(c)
	}
	var words []shell.Word
	for _, o := range c.Args.Operands {
		words = append(words, c.Words[o.At])
	}
	if len(words) == 0 || words[0].Glob || words[0].Many || c.Args.Has("z", "zero", "a", "multiple", "s", "suffix") {
		return shell.Set{Open: true}
	}
	bare := len(c.Args.Options) == 0 && !c.Args.Unlisted
	switch {
	case how == "real":
		return c.RealPaths(words)
	case !bare || len(words) > 2:
		return shell.Set{Open: true} // such as --help, or an error
	case how == "names":
		return command.BaseNames(words)
	}
	return command.EachLine(words, command.DirName)
}

// environmentOutput returns what printenv prints of the home directory; other
// variables need not be what the line says.
func (r *reader) environmentOutput(c *command.Command) shell.Set {
	if len(c.Words) != 2 || c.Context != program.Local || !c.Words[1].Has("HOME") {
		return shell.Set{Open: true}
	}
	return shell.Set{Values: []string{r.env.Home + "\n"}, Open: true}
}

// codePrints returns what the program of an interpreter prints. It is always open.
func (r *reader) codePrints(c *command.Command) shell.Set {
	out := shell.Set{Open: true}
	if c.Context != program.Local {
		return out
	}
	for _, code := range c.Code() {
		if code.Program == nil {
			continue
		}
		for _, text := range code.Program.Output {
			out.Values = append(out.Values, script.Filled(text, "unknown"))
		}
	}
	return out
}

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
			r.noteFile(i, shell.Set{Values: []string{path}}, text, written[path] || strings.HasPrefix(call.Name, "append"))
			written[path] = true
		}
	}
}

// queried returns what jq prints for a program that is a literal, one of its
// arguments, or the name of a member of the text that it reads.
func (r *reader) queried(i, depth int) shell.Set {
	c := &r.line.Commands[i]
	out := shell.Set{Open: true}
	program, ok := command.CodeOf(c)
	program = strings.TrimSpace(program)
	if !ok || !c.Args.Has("r", "raw-output", "j", "join-output", "raw-output0") {
		return out
	}
	var v any
	name, isArgument := strings.CutPrefix(program, "$")
	switch {
	case isArgument:
		for k := 1; k+2 < len(c.Words); k++ {
			if value, ok := c.Words[k+2].Literal(); ok && c.Words[k].Has("--arg") && c.Words[k+1].Has(name) {
				v = value
			}
		}
	case strings.HasPrefix(program, `"`) && !strings.Contains(program, `\(`):
		if json.Unmarshal([]byte(program), &v) != nil {
			return out
		}
	case strings.HasPrefix(program, "."):
		in := r.inputOf(i, depth)
		if len(in.Values) != 1 || json.Unmarshal([]byte(in.Values[0]), &v) != nil {
			return out
		}
		for key := range strings.SplitSeq(strings.TrimPrefix(program, "."), ".") {
			if m, ok := v.(map[string]any); ok && key != "" {
				v = m[key]
			}
		}
	}
	if text, ok := v.(string); ok {
		out.Values = []string{text + "\n"}
	}
	return out
}

// accounts returns the line of the user in what getent prints and /etc/passwd
// holds.
func (r *reader) accounts(c *command.Command) shell.Set {
	user := r.user()
	if n := len(c.Words); c.How("accounts") == "named" {
		if n < 2 || n > 3 || !c.Words[1].Has("passwd") {
			return shell.Set{Open: true}
		}
		if v, ok := c.Words[n-1].Literal(); n == 3 && ok && !shell.IsNumber(v) {
			user = v
		}
	}
	home := command.DirName(r.env.Home) + "/" + user
	if user == "root" {
		home = "/root"
	}
	if user == "" {
		return shell.Set{Open: true}
	}
	return shell.Set{Values: []string{user + ":x:1000:1000::" + home + ":/bin/bash\n"}, Open: true}
}

// user returns the name of the user, as the home directory tells it.
func (r *reader) user() string { return shell.Base(r.env.Home) }

// isAccounts reports whether a word names the file of the users.
func isAccounts(w *shell.Word) bool {
	v, _ := w.Literal()
	return shell.Clean(v) == "/etc/passwd"
}
