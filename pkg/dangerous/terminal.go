package dangerous

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

const (
	// tmuxTame are commands of tmux that type nothing and show no screen, with
	// their aliases.
	tmuxTame = "new-session new new-window neww split-window splitw start-server start list-sessions ls list-windows lsw list-panes lsp " +
		"list-clients lsc list-commands lscm list-keys lsk list-buffers lsb has-session has kill-session kill-window killw kill-pane killp kill-server " +
		"rename-session rename rename-window renamew select-window selectw select-pane selectp select-layout selectl resize-pane resizep resize-window resizew " +
		"show-options show show-window-options showw show-environment showenv show-hooks show-messages showmsgs display-message display info " +
		"set-option set set-window-option setw set-environment setenv next-window next previous-window prev last-window last last-pane lastp next-layout nextl " +
		"detach-client detach move-window movew swap-window swapw rotate-window rotatew clear-history clearhist wait-for wait refresh-client refresh " +
		"switch-client switchc break-pane breakp delete-buffer deleteb unbind-key unbind"
	// screenTame are the commands of screen -X of that kind.
	screenTame = "quit kill screen title sessionname detach select next prev other windows number width height defscrollback scrollback setenv unsetenv chdir version info"
)

func terminalRules() []hazard.Rule {
	return []hazard.Rule{
		{
			ID: "terminal-control", Class: "terminal", Kind: "types traces debugs multiplexes scripts-windows messages",
			Why:     "types into a terminal, a window or a process that somebody else may be using, or shows what it displays",
			Instead: "Run the command in a shell of your own, and write its output to a file that you read.",
			Match:   match(either(both(not(dry), acts("types")), attaches, tmuxReaches, screenReaches, scriptsWindow, busTypes)),
			Hit: []string{"tmux send-keys -t serve Enter", "tmux capture-pane -p", "tmux -L x send -t 0 y", "tmux new -d ls \\; send-keys Enter", "tmux capturep -t 1", "tmux pipe-pane -t serve 'cat > x'", "screen -S serve -X stuff y", "screen -X hardcopy /tmp/h", "screen -x serve", "reptyr 12", "gdb -p 12", "strace -p 12",
				"kitty @ send-text y", "wezterm cli get-text", "zellij action write-chars y", "xdotool key Return", "osascript -e 'tell application \"System Events\" to keystroke return'", "expect -c 'spawn screen -x serve'"},
			Miss: []string{"tmux new -d", "tmux ls", "tmux new -d -s send 'npm start'", "tmux kill-session -t dev", "screen -ls", "screen -dmS build make", "screen -S x -X quit", "zellij list-sessions", "kitty --version", "wezterm cli list", "gdb --batch -ex run ./app", "strace -o t ls", "osascript -e 'display notification \"done\"'", "expect -c 'spawn ssh host'"},
		},
		{
			ID: "terminal-device", Class: "terminal",
			Why:     "reads or writes another terminal, or what another process reads, writes or holds in memory",
			Instead: "Write to a file of your own and read that.",
			Match:   usesTerminal,
			Hit:     []string{"echo y > /dev/pts/3", "cat /dev/pts/3", "cat < /dev/tty2", "cat /dev/vcs1", "echo y > /proc/12/fd/0", "cd / && echo y > dev/pts/3", "cd /dev && cat pts/3", "cd / && cat proc/12/fd/0", "tail -f /proc/12/fd/1", "dd if=/proc/12/mem of=m", "python3 -c \"open('/dev/pts/3','w').write('y')\"", "socat - /dev/pts/3", "sqlite3 x.db <<< '.output /dev/pts/3'"},
			Miss:    []string{"echo x > /dev/tty", "echo x > /dev/null", "ls -l /dev/pts", "ls /proc/12/fd", "cat /proc/12/status", "cat /dev/stdin", "cat /proc/self/fd/0", "echo AT > /dev/ttyUSB0", "grep -n /dev/pts/3 notes.md", "echo /dev/pts/3"},
		},
	}
}

// attaches holds for a tracer that joins a process that runs.
func attaches(c *cmd) bool {
	return c.Does("traces") || c.Of("debugs") && argument(hasPrefix("attach ", "process attach"))(c)
}

// tmuxReaches holds for tmux with a command that is not known to leave what
// others see and type alone. A ; of its own divides commands.
func tmuxReaches(c *cmd) bool {
	if c.How("multiplexes") != "tmux" {
		return false
	}
	begins := true
	for i := 1; i < len(c.Words); i++ {
		v, _ := c.Words[i].Literal()
		switch {
		case begins && len(v) == 2 && v[0] == '-' && strings.Contains("LSfcT", v[1:]):
			i++ // its argument follows
		case begins && strings.HasPrefix(v, "-"):
		case begins:
			if !program.HasWord(tmuxTame, strings.TrimSuffix(v, ";")) {
				return true
			}
			begins = strings.HasSuffix(v, ";")
		default:
			begins = strings.HasSuffix(v, ";")
		}
	}
	return false
}

// screenReaches holds for screen that joins a session of somebody, or hands one
// a command that is not known to leave its windows alone.
func screenReaches(c *cmd) bool {
	if c.How("multiplexes") != "screen" {
		return false
	}
	for i := 1; i < len(c.Words); i++ {
		switch v, _ := c.Words[i].Literal(); v {
		case "-x", "-r", "-R", "-RR", "-d -r", "-dr", "-rd", "-dR", "-DR", "-dRR", "-DRR", "-Dr":
			return true
		case "-X":
			if i+1 == len(c.Words) {
				return true
			}
			verb, _ := c.Words[i+1].Literal()
			return !program.HasWord(screenTame, verb)
		}
	}
	return false
}

