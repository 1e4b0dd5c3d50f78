package hook

import (
	"cmp"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A form is how an agent reads an answer.
type form uint8

const (
	// formNested is that of Claude Code, which most agents take over: hookSpecificOutput.
	formNested form = iota
	// formPlain is a decision at the top, with its reason beside it.
	formPlain
	// formFlat is that of Cursor: permission, with a message for the person and one for
	// the model.
	formFlat
	// formExit has no answer but the exit code 2, with the reason on standard error.
	formExit
	// formCancel ends the turn of the model, which reads no reason: Cline.
	formCancel
)

// The answers, by form. Codex drops one with any key that it does not know.
type (
	nestedAnswer struct {
		Notice string  `json:"systemMessage,omitempty"`
		Output *output `json:"hookSpecificOutput,omitempty"`
	}
	plainAnswer struct {
		Notice   string `json:"systemMessage,omitempty"`
		Decision string `json:"decision,omitempty"`
		Reason   string `json:"reason,omitempty"`
	}
	flatAnswer struct {
		Permission string `json:"permission"`
		User       string `json:"user_message,omitempty"`
		Agent      string `json:"agent_message,omitempty"`
	}
	cancelAnswer struct {
		Cancel bool   `json:"cancel"`
		Error  string `json:"errorMessage"`
	}
)

type output struct {
	Event      string    `json:"hookEventName"`
	Permission string    `json:"permissionDecision,omitempty"`
	Reason     string    `json:"permissionDecisionReason,omitempty"`
	Decision   *behavior `json:"decision,omitempty"`
}

type behavior struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message,omitempty"`
}

// write returns a word with its reason in the form of the agent, nil where there is
// nothing to write.
func (a *Agent) write(event string, k kind, say, reason, notice string) []byte {
	switch a.answers.form {
	case formPlain:
		if say == deny {
			say = cmp.Or(a.answers.denial, deny)
		}
		return encode(plainAnswer{notice, say, reason})
	case formFlat:
		return encode(flatAnswer{say, reason, reason})
	case formCancel:
		if say != deny {
			return nil
		}
		return encode(cancelAnswer{true, reason})
	case formExit:
		return nil
	}
	if say == nothing {
		return encode(nestedAnswer{Notice: notice})
	}
	return encode(nestedAnswer{notice, new(nested(event, k, say, reason))})
}

// nested says a word in the form of the event.
func nested(event string, k kind, say, reason string) output {
	if k == prompt {
		return output{Event: event, Decision: &behavior{Behavior: say, Message: reason}}
	}
	return output{Event: event, Permission: say, Reason: reason}
}

func encode(answer any) []byte {
	text, err := strictjson.Marshal(answer)
	if err != nil {
		panic(err) // it is made of strings
	}
	return text
}
