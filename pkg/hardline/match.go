package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

type matcher = func(*hazard.Scene, *shell.Command) (shell.Span, bool)

// effect returns a matcher for commands with an effect on this machine.
func effect(s *hazard.Scene, c *shell.Command, match func(shell.Effect) bool) (span shell.Span, ok bool) {
	if !local(s, c) {
		return span, false
	}
	c.Effects(func(e shell.Effect) bool {
		if match(e) {
			span, ok = c.Span, true
		}
		return !ok
	})
	return span, ok
}

// deletesPlace matches commands that remove, empty or move away a place.
func deletesPlace(want place) matcher {
	return func(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
		switch c.Name {
		case "find":
			return findDeletes(s, c, want)
		case "git":
			return gitCleans(s, c, want)
		case "rsync":
			if c.Args.Has("n", "dry-run", "list-only") || !syncDeletes(&c.Args) {
				return shell.Span{}, false
			}
			return effect(s, c, func(e shell.Effect) bool { return e.Kind == shell.Writes && worst(s, c, e.Target) == want })
		}
		return effect(s, c, func(e shell.Effect) bool {
			return (e.Kind == shell.Deletes || e.Kind == shell.Moves) && worst(s, c, e.Target) == want
		})
	}
}

func syncDeletes(a *shell.Args) bool {
	return a.Has("del", "delete", "delete-before", "delete-during", "delete-delay", "delete-after", "delete-excluded")
}

