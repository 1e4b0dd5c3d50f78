package hardline

import (
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func killsAll(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !onMachine(s, c) {
		return shell.Span{}, false
	}
	a := &c.Args
	hit := false
	switch c.How("ends") {
	case "everything":
		hit = !a.Has("h", "help")
	case "patterns":
		hit = !probes(c.Words[1:]) && (everyName(c) || a.Has("v", "inverse") || olderThanNow(c) || a.Has("u", "euid", "U", "uid") && len(a.Operands) == 0 && ownUser(s, c))
	case "names":
		hit = !probes(c.Words[1:]) && (olderThanNow(c) || a.Has("r", "regexp") && everyName(c) || a.Has("u") && len(a.Operands) == 0 && ownUser(s, c))
	case "numbers":
		hit = !asksOnly(c.Words[1:]) && killsMinusOne(c.Words[1:]) || killsListed(s, c)
	case "users":
		hit = fuserKills(s, c)
	case "sessions":
		hit = (a.Sub == "terminate-user" || a.Sub == "kill-user") && ownUser(s, c)
	case "tasks":
		hit = hasFold(c, "/im", "-im", "/fi", "-fi") && (hasFold(c, "*", "pid gt 0", "pid ge 0", "pid ne 0", "status eq running") || hasFold(c, "username eq "+shell.Base(s.Home)))
	case "objects":
		hit = hasFold(c, "*") || c.Source >= 0 && s.Line.Commands[c.Source].How("finds") == "objects" && len(s.Line.Commands[c.Source].Words) == 1
	case "units":
		hit = (a.Sub == "stop" || a.Sub == "kill") && hasWord(c, "user.slice", "-.slice", "init.scope", "*")
	case "owners":
		hit = !hasWord(c, "-l", "-L", "-n") && ownUser(s, c)
	default:
		hit = c.Is(program.Appends) && hasWord(c, "kill", "/bin/kill", "/usr/bin/kill") && !hasWord(c, "-0") && command.ListsProcesses(c.Words[1:])
	}
	return c.Span, hit
}

// asksOnly reports whether kill is given signal 0 and no other, which asks
// whether processes are there and does nothing to them.
func asksOnly(words []shell.Word) bool {
	if len(words) == 0 {
		return false
	}
	first, _ := words[0].Literal()
	if first == "-s" || first == "-n" {
		v, _ := words[min(1, len(words)-1)].Literal()
		return len(words) == 3 && v == "0"
	}
	return first == "-0" && !anyWord(words[1:], func(v string) bool {
		return strings.HasPrefix(v, "-s") || strings.HasPrefix(v, "-n") || strings.HasPrefix(v, "--s")
	})
}

// probes reports whether signal 0 is the one signal that pkill or killall is
// given.
func probes(words []shell.Word) bool {
	found := false
	for i := range words {
		switch v, _ := words[i].Literal(); {
		case v == "-0", v == "--signal=0", v == "0" && i > 0 && words[i-1].Has("--signal"):
			found = true
			continue
		case v == "--signal" && i+1 < len(words) && words[i+1].Has("0"):
			continue
		}
		if anyWord(words[i:i+1], mayBeSignal) {
			return false
		}
	}
	return found
}

// mayBeSignal reports whether an option is a signal, or may be one.
func mayBeSignal(v string) bool {
	if strings.HasPrefix(v, "--s") || v == "-s" {
		return true
	}
	return len(v) > 1 && v[0] == '-' && v[1] != '-' && (v[1] >= '0' && v[1] <= '9' || len(v) > 3)
}

// olderThanNow reports whether pkill or killall means whatever has run for no time
// or longer, and no name.
func olderThanNow(c *command.Command) bool {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if v, ok := o.Arg.Literal(); ok && o.HasArg && (o.Is("O") || o.Is("o") || o.Is("older") || o.Is("older-than")) {
			return o.End == len(c.Words) && strings.Trim(v, "0") == strings.Trim(v, "0123456789") && strings.HasPrefix(v, "0")
		}
	}
	return false
}

// everyName reports whether a pattern of pkill matches every name.
func everyName(c *command.Command) bool {
	for _, o := range c.Args.Operands {
		w := &c.Words[o.At]
		for _, all := range []string{"", "^", ".", ".*", ".+", "^.", "^.*", "^.+", "^.*$", "^.+$", "[a-z]", "[a-zA-Z]", "[a-z]*"} {
			if w.Has(all) {
				return true
			}
		}
		if w.Has("/") && c.Args.Has("f", "full") {
			return true
		}
	}
	return false
}

