package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/state"
	"github.com/policyctl/policyctl/pkg/policy"
)

// asked makes one approval of two where an agent shows its dialog before the
// event of the call: it notes an ask about which the dialog is shown, and
// allows the very call once when its event comes, since none comes where the
// person said no. It reports whether it has allowed it.
//
// A mode that asks nobody shows no dialog, so that a dialog counts only in the
// mode in which it was shown. What the user says next forgets all of them.
func asked(e *hook.Event, c *policy.Call, v *policy.Verdict, dialogs state.Dialogs, now time.Time) bool {
	name, ok := dialogName(e, c)
	if !ok || !e.Attended {
		return false
	}
	_, shown := dialogs[name]
	delete(dialogs, name)
	switch {
	case v.Decision != policy.Ask:
		return false
	case e.Follows:
		dialogs[name] = now
		return false
	case shown:
		v.Decision, v.Reason, v.Ask = policy.Allow, policy.ReasonNone, nil
		v.Why = "it was approved in the agent's own dialog"
	}
	return shown
}

// dialogName names a call in a mode of its agent.
func dialogName(e *hook.Event, c *policy.Call) (string, bool) {
	text, err := json.Marshal([]any{e.Mode, c.Tool, c.Dir, c.Input})
	if err != nil {
		return "", false
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), true
}