// windowWords are what programs say that type into a window or read one.
var windowWords = []string{
	"keystroke", "key code", "do script", "write text", "get contents", "contents of", "history of", "text of", "click ", "set the clipboard", "the clipboard",
	"/dev/pts/", "/dev/tty", "screen -x", "screen -r", "screen -S", "tmux ", "TIOCSTI",
}

// scriptsWindow holds for a script of AppleScript or Expect that does so.
func scriptsWindow(c *cmd) bool {
	if !c.Of("scripts-windows") {
		return false
	}
	speaks := func(v string) bool {
		return slices.ContainsFunc(windowWords, func(w string) bool { return strings.Contains(v, w) })
	}
	if argument(func(v string) bool { return speaks(withoutTerminal(v)) })(c) {
		return true
	}
	return c.Input != nil && anyValue(*c.Input, speaks)
}

// withoutTerminal takes the terminal of the process itself out of a text.
func withoutTerminal(text string) string {
	return strings.NewReplacer("/dev/tty ", " ", "/dev/ttyUSB", " ", "/dev/ttyACM", " ").Replace(text + " ")
}

// busTypes holds for a message on the desktop's bus to a terminal.
func busTypes(c *cmd) bool {
	return c.Of("messages") &&
		argument(func(v string) bool {
			v = strings.ToLower(v)
			return slices.ContainsFunc([]string{"konsole", "terminal", "yakuake", "screenshot", "screencast", "remotedesktop", "klipper", "guake", "tilix"}, func(n string) bool { return strings.Contains(v, n) })
		})(c)
}

// terminalID is the entry of the table of sensitive paths for terminals and the
// insides of other processes.
const terminalID = "terminal"

// usesTerminal matches a command that reads or writes a terminal by its device.
func usesTerminal(s *hazard.Scene, c *cmd) (span, bool) {
	if c.Function || c.Context != program.Local {
		return span{}, false
	}
	if mentionsDevice(c) {
		if at, ok := touchesTerminal(s, c); ok {
			return at, true
		}
	}
	runs := evaluatesText(c)
	if (runs || c.How("relays") == "addresses") && argument(spellsTerminal)(c) || runs && c.Input != nil && anyValue(*c.Input, spellsTerminal) {
		return c.Span, true
	}
	return span{}, false
}

// touchesTerminal returns the first effect of a command on a terminal.
func touchesTerminal(s *hazard.Scene, c *cmd) (span, bool) {
	for e := range c.Effects {
		if e.Kind == command.Runs || e.Kind == command.Connects {
			continue
		}
		if e.Target.Open && (spellsTerminal(e.Target.Prefix+e.Target.Partial) || spellsInside(e.Target.Partial)) {
			return e.Span, true
		}
		for _, p := range shell.Paths(e.Dir, e.Target) {
			if entry, ok := find(s, "", p, e.Target.Glob, sensitive.Secret); ok && entry.ID == terminalID && !lists(c) {
				return e.Span, true
			}
		}
	}
	return span{}, false
}

// lists holds for what shows the names of files and not what they hold.
func lists(c *cmd) bool {
	return c.Of("tells-names")
}

// mentionsDevice reports whether a command may name a device or a process: a quick
// look.
func mentionsDevice(c *cmd) bool {
	for i := range c.Redirects {
		if r := &c.Redirects[i]; !r.Inline() && speaksOfDevice(&r.Target.Set) {
			return true
		}
	}
	for i := 1; i < len(c.Words); i++ {
		if speaksOfDevice(&c.Words[i].Set) {
			return true
		}
	}
	for _, dir := range c.Dir.Values {
		if strings.HasPrefix(dir, "/dev") || strings.HasPrefix(dir, "/proc") {
			return true
		}
	}
	return c.Input != nil && speaksOfDevice(c.Input)
}

func speaksOfDevice(s *shell.Set) bool {
	for _, v := range s.Values {
		if spellsDevice(v) {
			return true
		}
	}
	return spellsDevice(s.Prefix) || spellsDevice(s.Partial)
}

// spellsDevice reports whether a text has dev/ or proc/ in it, at its beginning or
// behind a slash.
func spellsDevice(v string) bool {
	for from := 0; ; {
		n := strings.IndexByte(v[from:], '/')
		if n < 0 {
			return false
		}
		if name := v[from : from+n]; name == "dev" || name == "proc" {
			return true
		}
		from += n + 1
	}
}

// evaluatesText holds for a program that evaluates text in a language of its own.
func evaluatesText(c *cmd) bool {
	p := c.Args.Program
	if p == nil {
		return false
	}
	if p.Input == program.RoleCode {
		return true
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleCode {
			return true
		}
	}
	return slices.ContainsFunc(c.Args.Options, func(o command.Option) bool { return o.Spec != nil && o.HasArg && o.Spec.Role == program.RoleCode })
}

// spellsInside holds for a path, known in part, to what a process has open or
// holds in memory.
func spellsInside(v string) bool {
	return strings.HasPrefix(v, "/proc/") && !strings.HasPrefix(v, "/proc/self/") && (strings.Contains(v, "/fd/") || strings.HasSuffix(v, "/mem"))
}

func spellsTerminal(v string) bool {
	_, tty, _ := strings.Cut(v, "/dev/tty")
	return tty != "" && tty[0] >= '0' && tty[0] <= '9' || strings.Contains(v, "/dev/pts/") || strings.Contains(v, "/dev/vcs") || typesInto(v)
}

// typesInto reports whether a text has the call that types into a terminal, by its
// name or its number.
func typesInto(v string) bool {
	return strings.Contains(v, "TIOCSTI") || strings.Contains(v, "0x5412") || strings.Contains(v, "21522")
}
