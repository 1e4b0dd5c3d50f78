// Package dangerous knows commands whose harm can be undone with luck or
// work, or not at all but only for the project at hand: what a person should
// see before a coding agent runs it. Catastrophes are the hardline's.
//
// Its rules are data, ordered by class, and look at parsed commands and their
// effects; text that is only printed, searched for or committed never matches.
// [Find] looks for the first rule that matches a command, [All] for each.
// Which answer a match leads to is for the caller to say: the package decides
// nothing, and what no rule matches need not be safe.
package dangerous

import (
	"slices"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// Rules returns the rules in their order. They must not be changed.
func Rules() []hazard.Rule { return table().Rules() }

// Find returns the first rule that matches the command with index i of the
// scene's line. It is safe for concurrent use and does not allocate for most
// commands that match none.
func Find(s *hazard.Scene, i int) (hazard.Finding, bool) { return table().First(s, i) }

// All returns every rule that matches the command with index i of the scene's
// line.
func All(s *hazard.Scene, i int) []hazard.Finding {
	var out []hazard.Finding
	table().Find(s, i, func(f hazard.Finding) bool {
		out = append(out, f)
		return true
	})
	return out
}

// Undecided reports whether what is unknown of a command may decide if a rule
// matches it: its program, an argument of a program that some rule looks at or
// that changes files, or what it is redirected to.
func Undecided(c *command.Command) bool {
	for i := range c.Redirects {
		if r := &c.Redirects[i]; r.Writes() && r.Target.Open {
			return true
		}
	}
	if len(c.Words) == 0 || c.Keyword {
		return false
	}
	if c.Name == "" || c.Words[0].Open || c.Opaque != "" {
		return true
	}
	open := c.Args.Open
	for i := 1; i < len(c.Words); i++ {
		open = open || c.Words[i].Open
	}
	p := c.Args.Program
	return open && (p == nil || p.Changes() || table().Names(c.Name) || onlyRuns(c))
}

// IDs returns the ids of the rules in their order.
func IDs() []string {
	rules := Rules()
	out := make([]string, len(rules))
	for i := range rules {
		out[i] = rules[i].ID
	}
	return out
}

var table = sync.OnceValue(func() *hazard.Table {
	return hazard.NewTable(slices.Concat(
		deleteRules(), permissionRules(), privilegeRules(), downloadRules(), changeRules(), leakRules(), sendRules(), gitRules(), publishRules(),
		containerRules(), clusterRules(), infrastructureRules(), databaseRules(), scheduleRules(), networkRules(), serviceRules(),
		processRules(), machineRules(), storeRules(), secretRules(), systemRules(), installRules(), protectionRules(), selfRules(), terminalRules(), traceRules(), argumentRules(), inputRules(), foreignRules(),
	))
})
