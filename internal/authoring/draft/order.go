package draft

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// ordered returns the entries as they count where deny wins over ask and ask
// over allow. One that an entry of a higher rank replaces is left out; a deny or
// an ask gets as exceptions what of a higher rank is looser.
func ordered(entries []Entry) (out []Entry, replaced []Note) {
	for i := range entries {
		e := entries[i]
		by := slices.IndexFunc(entries, func(x Entry) bool { return x.Rank > e.Rank && x.replaces(&e) })
		if by >= 0 {
			replaced = append(replaced, Note{named(&e), "", "the same: " + named(&entries[by]) + " wins wherever it matches"})
			continue
		}
		for j := range entries {
			if x := &entries[j]; x.Rank > e.Rank && x.Action > e.Action && x.concerns(&e) {
				e.Except = append(e.Except, *x)
			}
		}
		out = append(out, e)
	}
	return out, replaced
}

// replaces reports whether an entry matches all that another one does, in the
// file itself.
func (e *Entry) replaces(of *Entry) bool {
	return e.Tool == of.Tool && (e.Spec == "" || e.Spec == of.Spec) && (!e.inexact() || e.Action <= of.Action)
}

// inexact reports whether an entry means more than that of the file.
func (e *Entry) inexact() bool { return e.Rough || e.Line != "" }

// concerns reports whether an entry may match what another one does.
func (e *Entry) concerns(of *Entry) bool {
	return e.Tool == of.Tool || isReader(e.Tool) && isReader(of.Tool) || isWriter(e.Tool) && isWriter(of.Tool) ||
		strings.HasPrefix(e.Tool, strings.TrimSuffix(of.Tool, "*")) || strings.HasPrefix(of.Tool, strings.TrimSuffix(e.Tool, "*"))
}

// exceptions returns what the looser entries that win over an entry allow, as
// far as it can be said, and those of which it cannot.
func (b *builder) exceptions(e *Entry, tool string) (patterns, refused []string) {
	for i := range e.Except {
		x := e.Except[i]
		said := false
		if x.inexact() {
			refused = append(refused, named(&x))
			continue
		}
		x.Action, x.Except = policy.Allow, nil
		trial := &builder{out: &Policy{Tools: make(map[string]Tool), Treated: make(map[string]policy.Treatment)}, in: b.in, root: b.root}
		trial.entry(&x)
		for _, p := range trial.out.Permissions {
			if strings.HasPrefix(p.Match, tool+" ") && len(p.Except) == 0 {
				patterns, said = append(patterns, p.Match), true
			}
		}
		if !said {
			refused = append(refused, named(&e.Except[i]))
		}
	}
	return patterns, refused
}

// excepts reports whether an entry for all calls of a tool has an exception
// that can be said.
func (b *builder) excepts(e *Entry, tool string) bool {
	patterns, _ := b.exceptions(e, tool)
	return len(patterns) > 0
}
