package rego

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/format"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/policies"
)

// A regoFile is a module as a linter of Rego sees it.
type regoFile struct {
	name, text string
	lines      []string
	*ast.Module
}

// A regalRule is one of the rules of Regal that are errors by default, as
// https://openpolicyagent.org/projects/regal/rules publishes them, and a module
// that breaks it.
type regalRule struct {
	name  string
	finds func(f *regoFile) bool
	bad   string
}

// What a compiler of Rego refuses: [ast.Compiler] in strict mode, with all
// annotations read.
var uncompiled = map[string]string{
	"deprecated-builtin":         `x := all([true])`,
	"invalid-metadata-attribute": "# METADATA\n# titel: x\n# entrypoint: 3\nx := 1",
	"import-shadows-import":      "import data.a\nimport data.b.a\nx := a",
	"inconsistent-args":          "f(_, 1)\n\nf(2)",
	"circular-import":            "import data.policyctl.rules\nx := rules.x",
	"unassigned-return-value":    "x if lower(input.y)\n",
	"use-assignment-operator":    "x = 1",
}

// What the form of "opa fmt" cannot have.
var formatted = []string{"opa-fmt", "no-whitespace-comment", "use-if", "use-contains", "unnecessary-some", "implicit-future-keywords", "use-rego-v1"}

// What a module must not have at all, to be checked by its text.
func has(expression string) func(*regoFile) bool {
	re := regexp.MustCompile("(?m)" + expression)
	return func(f *regoFile) bool { return re.MatchString(f.code()) }
}

