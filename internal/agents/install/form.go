package install

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// guard ends a command line so that a hook which cannot be started, crashes or
// is killed blocks the call: most agents run it after any exit code but 2. A
// refusal of the hook itself, exit code 2 with its reason, stays as it is.
const guard = ` || { [ $? -eq 2 ] || echo "policyctl is missing or failed, so the call is blocked" >&2; exit 2; }`

// shield begins such a line: a closed terminal or an interrupt must not end the
// shell before the hook, which catches them all and answers with a denial.
const shield = "trap '' HUP INT QUIT TERM; "

// guards matches a line that refuses by itself: one with guard, or one by hand
// that says the same.
var guards = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:trap '' [A-Z ]+; )?(.*?) \|\| \{ (?:\[ \$\? -eq 2 \] \|\| )?echo "[^"$` + "`" + `\\!]+" >&2; exit 2; \}$`)
})

// unguarded returns a line without shield and guard, and whether it has a guard.
func unguarded(line string) (string, bool) {
	if m := guards().FindStringSubmatch(line); m != nil {
		return m[1], true
	}
	return line, false
}

// A limit ends a hook that hangs before the agent runs the call without it.
// Without --foreground the program also ends what the hook has started, which
// could otherwise keep the agent waiting.
type limit struct {
	program string // the path of timeout; "" where there is none
	after   time.Duration
}

// killAfter is how long a hook has to end once timeout has told it to; spare
// is how long before the agent's own time that is.
const (
	killAfter = 2 * time.Second
	spare     = 4 * time.Second
)

// String returns the words before the hook.
func (l limit) String() string {
	if l.program == "" {
		return ""
	}
	return fmt.Sprintf("%s -k %d %d ", quote(l.program), killAfter/time.Second, l.after/time.Second)
}

// limiters are where timeout (coreutils, or a program of the same options)
// stands, the system's first. Homebrew calls it gtimeout.
var limiters = []string{
	"/usr/bin/timeout", "/bin/timeout", "/usr/local/bin/timeout", "/usr/local/bin/gtimeout",
	"/opt/homebrew/bin/timeout", "/opt/homebrew/bin/gtimeout",
}

// Limiter returns the path of a program timeout that nobody else can exchange
// and that works, or "".
func Limiter(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	works := func(path string) bool {
		if checkBinary(path) != nil {
			return false
		}
		err := exec.CommandContext(ctx, path, "-k", "2", "5", "/bin/sh", "-c", "exit 7").Run()
		exit, ok := err.(*exec.ExitError)
		return ok && exit.ExitCode() == 7
	}
	if i := slices.IndexFunc(limiters, works); i >= 0 {
		return limiters[i]
	}
	return ""
}

// line returns the command line of a hook for an event of the agent, which
// waits for it as long as told.
func (r *Request) line(e event, timeout time.Duration) string {
	line := r.Command + waiting(r.Wait)
	if !e.asks() {
		return line // a turn that is not counted lets nothing run
	}
	if r.Agent.limited {
		line = limit{r.Limiter, timeout - spare}.String() + line
	}
	if r.Agent.guarded {
		line = shield + line + guard
	}
	return line
}

// limiting matches the options of timeout, their values and its time.
var limiting = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(-.*|[0-9.]+[smhd]?|[A-Z][A-Z0-9]*)$`)
})

// limitOf returns the limit that the words of a command begin with, and the
// words behind it.
func limitOf(words []string) (l limit, rest []string) {
	if len(words) == 0 || !slices.Contains([]string{"timeout", "gtimeout"}, filepath.Base(words[0])) {
		return l, words
	}
	i := slices.IndexFunc(words[1:], func(w string) bool { return !limiting().MatchString(w) }) + 1
	if i < 2 || verbs()[filepath.Base(words[i])] == "" {
		return l, words
	}
	seconds, _ := strconv.Atoi(strings.TrimSuffix(words[i-1], "s"))
	return limit{words[0], time.Duration(max(seconds, 0)) * time.Second}, words[i:]
}

// checkForm looks at what a hook does where it cannot answer.
func (e *examination) checkForm(ev event, h seen, again string) {
	if !h.exact || !ev.asks() {
		return
	}
	if e.agent.guarded && !h.guarded {
		e.note(ev.name, again, "%s works, but if policyctl is missing or crashes, the call runs", h.path)
	}
	if e.agent.limited && h.limit.program == "" {
		e.note(ev.name, "install coreutils, which has the program timeout, and "+again, "%s works, but if policyctl hangs, the call runs", h.path)
	}
	if h.limit.program != "" {
		e.checkLimit(ev, h, again)
	}
}

// checkLimit sees to it that the limit ends the hook after it has waited and
// before the agent stops waiting.
func (e *examination) checkLimit(ev event, h seen, again string) {
	if err := checkBinary(h.limit.program); err != nil {
		e.problem(ev.name, again, "%v", err)
	}
	if longest := max(h.wait, MinTimeout-lead) + lead/2; h.limit.after <= longest {
		e.problem(ev.name, again, "%s ends the hook after %s, though it may need %s", h.path, h.limit.after, longest)
	}
	if agents := e.agent.wait(h.handler); agents > 0 && h.limit.after+killAfter >= agents {
		e.problem(ev.name, again, "%s ends a hook that hangs only after %s, when the call may run already", h.path, h.limit.after+killAfter)
	}
}
