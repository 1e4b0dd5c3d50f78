package hook

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// text is what the model reads of a verdict.
func (a *Agent) text(e *Event, v *policy.Verdict) string {
	if v.Decision == policy.Deny && v.Reason == policy.ReasonUnattended {
		return v.Refusal(a.obstacle(e), e.help("The user", v))
	}
	return v.Message()
}

// obstacle says why an ask cannot be asked. That nobody is there is said only
// where the agent says so itself: whoever chose a mode that asks nobody, or an
// agent whose hooks cannot ask, may well sit in front of it.
func (a *Agent) obstacle(e *Event) string {
	switch {
	case e.headless:
		return "nobody is there to give it"
	case e.Attended:
		return "a hook of " + a.Title + " cannot ask for one"
	case e.Mode == "":
		return a.Title + " does not say whether it could be asked for"
	}
	return fmt.Sprintf("the permission mode %q asks nobody", short(e.Mode))
}

// help says what the user, as they are called, can do so that the call need not be refused.
func (e *Event) help(who string, v *policy.Verdict) string {
	const serve = "run `policyctl serve` and answer such calls there"
	p, ok := e.permission(v)
	if !ok {
		return who + " can " + serve + "."
	}
	return who + " can allow it with the permission " + p + ", or " + serve + "."
}

// permission returns the permission that would allow the call, where one would:
// a rule that asks is not outdone by an allow, and a line that cannot be read
// is never allowed.
func (e *Event) permission(v *policy.Verdict) (string, bool) {
	if v.Rule == typedRule {
		return "", false
	}
	outside := e.Call.LeavesSandbox()
	if v.Stage != policy.StageConfirm && v.Stage != policy.StageMode && !(outside && v.Stage == policy.StageRules && v.Rule == policy.OutsideRule) {
		return "", false
	}
	match, ok := e.match()
	if !ok {
		return "", false
	}
	if outside {
		return fmt.Sprintf("`{match: %s, action: allow, outside_sandbox: true}`", quoted(match)), true
	}
	return fmt.Sprintf("`%s: allow`", quoted(match)), true
}

// maxMatch bounds the permission that a text proposes, in bytes.
const maxMatch = 160

// match returns the pattern that means this call and no other.
func (e *Event) match() (string, bool) {
	t, ok := policy.ToolNamed(e.Call.Tool)
	if !ok {
		return e.Call.Tool, len(e.Call.Tool) <= maxMatch && !strings.ContainsAny(e.Call.Tool, "*? `")
	}
	for _, field := range t.Subject {
		subject, ok := e.Call.Input[field].(string)
		if !ok || subject == "" {
			continue
		}
		match := t.Name + " " + strings.NewReplacer(`*`, `\*`, `?`, `\?`).Replace(subject)
		plain := len(match) <= maxMatch && !strings.ContainsAny(subject, "\\`\n\r\t\"") && strings.TrimSpace(subject) == subject
		return match, plain && (t.Kind != policy.KindShell || readable(subject, &e.Call))
	}
	return "", false
}

func readable(command string, c *policy.Call) bool {
	line := eval.Read(command, eval.Env{Dir: c.Dir, Shell: c.Shell})
	return line.Problem == nil && line.Divergence == nil && len(line.Oddities) == 0
}

// quoted writes a pattern as a text of YAML.
func quoted(match string) string { return "'" + strings.ReplaceAll(match, "'", "''") + "'" }