var regalRules = []regalRule{
	{"line-length", func(f *regoFile) bool {
		return slices.ContainsFunc(indices(f.lines), func(i int) bool {
			return len([]rune(f.lines[i])) > 120 && (i == 0 || strings.TrimSpace(f.lines[i-1]) != "# regal ignore:line-length")
		})
	}, "x := \"" + strings.Repeat("x", 120) + "\""},
	{"file-length", func(f *regoFile) bool {
		return len(f.lines) > 500 && !strings.Contains(f.text, "# regal ignore:file-length\npackage ")
	}, strings.Repeat("x := 1\n", 501)},
	{"rule-length", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			return !isTrue(r.Body) && strings.Count(string(r.Location.Text), "\n") >= 30
		})
	}, "x if {\n" + strings.Repeat("\tinput.y\n", 31) + "}"},
	{"prefer-snake-case", func(f *regoFile) bool {
		upper := regexp.MustCompile(`[A-Z]`)
		bad := func(name string) bool { return upper.MatchString(name) }
		return slices.ContainsFunc(f.names(), bad) || slices.ContainsFunc(f.variables(), bad)
	}, `xY := 1`},
	{"messy-rule", func(f *regoFile) bool {
		seen, last := map[string]bool{}, ""
		for _, name := range f.names() {
			if name != last && seen[name] {
				return true
			}
			seen[name], last = true, name
		}
		return false
	}, "x if input.a\n\ny := 1\n\nx if input.b"},
	{"external-reference", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool { return len(r.Head.Args) > 0 && f.external(r) > 2 })
	}, "f(x) if input.a[x] == input.b + data.c"},
	{"avoid-get-and-list-prefix", prefixed("get_", "list_"), "get_x := 1"},
	{"rule-name-repeats-package", prefixed("rules", "policyctl"), "rules_of := 1"},
	{"rule-shadows-builtin", func(f *regoFile) bool { return slices.ContainsFunc(f.names(), isBuiltinName) }, "contains_ := 1\n\ncount := 2"},
	{"var-shadows-builtin", func(f *regoFile) bool { return slices.ContainsFunc(f.variables(), isBuiltinName) }, "x if {\n\tcount := 1\n\tcount\n}"},
	{"metasyntactic-variable", func(f *regoFile) bool {
		return slices.ContainsFunc(append(f.names(), f.variables()...), func(name string) bool {
			return slices.Contains([]string{"foobar", "foo", "bar", "baz", "qux", "quux", "corge", "grault", "garply", "waldo", "fred", "plugh", "xyzzy", "thud"}, name)
		})
	}, "foo := 1"},
	{"no-defined-entrypoint", func(f *regoFile) bool {
		return f.Package.Path.String() == "data."+Package && !slices.ContainsFunc(f.Annotations, func(a *ast.Annotations) bool { return a.Entrypoint })
	}, "x := 1"},
	{"internal-entrypoint", has(`entrypoint: true\n(#.*\n)*_`), "# METADATA\n# entrypoint: true\n_x := 1"},
	{"leaked-internal-reference", has(`\bdata\.[a-z.]*\._`), "x := data.a._b"},
	{"annotation-without-metadata", func(f *regoFile) bool {
		in := false
		for _, line := range f.lines {
			switch {
			case line == "# METADATA":
				in = true
			case !strings.HasPrefix(line, "#"):
				in = false
			case !in && regexp.MustCompile(`^# (title|description|scope|entrypoint|related_resources|authors|organizations|schemas|custom):`).MatchString(line):
				return true
			}
		}
		return false
	}, "# title: x\nx := 1"},
	{"detached-metadata", has(`(?:^# METADATA\n(?:#.*\n)+)\n`), "# METADATA\n# title: x\n\nx := 1"},
	{"todo-comment", has(`# *(?i:todo|fixme)\b`), "# todo: y\nx := 1"},
	{"duplicate-rule", func(f *regoFile) bool {
		seen := map[string]bool{}
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			text := r.String()
			defer func() { seen[text] = true }()
			return seen[text]
		})
	}, "x if input.y\n\nx if input.y"},
	{"argument-always-wildcard", func(f *regoFile) bool {
		used := map[string][]bool{}
		for _, r := range f.Rules {
			name := r.Head.Name.String()
			if len(used[name]) < len(r.Head.Args) {
				used[name] = make([]bool, len(r.Head.Args))
			}
			for i, arg := range r.Head.Args {
				used[name][i] = used[name][i] || !isWildcard(arg)
			}
		}
		for _, args := range used {
			if slices.Contains(args, false) {
				return true
			}
		}
		return false
	}, "f(x, _) := x"},
	{"constant-condition", func(f *regoFile) bool {
		return slices.ContainsFunc(f.expressions(), func(e *ast.Expr) bool {
			if !e.IsCall() {
				term, ok := e.Terms.(*ast.Term)
				return ok && ast.IsConstant(term.Value) && strings.Contains(f.lines[e.Location.Row-1], "if "+term.String())
			}
			return ast.BuiltinMap[operatorOf(e)] != nil && !slices.ContainsFunc(e.Operands(), func(t *ast.Term) bool { return !ast.IsConstant(t.Value) })
		})
	}, "x if 1 == 1"},
	{"if-object-literal", has(`\bif \{ *"`), "x if {\"a\": 1}"},
	{"impossible-not", func(f *regoFile) bool {
		sets := map[string]bool{}
		for _, r := range f.Rules {
			if r.Head.Key != nil && r.Head.Value == nil {
				sets[r.Head.Name.String()] = true
			}
		}
		return slices.ContainsFunc(f.expressions(), func(e *ast.Expr) bool {
			term, ok := e.Terms.(*ast.Term)
			return e.Negated && ok && sets[term.String()]
		})
	}, "x contains 1 if input.y\n\nz if not x"},
	{"not-equals-in-loop", has(`!= [a-z_.]+\[_\]|\[_\] != `), `x if "a" != input.y[_]`},
	{"redundant-existence-check", func(f *regoFile) bool {
		return f.pairs(func(a, b *ast.Expr) bool {
			term, ok := a.Terms.(*ast.Term)
			_, isRef := termValue(term).(ast.Ref)
			return ok && isRef && !a.Negated && len(a.With) == 0 && regexp.MustCompile(`\b`+regexp.QuoteMeta(term.String())+`\b`).MatchString(b.String()) && !b.Negated
		})
	}, "x if {\n\tinput.y\n\tstartswith(input.y, \"a\")\n}"},
	{"rule-assigns-default", func(f *regoFile) bool {
		values := map[string]string{}
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			if r.Default {
				values[r.Head.Name.String()] = r.Head.Value.String()
				return false
			}
			value, ok := values[r.Head.Name.String()]
			return ok && r.Head.Value != nil && r.Head.Value.String() == value
		})
	}, "default x := false\n\nx := false if input.y"},
	{"rule-named-if", has(`^if\b`), "if := 1"},
	{"time-now-ns-twice", func(f *regoFile) bool { return strings.Count(f.code(), "time.now_ns") > 1 }, "x := time.now_ns() - time.now_ns()"},
	{"top-level-iteration", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			return isTrue(r.Body) && r.Head.Value != nil && strings.Contains(string(r.Location.Text), "[_]") && !strings.Contains(string(r.Location.Text), "|")
		})
	}, "x := input.y[_]"},
	{"unused-output-variable", func(f *regoFile) bool {
		re := regexp.MustCompile(`some ([a-z_, ]+) in `)
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			text := string(r.Location.Text)
			for _, m := range re.FindAllStringSubmatch(text, -1) {
				for name := range strings.SplitSeq(m[1], ", ") {
					if name != "_" && len(regexp.MustCompile(`\b`+name+`\b`).FindAllString(text, -1)) < 2 {
						return true
					}
				}
			}
			return false
		})
	}, "x if some y in input.z"},
	{"ambiguous-scope", func(f *regoFile) bool {
		count, noted := map[string]int{}, map[string]bool{}
		for _, r := range f.Rules {
			count[r.Head.Name.String()]++
		}
		for _, a := range f.Annotations {
			if r, ok := f.ruleAt(a.EndLoc().Row); ok && a.Scope == "rule" {
				noted[r] = true
			}
		}
		for name := range noted {
			if count[name] > 1 {
				return true
			}
		}
		return false
	}, "# METADATA\n# title: x\nx if input.y\n\nx if input.z"},
	{"boolean-assignment", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			return isTrue(r.Body) && regexp.MustCompile(`^[a-z_]+ := [^{("\[]+ (==|!=|<|>|<=|>=|in) `).Match(r.Location.Text)
		})
	}, "x := input.y == 1"},
	{"custom-has-key-construct", has(`\w+\(\w+, \w+\) if _ = \w+\[\w+\]`), "has_key(map, key) if _ = map[key]"},
	{"custom-in-construct", has(`(\w+) == \w+\[_\]|\w+\[_\] == `), "f(x, list) if x == list[_]"},
	{"equals-pattern-matching", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			if len(r.Head.Args) == 0 || len(r.Body) != 1 || !r.Body[0].IsCall() || r.Body[0].Operator().String() != "equal" {
				return false
			}
			a, b := r.Body[0].Operand(0), r.Body[0].Operand(1)
			return isArgument(r, a) && ast.IsScalar(b.Value) || isArgument(r, b) && ast.IsScalar(a.Value)
		})
	}, "f(x) := 2 if x == 1"},
	{"in-wildcard-key", has(`\bsome _, \w+ in |\b_, \w+ in `), "x if {\n\tsome _, y in input.z\n\ty\n}"},
	{"non-raw-regex-pattern", has(`\bregex\.(match|find_n|split|is_valid|find_all_string_submatch_n)\("`), `x if regex.match("[a]\\.", input.y)`},
	{"prefer-equals-comparison", func(f *regoFile) bool {
		return slices.ContainsFunc(f.expressions(), func(e *ast.Expr) bool { return e.IsEquality() })
	}, "x if input.y = 1"},
	{"prefer-set-or-object-rule", has(`^[a-z_]+ := \{[a-z_]+(: [a-z_]+)? \|`), "x := {y | some y in input.z}"},
	{"single-item-in", has(` in [\[{]("[^"]*"|\d+)[\]}]`), `x if input.y in {"a"}`},
	{"use-array-flatten", has(`array\.concat\(array\.concat\(|\[\w+ \|\s+some (\w+) in [^\n]*\n\s+some \w+ in \w+\n`), "x := array.concat(array.concat(input.a, input.b), input.c)"},
	{"use-in-operator", has(`^\s*"[^"]*" == [\w.]+\[_\]`), `x if {` + "\n\t" + `"a" == input.y[_]` + "\n}"},
	{"use-object-keys", has(`\{(\w+) \| some (\w+), _ in`), "x := {y | some y, _ in input.z}"},
	{"use-object-union-n", has(`object\.union\(object\.union\(|object\.union\([^()]*, object\.union\(`), "x := object.union(input.a, object.union(input.b, input.c))"},
	{"use-some-for-output-vars", has(`^\s+[\w.]+\[[a-z]\]$`), "x if {\n\tinput.y[i]\n\tinput.z[i]\n}"},
	{"use-strings-count", has(`count\(indexof_n\(`), `x := count(indexof_n(input.y, "a"))`},
	{"avoid-importing-input", has(`^import input`), "import input.y\nx := y"},
	{"confusing-alias", has(`^import (\S+) as .*\nimport \S+ as `), "import data.a as b\nimport data.a as c\nx := b + c"},
	{"ignored-import", has(`^import data\.policyctl\b(?s:.*)\bdata\.policyctl\.admission\.`), "import data.policyctl.admission\nx := data.policyctl.admission.y"},
	{"import-after-rule", func(f *regoFile) bool {
		return len(f.Imports) > 0 && len(f.Rules) > 0 && f.Imports[len(f.Imports)-1].Location.Row > f.Rules[0].Location.Row
	}, "x := 1\n\nimport data.a\n\ny := a"},
	{"import-shadows-builtin", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.Import) bool { return isBuiltinName(i.Name().String()) })
	}, "import data.count\nx := count"},
	{"import-shadows-rule", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.Import) bool { return slices.Contains(f.names(), i.Name().String()) })
	}, "import data.a.x\nx := 1"},
	{"pointless-import", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.Import) bool { return i.Path.String() == f.Package.Path.String() })
	}, "import data.policyctl.rules\nx := rules.y"},
	{"prefer-package-imports", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.Import) bool {
			return !slices.Contains([]string{"data.policyctl.admission", "data.policyctl.teams"}, i.Path.String())
		})
	}, "import data.a.b.c\nx := c"},
	{"redundant-alias", has(`^import \S*\b(\w+) as (\w+)$`), "import data.a as a\nx := a"},
	{"redundant-data-import", has(`^import data$`), "import data\nx := data.y"},
	{"disallow-rego-v1", has(`^import rego\.v1$`), "import rego.v1\nx := 1"},
	{"defer-assignment", func(f *regoFile) bool {
		return f.pairs(func(a, b *ast.Expr) bool {
			if !a.IsAssignment() {
				return false
			}
			if _, isRef := a.Operand(1).Value.(ast.Ref); !isRef {
				return false
			}
			vars := ast.NewVarVisitor()
			vars.Walk(a.Operand(0))
			used := ast.NewVarVisitor()
			used.Walk(b)
			for v := range vars.Vars() {
				if used.Vars().Contains(v) {
					return false
				}
			}
			_, isSome := b.Terms.(*ast.SomeDecl)
			return !isSome && !b.IsAssignment() && !b.IsEvery()
		})
	}, "x if {\n\ty := input.a\n\tinput.b == 1\n\ty == 2\n}"},
	{"non-loop-expression", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool { return loopsOver(r.Body) })
	}, "x if {\n\tsome y in input.z\n\tinput.a == 1\n\ty == 2\n}"},
	{"walk-no-path", has(`walk\([^)]*, \[_, `), "x if {\n\twalk(input.y, [_, z])\n\tz\n}"},
	{"with-outside-test-context", func(f *regoFile) bool {
		return !f.isTest() && slices.ContainsFunc(f.expressions(), func(e *ast.Expr) bool { return len(e.With) > 0 })
	}, "x if input.y with input as {}"},
	{"comprehension-term-assignment", has(`\[(\w+) \|[^\]]*\n\s+(\w+) := \w+\.\w+\n\]|\{(\w+) \| some \w+ in [\w.]+; (\w+) := \w+\.\w+\}`), "x := {y | some z in input.a; y := z.b}"},
	{"default-over-else", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			return r.Else != nil && isTrue(r.Else.Body) && ast.IsConstant(r.Else.Head.Value.Value)
		})
	}, "x := 1 if {\n\tinput.y\n} else := 2"},
	{"default-over-not", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			return len(r.Head.Args) == 0 && r.Head.Key == nil && r.Head.Value != nil && ast.IsScalar(r.Head.Value.Value) && len(r.Body) == 1 && r.Body[0].Negated &&
				r.Head.Value.String() != "true" && strings.HasPrefix(r.Body[0].Terms.(*ast.Term).String(), "input.")
		})
	}, "x := input.y\n\nx := 1 if not input.y"},
	{"double-negative", has(`\bnot (cannot_|no_|non_|not_|without_)`), "not_y if input.y\n\nx if not not_y"},
	{"function-arg-return", func(f *regoFile) bool {
		return slices.ContainsFunc(f.expressions(), func(e *ast.Expr) bool {
			b := ast.BuiltinMap[operatorOf(e)]
			return b != nil && b.Name != "walk" && b.Name != "print" && len(e.Operands()) > len(b.Decl.FuncArgs().Args) && !b.IsTargetPos(0)
		})
	}, "x if {\n\tlower(input.y, z)\n\tz\n}"},
	{"mixed-iteration", has(`some \w+ in [\w.]+\[_\]`), "x if {\n\tsome y in input.z[_]\n\ty\n}"},
	{"pointless-reassignment", func(f *regoFile) bool {
		return slices.ContainsFunc(f.expressions(), func(e *ast.Expr) bool {
			if !e.IsAssignment() {
				return false
			}
			_, left := e.Operand(0).Value.(ast.Var)
			_, right := e.Operand(1).Value.(ast.Var)
			return left && right
		})
	}, "x if {\n\ty := input.z\n\ta := y\n\ta == 1\n}"},
	{"prefer-some-in-iteration", has(`^\s+\w+ := [\w.]+\[_\]$`), "x if {\n\ty := input.z[_]\n\ty\n}"},
	{"trailing-default-rule", func(f *regoFile) bool {
		seen := map[string]bool{}
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			name := r.Head.Name.String()
			defer func() { seen[name] = true }()
			return r.Default && seen[name]
		})
	}, "x if input.y\n\ndefault x := false"},
	{"unconditional-assignment", func(f *regoFile) bool {
		return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool {
			return r.Head.Value != nil && len(r.Body) == 1 && r.Body[0].IsAssignment() && r.Head.Value.Equal(r.Body[0].Operand(0)) && len(r.Body[0].With) == 0
		})
	}, "x := y if {\n\ty := input.z\n}"},
	{"yoda-condition", has(`(^|if |not )\s*("[^"]*"|\d+) (==|!=|<|>|<=|>=) [a-z]`), `x if "a" == input.y`},
	{"sprintf-arguments-mismatch", func(f *regoFile) bool {
		for _, m := range regexp.MustCompile(`sprintf\("([^"]*)", \[([^\]]*)\]\)`).FindAllStringSubmatch(f.text, -1) {
			if strings.Count(m[1], "%") != len(strings.Split(m[2], ",")) {
				return true
			}
		}
		return false
	}, `x := sprintf("%s %s", ["a"])`},
	{"redundant-loop-count", has(`count\(([\w.]+)\) > 0\n\s+some \w+ in `), "x if {\n\tcount(input.y) > 0\n\tsome z in input.y\n\tz\n}"},
	{"superfluous-object-get", func(f *regoFile) bool {
		for _, m := range regexp.MustCompile(`object\.get\([^()]*, ("[^"]*"|null|\[\]|\d+|set\(\))\) == ("[^"]*"|null|\[\]|\d+)`).FindAllStringSubmatch(f.text, -1) {
			if m[1] != m[2] {
				return true
			}
		}
		return false
	}, `x if object.get(input, ["y"], "") == "a"`},
	{"identically-named-tests", func(f *regoFile) bool {
		seen := map[string]bool{}
		return f.isTest() && slices.ContainsFunc(f.names(), func(name string) bool {
			defer func() { seen[name] = true }()
			return strings.HasPrefix(name, "test_") && seen[name]
		})
	}, "test_x if input.y\n\ntest_x if input.z"},
	{"test-outside-test-package", func(f *regoFile) bool {
		return !strings.HasSuffix(f.Package.Path.String(), "_test") && slices.ContainsFunc(f.names(), func(name string) bool { return strings.HasPrefix(name, "test_") })
	}, ""},
	{"file-missing-test-suffix", func(f *regoFile) bool {
		return strings.HasSuffix(f.Package.Path.String(), "_test") != strings.HasSuffix(f.name, "_test.rego")
	}, ""},
	{"directory-package-mismatch", func(f *regoFile) bool {
		want := strings.TrimSuffix(strings.ReplaceAll(strings.TrimPrefix(f.Package.Path.String(), "data."), ".", "/"), "_test")
		return !strings.HasSuffix(filepath.ToSlash(filepath.Dir(f.name)), want)
	}, ""},
	{"todo-test", prefixed("todo_test_"), "todo_test_x if input.y"},
	{"print-or-trace-call", has(`\b(print|trace)\(`), "x if print(input.y)"},
	{"dubious-print-sprintf", has(`print\(sprintf\(`), `x if print(sprintf("%s", [input.y]))`},
}

