package policy

// denyWritesRule is the id of the default of rules.
const denyWritesRule = "default"

// denyWrites answers for what nothing else has spoken about: the default of
// rules denies it unless it only reads. What may only tighten speaks beside the
// default, not in its place.
func (r *replies) denyWrites() {
	for i := range r.list {
		if a := &r.list[i]; a.command < 0 && !a.Origin.Tightens && !a.doubt {
			return
		}
	}
	in := r.input()
	if r.line == nil {
		if !in.ReadsOnly(0) && !r.autoApprovals().coversCall() && r.allowsCall() == nil {
			r.add(r.writeDenied(-1))
		}
		return
	}
	if r.line.Problem != nil {
		r.add(r.writeDenied(-1))
		return
	}
	if r.equalsLine() != nil {
		return
	}
	for i := range r.line.Commands {
		if !r.spokenFor(i) && !in.ReadsOnly(i) {
			r.add(r.writeDenied(i))
		}
	}
}

func (r *replies) writeDenied(i int) reply {
	a := reply{command: i, Answer: Answer{Certain: true, Rule: denyWritesRule, Why: "it may change something, and no rule matches it"}}
	if i >= 0 {
		a.Span = new(r.line.Commands[i].Span)
	}
	return a
}

// spokenFor reports whether an answer, a permission or the allowlist covers a
// simple command, or it only holds others together.
func (r *replies) spokenFor(i int) bool {
	for k := range r.list {
		if a := &r.list[k]; a.command == i && !a.Origin.Tightens {
			return true
		}
	}
	for k := range r.e.allowlist {
		if r.e.allowlist[k].listed(r.facts, i) {
			return true
		}
	}
	if ok, _ := r.autoApprovals().coversCommand(i); ok {
		return true
	}
	return r.parts.permit(i) != nil || r.parts.isGlue(i)
}
