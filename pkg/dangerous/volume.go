package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// onDevice holds if a program may be meant for a device: it is named, or not
// known, or all of them are meant.
func onDevice(c *cmd) bool {
	for i := 1; i < len(c.Words); i++ {
		w := &c.Words[i]
		if len(w.Values) == 0 || anyValue(w.Set, hasPrefix("/dev/", "UUID=", "LABEL=", "PARTUUID=", "PARTLABEL=", "-A")) || w.Has("/") {
			return true
		}
	}
	return false
}

// onlyChecks holds if a program is to repair nothing: -n or -N, alone or
// among others, or what lists and estimates.
func onlyChecks(c *cmd) bool {
	return argument(func(v string) bool {
		short := len(v) > 1 && v[0] == '-' && v[1] != '-' && strings.ContainsAny(v, "nN")
		return short || program.HasWord("-l -P -i --info --no-action --check", v)
	})(c)
}

// isVirtual reports whether a path is a loop device, or a disk in memory.
func isVirtual(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	if !ok {
		return false
	}
	for _, kind := range [...]string{"loop", "zram", "ram"} {
		if unit, ok := strings.CutPrefix(name, kind); ok && unit != "" && unit[0] >= '0' && unit[0] <= '9' {
			return true
		}
	}
	return false
}

func writesVirtual(_ *hazard.Scene, c *cmd) (span, bool) {
	if c.Context == program.Remote || !mentionsVirtual(c) || asksHelp(c) || dry(c) {
		return span{}, false
	}
	if c.Of("blocks") {
		return c.Span, says("create", "convert", "dd", "luksFormat", "erase", "--create", "-C", "format")(c) || c.Of("fills")
	}
	if c.Does("looks") {
		return span{}, false
	}
	if c.Does("formats") {
		return c.Span, true
	}
	for e := range c.Effects {
		if (e.Kind == command.Writes || e.Kind == command.Deletes) && anyValue(e.Target, isVirtual) {
			return e.Span, true
		}
	}
	return span{}, false
}

// mentionsVirtual is a quick look before [command.Command.Effects].
func mentionsVirtual(c *cmd) bool {
	for i := range c.Redirects {
		if r := &c.Redirects[i]; r.Writes() && anyValue(r.Target.Set, isVirtual) {
			return true
		}
	}
	return argument(func(v string) bool { return isVirtual(strings.TrimPrefix(v, "of=")) })(c)
}
