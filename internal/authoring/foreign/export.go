package foreign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Rule is a rule of a policy, of which no agent's permissions say what it says.
type Rule struct {
	ID string
	// Refuses says that it denies or asks.
	Refuses bool
}

// Write returns what an agent's own permissions can say of a policy, as a file
// of the agent, and notes of what they cannot. They never say more than the
// policy allows: a refusal that cannot be said is in the notes, and what is
// allowed beside it is left out.
func (a *Agent) Write(s *policy.Settings, rules []Rule) ([]byte, []draft.Note) {
	x := &export{agent: a}
	for _, action := range []policy.Decision{policy.Deny, policy.Ask, policy.Allow} {
		for i := range s.Permissions {
			if p := &s.Permissions[i]; p.Action == action {
				x.permission(p)
			}
		}
		x.treated(&s.ToolPolicy, action)
	}
	if s.ToolPolicy.Default == policy.Denied || s.ToolPolicy.Default == policy.Supervised {
		x.rest = s.ToolPolicy.Default
	}
	text := a.write(x)
	x.beside(s, rules)
	return text, x.notes
}

// An export is what is to be said, and what of it was said.
type export struct {
	agent *Agent
	items []item
	// rest is how tools are treated that no item names.
	rest  policy.Treatment
	notes []draft.Note
	// unsaid are refusals that the agent cannot say.
	unsaid []*item
}

// permission adds a permission.
func (x *export) permission(p *policy.Permission) {
	tool, glob, _ := strings.Cut(p.Match, " ")
	it := item{action: p.Action, match: p.Match, tool: tool, glob: strings.TrimSpace(glob)}
	if it.glob == "" {
		it.glob = "*"
	}
	for _, e := range p.Except {
		_, glob, _ := strings.Cut(e, " ")
		it.except = append(it.except, glob)
	}
	it.aim = aimOf(tool)
	switch {
	case p.OutsideSandbox && p.Action == policy.Allow:
		x.note(&it, "", "left out: it is about calls that leave the sandbox")
		return
	case tool == "*":
		x.note(&it, "", map[bool]string{true: "left out: ", false: keepHook}[p.Action == policy.Allow]+"no permission there means every tool")
		if p.Action != policy.Allow {
			x.unsaid = append(x.unsaid, &it)
		}
		return
	}
	x.items = append(x.items, it)
}

// treated adds what a tool policy says of tools, of those that are treated so.
func (x *export) treated(t *policy.ToolPolicy, action policy.Decision) {
	for _, tool := range slices.Sorted(maps.Keys(t.Tools)) {
		if t.Tools[tool] == draft.Treatment(action) {
			it := item{action: action, match: "tool_policy.tools." + tool, tool: tool, glob: "*", aim: aimOf(tool)}
			if it.aim == aimRead || it.aim == aimWrite {
				it.aim = aimTool // it is about this tool, and not about paths
			}
			x.items = append(x.items, it)
		}
	}
}

func (x *export) note(it *item, becomes, differs string) {
	x.notes = append(x.notes, draft.Note{Entry: it.action.String() + " " + draft.Visible(it.match), Becomes: becomes, Differs: differs})
}

// keepHook is what is said of a refusal that the agent cannot say.
const keepHook = "not enforced there; keep policyctl's hook: "

// Unenforced returns how many refusals of permissions notes name that an agent
// cannot say.
func Unenforced(notes []draft.Note) int {
	n := 0
	for _, note := range notes {
		if strings.HasPrefix(note.Differs, keepHook) {
			n++
		}
	}
	return n
}

// A phrase is what an agent's own permissions say for an item: entries in its
// language, or why there are none, and how they differ.
type phrase struct {
	entries []string
	why     string
	// wider says how the entries refuse more, "" where they do not.
	wider string
}

// say returns the entries for the items of an action, as [export.sayOf] does.
func (x *export) say(action policy.Decision, phrase func(*item) phrase) []string {
	return x.sayOf(action, func(*item) bool { return true }, phrase)
}

