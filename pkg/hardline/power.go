package hardline

import (
	"regexp"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func changesPower(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	a := &c.Args
	if !onMachine(s, c) || a.Has("help", "version") || hasWord(c, "/?", "-?", "--help", "--version") {
		return shell.Span{}, false
	}
	hit := false
	switch c.How("powers") {
	case "units":
		hit = !a.Has("dry-run") && !leadsAway(a) && !onlyCancels(a) && systemPower(c)
	case "sessions":
		hit = !leadsAway(a) && (a.Sub == "poweroff" || a.Sub == "reboot" || a.Sub == "halt")
	case "signals":
		hit = signalsInit(c.Words[1:])
	case "events":
		hit = hasMatch(c, appleEvents.get())
	case "calls":
		hit = callsPower(c)
	default:
		aborts := program.WithoutSuffix(c.Path) != c.Path && hasWord(c, "-a") // as Windows spells it
		hit = c.Does("powers") && !(c.Of("timed") && (aborts || !isTime(c)))
	}
	return c.Span, hit
}

// isTime reports whether the first operand of shutdown may be a time, or there is none:
// else it does nothing.
func isTime(c *command.Command) bool {
	if len(c.Args.Operands) == 0 {
		return true
	}
	v, known := c.Words[c.Args.Operands[0].At].Literal()
	return !known || v == "now" || strings.ContainsAny(v, "+:/") || shell.IsNumber(v)
}

// leadsAway reports whether systemctl or loginctl acts on another machine or on
// a container.
func leadsAway(a *command.Args) bool {
	for i := range a.Options {
		if o := &a.Options[i]; (o.Is("H") || o.Is("M")) && !command.NamesSelf(&o.Arg) {
			return true
		}
	}
	return false
}

// onlyCancels reports whether --when of systemctl takes a planned change back,
// or shows it. The last one counts, so that each must.
func onlyCancels(a *command.Args) bool {
	found := false
	for i := range a.Options {
		if !a.Options[i].Is("when") {
			continue
		}
		v, ok := a.Options[i].Arg.Literal()
		if !ok || v != "" && v != "cancel" && v != "show" {
			return false
		}
		found = true
	}
	return found
}

// callsPower looks for calls over D-Bus that end the session or change the power state.
func callsPower(c *command.Command) bool {
	if hasPart(c, "org.kde.ksmserver", "org.kde.Shutdown", "org.kde.LogoutPrompt") && hasMatch(c, sessionEnds.get()) {
		return !hasWord(c, "logout") || len(c.Words) > 2 && (c.Words[len(c.Words)-2].Has("1") || c.Words[len(c.Words)-2].Has("2"))
	}
	return hasPart(c, "org.freedesktop.login1", "org.freedesktop.systemd1", "org.freedesktop.ConsoleKit") && (hasMatch(c, busMethods.get()) || hasMatch(c, busStarts.get()) && powerUnit(c))
}

var (
	appleEvents = &pattern{text: `(?im)\btell\s+app(?:lication)?\s+"(?:system events|finder|loginwindow)"\s*(?:to\s+)?(?:shut\s+down|restart)\s*$|Application\("System Events"\)\.(?:shutDown|restart)\(|«event aevt(?:rsdn|rrst|shut|rest)»`}
	busStarts   = &pattern{text: `^(?:.*\.)?(?:Re)?[sS]tartUnit$`}
	sessionEnds = &pattern{text: `^(?:.*\.)?(?:logout|logoutAndShutdown|logoutAndReboot)$`}
	busMethods  = &pattern{text: `^(?:.*\.)?(?:PowerOff|Reboot|Halt|KExec|SoftReboot|PowerOffWithFlags|RebootWithFlags|HaltWithFlags|ScheduleShutdown|Restart|Stop)$`}
)

func systemPower(c *command.Command) bool {
	switch c.Args.Sub {
	case "poweroff", "reboot", "halt", "kexec", "soft-reboot":
		return true
	case "enable":
		return c.Args.Has("now") && powerUnit(c)
	case "isolate", "start", "restart", "reload-or-restart":
		return powerUnit(c)
	}
	return false
}

func powerUnit(c *command.Command) bool {
	for i := range c.Words[1:] {
		for _, v := range c.Words[i+1].Values {
			v = strings.TrimPrefix(v, "systemd-")
			v = strings.TrimSuffix(strings.TrimSuffix(v, ".target"), ".service")
			switch v {
			case "poweroff", "reboot", "halt", "kexec", "shutdown", "soft-reboot", "runlevel0", "runlevel6", "ctrl-alt-del":
				return true
			}
		}
	}
	return false
}

// initSignals are those on which systemd as process 1 halts or restarts the
// machine (systemd(1), "Signals"); INT is the one of Ctrl-Alt-Del.
const initSignals = "INT 2 RTMIN+3 RTMIN+4 RTMIN+5 RTMIN+6 RTMIN+13 RTMIN+14 RTMIN+15 RTMIN+16 37 38 39 40 47 48 49 50"

// signalsInit reports whether kill sends process 1 a signal to leave.
func signalsInit(words []shell.Word) bool {
	leave, first := false, false
	for i := range words {
		for _, v := range words[i].Values {
			name := strings.TrimLeft(v, "-sn")
			name = strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(name), "SIGNAL="), "SIG")
			isSignal := strings.HasPrefix(v, "-") || i > 0 && (words[i-1].Has("-s") || words[i-1].Has("-n") || words[i-1].Has("--signal"))
			leave = leave || isSignal && name != "" && program.HasWord(initSignals, name)
			first = first || !isSignal && v == "1"
		}
	}
	return leave && first
}

func writesSysrq(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !c.Changes() {
		return shell.Span{}, false
	}
	return effect(s, c, func(at *command.Command, e command.Effect) bool {
		if e.Kind != command.Writes {
			return false
		}
		for _, p := range reachedPaths(s, at, e) {
			if p == sysrq || e.Target.Glob && matchesPath(p, sysrq) {
				return true
			}
		}
		return false
	})
}

// hasPart reports whether a word of the command contains one of several texts.
func hasPart(c *command.Command, parts ...string) bool {
	return anyWord(c.Words, func(v string) bool {
		for _, p := range parts {
			if strings.Contains(v, p) {
				return true
			}
		}
		return false
	})
}

// hasFold reports whether an argument is one of several texts, whatever its
// case.
func hasFold(c *command.Command, texts ...string) bool {
	return anyWord(c.Words[1:], func(v string) bool {
		for _, t := range texts {
			if strings.EqualFold(v, t) {
				return true
			}
		}
		return false
	})
}

func hasMatch(c *command.Command, re *regexp.Regexp) bool {
	return anyWord(withArguments(c), re.MatchString)
}
