package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/script"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// codeForks matches code that forks without end.
func codeForks(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	return inAnyCode(func(in *caller, call *script.Call) bool {
		return call.Act == script.Forks && call.Endless && !in.program.Waits
	})(s, c)
}

// codeSpawns matches code that starts processes endlessly. A loop that
// waits, sleeps or reads is no flood.
func codeSpawns(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	return inAnyCode(func(in *caller, call *script.Call) bool {
		return call.First && call.Act == script.Runs && !in.program.Pauses && (call.Detached || inBackground(call))
	})(s, c)
}

// inBackground reports whether a call runs a line that goes on in the background.
func inBackground(call *script.Call) bool {
	return len(call.Values) == 1 && slices.ContainsFunc(call.Values[0].Texts, func(text string) bool {
		return strings.HasSuffix(strings.TrimRight(text, " "), "&")
	})
}

// codeKills matches code that signals every process.
func codeKills(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	return inAnyCode(func(in *caller, call *script.Call) bool {
		if in.isRough && program.KindOf(call.Name, "ends") == "numbers" {
			return false // a line for a shell, of which the first word may be a signal
		}
		asks := slices.ContainsFunc(call.Values, func(v script.Value) bool { return slices.Contains(v.Texts, "0") && len(v.Texts) == 1 })
		return call.Act == script.Kills && !asks && slices.ContainsFunc(call.Values, isEveryProcess)
	})(s, c)
}

// isEveryProcess reports whether a value is the number of every process, at once or one
// after another.
func isEveryProcess(v script.Value) bool {
	return slices.ContainsFunc(v.Texts, func(text string) bool {
		return text == "-1" || text == script.Many || v.Each && strings.HasPrefix(text, "/proc/")
	}) || slices.ContainsFunc(v.Items, isEveryProcess)
}
