package policy

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// maxQuoted bounds how much of a command a message repeats.
const maxQuoted = 200

// messages are the texts for the model, one for each reason code: what
// happened, whether trying again can help, and what to do instead. %[1]s is
// the tool, %[2]s why.
var messages = map[Reason]string{
	ReasonError:          "Blocked by policy: this %[1]s call could not be judged: %[2]s. The same call will be blocked again.",
	ReasonHardline:       "Blocked by policy: this %[1]s call is catastrophic, because it %[2]s. Nobody can approve it, so do not rephrase it and try again.",
	ReasonPermissionRule: "Blocked by policy: a rule denies this %[1]s call: %[2]s. It will be denied every time, so do not rephrase it and try again.",
	ReasonDoomLoop:       "Blocked by policy: this %[1]s call repeats %[2]s without progress. It stays blocked until you do something else.",
	ReasonRejected:       "A person rejected this %[1]s call: %[2]s. Do not try it again unless they ask for it.",
	ReasonTimedOut:       "Nobody answered in time whether this %[1]s call may run: %[2]s. Trying again later may help.",
	ReasonUnattended:     "Blocked by policy: this %[1]s call needs an approval and nobody is available to give it: %[2]s. Trying again will not help in this run.",
	ReasonReviewer:       "A reviewer rejected this %[1]s call: %[2]s. The same call will be rejected again.",
}

// alternatives are what to do instead where the rule itself names nothing.
var alternatives = map[Reason]string{
	ReasonError:          "Write it in a simpler form.",
	ReasonHardline:       "Name the exact files of the task instead, or ask the user to do this step themselves.",
	ReasonPermissionRule: "Find another way, or ask the user to change the policy.",
	ReasonDoomLoop:       "Read the last output again and change your approach, or tell the user what is in the way.",
	ReasonRejected:       "Ask the user how to continue.",
	ReasonTimedOut:       "Continue with work that needs no approval, and tell the user what is waiting.",
	ReasonUnattended:     "Continue with work that needs no approval, and report this step as open.",
	ReasonReviewer:       "Take a smaller step towards the same goal.",
}

// faultMessage is the text where policyctl itself failed. %[2]s is the cause, without
// text of others.
const faultMessage = "Blocked, because policyctl failed on this %[1]s call: %[2]s. The call is not at fault, so do not rewrite it. " + faultNext

const faultNext = "Tell the user, who can run `policyctl doctor` to see what is wrong; try the same call again once they have, or continue with other work."

// IsFault reports whether the verdict denies because policyctl itself failed.
func (v *Verdict) IsFault() bool { return v.fault != "" }

// Fault returns the denial of a call on which policyctl itself failed. cause is a clause
// for people and for the record, and told one for the model, which must hold no text of
// a project or a policy.
func Fault(cause, told string) Verdict {
	return Verdict{Reason: ReasonError, Why: "policyctl failed: " + cause, fault: told}
}

const askMessage = "This %[1]s call needs an approval: %[2]s. It runs once somebody approves it."

const refusalMessage = "Blocked by policy: this %[1]s call needs an approval, and %[3]s: %[2]s. Trying again will not help."

// Refusal returns the text for the model where an ask becomes a denial because
// nobody can be asked. obstacle is the clause that says why; help is a sentence
// on what the user can do about it, or "".
func (v *Verdict) Refusal(obstacle, help string) string {
	tool, why := v.named()
	return withHint(fmt.Sprintf(refusalMessage, tool, clip.Text(why, maxQuoted), obstacle)+" "+alternatives[ReasonUnattended], help)
}

// Message returns the text for the model: empty for an allow.
func (v *Verdict) Message() string {
	if v.Decision == Allow {
		return ""
	}
	tool, why := v.named()
	if v.Decision == Ask {
		return withHint(fmt.Sprintf(askMessage, tool, clip.Text(why, maxQuoted)), v.instead)
	}
	if v.fault != "" {
		return fmt.Sprintf(faultMessage, tool, v.fault)
	}
	template, ok := messages[v.Reason]
	if !ok {
		template = messages[ReasonError]
	}
	instead := v.instead
	if instead == "" {
		instead = alternatives[v.Reason]
	}
	return withHint(fmt.Sprintf(template, tool, clip.Text(why, maxQuoted)), instead)
}

// named returns what a message calls the tool and the reason.
func (v *Verdict) named() (tool, why string) {
	if tool = v.tool; tool == "" {
		tool = "tool"
	}
	why = strings.TrimSuffix(v.Why, ".")
	if v.Origin.Untrusted {
		why = "a rule of the project's own policy says so"
	}
	if why == "" {
		why = "no reason was recorded"
	}
	return tool, why
}

func withHint(text, hint string) string {
	if hint == "" {
		return text
	}
	return text + " " + hint
}