// Rules of Regal that need to see how people lay out a whole repository, or
// what this project's modules have on purpose.
var unchecked = map[string]string{
	"unresolved-import":    "a module's imports are those of its repository; opa check resolves them",
	"unresolved-reference": "the lists of the example are data that its configuration of Regal names",
}

// The published list, by category.
const published = `
bugs: annotation-without-metadata argument-always-wildcard constant-condition deprecated-builtin duplicate-rule
	if-object-literal import-shadows-rule impossible-not inconsistent-args internal-entrypoint invalid-metadata-attribute
	leaked-internal-reference not-equals-in-loop redundant-existence-check redundant-loop-count rule-assigns-default rule-named-if
	rule-shadows-builtin sprintf-arguments-mismatch time-now-ns-twice top-level-iteration unassigned-return-value
	unused-output-variable var-shadows-builtin
custom: disallow-rego-v1
idiomatic: ambiguous-scope boolean-assignment custom-has-key-construct custom-in-construct directory-package-mismatch
	equals-pattern-matching in-wildcard-key no-defined-entrypoint non-raw-regex-pattern prefer-equals-comparison
	prefer-set-or-object-rule single-item-in superfluous-object-get use-array-flatten use-contains use-if use-in-operator use-object-keys
	use-object-union-n use-some-for-output-vars use-strings-count
imports: avoid-importing-input circular-import confusing-alias ignored-import implicit-future-keywords import-after-rule
	import-shadows-builtin import-shadows-import pointless-import prefer-package-imports redundant-alias
	redundant-data-import unresolved-import unresolved-reference use-rego-v1
performance: defer-assignment non-loop-expression walk-no-path with-outside-test-context
style: avoid-get-and-list-prefix comprehension-term-assignment default-over-else default-over-not detached-metadata
	double-negative external-reference file-length function-arg-return line-length messy-rule mixed-iteration
	no-whitespace-comment opa-fmt pointless-reassignment prefer-snake-case prefer-some-in-iteration rule-length
	rule-name-repeats-package todo-comment trailing-default-rule unconditional-assignment unnecessary-some
	use-assignment-operator yoda-condition
testing: dubious-print-sprintf file-missing-test-suffix identically-named-tests metasyntactic-variable
	print-or-trace-call test-outside-test-package todo-test`

