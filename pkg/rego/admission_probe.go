package rego

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// A probe is one rule of a document under a name of its own: it tells what that
// rule gives, and of which type that is.
type probe struct {
	document decisionDocument
	rule     *ast.Rule // as it was read
	ref      ast.Ref
	query    *rego.PreparedEvalQuery // nil until it is needed
}

// probes are the rules of the documents of an admission, one by one.
type probes struct {
	list []probe
	// loading holds the compiled probes, nil where they could not be compiled:
	// annotations belong to the rules that they stand before.
	loading *loader
}

// newProbes compiles the rules that answer once more, each beside the rest.
func newProbes(modules []Module, data map[string]any) (*probes, error) {
	l := loader{modules: modules}
	if err := errors.Join(l.parse(), l.keep(data)); err != nil {
		return nil, err
	}
	p := &probes{}
	for _, name := range slices.Sorted(maps.Keys(l.trees)) {
		p.add(l.trees[name])
	}
	if l.compile() == nil {
		p.loading = &l
	}
	return p, nil
}

// add adds a rule for each rule of a module that answers.
func (p *probes) add(m *ast.Module) {
	for d, ref := range documentRefs() {
		for _, r := range m.Rules {
			if !r.Ref().HasPrefix(ref) {
				continue
			}
			name := fmt.Sprintf("policyctl_rule_%d", len(p.list))
			own := r.Copy()
			own.Default = false
			for rule := own; rule != nil; rule = rule.Else {
				rule.Head.Name = ast.Var(name)
				rule.Head.Reference = ast.Ref{ast.VarTerm(name)}
			}
			p.list = append(p.list, probe{document: decisionDocument(d), rule: r, ref: m.Package.Path.Append(ast.StringTerm(name))})
			m.Rules = append(m.Rules, own)
		}
	}
}

// check returns what can be told of the rules without a call: it joins what is
// wrong with each.
func (p *probes) check() error {
	var errs []error
	for i := range p.list {
		at := &p.list[i]
		if err := at.check(p.loading); err != nil {
			errs = append(errs, fmt.Errorf("%s: the document %s: %w", place(at.rule.Location), at.document, err))
		}
	}
	return errors.Join(errs...)
}

func (p *probe) check(l *loader) error {
	for rule := p.rule; rule != nil; rule = rule.Else {
		if err := p.document.written(rule); err != nil {
			return err
		}
	}
	if l == nil {
		return nil
	}
	return p.document.typed(l.compiler.TypeEnv.GetByRef(p.ref))
}

// culprit returns a rule of which the value for a call is wrong, and what is
// wrong with it; nil where no rule is wrong by itself.
func (p *probes) culprit(a *Admission, b *budget, input ast.Value, fails func(decisionDocument, ast.Value) error) (*probe, error) {
	if p.loading == nil {
		return nil, nil
	}
	for i := range p.list {
		at := &p.list[i]
		v, err := at.value(p.loading, a, b, input)
		if err != nil || v == nil {
			continue
		}
		if err := fails(at.document, v); err != nil {
			return at, err
		}
	}
	return nil, nil
}

// value returns what the rule gives for an input, nil for nothing.
func (p *probe) value(l *loader, a *Admission, b *budget, input ast.Value) (ast.Value, error) {
	if p.query == nil {
		query, err := l.ready(fmt.Sprintf("answers = [x | x = %s]", p.ref))
		if err != nil {
			return nil, err
		}
		p.query = &query
	}
	v, err := a.resultOf(b, *p.query, input)
	if err != nil {
		return nil, err
	}
	list, ok := v.(*ast.Array)
	if !ok || list.Len() != 1 {
		return nil, nil
	}
	return list.Elem(0).Value, nil
}
