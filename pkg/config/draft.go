package config

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A draft is a policy of which some files are read. It shares no memory with
// its base that it changes.
type draft struct {
	policy.Settings
	// The two forms of the confirm policy, nil where no file has them.
	explicit, older *confirm
	// left is where a key leaves what is undecided to agents, nil if none does.
	left *written
	// place holds where in Tools a tool stands.
	place map[string]int
	// locked are the keys that the managed layer locks.
	locked map[string]bool
	// rules are those of all layers, in order; ruleIDs tells of each by layer
	// and id where it stands.
	rules   []*pattern.Rule
	ruleIDs map[string]policy.Origin
	// forms are rules that were read before.
	forms []layerForm
	// bundleOf is the bundle of a rule by its id.
	bundleOf map[string]string
	bundles  []BundleSource
	// service is where asks are taken; named is the key that says so.
	service Service
	named   func(warning string)
	// assignments are all that the files assign, in order.
	assignments []Assignment
}

type confirm struct {
	policy.Confirm
	by *decoder
	at *yaml.Node
}

// A written value is where a file has it.
type written struct {
	by *decoder
	at *yaml.Node
}

func newDraft(base policy.Settings) *draft {
	s := &draft{Settings: base, place: make(map[string]int), locked: make(map[string]bool), ruleIDs: make(map[string]policy.Origin), bundleOf: make(map[string]string)}
	s.ReadonlyCommands = slices.Clip(s.ReadonlyCommands)
	s.SafeSpaces = slices.Clip(s.SafeSpaces)
	s.ProjectCommands = slices.Clip(s.ProjectCommands)
	s.RemoteReaders = slices.Clip(s.RemoteReaders)
	s.Wrappers = slices.Clip(s.Wrappers)
	s.Permissions = slices.Clip(s.Permissions)
	s.Agents = maps.Clone(s.Agents)
	s.Allowlist = slices.Clip(s.Allowlist)
	s.ToolPolicy.Tools = maps.Clone(s.ToolPolicy.Tools)
	s.ToolPolicy.Groups = maps.Clone(s.ToolPolicy.Groups)
	s.ToolPolicy.Origins = maps.Clone(s.ToolPolicy.Origins)
	s.ToolPolicy.Firm = slices.Clip(s.ToolPolicy.Firm)
	s.AutoApprove = slices.Clip(s.AutoApprove)
	s.Polling = slices.Clip(s.Polling)
	s.UndecidedModes = slices.Clip(s.UndecidedModes)
	s.Protect = slices.Clip(s.Protect)
	s.Own.Private, s.Own.Services = slices.Clip(s.Own.Private), slices.Clip(s.Own.Services)
	s.Tools = slices.Clone(s.Tools)
	for i, t := range s.Tools {
		s.place[t.Name] = i
	}
	return s
}

// clone returns a draft that shares no memory with s that either changes.
func (s *draft) clone() *draft {
	c := newDraft(s.Settings)
	c.explicit, c.older, c.left = s.explicit, s.older, s.left
	c.rules = slices.Clip(s.rules)
	c.bundles = slices.Clip(s.bundles)
	c.service = s.service
	return c
}

// confirmed returns the confirm policy that applies.
func (s *draft) confirmed() policy.Confirm {
	switch {
	case s.explicit != nil:
		return s.explicit.Confirm
	case s.older != nil:
		return s.older.Confirm
	}
	return s.Confirm
}

// finish settles what depends on more than one key or file. The problems of
// the decoders come in their order.
func (s *draft) finish(base []policy.Tool, decoders ...*decoder) (errs, warnings Problems) {
	s.settleConfirm()
	s.settleUndecided()
	s.settleObserving()
	s.settleService()
	s.settleBundles()
	if len(decoders) == 0 {
		return nil, nil // no file names a tool
	}
	known := newNames(slices.Concat(policy.BuiltinTools(), base), s.Tools)
	for _, d := range decoders {
		d.claim(known)
	}
	for _, d := range decoders {
		d.checkMentions(known)
		d.checkLocks()
		e, w := d.problems.split()
		errs, warnings = append(errs, e...), append(warnings, w...)
	}
	return errs, warnings
}

// settleConfirm lets the explicit key win over the older one, in whatever
// order and files they stand.
func (s *draft) settleConfirm() {
	s.Confirm = s.confirmed()
	if s.explicit != nil && s.older != nil && s.older.Confirm != s.Confirm {
		s.older.by.warn(s.older.at, "", "no effect: security.confirm_policy is %s (%s)",
			s.Confirm, s.explicit.by.origin(s.explicit.at))
	}
}

var versionForm = form[draft]{is("const", 1), func(d *decoder, n *yaml.Node, _ *draft) {
	if n.ShortTag() != "!!int" { // another number is reported already
		d.fail(n, "version must be the number 1, not %s", kind(n))
	}
}}

var confirmPolicyForm = form[draft]{oneOf(func() []string { return namesOf(new(policy.Confirm)) }), func(d *decoder, n *yaml.Node, s *draft) {
	var c policy.Confirm
	if d.word(n, "confirm policy", &c) {
		s.explicit = &confirm{c, d, n}
	}
}}

var confirmShellForm = form[draft]{is("type", "boolean"), func(d *decoder, n *yaml.Node, s *draft) {
	all, ok := d.boolean(n)
	switch {
	case !ok:
	case all:
		s.older = &confirm{policy.ConfirmAll, d, n}
	default:
		s.older = &confirm{policy.DangerousOnly, d, n}
	}
}}

var onTimeoutForm = form[draft]{words("deny", "allow"), func(d *decoder, n *yaml.Node, s *draft) {
	d.denyOrAllow(n, &s.Approval.OnTimeout)
}}

var passkeyForm = form[draft]{oneOf(policy.Thresholds), func(d *decoder, n *yaml.Node, s *draft) {
	name, ok := d.str(n)
	switch {
	case !ok:
	case !slices.Contains(policy.Thresholds(), name):
		d.unknown(n, "risk", name, policy.Thresholds())
	default:
		s.Approval.PasskeyAbove = policy.Threshold(name)
	}
}}

var agentsForm = form[draft]{mapOf(tableShape(agentKeys)), func(d *decoder, n *yaml.Node, s *draft) {
	for name, p := range d.named(n) {
		if agent, kind, ok := strings.Cut(name, "/"); agent == "" || ok && kind == "" {
			d.fail(p.key, `%s names no agent: write "claude", or "claude/Explore" for its subagents of one type`, clip.Quote(name))
			continue
		}
		list := slices.Clip(s.Agents[name])
		fields(d, p.value, agentKeys(), &list)
		if s.Agents == nil {
			s.Agents = make(map[string][]policy.Permission)
		}
		s.Agents[name] = list
	}
}}

var absolutePath = lazily(`^(~$|~?/|[A-Za-z]:[/\\]|\\\\)`)

var protectForm = form[draft]{listOf(matching(absolutePath)), func(d *decoder, n *yaml.Node, s *draft) {
	for item := range d.items(n) {
		path, ok := d.str(item)
		switch {
		case !ok:
		case !absolutePath().MatchString(path):
			d.fail(item, "the protected path %s must begin with / or ~/", clip.Quote(path))
		case strings.ContainsAny(path, "*?"):
			d.fail(item, "the protected path %s holds a wildcard: name the directory above", clip.Quote(path))
		default:
			s.Protect = append(s.Protect, path)
		}
	}
}}
