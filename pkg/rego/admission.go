package rego

import (
	"fmt"
	"slices"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown/cache"

	"github.com/policyctl/policyctl/pkg/policy"
)

// AdmissionPackage is the package in which an organisation's policy answers
// calls.
const AdmissionPackage = "policyctl.admission"

// defaultDeadline is how long the evaluation of one call may take: processor
// time of its thread on Linux, where ten times as much may pass by the wall,
// elsewhere the time that passes.
const defaultDeadline = 100 * time.Millisecond

// A Module is a file of Rego. Errors name it.
type Module struct{ Name, Source string }

// Options are what an admission works with beside its modules. The zero value
// is valid.
type Options struct {
	// Deadline bounds the evaluation of one call where its policy does not, see
	// [policy.Settings]; 0 means [defaultDeadline].
	Deadline time.Duration
	// Origin is where verdicts say that the policy was written.
	Origin policy.Origin
}

// An Admission answers calls by the rules of an organisation in Rego: the
// documents deny, ask and allow of the package policyctl.admission. It is
// immutable and safe for concurrent use.
type Admission struct {
	query    rego.PreparedEvalQuery
	cache    cache.InterQueryValueCache
	deadline time.Duration
	origin   policy.Origin
	modules  []Module
	data     map[string]any // nil or a copy
	tally    *tally
	// evaluate is eval but in tests.
	evaluate evaluation
}

// HasAdmission reports whether modules answer calls. It is true as well for a
// module that cannot be read: [NewAdmission] says why.
func HasAdmission(modules []Module) bool {
	for _, m := range modules {
		tree, err := parse(m)
		if err != nil || len(answering(tree)) > 0 {
			return true
		}
	}
	return false
}

// NewAdmission compiles modules over base documents, which may be nil. The
// error joins what is wrong, each with file, line and column.
func NewAdmission(modules []Module, data map[string]any, o Options) (*Admission, error) {
	l := loader{modules: modules}
	if err := l.load(data); err != nil {
		return nil, err
	}
	query, err := l.prepare()
	if err != nil {
		return nil, err
	}
	a := &Admission{query: query, cache: valueCache(), deadline: o.Deadline, origin: o.Origin, modules: slices.Clone(modules), data: l.data, tally: &tally{since: time.Now()}}
	switch {
	case a.deadline == 0:
		a.deadline = defaultDeadline
	case a.deadline < 0:
		return nil, fmt.Errorf("the deadline %v is negative: leave it at 0 for %v", a.deadline, defaultDeadline)
	}
	a.evaluate = a.eval
	return a, nil
}

// answering returns the rules of a module that give answers, wherever its
// package ends and the names of its rules begin.
func answering(m *ast.Module) []*ast.Rule {
	var out []*ast.Rule
	for _, r := range m.Rules {
		for _, ref := range documentRefs() {
			if r.Ref().HasPrefix(ref) {
				out = append(out, r)
			}
		}
	}
	return out
}