// Every published rule has a check, and every check finds what it is for.
func TestRegalRules(t *testing.T) {
	known := map[string]bool{}
	for name := range uncompiled {
		known[name] = true
	}
	for _, name := range formatted {
		known[name] = true
	}
	for name := range unchecked {
		known[name] = true
	}
	for _, r := range regalRules {
		known[r.name] = true
		if r.bad == "" {
			continue
		}
		name := "policyctl/rules/rules.rego"
		text := "package policyctl.rules\n\n" + r.bad + "\n"
		if r.name == "identically-named-tests" {
			name, text = "policyctl/rules/rules_test.rego", strings.Replace(text, "rules\n", "rules_test\n", 1)
		}
		f, err := parseRego(name, text)
		if err != nil {
			if !slices.Contains([]string{"rule-named-if", "import-after-rule"}, r.name) {
				t.Errorf("%s: %v", r.name, err)
			}
			continue // OPA refuses it
		}
		if !r.finds(f) {
			t.Errorf("%s is not found in\n%s", r.name, r.bad)
		}
	}
	for _, name := range strings.Fields(regexp.MustCompile(`(?m)^\w+:`).ReplaceAllString(published, "")) {
		if !known[name] {
			t.Errorf("the rule %s has no check", name)
		}
	}
	for name, bad := range uncompiled {
		text := "package policyctl.rules\n\n" + bad + "\n"
		if f, err := parseRego("policyctl/rules/rules.rego", text); err == nil && compileRego(f) == nil && isFormatted(f) {
			t.Errorf("%s is not refused: %s", name, bad)
		}
	}
}

