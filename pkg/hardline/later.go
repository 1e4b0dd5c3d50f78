package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// runsLater matches a command that writes, to a file which runs by itself, what the
// floor denies.
func runsLater(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !local(s, c) {
		return shell.Span{}, false
	}
	for _, w := range c.Wrote() {
		for text := range laterLines(w, s.Home) {
			if deniedLater(s.Quiet(), c, text) {
				return c.Span, true
			}
		}
	}
	return shell.Span{}, false
}

// deniedLater is [catastrophic] for a text that others run: a function that it only
// defines does nothing.
func deniedLater(s *hazard.Scene, c *command.Command, text string) bool {
	if len(text) < 4 || len(text) > 4096 {
		return false
	}
	line := eval.Read(text, env(s, c, text))
	inner := s.Inner(c, line)
	for i := range line.Commands {
		if line.Commands[i].In(command.Defined) {
			continue
		}
		if _, ok := table().First(inner, i); ok {
			return true
		}
	}
	return len(line.Spawns) > 0
}

// laterLines yields what a file runs by itself, by the kind of its place among the
// sensitive ones: the whole script, or the lines that name a command.
func laterLines(w command.Written, home string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		e, ok := sensitive.FindRole(w.Path, home, sensitive.Trigger)
		if !ok {
			return
		}
		switch {
		case isStartup(e.ID, w):
			yield(w.Text)
		case e.ID == "cron", e.ID == "user-crontab":
			eachLine(w.Text, func(line string) bool {
				line = scheduled(line)
				return yield(line) && yield(afterUser(line))
			})
		case e.ID == "service-unit", e.ID == "autostart", e.ID == "git-config":
			eachLine(w.Text, func(line string) bool {
				key, value, _ := strings.Cut(line, "=")
				value = strings.Trim(value, ` "`)
				runs := strings.HasPrefix(key, "Exec") || strings.HasPrefix(value, "!")
				return !runs || yield(strings.TrimLeft(value, "@-:+!"))
			})
		}
	}
}

// isStartup reports whether all of a file is a script that runs by itself.
func isStartup(kind string, w command.Written) bool {
	switch kind {
	case "shell-startup", "directory-environment":
		return true
	case "git-hook":
		return !strings.Contains(shell.Base(w.Path), ".") // no sample
	case "path-directory", "ci-config":
		return false
	}
	for _, script := range startups {
		if strings.HasPrefix(w.Path, script) {
			return true
		}
	}
	return strings.HasPrefix(w.Text, "#!")
}

// startups begin the paths of scripts that the system or a shell runs, among other
// sensitive files.
var startups = []string{"/etc/profile", "/etc/bash", "/etc/zsh", "/etc/rc.local", "/etc/init.d/", "/etc/cron.hourly/", "/etc/cron.daily/", "/etc/cron.weekly/", "/etc/cron.monthly/", "/etc/network/"}

func eachLine(text string, yield func(string) bool) {
	for line := range strings.Lines(text) {
		if !yield(strings.TrimSpace(line)) {
			return
		}
	}
}

// scheduled returns the command of a line of a crontab, "" where it has none.
func scheduled(line string) string {
	fields := 5
	if strings.HasPrefix(line, "@") {
		fields = 1
	}
	for range fields {
		_, rest, ok := strings.Cut(strings.TrimLeft(line, blanks), " ")
		if !ok || strings.HasPrefix(line, "#") {
			return ""
		}
		line = rest
	}
	return line
}

// afterUser returns a command without the user who stands before it in /etc/crontab.
func afterUser(line string) string {
	_, rest, _ := strings.Cut(strings.TrimLeft(line, blanks), " ")
	return rest
}
