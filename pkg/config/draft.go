package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A draft is a policy of which some files are read. It shares no memory with
// its base that it changes.
type draft struct {
	policy.Settings
	// The two forms of the confirm policy, nil where no file has them.
	explicit, older *confirm
	// place holds where in Tools a tool stands.
	place map[string]int
}

type confirm struct {
	policy.Confirm
	by *decoder
	at *yaml.Node
}

func newDraft(base policy.Settings) *draft {
	s := &draft{Settings: base, place: make(map[string]int)}
	s.ReadonlyCommands = slices.Clip(s.ReadonlyCommands)
	s.Permissions = slices.Clip(s.Permissions)
	s.Agents = maps.Clone(s.Agents)
	s.Allowlist = slices.Clip(s.Allowlist)
	s.ToolPolicy.Tools = maps.Clone(s.ToolPolicy.Tools)
	s.ToolPolicy.Groups = maps.Clone(s.ToolPolicy.Groups)
	s.AutoApprove = slices.Clip(s.AutoApprove)
	s.Polling = slices.Clip(s.Polling)
	s.Protect = slices.Clip(s.Protect)
	s.Tools = slices.Clone(s.Tools)
	for i, t := range s.Tools {
		s.place[t.Name] = i
	}
	return s
}

// finish settles what depends on more than one key or file. The problems of
// the decoders come in their order.
func (s *draft) finish(base []policy.Tool, decoders ...*decoder) (errs, warnings Problems) {
	s.settleConfirm()
	known := newNames(slices.Concat(policy.BuiltinTools(), base), s.Tools)
	for _, d := range decoders {
		d.claim(known)
	}
	for _, d := range decoders {
		d.checkMentions(known)
		e, w := d.problems.split()
		errs, warnings = append(errs, e...), append(warnings, w...)
	}
	return errs, warnings
}

// settleConfirm lets the explicit key win over the older one, in whatever
// order and files they stand.
func (s *draft) settleConfirm() {
	switch {
	case s.explicit == nil && s.older == nil:
	case s.explicit == nil:
		s.Confirm = s.older.Confirm
	default:
		s.Confirm = s.explicit.Confirm
		if s.older != nil && s.older.Confirm != s.Confirm {
			s.older.by.warn(s.older.at, "", "no effect: security.confirm_policy is %s (%s)",
				s.Confirm, s.explicit.by.origin(s.explicit.at))
		}
	}
}

func version(d *decoder, n *yaml.Node, _ *draft) {
	if n.ShortTag() != "!!int" { // another number is reported already
		d.fail(n, "version must be the number 1, not %s", kind(n))
	}
}

func confirmPolicy(d *decoder, n *yaml.Node, s *draft) {
	var c policy.Confirm
	if d.word(n, "confirm policy", &c) {
		s.explicit = &confirm{c, d, n}
	}
}

func confirmShell(d *decoder, n *yaml.Node, s *draft) {
	all, ok := d.boolean(n)
	switch {
	case !ok:
	case all:
		s.older = &confirm{policy.ConfirmAll, d, n}
	default:
		s.older = &confirm{policy.DangerousOnly, d, n}
	}
}

func defaultTreatment(d *decoder, n *yaml.Node, s *draft) {
	if d.word(n, "treatment", &s.ToolPolicy.Default) {
		s.ToolPolicy.Origin = d.origin(n)
	}
}

// treatments decodes a map of names of what, a tool or a group.
func treatments(what subject, field func(*draft) *map[string]policy.Treatment) func(*decoder, *yaml.Node, *draft) {
	return func(d *decoder, n *yaml.Node, s *draft) {
		into := field(s)
		for name, p := range d.named(n) {
			var t policy.Treatment
			if !d.word(p.value, "treatment", &t) {
				continue
			}
			if *into == nil {
				*into = make(map[string]policy.Treatment)
			}
			(*into)[name] = t
			s.ToolPolicy.Origin = d.origin(p.key)
			d.mention(p.key, what, name, "")
		}
	}
}

func onTimeout(d *decoder, n *yaml.Node, s *draft) {
	name, ok := d.str(n)
	switch {
	case !ok:
	case name == "deny":
		s.Approval.OnTimeout = policy.Deny
	case name == "allow":
		s.Approval.OnTimeout = policy.Allow
	default:
		d.unknown(n, "action", name, []string{"deny", "allow"})
	}
}

func agents(d *decoder, n *yaml.Node, s *draft) {
	for name, p := range d.named(n) {
		list := slices.Clip(s.Agents[name])
		fields(d, p.value, agentKeys, "", &list)
		if s.Agents == nil {
			s.Agents = make(map[string][]policy.Permission)
		}
		s.Agents[name] = list
	}
}

var absolutePath = regexp.MustCompile(`^(~$|~?/|[A-Za-z]:[/\\]|\\\\)`)

func protect(d *decoder, n *yaml.Node, s *draft) {
	for item := range d.items(n) {
		path, ok := d.str(item)
		switch {
		case !ok:
		case !absolutePath.MatchString(path):
			d.fail(item, "the protected path %s must begin with / or ~/", quote(path))
		case strings.ContainsAny(path, "*?"):
			d.fail(item, "the protected path %s holds a wildcard: name the directory above", quote(path))
		default:
			s.Protect = append(s.Protect, path)
		}
	}
}
