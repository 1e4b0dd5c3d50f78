package rego

import (
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/pkg/policy"
)

// maxNamed bounds the calls that are made of what rules name.
const maxNamed = 100

// plain reports whether a text is one word of a line, whatever the shell.
func plain(text string) bool {
	const word = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@:-"
	return text != "" && len(text) <= 64 && text[0] != '-' && strings.Trim(text, word) == ""
}

// namedCalls returns calls of the programs, words, tools and agents that rules
// name: a rule that tests "terraform" is reached by the line terraform, and one
// that tests "npm" and "publish" by npm publish.
func namedCalls(trees map[string]*ast.Module) []policy.Call {
	var out []policy.Call
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		for _, r := range trees[name].Rules {
			for ; r != nil; r = r.Else {
				for _, c := range callsOf(firstTexts(r.Body)) {
					key := callName(&c) + "\x00" + c.Agent
					if seen[key] {
						continue
					}
					seen[key] = true
					if out = append(out, c); len(out) == maxNamed {
						return out
					}
				}
			}
		}
	}
	return out
}

// callsOf returns the calls that the texts of one rule tell of.
func callsOf(texts []string) []policy.Call {
	if len(texts) == 0 {
		return nil
	}
	const dir = "/home/dev/app"
	out := []policy.Call{*policy.Shell(strings.Join(texts, " "), dir)}
	for i, one := range texts {
		rest := slices.Delete(slices.Clone(texts), i, i+1)
		line := policy.Shell(strings.Join(rest, " "), dir)
		line.Agent = one
		out = append(out, *policy.Shell(one, dir), policy.Call{Tool: one, Input: map[string]any{}, Dir: dir}, *line)
	}
	return out
}

// maxTexts is how many texts of one rule are looked at.
const maxTexts = 5

// firstTexts returns the first plain text of each expression of a body.
func firstTexts(body ast.Body) []string {
	var out []string
	for _, e := range body {
		found := ""
		ast.NewGenericVisitor(func(x any) bool {
			switch x := x.(type) {
			case ast.Ref:
				return true // its keys are none that a call holds
			case ast.String:
				if found == "" && plain(string(x)) {
					found = string(x)
				}
			}
			return found != ""
		}).Walk(e)
		if found != "" && !slices.Contains(out, found) {
			out = append(out, found)
		}
		if len(out) == maxTexts {
			break
		}
	}
	return out
}
