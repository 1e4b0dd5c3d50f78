package hook

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// Sample returns the event that the agent sends before it runs a command in its shell.
func (a *Agent) Sample(command, session, dir string) []byte {
	text := func(s string) string {
		quoted := encode(s)
		return string(quoted[1 : len(quoted)-1])
	}
	return []byte(strings.NewReplacer("$COMMAND", text(command), "$SESSION", text(session), "$DIR", text(dir)).Replace(a.sample))
}

// Heard returns what the agent takes from what a hook printed and from its exit code: allow,
// ask, deny or defer with its reason, or "" where it goes on by its own rules. An answer
// that it would not heed is an error.
func (a *Agent) Heard(stdout, stderr []byte, code int) (say, reason string, err error) {
	reason = strings.TrimSpace(string(stderr))
	switch {
	case code == exitRefused && reason == "":
		return "", "", errors.New("it refuses without a reason")
	case code == exitRefused && a.answers.form != formCancel:
		return deny, reason, nil
	case code != exitAnswered:
		return "", "", fmt.Errorf("it fails with exit code %d", code)
	case len(bytes.TrimSpace(stdout)) == 0:
		return nothing, "", nil
	}
	return a.decode(stdout)
}

// decode reads an answer in the form of the agent.
func (a *Agent) decode(stdout []byte) (say, reason string, err error) {
	switch a.answers.form {
	case formPlain:
		var said plainAnswer
		err = strictjson.DecodeOpen(stdout, &said)
		if say = said.Decision; say == a.answers.denial && say != "" {
			say = deny
		}
		reason = said.Reason
	case formFlat:
		var said flatAnswer
		err = strictjson.DecodeOpen(stdout, &said)
		say, reason = said.Permission, said.Agent
	case formCancel:
		var said cancelAnswer
		if err = strictjson.DecodeOpen(stdout, &said); said.Cancel {
			say, reason = deny, said.Error
		}
	case formNested:
		var said nestedAnswer
		if err = strictjson.DecodeOpen(stdout, &said); said.Output != nil {
			o := said.Output
			say, reason = o.Permission, o.Reason
			if d := o.Decision; d != nil {
				say, reason = cmp.Or(say, d.Behavior), cmp.Or(reason, d.Message)
			}
		}
	case formExit:
		err = errors.New("it answers by its exit code alone")
	}
	if err != nil {
		return "", "", fmt.Errorf("it prints something else than an answer: %.60q", bytes.TrimSpace(stdout))
	}
	return say, reason, nil
}