// ownUser reports whether a word names the user who runs the line, or root: to
// kill all that either runs is to kill everything.
func ownUser(s *hazard.Scene, c *command.Command) bool {
	words := withArguments(c)
	for i := range words {
		w := &words[i]
		if w.Has(shell.Base(s.Home)) || w.Has("root") || w.Has("0") {
			return true
		}
		if w.Open && w.Partial == shell.UnknownText && (spellsUser(s, w.Span) || substituted(s, w.Span, printsUser)) {
			return true
		}
	}
	return false
}

// printsUser reports whether a command prints who runs it, by name or by number.
func printsUser(c *command.Command) bool { return c.Does("user") || c.Does("user-number") }

func spellsUser(s *hazard.Scene, at shell.Span) bool {
	for _, name := range append([]string{"$UID", "${UID}", "$EUID", "${EUID}"}, userNames...) {
		if spells(s, at, name) {
			return true
		}
	}
	return false
}

// fuserKills matches fuser -k on the root, which every process uses, and with
// -m on a place.
func fuserKills(s *hazard.Scene, c *command.Command) bool {
	kills, mounts := false, false
	for _, w := range c.Words[1:] {
		if v, ok := w.Literal(); ok && strings.HasPrefix(v, "-") && (len(v) < 2 || v[1] != '-') {
			kills = kills || strings.Contains(v, "k")
			mounts = mounts || strings.Contains(v, "m") || strings.Contains(v, "c")
		}
		kills = kills || w.Has("--kill")
		mounts = mounts || w.Has("--mount")
	}
	for _, w := range operands(c.Words[1:]) {
		at := worst(s, c, w.Set)
		if kills && (at == root || mounts && at != elsewhere) {
			return true
		}
	}
	return false
}

// killsMinusOne reports whether -1 is among the process ids of kill: it is one
// everywhere but as the first option, which is the signal.
func killsMinusOne(words []shell.Word) bool {
	signal := false
	for i := 0; i < len(words); i++ {
		w := &words[i]
		switch {
		case w.Has("-l") || w.Has("-L") || w.Has("--list") || w.Has("--help"):
			return false
		case w.Has("--"):
			signal = true
		case !signal && (w.Has("-s") || w.Has("-n") || w.Has("--signal")):
			i++
			signal = true
		case !signal && len(w.Values) == 1 && strings.HasPrefix(w.Values[0], "-"):
			signal = true
		case signal && isMinusOne(w):
			return true
		default: // the first process ends the options
			signal = true
		}
	}
	return false
}

func isMinusOne(w *shell.Word) bool {
	for _, v := range w.Values {
		if n, err := strconv.Atoi(v); err == nil && n == -1 {
			return true
		}
	}
	return false
}

// floods matches a program that starts one process for each of endless lines, or of
// very many, at once.
func floods(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !onMachine(s, c) {
		return shell.Span{}, false
	}
	if c.Is(program.Appends) {
		return c.Span, startsAll(c) && (s.Line.FedMany(c) || spellsRange(s, c, command.ManyProcesses) || sourceSpells(s, c))
	}
	for at := c.Source; at >= 0; at = s.Line.Commands[at].Source { // a shell
		w := &s.Line.Commands[at]
		if anyWord(w.Words[1:], isDetached) && (w.PrintsMany() || s.Line.FedMany(w)) {
			return c.Span, true
		}
		if !w.Relays() {
			break
		}
	}
	return shell.Span{}, false
}

// isDetached reports whether a text is a line that goes on in the background, also as
// what sed puts in the place of another.
func isDetached(v string) bool {
	v = strings.TrimSpace(strings.TrimRight(v, "/gp"))
	return strings.HasSuffix(v, "&")
}

// startsAll reports whether xargs or parallel waits for none of the processes that it
// starts before the next.
func startsAll(c *command.Command) bool {
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.HasArg || !o.Is("P") && !o.Is("j") {
			continue
		}
		for _, v := range o.Arg.Values {
			if n, err := strconv.Atoi(v); err == nil && (n == 0 || n >= command.ManyProcesses) {
				return true
			}
		}
	}
	return false
}

// sourceSpells reports whether what a command reads is a range of very many numbers that
// another is given.
func sourceSpells(s *hazard.Scene, c *command.Command) bool {
	return c.Source >= 0 && s.Line.Commands[c.Source].How("prints") != "" && spellsRange(s, &s.Line.Commands[c.Source], command.ManyProcesses)
}