// sayOf returns the entries for some items of an action, each once. An item that
// cannot be said is noted; one that allows is left out too where it may allow
// what a refusal means that could not be said. So those that refuse come first.
func (x *export) sayOf(action policy.Decision, which func(*item) bool, phrase func(*item) phrase) []string {
	var out []string
	for i := range x.items {
		it := &x.items[i]
		if it.action != action || !which(it) {
			continue
		}
		if why := x.heldBack(it); why != "" {
			x.note(it, "", "left out: "+why)
			continue
		}
		p := phrase(it)
		switch {
		case p.why != "" && action == policy.Allow:
			x.note(it, "", "left out: "+p.why)
		case p.why != "":
			x.unsaid = append(x.unsaid, it)
			x.note(it, "", keepHook+p.why)
		case p.wider != "":
			x.note(it, strings.NewReplacer("\x00", ": ", "\n", ", ").Replace(strings.Join(p.entries, "; ")), p.wider)
		}
		for _, e := range p.entries {
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// heldBack says why an item that allows must not be said, "" where it may be.
func (x *export) heldBack(it *item) string {
	if it.action != policy.Allow {
		return ""
	}
	if by := x.stands(it); by != nil {
		return x.agent.Title + " cannot say " + by.action.String() + " " + draft.Visible(by.match) + " beside it"
	}
	if it.aim == aimCommand {
		for word := range strings.FieldsSeq(it.glob) {
			if strings.Contains(word, "/") && hasWildcard(word) {
				return "a star behind a slash stands for one word in a policy, and for any text there"
			}
		}
	}
	return ""
}

// excepts reports whether an item refuses with exceptions that can be said where
// entries have an order: no other refusal with exceptions may mean what it
// excepts.
func (x *export) excepts(it *item) bool {
	if it.action == policy.Allow || len(it.except) == 0 {
		return false
	}
	for i := range x.items {
		other := &x.items[i]
		if other == it || other.action == policy.Allow {
			continue
		}
		if len(other.except) == 0 {
			if other.action > it.action && other.meets(it) {
				return false // it would win, and only asks
			}
			continue
		}
		for _, glob := range it.except {
			part := item{aim: it.aim, tool: it.tool, glob: glob}
			if other.action <= it.action && other.meets(&part) && !slices.Contains(other.except, glob) {
				return false
			}
		}
	}
	return true
}

// early reports whether an item allows what a refusal with exceptions means and
// does not except, so that the refusal has to win over it.
func (x *export) early(it *item) bool {
	for i := range x.items {
		if r := &x.items[i]; x.excepts(r) && r.meets(it) && !slices.Contains(r.except, it.glob) {
			return true
		}
	}
	return false
}

// stands returns a refusal that could not be said and may mean what an item
// allows, nil for none. What the refusal itself excepts is not meant.
func (x *export) stands(it *item) *item {
	for _, r := range x.unsaid {
		if slices.Contains(r.except, it.glob) && r.tool == it.tool {
			continue
		}
		if r.meets(it) {
			return r
		}
	}
	return nil
}

// beside notes what of a policy is no permission, and what holds for all.
func (x *export) beside(s *policy.Settings, rules []Rule) {
	add := func(entry, differs string) { x.notes = append(x.notes, draft.Note{Entry: entry, Differs: differs}) }
	for _, r := range rules {
		differs := "left out: no permission of " + x.agent.Title + " says it"
		if r.Refuses {
			differs = keepHook + "no permission of " + x.agent.Title + " says it"
		}
		add("the rule "+draft.Visible(r.ID), differs)
	}
	for _, name := range slices.Sorted(maps.Keys(s.ToolPolicy.Groups)) {
		add("tool_policy.groups."+draft.Visible(name), keepHook+"no permission says groups of tools")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Agents)) {
		add("the permissions of "+draft.Visible(name), keepHook+"they are for one agent")
	}
	for _, list := range []struct {
		key string
		n   int
	}{
		{"security.command_allowlist", len(s.Allowlist)}, {"security.approval.auto_approve", len(s.AutoApprove)},
		{"approvals.readonly_commands", len(s.ReadonlyCommands)},
	} {
		if list.n > 0 {
			add(list.key, "left out: write permissions for what it allows")
		}
	}
	if !s.AutoAllowReadonly {
		add("approvals.auto_allow_readonly false", keepHook+"the agent itself may allow commands that only read")
	}
	if s.Yolo {
		add("approvals.yolo", "left out: turn the agent's own mode on")
	}
	if s.Mode != policy.Manual {
		add(fmt.Sprintf("approvals.mode %s", s.Mode), "left out: choose the agent's own mode")
	}
	add("all of it", "the floor, dangerous patterns, sensitive paths and loops are not enforced there, and commands are compared as text: "+
		"git -C x push is not git push there, and a star also stands for options that start other programs; keep policyctl's hook")
}
