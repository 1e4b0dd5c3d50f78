package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func processRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "kill-by-pattern", Class: "process", Kind: "ends=names ends=patterns ends=owners",
			Why:     "ends every process whose name matches, including those of other projects, and unsaved work is lost",
			Instead: "Find the one process with `pgrep -af`, and end it by its id with plain `kill`.",
			Match: match(either(killSignal, both(not(says("-0", "-l", "--list", "--signal=0")), not(both(says("-s", "--signal"), says("0"))), argument(isRuntime)),
				both(not(says("-0", "--signal=0")), not(both(says("--signal"), says("0"))), acts("ends-many")))),
			Hit:  []string{"pkill -9 node", "killall -9 python", "pkill -KILL -f server", "killall -s KILL node", "pkill --signal SIGKILL x", "pkill -u dev", "pkill -9f vite", "killall node", "pkill -f python3"},
			Miss: []string{"pkill -f 'vite dev'", "killall vite", "killall -0 node", "pkill -f 'node server.js'", "pgrep -f node", "pkill -0 -u dev", "kill -9 1234", "echo pkill -9 node"},
		},
		{
			ID: "kill-found", Class: "process", Programs: "kill",
			Why:     "kills every process that a search by name finds",
			Instead: "Look at the processes first, and end only the one that this session started, by its id and with plain `kill`.",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				if c.Function || !killSignal(c) {
					return span{}, false
				}
				return c.Span, inserts(s, c, c.Span, findsProcesses) || feeds(s, c, findsProcesses)
			},
			Hit:  []string{"kill -9 $(pgrep -f node)", "pgrep node | xargs kill -9", "ps aux | grep node | awk '{print $2}' | xargs kill -9", "kill -KILL `pidof python`", "kill -s KILL $(pgrep x)"},
			Miss: []string{"kill $(pgrep -f node)", "kill -9 1234", "kill -9 $(cat server.pid)", "lsof -ti:3000 | xargs kill -9", "kill -0 $(pgrep x)", "pgrep node"},
		},
		{
			ID: "kill-init", Class: "process", Programs: "kill",
			Why:     "signals the first process of the machine, or the program that started the shell",
			Instead: "End only the process that this session started, by its id.",
			Match: func(s *hazard.Scene, c *cmd) (span, bool) {
				return c.Span, !c.Function && killsInit(s, c)
			},
			Hit:  []string{"kill -9 1", "kill 1", "kill -s TERM 1", "kill -KILL 4242 1", "kill -- 1", "kill -9 $PPID"},
			Miss: []string{"kill -0 1", "kill -l 1", "kill -1 4242", "kill 4242", "kill -9 %1", "kill -1 $!"},
		},
	}
}

// isRuntime holds for the name of a program as which many others run, or of an agent.
func isRuntime(v string) bool {
	shared := func(p *program.Program) bool {
		return program.IsInterpreter(p) || program.IsShell(p) || program.IsEngine(p)
	}
	return program.Has(v, shared) || program.OfKind(v, "agent") || program.OfKind(v, "shared")
}

// killsInit holds if process 1, or the parent of the shell, is among those
// that kill is given. Signal 0 only asks whether a process is there.
func killsInit(s *hazard.Scene, c *cmd) bool {
	for i := 1; i < len(c.Words); i++ {
		w := &c.Words[i]
		switch v := known(w); {
		case i == 1 && (v == "-s" || v == "-n" || v == "--signal"):
			if i++; i < len(c.Words) && c.Words[i].Has("0") {
				return false
			}
		case i == 1 && (v == "-0" || v == "-l" || v == "-L" || v == "--list" || v == "--help"):
			return false
		case w.Has("1"), w.Open && strings.Contains(s.Line.Source[w.Span.From:w.Span.To], "PPID"):
			return true
		}
	}
	return false
}

// killSignal holds if the signal is the one that cannot be caught.
func killSignal(c *cmd) bool {
	for i := 1; i < len(c.Words); i++ {
		for _, v := range c.Words[i].Values {
			if isKill(v, c.Words[i-1].Values) {
				return true
			}
		}
	}
	return false
}

// isKill reports whether a word names SIGKILL, alone as -9 or behind -s.
func isKill(v string, before []string) bool {
	v = strings.ToUpper(v)
	name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(v, "--SIGNAL="), "-"), "SIG")
	if strings.HasPrefix(v, "-") {
		return name == "KILL" || strings.HasPrefix(name, "9") && strings.Trim(name[1:], "0123456789") == name[1:] || name == "SKILL" || name == "S9"
	}
	for _, b := range before {
		if b == "-s" || b == "--signal" || b == "-n" {
			return name == "KILL" || name == "9"
		}
	}
	return false
}

// findsProcesses holds for a command that prints processes by their names.
func findsProcesses(c *cmd) bool {
	how := c.How("finds")
	return how != "" && how != "lines"
}
