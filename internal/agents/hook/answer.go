package hook

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Answer returns the answer to an event: one JSON object, or nil where the
// agent is to go on as if there were no hook. v may be nil, which denies. For
// an event that wants no answer, and for one that is unknown, it is nil.
func (a *Agent) Answer(e *Event, v *policy.Verdict) []byte {
	kind := a.events.kind(e.Name)
	if kind != before && kind != prompt {
		return nil
	}
	if v == nil {
		v = &policy.Verdict{}
	}
	say, v := a.settle(e, v)
	notice := a.notice(e, say, v)
	if say == nothing && (notice == "" || kind == prompt) {
		return nil
	}
	reason := ""
	switch {
	case say == deny || say == ask:
		reason = a.reason(e, say, v)
	case say == allow && kind == before && !a.answers.notice && !a.answers.notes:
		reason = strings.TrimSpace(warning(v))
	}
	return a.write(e.Name, kind, say, reason, notice)
}

// reason is what the model reads of a denial or an ask.
func (a *Agent) reason(e *Event, say string, v *policy.Verdict) string {
	return printable(a.text(e, v) + warning(v) + details(e, say, v))
}

// unguarded begins a note that says that loops are not looked for.
const unguarded = "loop detection is off"

// warning follows the reason of an answer where loops are not looked for. Codex shows
// no notes, nor does any agent to which nobody listens, so that the note alone would
// be lost.
func warning(v *policy.Verdict) string {
	if !slices.ContainsFunc(v.Notes, func(note string) bool { return strings.HasPrefix(note, unguarded) }) {
		return ""
	}
	return " Note that " + unguarded + ", because policyctl cannot use its state: the disk may be full or read-only. Repeating a call does not help."
}

// details names the command that shows a denial that will be on record: eight characters of
// an id name it. Where policyctl itself failed, something else helps.
func details(e *Event, say string, v *policy.Verdict) string {
	if say != deny || v.IsFault() || len(e.Record) < 8 {
		return ""
	}
	return " Details: `policyctl why " + e.Record[:8] + "`."
}

// The words of the protocols.
const (
	nothing  = ""
	allow    = "allow"
	ask      = "ask"
	deny     = "deny"
	postpone = "defer"
)

// notice is what the person is told beside the answer: on a denial who
// denied, and what did not work.
func (a *Agent) notice(e *Event, say string, v *policy.Verdict) string {
	var parts []string
	if say == deny && a.answers.notice {
		by := v.Stage.String()
		if v.Stage == policy.StageNone {
			by = v.Reason.String()
		}
		for _, more := range []string{v.Rule, v.Origin.String()} {
			if more != "" {
				by += ", " + more
			}
		}
		parts = append(parts, printable(fmt.Sprintf("policyctl denied this call: %s (%s)%s", short(v.Why), short(by), details(e, say, v))))
		if v.Reason == policy.ReasonUnattended {
			parts = append(parts, printable("policyctl: it needs an approval, and "+a.obstacle(e)+". "+e.help("You", v)))
		}
	}
	if !a.answers.notice && !a.answers.notes {
		return ""
	}
	for _, note := range v.Notes {
		parts = append(parts, printable("policyctl: "+short(note)))
	}
	return strings.Join(parts, "\n")
}

// short bounds what a person is shown of one text.
func short(s string) string {
	const most = 400
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// printable makes one line of a text and replaces what a terminal would not
// print as it stands: controls, and characters that turn or hide text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case clip.Empty(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
