// Package hardline is the floor: it recognises commands that destroy a
// machine, a disk or a home, and those that lift the limits under which the
// agent runs. Nothing overrides it, so it never matches on suspicion.
//
// Its rules look at commands as [shell.Read] resolved them. They do not see
// what a file holds that is run later, what another host does, or what a
// program computes; SECURITY.md says more about these limits.
package hardline

import (
	"net/netip"
	"strconv"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
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
	case isDevice(path):
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
func Denies(s *hazard.Scene, c *shell.Command, text string) bool { return catastrophic(s, c, text) }

func ruleByID(id string) *hazard.Rule {
	rules := table().Rules()
	for i := range rules {
		if rules[i].ID == id {
			return &rules[i]
		}
	}
	panic("hardline: no rule " + id)
}

// local says whether a command acts on this machine. What runs in a container
// or on another host does not, unless the host's root or devices are given to
// it.
func local(s *hazard.Scene, c *shell.Command) bool {
	switch c.Context {
	case shell.Local:
		return true
	case shell.Remote:
		return loopsBack(s, c)
	}
	return wrappedBy(s, c, givesMachine)
}

// loopsBack says whether every ssh that leads to a command connects to this
// machine. Another port often leads into a virtual one.
func loopsBack(s *hazard.Scene, c *shell.Command) bool {
	found := false
	for p := c.Parent; p >= 0; p = s.Line.Commands[p].Parent {
		w := &s.Line.Commands[p]
		if w.Args.Program == nil || w.Args.Program.Context != shell.Remote {
			continue
		}
		if len(w.Args.Operands) == 0 || w.Args.Has("p", "J", "F", "W") || leadsAway(w) {
			return false
		}
		if !namesSelf(&w.Words[w.Args.Operands[0].At]) {
			return false
		}
		found = true
	}
	return found
}

// namesSelf says whether the host of ssh is this machine.
func namesSelf(w *shell.Word) bool {
	hosts := w.Values
	if len(hosts) == 0 && strings.Contains(w.Partial, shell.UnknownText+"@") {
		hosts = []string{w.Partial} // a user who is not known
	}
	for _, host := range hosts {
		host = strings.TrimPrefix(host, "ssh://")
		host = strings.Trim(host[strings.LastIndexByte(host, '@')+1:], "[]/")
		if isLoopback(strings.TrimSuffix(strings.ToLower(host), ".")) {
			return true
		}
	}
	return false
}

// isLoopback says whether a host is this machine, by name or by an address in
// any of the forms that inet_aton(3) reads.
func isLoopback(host string) bool {
	if contains("localhost ip6-localhost ip6-loopback localhost.localdomain", host) || strings.HasSuffix(host, ".localhost") {
		return true
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().IsLoopback() || a.IsUnspecified()
	}
	first, _, dotted := strings.Cut(host, ".")
	n, err := strconv.ParseUint(first, 0, 32)
	return err == nil && (n == 127 && dotted || n == 0 || !dotted && n>>24 == 127) && strings.Trim(host, "0123456789abcdefx.") == ""
}

// leadsAway says whether an option -o of ssh names another port or host.
func leadsAway(c *shell.Command) bool {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.Is("o") {
			continue
		}
		v, ok := o.Arg.Literal()
		v = strings.ToLower(v)
		if !ok || strings.HasPrefix(v, "port") || strings.HasPrefix(v, "proxy") || strings.HasPrefix(v, "hostname") {
			return true
		}
	}
	return false
}

// reaches says whether a command reaches files of this machine.
func reaches(s *hazard.Scene, c *shell.Command) bool {
	return local(s, c) || c.Context == shell.Container && wrappedBy(s, c, func(w *shell.Command) bool { return len(mounts(w)) > 0 })
}

func wrappedBy(s *hazard.Scene, c *shell.Command, match func(w *shell.Command) bool) bool {
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

// givesMachine says whether a wrapper gives a container the host's root or
// devices.
func givesMachine(w *shell.Command) bool {
	if w.Name == "chroot" && len(w.Args.Operands) > 0 && rootOfMachine(&w.Words[w.Args.Operands[0].At]) || w.Args.Has("privileged", "device") {
		return true
	}
	for _, m := range mounts(w) {
		switch m.host {
		case "/", "/dev", "/proc", "/proc/1/root", "/sys", "/run":
			return true
		}
	}
	return false
}
