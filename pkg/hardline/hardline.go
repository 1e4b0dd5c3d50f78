// Package hardline is the floor: it recognises commands that destroy a
// machine, a disk or a home, and those that lift the limits under which the
// agent runs. Nothing overrides it, so it never matches on suspicion.
//
// Its rules look at commands as [eval.Read] resolved them. They do not see
// what a file holds that is run later, what another host does, or what a
// program computes; SECURITY.md says more about these limits.
package hardline

import (
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// built is the table, made at first use: rules look into code with the table
// itself, so that it cannot be made when the package starts.
var built struct {
	sync.Once
	table *hazard.Table
}

func table() *hazard.Table {
	built.Do(func() { built.table = hazard.NewTable(rules()) })
	return built.table
}

// Rules returns the rules of the floor, grouped by class.
func Rules() []hazard.Rule { return table().Rules() }

// Match returns the first catastrophe on a line.
func Match(s *hazard.Scene) (hazard.Finding, bool) {
	if len(s.Line.Spawns) > 0 {
		return hazard.Finding{Rule: ruleByID("fork-bomb"), Span: s.Line.Spawns[0].Span}, true
	}
	t := table()
	for i := range s.Line.Commands {
		if f, ok := t.First(s, i); ok {
			return f, true
		}
	}
	return hazard.Finding{}, false
}

// MatchWrite returns the rule against writing to a path with a file tool. The
// path is cleaned and absolute; of the scene, only OS and Protect count.
func MatchWrite(s *hazard.Scene, path string) (*hazard.Rule, bool) {
	switch path = shell.Abs("", path); {
	case isDevice(path), caseless(s) && isDevice(strings.ToLower(path)):
		return ruleByID("device-write"), true
	case path == sysrq:
		return ruleByID("sysrq"), true
	case covers(s, path, false):
		return ruleByID("self-protection"), true
	}
	return nil, false
}

// Denies reports whether the floor denies a text as a line of its own that runs
// where c does.
func Denies(s *hazard.Scene, c *command.Command, text string) bool {
	prose := s.Quiet()
	prose.Prose = true
	return catastrophic(prose, c, text)
}

func ruleByID(id string) *hazard.Rule {
	rules := table().Rules()
	for i := range rules {
		if rules[i].ID == id {
			return &rules[i]
		}
	}
	panic("hardline: no rule " + id)
}

// local reports whether a command acts on this machine. What runs in a container
// or on another host does not, unless the host's root or devices are given to
// it.
func local(s *hazard.Scene, c *command.Command) bool {
	switch c.Context {
	case program.Local:
		return true
	case program.Remote:
		return loopsBack(s, c)
	}
	return wrappedBy(s, c, givesMachine)
}

// onMachine reports whether a command acts on the devices, the processes and the power
// of this machine, as it does below another root.
func onMachine(s *hazard.Scene, c *command.Command) bool {
	if local(s, c) {
		return true
	}
	return c.Context == program.Container && !wrappedBy(s, c, func(w *command.Command) bool {
		p := w.Args.Program
		return p != nil && p.Context != program.Local && !p.Shares
	})
}

// loopsBack reports whether every ssh that leads to a command connects to this
// machine.
func loopsBack(s *hazard.Scene, c *command.Command) bool {
	found := false
	for p := c.Parent; p >= 0; p = s.Line.Commands[p].Parent {
		w := &s.Line.Commands[p]
		if w.Args.Program == nil || w.Args.Program.Context != program.Remote {
			continue
		}
		if !w.LoopsBack() {
			return false
		}
		found = true
	}
	return found
}

// reaches reports whether a command reaches files of this machine.
func reaches(s *hazard.Scene, c *command.Command) bool {
	return onMachine(s, c) || c.Context == program.Container && wrappedBy(s, c, func(w *command.Command) bool { return len(mounts(w)) > 0 })
}

func wrappedBy(s *hazard.Scene, c *command.Command, match func(w *command.Command) bool) bool {
	for p := c.Parent; p >= 0; p = s.Line.Commands[p].Parent {
		if match(&s.Line.Commands[p]) {
			return true
		}
	}
	return false
}

func rootOfMachine(w *shell.Word) bool {
	for _, v := range w.Values {
		if strings.HasPrefix(v, "/") && shell.Abs("", v) == "/" {
			return true
		}
	}
	return false
}

// sharesRoot reports whether a wrapper makes the root of this machine that of what it runs.
func sharesRoot(w *command.Command) bool {
	p, at := w.Args.Program, w.Args.Operands
	return p != nil && p.Shares && len(at) > 0 && at[0].Role == program.RoleDir && rootOfMachine(&w.Words[at[0].At])
}

// givesMachine reports whether a wrapper gives a container the host's root or
// devices.
func givesMachine(w *command.Command) bool {
	if sharesRoot(w) || w.Args.Has("privileged", "device") || gives(w, "pid", "host") || gives(w, "cap-add", "ALL", "SYS_BOOT", "CAP_SYS_BOOT") {
		return true
	}
	for _, m := range mounts(w) {
		switch m.host {
		case "/", "/dev", "/proc", "/proc/1/root", "/sys", "/run":
			return true
		}
		if isDevice(m.host) {
			return true
		}
	}
	return false
}

// gives reports whether an option of a wrapper has one of several arguments.
func gives(w *command.Command, option string, values ...string) bool {
	for i := range w.Args.Options {
		if o := &w.Args.Options[i]; o.Is(option) && slices.ContainsFunc(values, o.Arg.Has) {
			return true
		}
	}
	return false
}
