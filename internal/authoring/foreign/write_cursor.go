package foreign

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// writeCursor writes permissions of Cursor's CLI, which can neither ask nor
// except.
func writeCursor(x *export) []byte {
	deny := x.say(policy.Deny, x.cursorPhrase)
	x.say(policy.Ask, func(it *item) phrase {
		return phrase{why: "its lists allow and deny; what neither names asks"}
	})
	lists := &object{}
	lists.set("allow", x.say(policy.Allow, x.cursorPhrase))
	lists.set("deny", deny)
	x.restUnsaid()
	o := &object{}
	o.set("permissions", lists)
	return o.bytes()
}

// cursorPhrase returns the entries for an item.
func (x *export) cursorPhrase(it *item) phrase {
	refuses := it.action != policy.Allow
	wider := ""
	if len(it.except) > 0 {
		if refuses {
			wider = "wider: it also refuses what the permission excepts"
		} else if it.aim == aimCommand {
			return phrase{why: "its lists have no exceptions"}
		}
	}
	switch it.aim {
	case aimCommand:
		return cursorShell(it, wider)
	case aimRead, aimWrite:
		return cursorPath(it, wider)
	case aimFetch:
		return x.hostPhrase(it, wider, func(h host) []string {
			switch {
			case h.all:
				return []string{"WebFetch(*)"}
			case h.below:
				return []string{"WebFetch(*." + h.name + ")"}
			}
			return []string{"WebFetch(" + h.name + ")"}
		})
	case aimServer:
		server, tool, _ := strings.Cut(strings.TrimPrefix(it.tool, "mcp__"), "__")
		if it.glob != "*" || server == "" || tool == "" {
			return phrase{why: "its entries name a server and a tool, without arguments"}
		}
		return phrase{entries: []string{"Mcp(" + server + ":" + tool + ")"}}
	}
	return phrase{why: "its lists do not name such a tool"}
}

// cursorPath returns the entries for paths: a relative one begins at the
// workspace.
func cursorPath(it *item, wider string) phrase {
	tool := map[aim]string{aimRead: "Read", aimWrite: "Write"}[it.aim]
	if it.glob == "*" {
		return phrase{entries: []string{tool + "(**)", tool + "(/**)"}, wider: wider}
	}
	paths, ok := ignored(it, it.action != policy.Allow)
	if !ok {
		return phrase{why: "no pattern of paths there says it"}
	}
	var out []string
	for _, p := range paths {
		p = strings.TrimPrefix(p, "./")
		if strings.HasPrefix(p, "//") {
			p = p[1:]
		}
		if rest, any := strings.CutPrefix(p, "/**/"); any {
			out = append(out, tool+"(**/"+rest+")")
		}
		out = append(out, tool+"("+p+")")
	}
	return phrase{entries: out, wider: wider}
}

// cursorShell returns the entries for commands: a program, or a program and a
// pattern of its arguments.
func cursorShell(it *item, wider string) phrase {
	if it.glob == "*" {
		return phrase{entries: []string{"Shell(**)"}, wider: wider}
	}
	globs, w, why := spellings(it)
	if wider == "" {
		wider = w
	}
	if why != "" {
		return phrase{why: why}
	}
	var out []string
	for _, glob := range globs {
		name, args, _ := strings.Cut(glob, " ")
		switch {
		case strings.ContainsAny(glob, `\:`) || strings.Contains(name, "*") && args != "*":
			return phrase{why: "an entry there is a program and a pattern of its arguments"}
		case args == "*":
			out = append(out, "Shell("+name+")")
		case args == "" && strings.Contains(name, "*"):
			return phrase{why: "an entry there is a program and a pattern of its arguments"}
		case args == "" && it.action == policy.Allow:
			return phrase{why: "a program there is allowed with all its arguments"}
		case args == "":
			wider = "wider: it also refuses what follows its words"
			out = append(out, "Shell("+name+")")
		default:
			if bare, ok := strings.CutSuffix(args, " *"); ok && !strings.Contains(bare, "*") {
				out = append(out, "Shell("+name+":"+bare+")")
			}
			out = append(out, "Shell("+name+":"+args+")")
		}
	}
	return phrase{entries: out, wider: wider}
}
