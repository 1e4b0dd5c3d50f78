package rego

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// writeAnswers is the next step where a document is no list of answers.
const writeAnswers = `write deny contains {"id": "ID", "reason": "REASON"} if { ... }`

// explained returns the errors of OPA with file, line and column and, where
// one is known, the next step.
func explained(err error) error {
	var many ast.Errors
	var more rego.Errors
	var one *ast.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &many):
		out := make([]error, len(many))
		for i, e := range many {
			out[i] = explainedOne(e)
		}
		return errors.Join(out...)
	case errors.As(err, &more):
		out := make([]error, len(more))
		for i, e := range more {
			out[i] = explained(e)
		}
		return errors.Join(out...)
	case errors.As(err, &one):
		return explainedOne(one)
	}
	return err
}

func explainedOne(e *ast.Error) error {
	var b strings.Builder
	b.WriteString(place(e.Location) + ": " + e.Message)
	if e.Details != nil {
		for _, line := range e.Details.Lines() {
			if line = strings.TrimSpace(line); line != "" && line != "^" && !strings.HasSuffix(e.Message, line) {
				b.WriteString("; " + line)
			}
		}
	}
	if step := nextStep(e); step != "" {
		b.WriteString(": " + step)
	}
	return errors.New(b.String())
}

// place returns file:line:column.
func place(l *ast.Location) string {
	if l == nil {
		return "rego"
	}
	return fmt.Sprintf("%s:%d:%d", l.File, l.Row, l.Col)
}

// nextStep says what to do about an error; "" where the message says it.
func nextStep(e *ast.Error) string {
	if name, ok := strings.CutPrefix(e.Message, "undefined function "); ok {
		if slices.Contains(endless, name) {
			return "one call of it may take minutes or all memory: compute it outside of the policy, as data"
		}
		if isBuiltin(name) {
			return "policies have no network, environment, clock or chance: use input or data instead"
		}
		return "check the name and the package of the function"
	}
	switch e.Code {
	case ast.UnsafeVarErr:
		return "give the variable a value in the body, outside of not"
	case ast.RecursionErr:
		return "rules may not depend on themselves"
	case ast.TypeErr:
		if strings.HasPrefix(e.Message, "undefined ref") {
			return "look the name up in the schema of the input"
		}
	case ast.ParseErr:
		return "the syntax is that of Rego v1"
	}
	return ""
}

// isBuiltin reports whether OPA has a built-in of a name.
func isBuiltin(name string) bool {
	for _, b := range ast.CapabilitiesForThisVersion().Builtins {
		if b.Name == name {
			return true
		}
	}
	return false
}

// evaluationError returns what went wrong in an evaluation, with its place.
func evaluationError(err error) error {
	var e *topdown.Error
	if !errors.As(err, &e) {
		return err
	}
	step := ""
	switch {
	case strings.Contains(e.Message, "null"):
		step = ": null means unknown, test it with is_string or is_number first"
	case strings.Contains(e.Message, "by zero"):
		step = ": test the divisor first"
	case e.Code == topdown.BuiltinErr:
		step = ": test the value first"
	case e.Code == topdown.ConflictErr:
		step = ": a rule has one value, make a set with contains where there may be several"
	}
	return fmt.Errorf("%s: %s%s", place(e.Location), strings.Join(strings.Fields(e.Message), " "), step)
}
