package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/readonly"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// The risks of a call are what makes it more than its tool and its program say.
type risks struct{ *facts }

// ofTool returns the risk of the call: that of its tool, or high for a secret
// or for a place whose change runs code.
func (k risks) ofTool() (Risk, string) {
	if why := k.grave(); why != "" {
		return High, why
	}
	if k.delegates() {
		return Low, "it only starts or steers a subagent, whose own calls are decided one by one"
	}
	return k.tool.Risk, "the tool is of " + k.tool.Risk.String() + " risk and the mode is " + k.e.settings.Mode.String()
}

// delegates reports whether the call does no more than start, tell or end a subagent whose
// own calls are decided.
func (k risks) delegates() bool {
	if k.tool.delegates == "" || !k.call.GuardsSubagents {
		return false
	}
	for name, v := range k.call.Input {
		if !slices.ContainsFunc(strings.Fields(k.tool.delegates), func(word string) bool { return isDelegated(word, name, v) }) {
			return false
		}
	}
	return true
}

// isDelegated reports whether a word of [Tool.delegates] means an argument.
func isDelegated(word, name string, v any) bool {
	key, values, limited := strings.Cut(word, "=")
	text, isText := v.(string)
	return key == name && (!limited || isText && slices.Contains(strings.Split(values, "|"), text))
}

// grave says why the call is of high risk whatever its tool, "" if it is not.
func (k risks) grave() string {
	if k.tool.isFile() {
		for _, s := range k.view.Subjects {
			if why := k.ofFile(s); why != "" {
				return why
			}
		}
	}
	for _, s := range k.view.Looks {
		if why := k.ofLook(s); why != "" {
			return why
		}
	}
	return cmp.Or(k.ofPick(), k.ofSearch(), k.ofArgument())
}

// ofFile says why a file that a tool reads or writes is of high risk.
func (k risks) ofFile(s string) string {
	at := k.view.Subject(s)
	if !at.Sure {
		return "where " + clip.Text(at.Text, maxQuoted) + " leads is unknown"
	}
	role := sensitive.Secret
	if k.tool.Kind == KindWrite {
		role |= sensitive.Trigger
	}
	if e := k.among(at.Readings(), role); e != nil {
		return "the path is sensitive: " + e.Why
	}
	return ""
}

// among returns the entry of the first of several paths that is sensitive, nil
// if none is.
func (k risks) among(paths []string, role sensitive.Role) *sensitive.Entry {
	for _, path := range paths {
		if e, ok := sensitive.FindRole(path, k.home(), role); ok {
			return e
		}
	}
	return nil
}

// ofLook says why a directory or a file in which a tool searches is of high
// risk.
func (k risks) ofLook(s string) string {
	at := k.view.Subject(s)
	if !at.Sure {
		return "where " + clip.Text(at.Text, maxQuoted) + " leads is unknown"
	}
	for _, path := range at.Readings() {
		if home := k.home(); path == "/" || path == home || strings.HasPrefix(home, path+"/") {
			return "the search covers the whole home directory"
		}
		if e, ok := sensitive.MayFind(strings.ReplaceAll(permission.Quote(path), "[", `\[`)+"/**", k.home(), sensitive.Secret); ok {
			return "the search may look into a sensitive path: " + e.Why
		}
	}
	return ""
}

// ofPick says why the files that a tool chooses by a pattern are of high
// risk.
func (k risks) ofPick() string {
	for _, pick := range k.view.Picks {
		dirs := k.view.Looks
		pick = permission.ExpandHome(pick, k.home())
		if len(dirs) == 0 || shell.IsAbs(pick) {
			dirs = []string{""}
		}
		for _, dir := range dirs {
			at := k.view.Subject(dir)
			for _, path := range at.Readings() {
				pattern := pick
				if !shell.IsAbs(pick) {
					pattern = strings.TrimSuffix(path, "/") + "/" + pick
				}
				if e, ok := readonly.NamedSecret(pattern, k.home()); ok {
					return "the pattern names a sensitive path: " + e.Why
				}
			}
		}
	}
	return ""
}

// sensitiveAt returns the entry of a sensitive path that a text names from a
// directory, as it is written or where it leads; nil if there is none.
func (k risks) sensitiveAt(dir shell.Set, text string, glob bool, role sensitive.Role) *sensitive.Entry {
	set := shell.Set{Values: []string{text}, Glob: glob}
	var paths []string
	if glob {
		for _, pattern := range shell.Paths(dir, set) {
			if e, ok := readonly.NamedSecret(pattern, k.home()); ok {
				return e
			}
		}
		paths, _ = k.view.Linked(dir, set)
	} else {
		for _, at := range k.view.Places(dir, set) {
			paths = append(paths, at.Readings()...)
		}
	}
	return k.among(paths, role)
}

// peril asks about a line that matches a dangerous pattern, or reads a secret.
func (k risks) peril() *opinion {
	for i := range k.line.Commands {
		if o := k.parts.danger(i); o != nil {
			return k.say(*o)
		}
		if why := k.sensitiveRead(&k.line.Commands[i]); why != "" {
			return k.say(opinion{decision: Ask, why: why})
		}
	}
	return nil
}

// sensitiveRead says why what a command reads is sensitive.
func (k risks) sensitiveRead(c *command.Command) (why string) {
	c.Effects(func(e command.Effect) bool {
		if e.Kind != command.Reads {
			return true
		}
		for _, at := range k.view.Places(e.Dir, e.Target) {
			for _, path := range at.Readings() {
				if s, ok := sensitive.FindRole(path, k.home(), sensitive.Secret); ok {
					why = "the path is sensitive: " + s.Why
				}
			}
		}
		return why == ""
	})
	return why
}

// perilOfGuises is the peril of the lines that a shell may make of the arguments.
// The place in such a line is none in the call.
func (k risks) perilOfGuises() *opinion {
	for _, g := range k.guises {
		if o := g.risks().peril(); o != nil {
			o.span = nil
			return k.say(*o)
		}
	}
	return nil
}
