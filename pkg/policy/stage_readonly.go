package policy

import (
	"slices"

	"github.com/policyctl/policyctl/pkg/readonly"
)

// provedReadonly is stage 7.
func (r *run) provedReadonly() (*opinion, error) {
	if r.line == nil || !r.e.settings.AutoAllowReadonly || r.barred() {
		return nil, nil
	}
	if !r.parts.prove() && !r.explained {
		return nil, nil
	}
	o := r.parts.union()
	if o != nil && o.stage == StageReadonly {
		o.why = "it only reads"
		if i := slices.IndexFunc(r.parts.list, func(p part) bool { return p.rule != "" }); i >= 0 {
			o.why = "a rule or an approval allows part of it, and the rest only reads"
			o.rule, o.origin = r.parts.list[i].rule, r.parts.list[i].origin
		}
	}
	return o, nil
}

// prove marks the commands that only read. It notes what keeps the line from
// being proved if that is nothing but the safe spaces, and looks further than
// the first command that is not proved only where that matters; proveRest does.
func (ps *parts) prove() (all bool) {
	only := true
	for i := range ps.list {
		proof := ps.mark(i)
		if proof == nil {
			continue
		}
		if only = only && proof.Outside; !only && !ps.facts.explained {
			ps.rest = i + 1
			break
		}
		if proof.Outside && ps.outside == nil {
			ps.outside = proof
		}
	}
	if !only {
		ps.outside = nil
	}
	return only && ps.outside == nil
}

// proveRest marks the commands that prove left out.
func (ps *parts) proveRest() {
	if ps.rest == 0 {
		return
	}
	for i := ps.rest; i < len(ps.list); i++ {
		ps.mark(i)
	}
	ps.rest = 0
}

// mark notes whether a command only reads, and returns what keeps it from being
// allowed; nil where something allows it.
func (ps *parts) mark(i int) *readonly.Proof {
	p := &ps.list[i]
	if p.rule != "" {
		return nil
	}
	glue := p.stage != StageNone && ps.payloadAllowed(i)
	proof := ps.proof(i)
	if proof.Proved {
		p.cover = cover{stage: StageReadonly, why: "it only reads"}
		return nil
	}
	if glue {
		return nil
	}
	p.cover = cover{}
	if proof.Secret != "" && ps.secret == nil {
		ps.secret = proof
	}
	return proof
}

// payloadAllowed reports whether a rule allows what a wrapper runs, or a part of it while
// the rest only reads: then the wrapper needs no proof of its own.
func (ps *parts) payloadAllowed(i int) bool {
	found := false
	for k := i + 1; k < len(ps.list); k++ {
		if ps.facts.line.Commands[k].Parent == i {
			switch {
			case ps.list[k].rule != "":
				found = true
			case !ps.proof(k).Proved:
				return false
			}
		}
	}
	return found
}
