// Package grant stores what a person has approved, and finds it again when the
// same thing is asked for.
//
// An [Entry] is a verb and a directory: "git commit in /home/dev/app". It
// covers a command that has the verb and whose paths all lie there, unless
// something about the command says more than its words: an assignment, a link,
// a wrapper, an unknown word, a dangerous pattern, a sensitive path. [Propose]
// says what may be stored for a call, a [Store] keeps it, and a [Set] matches
// it; all three judge a command by the same code.
//
// The package asks nobody: who may add an entry is for the caller to check.
package grant

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// An Entry is one thing that a person has approved. The zero value is not
// valid and covers nothing.
type Entry struct {
	// Effect is [Denies], or "" for an approval: files of before have none.
	Effect string `json:"effect,omitempty"`
	// Verb is a program, or a program and its sub-command: "git commit". For
	// tools other than the shell it is the name of the tool. That of a denial may have
	// options too: "git push --force".
	Verb string `json:"verb"`
	// Dir is the directory in which the verb is approved or denied, absolute and clean.
	// It is empty for [Anywhere] and for no other scope.
	Dir   string `json:"directory,omitempty"`
	Scope Scope  `json:"scope"`
	// Audience and Tool are those of the calls that the entry covers.
	Audience policy.Audience `json:"audience"`
	Tool     string          `json:"tool"`
	// Rule is the ask rule that the entry answers, "" for none.
	Rule string `json:"rule,omitempty"`
	// Agent and Conversation say for whom an entry of the scope [Session]
	// holds; they are empty for others.
	Agent        string `json:"agent,omitempty"`
	Conversation string `json:"session,omitempty"`
	// Created says when the entry was made, By what made it, and Request the id of
	// the request whose approval did, "" where there was none.
	Created time.Time `json:"created"`
	By      string    `json:"by"`
	Request string    `json:"request,omitempty"`
	// Until is when the entry ends, in whole seconds; zero for never.
	Until time.Time `json:"until,omitzero"`
	// Uses is how many calls the entry allows, 0 for any number; Spent are those that it
	// has allowed.
	Uses  int     `json:"uses,omitempty"`
	Spent []spend `json:"spent,omitempty"`
	// Limits bound what a call that sends may send, and where; nil for calls that send
	// nothing.
	Limits *Limits `json:"limits,omitempty"`
}

// Denies is the effect of an entry that denies.
const Denies = "deny"

// A Scope says how far an approval reaches. The zero value is [Once].
type Scope uint8

// The scopes, narrowest first.
const (
	Once     Scope = iota // this call alone: nothing is stored
	Session               // the conversation, in the directory
	Here                  // always, in the directory
	Anywhere              // always, in every directory
)

var scopeNames = [...]string{"once", "session", "here", "anywhere"}

// String returns "once", "session", "here" or "anywhere".
func (s Scope) String() string {
	if int(s) >= len(scopeNames) {
		return fmt.Sprintf("invalid(%d)", uint8(s))
	}
	return scopeNames[s]
}

// MarshalText encodes the scope as its name.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText accepts exactly the four names.
func (s *Scope) UnmarshalText(text []byte) error {
	for i, n := range scopeNames {
		if n == string(text) {
			*s = Scope(i)
			return nil
		}
	}
	return fmt.Errorf("unknown scope %q: one of once, session, here, anywhere", text)
}

// String returns "VERB in DIRECTORY" or "VERB anywhere"; that of a denial has "deny "
// before it.
func (e *Entry) String() string {
	text := e.Verb
	if e.Effect == Denies {
		text = denying + text
	}
	if e.Scope == Anywhere {
		return text + " anywhere"
	}
	return text + " in " + e.Dir
}

// denying begins the text of a denial.
const denying = "deny "

// Text returns the whole of what the entry approves or denies in one line.
func (e *Entry) Text() string {
	text := e.String()
	if e.Limits != nil {
		text += ", " + e.Limits.text(e.Effect)
	}
	if e.Scope == Session {
		text += ", in this session"
	}
	if e.Rule != "" {
		text += fmt.Sprintf(", although %q asks", e.Rule)
	}
	if !e.Until.IsZero() {
		text += ", until " + e.Until.UTC().Format("2006-01-02 15:04:05Z")
	}
	if e.Uses > 0 {
		text += ", " + e.counted()
	}
	return text
}

// ended reports whether the entry no longer counts at a time, also because the
// time is before its creation: the clock was set back then, and how much of its
// life has passed is unknown. A denial then goes on.
func (e *Entry) ended(now time.Time) bool {
	isBack := e.Effect != Denies && now.Before(e.Created.Add(-jitter))
	return !e.Until.IsZero() && (!now.Before(e.Until) || isBack)
}

// jitter is how far a clock may go back without having been set back.
const jitter = time.Minute

