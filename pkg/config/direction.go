package config

import (
	"cmp"
	"slices"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A direction says what a layer may do with a key that may only tighten.
type direction struct {
	// says tells people which way is tighter.
	says string
	// own keys are never set by a project, trusted or not.
	own bool
	// managed keys are set by the managed layer alone.
	managed bool
	// restore takes back from after what is looser than before, and says
	// whether there was any; nil where no value is looser than another.
	restore func(before, after *draft) bool
}

// free is a key that cannot loosen anything.
var free direction

// more is a list to which any layer may add.
var more = direction{says: "adding is tighter"}

// onlyManaged is a key of the managed layer.
var onlyManaged = direction{says: "not set by a project", managed: true}

// person makes a key one that no project sets.
func person(d direction) direction {
	d.own = true
	d.says = "not set by a project"
	return d
}

// lower is a key whose values are in order, the strictest first.
func lower[E cmp.Ordered](field func(*draft) *E, says string) direction {
	return direction{says: says, restore: func(before, after *draft) bool {
		if *field(after) <= *field(before) {
			return false
		}
		*field(after) = *field(before)
		return true
	}}
}

// higher is a key whose values are in order, the loosest first.
func higher[E cmp.Ordered](field func(*draft) *E, says string) direction {
	return direction{says: says, restore: func(before, after *draft) bool {
		if *field(after) >= *field(before) {
			return false
		}
		*field(after) = *field(before)
		return true
	}}
}

// smaller is a number, of which 0 stands for def.
func smaller(field func(*draft) *int, def int) direction {
	return direction{says: "a smaller number is tighter", restore: func(before, after *draft) bool {
		if cmp.Or(*field(after), def) <= cmp.Or(*field(before), def) {
			return false
		}
		*field(after) = *field(before)
		return true
	}}
}

// off is a switch that is tighter when it is false.
func off(field func(*draft) *bool) direction {
	return direction{says: "false is tighter", restore: func(before, after *draft) bool {
		if !*field(after) || *field(before) {
			return false
		}
		*field(after) = false
		return true
	}}
}

// kept is a value of which none is tighter than another.
func kept[E comparable](field func(*draft) *E) direction {
	return direction{says: "not tightened by any value", restore: func(before, after *draft) bool {
		if *field(after) == *field(before) {
			return false
		}
		*field(after) = *field(before)
		return true
	}}
}

// fewer is a list that loosens by each entry.
func fewer[E any](field func(*draft) *[]E) direction {
	return direction{says: "each entry loosens", restore: func(before, after *draft) bool {
		*field(after) = *field(before)
		return true
	}}
}

// noTools admits nothing. What says where tools stand goes back with them.
var noTools = direction{says: "each entry loosens", restore: func(before, after *draft) bool {
	after.Tools, after.place = before.Tools, before.place
	return true
}}

// noAllows admits the denies and asks of permissions.
var noAllows = direction{says: "deny and ask tighten, allow loosens", restore: func(before, after *draft) bool {
	return dropAllows(before.Permissions, &after.Permissions)
}}

var noAgentAllows = direction{says: "deny and ask tighten, allow loosens", restore: func(before, after *draft) bool {
	dropped := false
	for name, list := range after.Agents {
		if dropAllows(before.Agents[name], &list) {
			after.Agents[name], dropped = list, true
		}
	}
	return dropped
}}

// dropAllows removes the allows that were added to a list.
func dropAllows(before []policy.Permission, after *[]policy.Permission) bool {
	added := (*after)[len(before):]
	kept := slices.DeleteFunc(slices.Clone(added), func(p policy.Permission) bool { return p.Action == policy.Allow })
	if len(kept) == len(added) {
		return false
	}
	*after = append(slices.Clip((*after)[:len(before)]), kept...)
	return true
}

var passkeyDirection = direction{says: "none is tighter than low, and low than medium", restore: func(before, after *draft) bool {
	if after.Approval.PasskeyAbove.Strictness() >= before.Approval.PasskeyAbove.Strictness() {
		return false
	}
	after.Approval.PasskeyAbove = before.Approval.PasskeyAbove
	return true
}}

var supervisorDirection = direction{says: "not tightened by any value", restore: func(before, after *draft) bool {
	was, is := &before.Approval, &after.Approval
	if is.Supervisor == was.Supervisor && is.Quorum == was.Quorum {
		return false
	}
	is.Supervisor, is.Quorum = was.Supervisor, was.Quorum
	return true
}}

var confirmDirection = direction{says: "confirm_all is tighter than dangerous_only", restore: func(before, after *draft) bool {
	if after.older != before.older && after.older.Confirm < after.confirmed() {
		after.explicit = after.older // the older key tightens too
	}
	if after.confirmed() <= before.confirmed() {
		return false
	}
	after.explicit, after.older = before.explicit, before.older
	return true
}}