// Compiled rules, of the built-in packs and of random sets.
func TestRegalCompiled(t *testing.T) {
	var sources []string
	for _, name := range policies.Names() {
		text, _ := policies.Lookup(name)
		loaded, err := config.Load(policy.Settings{}, config.File{Layer: config.User, Name: "policy.yaml", Data: text})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := loaded.SourcesBy(func(s *pattern.Set) (policy.Source, error) {
			c, err := Compile(s)
			if err == nil {
				sources = append(sources, c.Source)
			}
			return nil, err
		}); err != nil {
			t.Fatal(err)
		}
	}
	g := &generator{Rand: rand.New(rand.NewPCG(seed.New(t), 9))}
	for i := range 60 {
		c, err := Compile(g.set(t, allOperators[i%len(allOperators)]))
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, c.Source)
	}
	for _, source := range sources {
		lintRego(t, "policyctl/rules/rules.rego", source)
	}
}

// The Rego that the project ships as examples.
func TestRegalExamples(t *testing.T) {
	count := 0
	for _, dir := range []string{"../../policies/examples/admission", "../../examples/policy-repository/policies"} {
		names, err := filepath.Glob(filepath.Join(dir, "policyctl/admission/*.rego"))
		if err != nil {
			t.Fatal(err)
		}
		entrypoints := 0
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			count++
			entrypoints += strings.Count(string(text), "\n# entrypoint: true\n")
			lintRego(t, name, string(text))
		}
		if entrypoints != 1 {
			t.Errorf("%s: no-defined-entrypoint: %d", dir, entrypoints)
		}
	}
	if count < 6 {
		t.Errorf("only %d files were found", count)
	}
}