func findDeletes(s *hazard.Scene, c *shell.Command, want place) (shell.Span, bool) {
	roots, narrowed := c.SearchRoots()
	if narrowed || !c.Args.Has("delete") || !local(s, c) {
		return shell.Span{}, false
	}
	for _, r := range roots {
		if worst(s, c, r) == want {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

// gitCleans matches git clean and git rm in a place that is no project.
func gitCleans(s *hazard.Scene, c *shell.Command, want place) (shell.Span, bool) {
	if c.Args.Sub != "clean" || c.Args.Has("n", "dry-run") || !c.Args.Has("f", "force") || !local(s, c) {
		return shell.Span{}, false
	}
	dir := c.Dir
	for i := range c.Args.Options {
		if o := &c.Args.Options[i]; o.HasArg && (o.Is("C") || o.Is("work-tree")) {
			dir = shell.Set{Values: shell.Paths(dir, o.Arg.Set)}
		}
	}
	at := *c
	at.Dir = dir
	if worst(s, &at, shell.Set{Values: []string{"."}}) == want && len(c.Args.Operands) == 0 {
		return c.Span, true
	}
	return shell.Span{}, false
}

// altersPlace matches recursive changes of mode, owner or attributes.
func altersPlace(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	deep := c.Args.Has("R", "recursive")
	if c.Parent >= 0 && !deep {
		_, narrowed := s.Line.Commands[c.Parent].SearchRoots()
		deep = s.Line.Commands[c.Parent].Name == "find" && !narrowed
	}
	if !deep {
		return shell.Span{}, false
	}
	return effect(s, c, func(e shell.Effect) bool {
		if e.Kind != shell.Alters || e.Target.Has("/usr/local") {
			return false
		}
		at := worst(s, c, e.Target)
		return at == root || at == system || at == home && c.Name != "chown" && c.Name != "chgrp"
	})
}

func writesDevice(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !c.MayChange() || isFormatter(c.Name) {
		return shell.Span{}, false // their own rules tell dry runs apart
	}
	return effect(s, c, func(e shell.Effect) bool {
		return (e.Kind == shell.Writes || e.Kind == shell.Deletes && c.Name == "shred") && mayBeDevice(c, e.Target)
	})
}

func isFormatter(name string) bool {
	switch name {
	case "wipefs", "blkdiscard", "sgdisk", "gdisk", "fdisk", "sfdisk", "cfdisk", "parted", "mdadm", "cryptsetup",
		"lvremove", "vgremove", "pvremove", "mount", "mke2fs", "mkswap", "newfs", "mkdosfs", "mkntfs":
		return true
	}
	return strings.HasPrefix(name, "mkfs")
}

func makesFilesystem(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if c.Args.Has("n") && c.Name != "mkfs.vfat" && c.Name != "mkfs.fat" && c.Name != "mkdosfs" && c.Name != "mkfs.msdos" {
		return shell.Span{}, false
	}
	return anyDevice(s, c)
}

// anyDevice matches a command one of whose words is a raw device.
func anyDevice(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) || c.Args.Has("help", "version", "V") {
		return shell.Span{}, false
	}
	for i := range c.Words[1:] {
		if mayBeDevice(c, c.Words[i+1].Set) {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

func wipesDisk(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	a := &c.Args
	wipes := false
	switch c.Name {
	case "wipefs":
		wipes = a.Has("a", "o") && !a.Has("n")
	case "blkdiscard":
		wipes = true
	case "sgdisk":
		wipes = a.Has("Z", "z", "o", "d", "n", "g")
	case "fdisk", "gdisk", "cfdisk", "sfdisk":
		wipes = !a.Has("l", "d", "D", "J", "s", "V", "F") && (c.In(shell.Piped) || c.Input != nil) || hasWord(c, "--delete")
	case "parted":
		wipes = hasWord(c, "mklabel", "mktable", "rm", "mkpart", "resizepart")
	case "mdadm":
		wipes = a.Has("zero-superblock", "C", "create")
	case "cryptsetup":
		wipes = a.Sub == "luksFormat" || a.Sub == "luksErase" || a.Sub == "erase" || a.Sub == "reencrypt"
	case "hdparm":
		wipes = hasWord(c, "--security-erase", "--security-erase-enhanced", "--trim-sector-ranges", "--make-bad-sector")
	case "nvme":
		wipes = hasWord(c, "format", "sanitize", "write-zeroes")
	case "badblocks":
		wipes = hasWord(c, "-w", "-wsv", "-wvs", "-ws", "-wv", "-sw", "-svw", "-vsw")
	}
	if !wipes {
		return shell.Span{}, false
	}
	return anyDevice(s, c)
}

func hasWord(c *shell.Command, words ...string) bool {
	for i := range c.Words {
		for _, w := range words {
			if c.Words[i].Has(w) {
				return true
			}
		}
	}
	return false
}

func removesVolume(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	a := &c.Args
	if !local(s, c) || a.Has("help", "version") {
		return shell.Span{}, false
	}
	hit := false
	switch c.Name {
	case "lvremove", "vgremove", "pvremove":
		hit = !a.Has("t", "test") && len(a.Operands)+len(a.Options) > 0
	case "zpool", "zfs":
		hit = (a.Sub == "destroy" || a.Sub == "labelclear") && !a.Has("n") && len(a.Operands) > 0
	case "diskutil":
		switch a.Sub {
		case "eraseDisk", "eraseVolume", "zeroDisk", "randomDisk", "secureErase", "partitionDisk", "reformat",
			"apfs deleteContainer", "apfs deleteVolume", "apfs eraseVolume":
			hit = true
		}
	case "btrfs":
		if a.Sub != "subvolume delete" && a.Sub != "device remove" && a.Sub != "device delete" {
			return shell.Span{}, false
		}
		return effect(s, c, func(e shell.Effect) bool {
			return e.Kind == shell.Deletes && (worst(s, c, e.Target) != elsewhere || mayBeDevice(c, e.Target))
		})
	}
	return c.Span, hit
}

func killsAll(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	switch c.Name {
	case "killall5":
		return c.Span, !c.Args.Has("h", "help")
	case "pkill":
		for _, o := range c.Args.Operands {
			w := &c.Words[o.At]
			if w.Has(".") || w.Has(".*") || w.Has("") || w.Has("^") {
				return c.Span, true
			}
		}
		return shell.Span{}, false
	case "killall":
		return shell.Span{}, false
	}
	return c.Span, killsMinusOne(c.Words[1:])
}

// killsMinusOne says whether -1 is among the process ids of kill: it is one
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
		case signal && w.Has("-1"):
			return true
		}
	}
	return false
}

func changesPower(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	a := &c.Args
	if !local(s, c) || a.Has("help", "version") || hasWord(c, "/?", "-?") {
		return shell.Span{}, false
	}
	hit := false
	switch c.Name {
	case "shutdown", "shutdown.exe":
		hit = !a.Has("c", "k", "show") && !hasWord(c, "/a")
	case "reboot", "halt", "poweroff":
		hit = !a.Has("w")
	case "init", "telinit":
		hit = len(c.Words) == 2 && (c.Words[1].Has("0") || c.Words[1].Has("6"))
	case "systemctl":
		hit = !a.Has("H", "host", "dry-run", "M") && systemPower(c)
	case "loginctl":
		hit = !a.Has("H", "host", "M") && (a.Sub == "poweroff" || a.Sub == "reboot" || a.Sub == "halt")
	case "stop-computer", "restart-computer":
		hit = !hasWord(c, "-WhatIf", "-ComputerName")
	case "rundll32", "rundll32.exe":
		hit = hasPart(c, "ExitWindows", "SetSuspendState")
	case "osascript":
		hit = hasPart(c, "to shut down", "to restart")
	case "busctl", "dbus-send":
		hit = hasPart(c, "org.freedesktop.login1") && hasPart(c, "PowerOff", "Reboot", "Halt")
	}
	return c.Span, hit
}

func systemPower(c *shell.Command) bool {
	switch c.Args.Sub {
	case "poweroff", "reboot", "halt", "kexec", "soft-reboot":
		return true
	case "isolate", "start", "restart":
		return hasWord(c, "poweroff.target", "reboot.target", "halt.target", "kexec.target", "shutdown.target",
			"poweroff", "reboot", "halt", "runlevel0.target", "runlevel6.target", "ctrl-alt-del.target")
	}
	return false
}

// hasPart says whether a word of the command contains one of several texts.
func hasPart(c *shell.Command, parts ...string) bool {
	for i := range c.Words {
		for _, v := range c.Words[i].Values {
			for _, p := range parts {
				if strings.Contains(v, p) {
					return true
				}
			}
		}
	}
	return false
}

func writesSysrq(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !c.MayChange() {
		return shell.Span{}, false
	}
	return effect(s, c, func(e shell.Effect) bool {
		if e.Kind != shell.Writes {
			return false
		}
		for _, p := range shell.Paths(c.Dir, e.Target) {
			if p == sysrq {
				return true
			}
		}
		return false
	})
}

// guessesPassword matches sudo -S, which reads a password from the input.
func guessesPassword(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	a := &c.Args
	if a.Has("l", "V", "help") || !local(s, c) {
		return shell.Span{}, false
	}
	return c.Span, a.Has("S", "stdin")
}

// touchesLimits matches what changes policyctl's own files, stops it, or
// takes its decisions.
func touchesLimits(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	switch c.Name {
	case "policyctl":
		return c.Span, takesDecisions(c)
	case "pkill", "killall":
		return c.Span, hasPart(c, "policyctl")
	}
	if len(s.Protect) == 0 {
		return shell.Span{}, false
	}
	if span, ok := codeTouches(s, c); ok {
		return span, true
	}
	return effect(s, c, func(e shell.Effect) bool {
		switch e.Kind {
		case shell.Writes, shell.Deletes, shell.Moves, shell.Alters:
			return touchesProtected(s, c, e)
		}
		return false
	})
}

func touchesProtected(s *hazard.Scene, c *shell.Command, e shell.Effect) bool {
	deep := e.Kind == shell.Moves || e.Kind == shell.Deletes && e.Recursive
	for _, p := range shell.Paths(c.Dir, e.Target) {
		if !e.Target.Glob {
			if covers(p, s.Protect, deep) {
				return true
			}
			continue
		}
		for _, own := range s.Protect {
			if matchesAbove(p, own) {
				return true
			}
		}
	}
	return false
}

// matchesAbove says whether a pattern matches a path or a directory above it.
func matchesAbove(pattern, path string) bool {
	for path != "" && path != "/" {
		if matchesPath(pattern, path) {
			return true
		}
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return false
}

func takesDecisions(c *shell.Command) bool {
	switch c.Args.Sub {
	case "trust", "install", "uninstall", "serve", "daemon", "mock-approval-service", "approvals revoke",
		"approvals trust-verb", "requests approve":
		return !c.Args.Has("help")
	}
	return false
}

func destroysWindows(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	switch c.Name {
	case "diskpart", "clear-disk", "format-volume", "initialize-disk":
		return c.Span, !hasWord(c, "/?", "-WhatIf", "--help")
	case "vssadmin":
		return c.Span, hasWord(c, "delete")
	}
	for i := 1; i < len(c.Words); i++ {
		for _, v := range c.Words[i].Values {
			if isDrive(v) {
				return c.Span, true
			}
		}
	}
	return shell.Span{}, false
}
