package hardline

import (
	"regexp"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// endlessSpawns are loops without an end whose first statement starts a
// process and does not wait for it.
var endlessSpawns = sync.OnceValue(func() *regexp.Regexp {
	head := `(?:\bwhile\s*\(?\s*(?:1|true|True|!0)\b\s*\)?|\bfor\s*\(\s*;\s*;\s*\)|\bloop\b|\bfor\s+\w+\s+in\s+(?:iter\(int,\s*1\)|(?:itertools\.)?(?:count|repeat|cycle)\([^)]*\)))`
	call := `(?:pcntl_fork|fork|spawn|Popen|subprocess\.Popen|(?:system|os\.execute)\s*\(\s*["'][^"'&\n]*&\s*["'])`
	return regexp.MustCompile(head + `[\s:;{(]*(?:do\b)?[\s:;{(]*(?:\w+\s*=\s*)?(?:require\(["']child_process["']\)\.|cp\.|os\.|subprocess\.|Process\.|posix\.|__import__\(["']os["']\)\.)?` + call)
})

// timerSpawns are timers of JavaScript that start a process without a pause.
var timerSpawns = &pattern{text: `\bsetInterval\(\s*\(\)\s*=>\s*\{?[^;}\n]{0,60}\b(?:fork|spawn)\([^;}\n]{0,60},\s*[01]\s*\)`}

// codeSpawns matches code that starts processes without end. A loop that
// waits, sleeps or reads is no flood.
func codeSpawns(s *hazard.Scene, c *shell.Command) (shell.Span, bool) {
	return inCode(s, c, func(text string) bool {
		for _, pause := range []string{"wait", "sleep(", "poll", "communicate", "await", "accept", "input", "readline", "break"} {
			if strings.Contains(text, pause) {
				return false
			}
		}
		return endlessSpawns().MatchString(text) || timerSpawns.get().MatchString(text)
	})
}