func lintRego(t *testing.T, name, text string) {
	t.Helper()
	f, err := parseRego(name, text)
	if err != nil {
		t.Fatal(err)
	}
	if !isFormatted(f) {
		t.Errorf("%s: opa-fmt", name)
	}
	for _, r := range regalRules {
		if r.finds(f) {
			t.Errorf("%s: %s", name, r.name)
		}
	}
}

func parseRego(name, text string) (*regoFile, error) {
	m, err := ast.ParseModuleWithOpts(name, text, ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
	if err != nil {
		return nil, err
	}
	return &regoFile{name: name, text: text, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), Module: m}, nil
}

func compileRego(f *regoFile) error {
	c := ast.NewCompiler().WithStrict(true)
	if c.Compile(map[string]*ast.Module{f.name: f.Module}); c.Failed() {
		return c.Errors
	}
	return nil
}

func isFormatted(f *regoFile) bool {
	text, err := format.Source(f.name, []byte(f.text))
	return err == nil && string(text) == f.text
}

func (f *regoFile) isTest() bool { return strings.HasSuffix(f.name, "_test.rego") }

// code returns the text without what stands in constants.
func (f *regoFile) code() string {
	return regexp.MustCompile("`[^`]*`").ReplaceAllString(f.text, "``")
}

func (f *regoFile) names() []string {
	var out []string
	for _, r := range f.Rules {
		out = append(out, r.Head.Ref()[0].Value.String())
	}
	return out
}

