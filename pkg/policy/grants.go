package policy

import (
	"slices"

	"github.com/policyctl/policyctl/pkg/permission"
)

// Grants are stored approvals, and stored denials. They must be safe for concurrent use.
// Those that change while calls are decided, such as those of a database, should also have
// a method Standing() Grants, which returns them as they stand now: a decision that asks
// for grants then does so once, and rests on these alone.
type Grants interface {
	// Covers answers for each command of the call's line, for a call of
	// another tool once; nil means that nothing is covered. With a rule only
	// the grants count that answer the asks of that rule.
	Covers(in *Input, rule string) []Covered
	// Denials returns what people have denied for longer than once. An error says that
	// there may be more: every call then asks, also under yolo. The list must not be
	// changed.
	Denials() ([]Denial, error)
}

// A Spender is [Grants] of which some allow a number of calls. [Engine.Decide] tells it of
// each call that rests on such grants, before it allows the call; no explanation and no
// review does.
type Spender interface {
	// Spend counts a call for grants by what [Covered.Counted] says, all or none. With an
	// error the call is judged anew, without them.
	Spend(c *Call, ids []string) error
}

// Covered says that a command may run because of a grant. The zero value
// means that it may not.
type Covered struct {
	// Grant is the text of the grant, Why a clause for people.
	Grant, Why string
	// Free says that the command needs no grant: of itself it answers no ask.
	Free bool
	// Counted is the id of a grant that counts its uses, if this would be one; "" for
	// others.
	Counted string
}

// rests notes that the verdict rests on a grant.
func (r *replies) rests(c *Covered) {
	if c.Counted != "" && !slices.Contains(r.counted, c.Counted) {
		r.counted = append(r.counted, c.Counted)
	}
}

// granted looks up the grants, but not for a line that nothing may
// allow.
func (r *replies) granted(rule string) []Covered {
	g := r.grants()
	if g == nil || r.barred() {
		return nil
	}
	return g.Covers(r.input(), rule)
}

// grants returns the grants on which the decision rests, nil for none.
func (r *replies) grants() Grants {
	changing, ok := r.e.options.Grants.(interface{ Standing() Grants })
	if !ok || r.counting == nil {
		return r.e.options.Grants
	}
	if r.counting.stand == nil {
		r.counting.stand = changing.Standing()
	}
	return r.counting.stand
}

// coverByGrants marks the commands that a person has approved.
func (r *replies) coverByGrants() {
	for i, c := range r.granted("") {
		if c.Grant != "" && i < len(r.parts.list) {
			if r.parts.list[i].stage == StageNone {
				r.rests(&c)
			}
			r.parts.allow(i, cover{stage: StageAllowlist, rule: c.Grant, why: c.Why})
		}
	}
}

// grantedTool returns the allow of a grant for a tool other than the shell.
func (r *replies) grantedTool() *opinion {
	list := r.granted("")
	if len(list) == 0 || list[0].Grant == "" {
		return nil
	}
	r.rests(&list[0])
	return r.say(opinion{decision: Allow, rule: list[0].Grant, why: list[0].Why})
}

// asks reports whether an answer asks: an uncertain deny does too.
func (a *reply) asks() bool { return a.Decision == Ask || a.Decision == Deny && !a.Certain }

// dischargedBy returns the id by which a grant answers an ask, "" where none
// can.
func (a *reply) dischargedBy() string {
	switch {
	case !a.Certain || a.Ask != nil && a.Ask.EveryTime:
		return ""
	case a.Ask != nil && a.Ask.Rule != "":
		return a.Ask.Rule
	}
	return a.Rule
}

// discharged reports whether a grant, or for a supervised tool an auto-approve
// pattern, answers an ask.
func (r *replies) discharged(a *reply) bool {
	if !a.Certain || a.Ask != nil && a.Ask.EveryTime {
		return false
	}
	rule := a.dischargedBy()
	if r.session.granted(rule) || a.supervised && r.autoApprovals().coversCall() {
		return true
	}
	return rule != "" && r.dischargedByGrants(a, rule)
}

// dischargedByGrants reports whether grants that name a rule cover all that it
// asks about. What needs no grant may stand beside what has one.
func (r *replies) dischargedByGrants(a *reply, rule string) bool {
	list := r.granted(rule)
	if r.line == nil {
		if len(list) == 0 || list[0].Grant == "" || list[0].Free {
			return false
		}
		r.rests(&list[0])
		return true
	}
	if len(list) != len(r.line.Commands) {
		return false
	}
	found := false
	for i := range list {
		switch {
		case !r.concerns(a, i):
		case list[i].Free && !a.wide(), list[i].Grant == "" && !list[i].Free:
			return false
		default:
			found = found || !list[i].Free
		}
	}
	for i := range list {
		if found && r.concerns(a, i) {
			r.rests(&list[i])
		}
	}
	return found
}

// wide reports whether an ask is about a call as a whole.
func (a *reply) wide() bool {
	return a.command < 0 && (a.permission == nil || a.permission.IsWide())
}

// concerns reports whether an ask is about a command.
func (r *replies) concerns(a *reply, i int) bool {
	switch {
	case a.wide():
		return true
	case a.permission == nil:
		return a.command == i
	}
	return a.permission.HitsCommand(&r.view, &r.line.Commands[i]) != permission.None
}
