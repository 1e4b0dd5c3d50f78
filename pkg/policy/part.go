package policy

import (
	"slices"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/readonly"
)

// A part is what the stages know of one command of a line. Each fact is found
// when it is first asked for.
type part struct {
	cover
	proof   readonly.Proof
	dangers []hazard.Finding
	permit  *permit // the first permission that allows it
	glue    bool
	// which of them are found
	hasProof, hasDangers, hasPermit, hasGlue bool
}

// A cover says which stage allows a command, and by what.
type cover struct {
	stage  Stage
	rule   string
	why    string
	origin Origin
}

// parts are those of a line, in the order of its commands.
type parts struct {
	facts   *facts
	list    []part
	buf     [8]part
	scene   hazard.Scene
	ran     []hazard.Ran // what texts on the line run
	prover  readonly.Prover
	other   *eval.Line      // a copy of the line, of which one command at a time is another
	secret  *readonly.Proof // what keeps a command from being proved that would read a secret
	outside *readonly.Proof // what only the safe spaces keep from being proved
	rest    int             // the first command that was not looked at for a proof, 0 for none
}

// fill makes room for the commands of the line of a call.
func (ps *parts) fill(f *facts) {
	ps.facts = f
	if n := len(f.line.Commands); n <= len(ps.buf) {
		ps.list = ps.buf[:n]
	} else {
		ps.list = make([]part, n)
	}
}

// permit returns the first permission that allows a command, nil if none does.
func (ps *parts) permit(i int) *permit {
	p, f := &ps.list[i], ps.facts
	if !p.hasPermit {
		p.hasPermit = true
		p.permit = f.allowing(func(p *permit) bool { return f.allowsCommand(p, &f.line.Commands[i]) })
	}
	return p.permit
}

// dangers returns the dangerous patterns that a command matches.
func (ps *parts) dangers(i int) []hazard.Finding {
	p := &ps.list[i]
	if !p.hasDangers {
		p.hasDangers = true
		p.dangers = dangerous.All(&ps.scene, i)
		ps.dangersRun(p, i)
	}
	return p.dangers
}

// dangersRun adds the patterns that lines match which the command with an index runs,
// in code or in a language of its own.
func (ps *parts) dangersRun(p *part, i int) {
	c := &ps.facts.line.Commands[i]
	for k := range ps.ran {
		if ran := &ps.ran[k]; ran.By == c.Span {
			ps.dangersOf(p, i, ran.Line)
		}
	}
	if c.Context == program.Local {
		return
	}
	for _, line := range eval.Scripted(c, eval.Env{Home: ps.scene.Home}) { // elsewhere, where the floor does not look
		for k := range line.Commands {
			line.Commands[k].Context = c.Context
		}
		ps.dangersOf(p, i, line)
	}
}

// dangersOf adds the patterns that a line matches which the command with an index runs.
func (ps *parts) dangersOf(p *part, i int, line *eval.Line) {
	s := ps.scene
	s.Line, s.Depth = line, 1
	for n := range line.Commands {
		for _, f := range dangerous.All(&s, n) {
			if !slices.ContainsFunc(p.dangers, func(known hazard.Finding) bool { return known.Rule == f.Rule }) {
				p.dangers = append(p.dangers, hazard.Finding{Rule: f.Rule, Command: i, Span: ps.facts.line.Commands[i].Span})
			}
		}
	}
}

// peril returns the first dangerous pattern that a command matches which nothing
// allows, as an ask; nil if there is none.
func (ps *parts) peril(i int) *opinion {
	if ps.list[i].stage != StageNone {
		return nil
	}
	return ps.danger(i)
}

// danger returns the first dangerous pattern that a command matches, as an ask;
// nil if there is none.
func (ps *parts) danger(i int) *opinion {
	if found := ps.dangers(i); len(found) > 0 {
		return askAbout(&found[0])
	}
	return nil
}

// loss is danger without the patterns that match only because of directories
// which a build makes again.
func (ps *parts) loss(i int) *opinion {
	found := ps.dangers(i)
	for k := range found {
		if !dangerous.Remade(&ps.scene, i, found[k].Rule) {
			return askAbout(&found[k])
		}
	}
	return nil
}

// unallowedLoss is the loss by a command that nothing allows.
func (ps *parts) unallowedLoss(i int) *opinion {
	if ps.list[i].stage != StageNone {
		return nil
	}
	return ps.loss(i)
}

func askAbout(f *hazard.Finding) *opinion {
	return &opinion{decision: Ask, rule: f.Rule.ID, why: "it " + f.Rule.Why, span: new(f.Span), instead: f.Rule.Instead}
}

// proof proves that a command only reads. What an operator declares to do so by
// its beginning is covered as other beginnings are.
func (ps *parts) proof(i int) *readonly.Proof {
	p := &ps.list[i]
	if !p.hasProof {
		p.proof, p.hasProof = ps.proofIn(ps.facts.line, i), true
	}
	return &p.proof
}

func (ps *parts) proofIn(l *eval.Line, i int) readonly.Proof {
	p := ps.prover.Prove(l, i)
	if p.Declared == 0 {
		return p
	}
	if why := ps.facts.e.declared[p.Declared-1].stopped(ps.facts, i); why != "" {
		return readonly.Proof{Why: why, Span: l.Commands[i].Span}
	}
	return p
}

// plainProof is proof without what operators declare.
func (ps *parts) plainProof(i int) readonly.Proof {
	if len(ps.prover.Extra) == 0 {
		return *ps.proof(i)
	}
	return ps.plainProofIn(ps.facts.line, i)
}

func (ps *parts) plainProofIn(l *eval.Line, i int) readonly.Proof {
	plain := ps.prover
	plain.Extra = nil
	return plain.Prove(l, i)
}

// provedAs reports whether the line would be proved to do no more than read at
// an index if another command stood there.
func (ps *parts) provedAs(prove func(*eval.Line, int) readonly.Proof, i int, c command.Command) bool {
	p := ps.proofAs(prove, i, c)
	return p.Proved || p.Outside
}

// proofAs is the proof for an index if another command stood there.
func (ps *parts) proofAs(prove func(*eval.Line, int) readonly.Proof, i int, c command.Command) readonly.Proof {
	line := ps.facts.line
	if ps.other == nil {
		ps.other = new(*line)
		ps.other.Commands = slices.Clone(line.Commands)
	}
	ps.other.Commands[i] = c
	p := prove(ps.other, i)
	ps.other.Commands[i] = line.Commands[i]
	return p
}