func (f *regoFile) variables() []string {
	var out []string
	collect := func(terms ...*ast.Term) {
		for _, t := range terms {
			ast.WalkVars(t, func(v ast.Var) bool {
				out = append(out, string(v))
				return false
			})
		}
	}
	for _, r := range f.Rules {
		collect(r.Head.Args...)
	}
	for _, e := range f.expressions() {
		switch terms := e.Terms.(type) {
		case *ast.SomeDecl:
			for _, s := range terms.Symbols {
				if call, ok := s.Value.(ast.Call); ok {
					collect(call[1 : len(call)-1]...)
				}
			}
		case *ast.Every:
			collect(terms.Value)
		default:
			if e.IsAssignment() {
				collect(e.Operand(0))
			}
		}
	}
	return out
}

func (f *regoFile) expressions() []*ast.Expr {
	var out []*ast.Expr
	ast.WalkExprs(f.Module, func(e *ast.Expr) bool {
		out = append(out, e)
		return false
	})
	return out
}

// pairs reports whether two expressions that follow each other in a body are so.
func (f *regoFile) pairs(so func(a, b *ast.Expr) bool) bool {
	found := false
	ast.WalkBodies(f.Module, func(b ast.Body) bool {
		for i := 1; i < len(b); i++ {
			found = found || so(b[i-1], b[i])
		}
		return false
	})
	return found
}

