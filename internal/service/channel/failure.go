package channel

import (
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// A Refusal is an error that trying again does not mend: a wrong token, a chat that is
// not there.
type Refusal struct{ Text string }

func (r *Refusal) Error() string { return r.Text }

// A Pause is an error of a service that wants to be left alone.
type Pause struct {
	For time.Duration
	Err error
}

func (p *Pause) Error() string { return p.Err.Error() }

// Unwrap returns why.
func (p *Pause) Unwrap() error { return p.Err }

// maxSaying bounds what an error tells of a service, in runes.
const maxSaying = 200

// Saying is what a service says, for an error: a short line without these secrets.
func Saying(text string, secrets ...string) string {
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	text = strings.Map(func(r rune) rune {
		if clip.Empty(r) {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > maxSaying {
		return string(runes[:maxSaying]) + " …"
	}
	return text
}

// Limit cuts a text to so many runes, the last of which then says so.
func Limit(s string, runes int) string {
	if all := []rune(s); len(all) > runes {
		return string(all[:runes-1]) + "…"
	}
	return s
}
