package config

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
)

// toolsForm extends the tools of the files before and the built-in ones.
var toolsForm = form[draft]{mapOf(tableShape(toolKeys)), func(d *decoder, n *yaml.Node, s *draft) {
	builtin := make(map[string]policy.Tool)
	for _, t := range policy.BuiltinTools() {
		builtin[t.Name] = t
	}
	for name, p := range d.named(n) {
		b, fixed := builtin[name]
		t := s.tool(name, b)
		t.Origin = d.origin(p.key)
		d.claims = append(d.claims, claim{p.key, name, name})
		fields(d, p.value, toolKeys(), t)
		d.checkTool(p, t, fixed)
	}
}}

// tool returns a place for what a file adds to a tool.
func (s *draft) tool(name string, builtin policy.Tool) *policy.Tool {
	i, known := s.place[name]
	if !known {
		i, s.place[name] = len(s.Tools), len(s.Tools)
		s.Tools = append(s.Tools, builtin)
	}
	t := &s.Tools[i]
	t.Name = name
	t.Aliases, t.Subject = slices.Clip(t.Aliases), slices.Clip(t.Subject)
	t.Counts, t.Groups = slices.Clip(t.Counts), slices.Clip(t.Groups)
	return t
}

// checkTool keeps the floor: it depends on where a built-in tool has its
// command or path, and on what it is.
func (d *decoder) checkTool(p pair, t *policy.Tool, fixed bool) {
	if t.Kind == policy.KindShell && len(t.Subject) == 0 {
		d.fail(p.key, "subject is missing: a tool of kind shell names the argument that holds the command")
	}
	for _, k := range []string{"kind", "subject", "counts", "dirs", "env", "commands"} {
		if v := child(p.value, k); fixed && v != nil {
			d.fail(v, "the built-in tool %s keeps its %s: declare a tool of another name", t.Name, k)
		}
	}
}

var aliasesForm = form[policy.Tool]{listOf(textShape), func(d *decoder, n *yaml.Node, t *policy.Tool) {
	for item := range d.items(n) {
		name, ok := d.str(item)
		switch {
		case !ok:
		case strings.HasPrefix(name, mcpPrefix):
			d.fail(item, "%s cannot be an alias: any server can offer a tool of that name", clip.Quote(name))
		default:
			t.Aliases = append(t.Aliases, name)
			d.claims = append(d.claims, claim{item, name, t.Name})
		}
	}
}}

// commandsForm tells a tool without such arguments from one of which nobody has
// said anything.
var commandsForm = form[policy.Tool]{listOf(textShape), func(d *decoder, n *yaml.Node, t *policy.Tool) {
	t.Commands = append([]string{}, t.Commands...)
	texts(func(t *policy.Tool) *[]string { return &t.Commands }).decode(d, n, t)
}}

// mcpPrefix begins the names of tools that servers offer.
const mcpPrefix = "mcp__"

// A claim says that a tool has a name.
type claim struct {
	n           *yaml.Node
	name, owner string
}

// names are the tools and groups that patterns may name.
type names struct {
	owners map[string]string // by name and alias
	folded map[string]string // the same in lower case
	groups map[string]bool
}

// newNames knows the tools that are there before the files, and the groups of
// all.
func newNames(before, all []policy.Tool) *names {
	k := &names{owners: make(map[string]string), folded: make(map[string]string), groups: make(map[string]bool)}
	for _, t := range before {
		for _, name := range slices.Concat([]string{t.Name}, t.Aliases) {
			k.add(name, t.Name)
		}
	}
	for _, t := range slices.Concat(before, all) {
		for _, group := range t.Groups {
			k.groups[group] = true
		}
	}
	return k
}

func (k *names) add(name, owner string) {
	k.owners[name] = owner
	k.folded[strings.ToLower(name)] = owner
}

// claim adds the names of a file. One that belongs to another tool is refused,
// or calls of that tool would be judged as if they were of this.
func (d *decoder) claim(known *names) {
	for _, c := range d.claims {
		if strings.ContainsAny(c.name, " *?") {
			d.fail(c.n, "%s cannot be the name of a tool: it must hold no blank and no wildcard", clip.Quote(c.name))
			continue
		}
		owner, taken := known.folded[strings.ToLower(c.name)]
		if taken && owner != c.owner {
			d.fail(c.n, "%s is a name of the tool %s already", clip.Quote(c.name), owner)
			continue
		}
		known.add(c.name, c.owner)
	}
}

// sorted returns all names, those before the aliases that policies should use.
func (k *names) sorted() []string {
	return append(slices.Sorted(maps.Values(k.owners)), slices.Sorted(maps.Keys(k.owners))...)
}

// owner returns the tool that has a name. What a server may offer is its own
// tool.
func (k *names) owner(name string) (string, bool) {
	if owner, ok := k.owners[name]; ok {
		return owner, true
	}
	return name, strings.HasPrefix(name, mcpPrefix) && !strings.ContainsAny(name, "*?")
}

// fileSystem is followed by an operation and a path; which tool is meant
// depends on the operation.
const fileSystem = "file_system"
