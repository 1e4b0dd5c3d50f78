package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// modules are the modules of Ansible that do what a program does: its words,
// with $name in the place of the argument of that name, and the argument that a
// module needs for that (docs.ansible.com). They may have a collection before
// their name.
var modules = []struct{ names, need, words string }{
	{names: "file", need: "state=absent", words: "rm -rf $path $dest $name"},
	{names: "filesystem", need: "force=", words: "mkfs $dev"},
	{names: "reboot", words: "reboot"},
	{names: "shutdown", words: "poweroff"},
}

// ansibleRuns returns what ansible runs on this machine: the argument of the
// modules that take a command, or the program that does what another does.
func ansibleRuns(c *command.Command) []shell.Word {
	words := c.Words[1:]
	if !ansibleLocal(c) {
		return nil
	}
	module := "command"
	if at := attached(words, "-m", "--module-name"); at != nil {
		module, _ = at.Literal()
	}
	args := attached(words, "-a", "--args")
	module = module[strings.LastIndexByte(module, '.')+1:]
	for _, m := range modules {
		if m.names == module {
			return moduleWords(c, args, m.need, m.words)
		}
	}
	if args == nil || !program.HasWord("command shell raw script expect cron at", module) {
		return nil
	}
	text := *args
	text.Values = nil
	for _, v := range args.Values {
		text.Values = append(text.Values, commandOf(v))
	}
	return []shell.Word{text}
}

// commandOf returns the command in the arguments of a module, which may be all of them.
func commandOf(v string) string {
	for _, key := range [...]string{"cmd=", "job=", "command=", `"cmd": `} {
		_, rest, ok := strings.Cut(v, key)
		if !ok || rest == "" {
			continue
		}
		if quote := rest[:1]; quote == `"` || quote == "'" {
			rest, _, _ = strings.Cut(rest[1:], quote)
		}
		return rest
	}
	return v
}

func moduleWords(c *command.Command, args *shell.Word, need, words string) []shell.Word {
	given := map[string]string{}
	if args != nil {
		v, _ := args.Literal()
		for f := range strings.FieldsSeq(v) {
			name, value, _ := strings.Cut(f, "=")
			given[name] = strings.Trim(value, `"'`)
		}
	}
	name, value, _ := strings.Cut(need, "=")
	if _, ok := given[name]; need != "" && (!ok || value != "" && given[name] != value) {
		return nil
	}
	var out []shell.Word
	for f := range strings.FieldsSeq(words) {
		if argument, ok := strings.CutPrefix(f, "$"); ok {
			if f = given[argument]; f == "" {
				continue
			}
		}
		out = append(out, shell.Word{Set: shell.Set{Values: []string{f}}, Span: c.Span})
	}
	return out
}

// ansibleLocal reports whether ansible works on this machine: that is the host,
// the whole inventory, or where it connects to.
func ansibleLocal(c *command.Command) bool {
	words := c.Words[1:]
	if at := attached(words, "-c", "--connection"); at != nil && !at.Has("ssh") && !at.Has("smart") && !at.Has("paramiko") {
		return at.Has("local") // others lead into containers
	}
	for i := range words {
		for _, v := range words[i].Values {
			first, _, _ := strings.Cut(v, ",")
			if w := (shell.Word{Set: shell.Set{Values: []string{first}}}); command.NamesSelf(&w) {
				return true
			}
		}
	}
	return false
}

// attached returns the argument of an option, which may stand in the same word.
func attached(words []shell.Word, short, long string) *shell.Word {
	for i := range words {
		v, _ := words[i].Literal()
		if (v == short && v != "" || v == long) && i+1 < len(words) {
			return &words[i+1]
		}
		rest, ok := strings.CutPrefix(v, long+"=")
		if !ok && short != "" && !strings.HasPrefix(v, "--") && len(v) > len(short) {
			rest, ok = strings.CutPrefix(v, short)
		}
		if ok {
			return &shell.Word{Set: shell.Set{Values: []string{rest}}, Span: words[i].Span}
		}
	}
	return nil
}
