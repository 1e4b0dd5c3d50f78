package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func traceRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "history-off", Class: "trace", Kind: "clears-history",
			Why:     "deletes the shell's history, or stops recording it",
			Instead: "Leave the history as it is.",
			Match:   match(acts("clears-history")),
			Hit:     []string{"history -c", "unset HISTFILE", "set +o history", "history -d 12", "history -cw"},
			Miss:    []string{"history", "history 20", "set -o history", "unset FOO", "git log --history"},
		},
		{
			ID: "history-off-by-variable", Class: "trace", Programs: "",
			Why:     "stops recording the shell's history",
			Instead: "Leave the history as it is.",
			Match: assigns(func(name, value string) bool {
				switch name {
				case "HISTFILE":
					return value == "" || shell.IsNull(value)
				case "HISTSIZE", "HISTFILESIZE", "SAVEHIST":
					return value != "" && strings.Trim(value, "0") == ""
				}
				return false
			}),
			Hit:  []string{"export HISTFILE=/dev/null", "HISTFILE=//dev/./null", "HISTSIZE=0", "HISTSIZE=00", "HISTFILE= bash", "export HISTFILESIZE=0"},
			Miss: []string{"export HISTSIZE=10000", "echo HISTFILE=/dev/null", "HISTCONTROL=ignoredups"},
		},
		{
			ID: "log-delete", Class: "trace", Programs: "",
			Why:     "deletes or overwrites system logs",
			Instead: "Leave the logs in place; copy what you need from them.",
			Match: func(_ *hazard.Scene, c *cmd) (span, bool) {
				if !c.Changes() || c.Context != program.Local {
					return span{}, false
				}
				for e := range c.Effects {
					if (e.Kind == command.Writes || e.Kind == command.Deletes || e.Kind == command.Moves) && isLog(c, e.Target) {
						return e.Span, true
					}
				}
				return span{}, false
			},
			Hit:  []string{"rm /var/log/auth.log", "> /var/log/syslog", "truncate -s 0 /var/log/wtmp", "find /var/log -name '*.gz' -delete", "cd /var/log && rm -f *.log", "mv /var/log/audit /tmp"},
			Miss: []string{"cat /var/log/syslog", "rm log/app.log", "cp /var/log/syslog .", "tail -n 20 /var/log/auth.log", "rm /var/logs.txt"},
		},
		{
			ID: "audit-clear", Class: "trace", Kind: "clears-audit",
			Why:     "deletes records that the system keeps",
			Instead: "Leave the records in place; read them with a filter.",
			Match:   match(acts("clears-audit")),
			Hit:     []string{"journalctl --vacuum-time=1s", "wevtutil cl Security", "dmesg -C", "auditctl -D", "log erase --all"},
			Miss:    []string{"journalctl -u nginx", "dmesg", "git log", "auditctl -l", "wevtutil qe Security"},
		},
	}
}

func isLog(c *cmd, s shell.Set) bool {
	if !anyValue(s, contains("log")) && !anyValue(c.Dir, contains("log")) {
		return false
	}
	for _, p := range shell.Paths(c.Dir, s) {
		if p == "/var/log" || strings.HasPrefix(p, "/var/log/") || strings.HasPrefix(p, "/private/var/log/") {
			return true
		}
	}
	return false
}
