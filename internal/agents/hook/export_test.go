package hook

// Keys returns where the events of an agent have what is read of them: the event, the
// session, the directory, the tool, its arguments, the call and what the user said.
func Keys(a *Agent) [7]string {
	k := a.keys()
	return [7]string{k.event, k.session, k.dir, k.tool, k.input, k.id, k.prompt}
}

// Quiet returns an event of the agent that wants no answer.
func Quiet(a *Agent) string { return firstWord(a.events.quiet) }

func firstWord(s string) string {
	for i := range len(s) {
		if s[i] == ' ' || s[i] == '\n' {
			return s[:i]
		}
	}
	return s
}

// Heeded are the decisions that each agent heeds before a call.
var Heeded = map[string]string{
	"claude": "allow ask defer deny", "codex": "deny", "copilot": "allow ask deny", "qwen": "allow deny", "gemini": "deny",
	"kimi": "deny", "grok": "deny", "opencode": "allow deny", "kilo": "allow deny", "pi": "allow ask deny", "amp": "allow ask deny",
	"commandcode": "deny", "auggie": "deny", "qoder": "deny", "droid": "deny", "cursor": "ask deny", "goose": "block",
	"crush": "allow deny", "cline": "deny", "windsurf": "deny", "kiro": "deny",
}

// Heeds reports whether the agent heeds an answer, and not the exit code alone.
func Heeds(a *Agent) bool { return a.answers.form != formExit }