// external counts what a function takes from elsewhere than its arguments.
func (f *regoFile) external(r *ast.Rule) int {
	names := f.names()
	n := 0
	count := func(x any) {
		ast.WalkRefs(x, func(ref ast.Ref) bool {
			head := ref[0].Value.String()
			if head == "input" || head == "data" || slices.Contains(names, head) && !f.isFunction(head) {
				n++
			}
			return false
		})
		ast.WalkTerms(x, func(t *ast.Term) bool {
			if v, ok := t.Value.(ast.Var); ok && slices.Contains(names, string(v)) && !f.isFunction(string(v)) {
				n++
			}
			_, isRef := t.Value.(ast.Ref)
			return isRef
		})
	}
	count(r.Body)
	if r.Head.Value != nil {
		count(r.Head.Value)
	}
	return n
}

func (f *regoFile) isFunction(name string) bool {
	return slices.ContainsFunc(f.Rules, func(r *ast.Rule) bool { return r.Head.Ref()[0].Value.String() == name && len(r.Head.Args) > 0 })
}

// ruleAt returns the name of the rule that begins behind a row.
func (f *regoFile) ruleAt(row int) (string, bool) {
	for _, r := range f.Rules {
		if r.Location.Row > row {
			return r.Head.Name.String(), true
		}
	}
	return "", false
}

// loopsOver reports whether a body has an expression behind a loop that could
// stand before it.
func loopsOver(body ast.Body) bool {
	bound := map[ast.Var]bool{}
	looping := false
	for _, e := range body {
		vars := ast.NewVarVisitor()
		vars.Walk(e)
		if _, ok := e.Terms.(*ast.SomeDecl); ok {
			looping = true
			for v := range vars.Vars() {
				bound[v] = true
			}
			continue
		}
		uses := false
		for v := range vars.Vars() {
			uses = uses || bound[v] && v != "input" && v != "data"
		}
		if looping && !uses {
			return true
		}
		if looping && e.IsAssignment() {
			for v := range vars.Vars() {
				bound[v] = true
			}
		}
	}
	return false
}

func indices[T any](list []T) []int {
	out := make([]int, len(list))
	for i := range list {
		out[i] = i
	}
	return out
}

func prefixed(all ...string) func(*regoFile) bool {
	return func(f *regoFile) bool {
		return slices.ContainsFunc(f.names(), func(name string) bool {
			return slices.ContainsFunc(all, func(p string) bool { return strings.HasPrefix(name, p) })
		})
	}
}

func isBuiltinName(name string) bool {
	for _, b := range ast.Builtins {
		first, _, _ := strings.Cut(b.Name, ".")
		if first == name && b.Infix == "" {
			return true
		}
	}
	return false
}

func isTrue(b ast.Body) bool { return len(b) == 0 || len(b) == 1 && b[0].String() == "true" }

func isWildcard(t *ast.Term) bool {
	v, ok := t.Value.(ast.Var)
	return ok && v.IsWildcard()
}

func isArgument(r *ast.Rule, t *ast.Term) bool {
	return slices.ContainsFunc(r.Head.Args, func(arg *ast.Term) bool { return arg.Equal(t) })
}

func termValue(t *ast.Term) ast.Value {
	if t == nil {
		return nil
	}
	return t.Value
}

func operatorOf(e *ast.Expr) string {
	if !e.IsCall() {
		return ""
	}
	return fmt.Sprint(e.Operator())
}