// outlasts reports whether an entry holds for longer than another, or for more calls.
func (e *Entry) outlasts(o *Entry) bool {
	return !o.Until.IsZero() && (e.Until.IsZero() || e.Until.After(o.Until)) || e.left() > o.left()
}

// Same reports whether an entry approves the same as another, for however
// long.
func (e *Entry) Same(o Entry) bool { return e.same(&o) }

func (e *Entry) same(o *Entry) bool {
	return e.ID() == o.ID()
}

// ID returns a name for what the entry approves, which is that of every entry that is
// the [Entry.Same].
func (e *Entry) ID() string {
	sum := sha256.New()
	for _, part := range []string{e.Verb, e.Dir, e.Scope.String(), e.Audience.String(), e.Tool, e.Rule, e.Agent, e.Conversation} {
		fmt.Fprintf(sum, "%q\n", part)
	}
	if e.isRuled() { // the ids of others are those of before
		fmt.Fprintf(sum, "%q\n%t\n%q\n", e.Effect, e.Uses > 0, e.Limits.key())
	}
	return fmt.Sprintf("grant_%x", sum.Sum(nil)[:10])
}

// Ended reports whether the entry no longer counts at a time, or has no use left.
func (e *Entry) Ended(now time.Time) bool { return e.ended(now) || e.left() == 0 }

// Validate says what is wrong with an entry, nil for nothing.
func (e *Entry) Validate() error {
	switch {
	case e.Effect != "" && e.Effect != Denies:
		return fmt.Errorf("unknown effect %q: %q, or none for an approval", e.Effect, Denies)
	case e.Effect == Denies:
		if err := e.validateDenial(); err != nil {
			return err
		}
	case !isVerb(e.Verb):
		return fmt.Errorf("%q is not a verb: write a program and its sub-command, such as \"git commit\"", e.Verb)
	case e.Tool == "":
		return errors.New("an entry has no tool")
	case e.Scope == Once || int(e.Scope) >= len(scopeNames):
		return fmt.Errorf("scope %s is not stored: one of session, here, anywhere", e.Scope)
	case e.Audience > policy.Public:
		return fmt.Errorf("audience %s does not exist", e.Audience)
	case (e.Scope == Session) != (e.Conversation != ""):
		return errors.New("an entry must have a session if its scope is session, and only then")
	case len(e.Request) > maxRequest || hasControl(e.Request):
		return fmt.Errorf("%.200q is not the id of a request", e.Request)
	case e.Agent != "" && e.Scope != Session:
		return errors.New("an entry may have an agent only if its scope is session")
	case !e.Until.IsZero() && !e.Until.After(e.Created):
		return errors.New("an entry ends before it begins")
	case e.Uses < 0 || e.Uses > maxUses:
		return fmt.Errorf("an entry allows %d calls: between 1 and %d can be counted", e.Uses, maxUses)
	case len(e.Spent) > e.Uses:
		return fmt.Errorf("an entry has allowed %d calls of %d", len(e.Spent), e.Uses)
	}
	if err := e.Limits.validate(); err != nil {
		return err
	}
	return e.validateDir()
}

func (e *Entry) validateDir() error {
	switch {
	case e.Scope == Anywhere && e.Dir != "":
		return errors.New("an entry for anywhere must not have a directory")
	case e.Scope == Anywhere:
		return nil
	case e.Dir == "":
		return errors.New("an entry has no directory: only the scope anywhere may omit it")
	case !strings.HasPrefix(e.Dir, "/") || path.Clean(e.Dir) != e.Dir || hasControl(e.Dir):
		return fmt.Errorf("directory %q is not absolute and clean", e.Dir)
	case e.Scope == Here && isShallow(e.Dir):
		return fmt.Errorf("directory %s holds too much: name one below it", e.Dir)
	}
	return nil
}

// isShallow reports whether a directory has fewer than two elements.
func isShallow(dir string) bool { return strings.Count(strings.TrimSuffix(dir, "/"), "/") < 2 }

// hasControl reports whether a text has characters that hide some of it on a
// screen.
func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' })
}

// isVerb reports whether a text is a program and its sub-commands.
func isVerb(text string) bool {
	words := 0
	for w := range strings.SplitSeq(text, " ") {
		if words++; !isVerbWord(w) || words > maxVerb {
			return false
		}
	}
	return len(text) <= maxVerbLength
}

// maxRequest is the most bytes of the id of a request.
const maxRequest = 200

// maxVerb is the most words of a verb, maxVerbLength the most bytes.
const (
	maxVerb       = 5
	maxVerbLength = 100
)

// isVerbWord reports whether a word is a name and neither an option nor a path.
func isVerbWord(w string) bool {
	for i := range len(w) {
		b := w[i]
		letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
		if !letter && (i == 0 && w != "[" || !strings.ContainsRune("-.:+[", rune(b))) {
			return false
		}
	}
	return w != ""
}
