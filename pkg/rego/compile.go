package rego

import (
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/pattern"
)

// Package is the Rego package of compiled rules. Its document "verdict" is
// {decision, rule, reason} and for an ask also {ask}, and undefined where no
// rule matches. The input is {record, scope, now}: a record as
// [record.Record] marshals it, a scope {plugin, profile, integration} of which
// all may be missing, and the instant in RFC 3339.
const Package = "policyctl.rules"

// A Compiled is a set of rules in Rego.
type Compiled struct {
	// Source is the text of the module, as "opa fmt" writes it.
	Source string

	set   *pattern.Set
	timed bool // some rule tests the instant
	tree  *ast.Module
}

// Compile translates the enabled rules of a set to a module of Rego that says of
// every record what the set says. No text of a rule becomes code: the constants
// of the module are compared with those that were meant. The error names the
// rule that cannot be translated.
func Compile(s *pattern.Set) (*Compiled, error) {
	e := newEmitter(s.Ordered())
	for i, rule := range s.Ordered() {
		if err := e.rule(i, rule); err != nil {
			return nil, fmt.Errorf("rule %s: %w", rule.ID, err)
		}
	}
	source := e.source(counted(len(s.Ordered()), "rule"))
	if e.err != nil {
		return nil, e.err
	}
	tree, err := ast.ParseModuleWithOpts("rules.rego", source, ast.ParserOptions{RegoVersion: ast.RegoV1})
	if err != nil {
		return nil, fmt.Errorf("the compiled rules are not Rego, which is a mistake of policyctl: %w", err)
	}
	if err := e.compare(tree); err != nil {
		return nil, err
	}
	return &Compiled{Source: source, set: s, timed: e.timed, tree: tree}, nil
}

// compare reports whether the texts in the module are those that were written,
// before the library.
func (e *emitter) compare(tree *ast.Module) error {
	ast.WalkTerms(tree, func(t *ast.Term) bool {
		text, ok := t.Value.(ast.String)
		if at := t.Location; ok && at != nil && at.Row <= e.lines && len(at.Text) > 0 && (at.Text[0] == '"' || at.Text[0] == '`') {
			e.texts[string(text)]--
		}
		return false
	})
	for text, n := range e.texts {
		if n != 0 {
			return fmt.Errorf("the text %q of a rule cannot be written in Rego", clip.Shorten(text))
		}
	}
	return nil
}

// OldestOPA is the oldest version of Open Policy Agent that evaluates compiled
// rules as policyctl does.
const OldestOPA = "1.0.0"

// BrokenOPA are the versions that never match a set with a reference in it, such as
// input.x in {"a", input.y}.
const BrokenOPA = "1.21.0 to 1.22.0"

// head returns what comes before the rules, which take so many lines.
func head(rules string, lines int) string {
	long := ""
	if lines+4 > fileLength {
		long = "# regal ignore:file-length\n"
	}
	return fmt.Sprintf("# Compiled by policyctl from %s. Change the rules, not this file.\n# It needs OPA %s or later, and not %s, which never match some sets.\n%spackage %s\n", rules, OldestOPA, BrokenOPA, long, Package)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// IsCompiled reports whether a module is one of compiled rules, or claims to be.
func IsCompiled(source string) bool {
	tree, err := ast.ParseModuleWithOpts("rules.rego", source, ast.ParserOptions{RegoVersion: ast.RegoV1})
	return err == nil && tree.Package.Path.String() == "data."+Package
}
