package rego

import (
	"cmp"
	"fmt"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An entry is one answer that a policy gives.
type entry struct {
	decision policy.Decision
	id       string
	reason   string
	command  int // -1 for the call as a whole
	terms    policy.AskTerms
}

func (e entry) compare(f entry) int {
	return cmp.Or(
		cmp.Compare(e.id, f.id), cmp.Compare(e.command, f.command), cmp.Compare(e.reason, f.reason),
		cmp.Compare(e.terms.Approver, f.terms.Approver), cmp.Compare(e.terms.Quorum, f.terms.Quorum), cmp.Compare(e.terms.Profile, f.terms.Profile),
		cmp.Compare(e.terms.Timeout, f.terms.Timeout), cmp.Compare(e.terms.OnTimeout, f.terms.OnTimeout),
	)
}

// entry reads one element of a document.
func (d decisionDocument) entry(v ast.Value) (entry, error) {
	out := entry{decision: policy.Decision(d), command: -1}
	o, ok := v.(ast.Object)
	if !ok {
		return out, fmt.Errorf("found %s instead of an object with id and reason", found(v))
	}
	if err := o.Iter(func(key, value *ast.Term) error { return out.set(key.Value, value.Value) }); err != nil {
		return out, err
	}
	if err := out.lacking(func(key string) bool { return key == "id" && out.id != "" || key == "reason" && out.reason != "" }); err != nil {
		return out, err
	}
	return out, out.checkQuorum()
}

// lacking says which key that an entry must have it has not.
func (e *entry) lacking(has func(key string) bool) error {
	switch {
	case !has("id"):
		return fmt.Errorf("an entry has no id: give each a key %q that is not empty", "id")
	case has("reason"):
		return nil
	case e.id == "":
		return fmt.Errorf("an entry has no reason: give it a key %q that is not empty", "reason")
	}
	return fmt.Errorf("the entry %q has no reason: give it a key %q that is not empty", e.id, "reason")
}

// An entryKey is one key of entries. Those of an ask say who answers it.
type entryKey struct {
	ofAsk bool
	want  string
	typ   types.Any // of which its values are
	set   func(*entry, ast.Value) bool
}

// entryKeys are the keys of an entry.
var entryKeys = map[string]entryKey{
	"id":         {false, "a text", types.Any{types.S}, func(e *entry, v ast.Value) bool { return textOf(&e.id, v) }},
	"reason":     {false, "a text", types.Any{types.S}, func(e *entry, v ast.Value) bool { return textOf(&e.reason, v) }},
	"command":    {false, "the index of a command", types.Any{types.N, types.Nl}, (*entry).setCommand},
	"approver":   {true, "a text", types.Any{types.S}, func(e *entry, v ast.Value) bool { return textOf(&e.terms.Approver, v) }},
	"quorum":     {true, "how many must approve, a whole number from 1", types.Any{types.N, types.Nl}, (*entry).setQuorum},
	"profile":    {true, "\"" + pattern.DefaultProfile + "\", the only profile of an approver: name who decides in approver", types.Any{types.S}, (*entry).setProfile},
	"timeout":    {true, "a duration above 0 such as \"5m\"", types.Any{types.S}, (*entry).setTimeout},
	"on_timeout": {true, "\"deny\" or \"allow\"", types.Any{types.S}, (*entry).setOnTimeout},
	"every_time": {true, "true or false", types.Any{types.B}, (*entry).setEveryTime},
}

// entryForm tells which keys an entry has.
const entryForm = "an entry has id, reason and command, in ask also approver, quorum, profile, timeout, on_timeout and every_time"

// key returns what is known of a key.
func (e *entry) key(key ast.Value) (entryKey, error) {
	name, ok := key.(ast.String)
	k, known := entryKeys[string(name)]
	switch {
	case !ok || !known:
		return k, fmt.Errorf("found the key %s: %s", shown(key), entryForm)
	case k.ofAsk && e.decision != policy.Ask:
		return k, fmt.Errorf("found the key %s, which belongs to entries of ask only", shown(key))
	}
	return k, nil
}

func (e *entry) set(key, v ast.Value) error {
	k, err := e.key(key)
	if err == nil && !k.set(e, v) {
		err = fmt.Errorf("key %s: found %s instead of %s", shown(key), found(v), k.want)
	}
	return err
}

// textOf reads a text that is not empty.
func textOf(into *string, v ast.Value) bool {
	s, ok := v.(ast.String)
	*into = string(s)
	return ok && s != ""
}

// setProfile reads the only profile that there is.
func (e *entry) setProfile(v ast.Value) bool {
	return textOf(&e.terms.Profile, v) && pattern.CheckProfile(e.terms.Profile) == nil
}

// setCommand reads the index of a command; null stands for the whole call, as
// in a record.
func (e *entry) setCommand(v ast.Value) bool {
	if _, ok := v.(ast.Null); ok {
		return true
	}
	n, ok := v.(ast.Number)
	if !ok {
		return false
	}
	i, ok := n.Int()
	e.command = i
	return ok && i >= 0
}

// setQuorum reads how many must approve; null stands for one, as in a verdict.
func (e *entry) setQuorum(v ast.Value) bool {
	if _, ok := v.(ast.Null); ok {
		return true
	}
	n, ok := v.(ast.Number)
	if !ok {
		return false
	}
	e.terms.Quorum, ok = n.Int()
	return ok && e.terms.Quorum >= 1
}

// checkQuorum says why the quorum of an entry does not go with its approver.
func (e *entry) checkQuorum() error {
	if e.terms.Quorum == 0 {
		return nil
	}
	if err := policy.CheckQuorum(e.terms.Quorum, policy.Approvers(e.terms.Approver)); err != nil {
		return fmt.Errorf("the entry %q, quorum: %w", e.id, err)
	}
	return nil
}

func (e *entry) setTimeout(v ast.Value) bool {
	s, _ := v.(ast.String)
	var err error
	e.terms.Timeout, err = time.ParseDuration(string(s))
	return err == nil && e.terms.Timeout > 0
}

func (e *entry) setOnTimeout(v ast.Value) bool {
	switch s, _ := v.(ast.String); s {
	case "allow":
		e.terms.OnTimeout = policy.Allow
		return true
	case "deny":
		return true
	}
	return false
}

func (e *entry) setEveryTime(v ast.Value) bool {
	b, ok := v.(ast.Boolean)
	e.terms.EveryTime = bool(b)
	return ok
}
