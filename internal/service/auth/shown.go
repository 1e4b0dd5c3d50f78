package auth

import "time"

// A Shown is a token as the service and the command line show it. Secret is
// there once, in the answer that makes the token.
type Shown struct {
	ID       string     `json:"id"`
	Name     string     `json:"name"`
	Scopes   []string   `json:"scopes"`
	State    string     `json:"state"` // valid, expired or revoked
	Created  time.Time  `json:"created"`
	Expires  *time.Time `json:"expires"`
	LastUsed *time.Time `json:"last_used"`
	Revoked  *time.Time `json:"revoked"`
	Secret   string     `json:"token,omitempty"`
}

// Shown returns the token as it is shown at a time.
func (t *Token) Shown(now time.Time) Shown {
	s := Shown{
		ID: t.ID, Name: t.Name, Scopes: t.Scopes.Names(), State: "valid", Created: t.Created.UTC(),
		Expires: orNull(t.Expires), LastUsed: orNull(t.LastUsed), Revoked: orNull(t.Revoked),
	}
	switch {
	case s.Revoked != nil:
		s.State = "revoked"
	case s.Expires != nil && !now.Before(*s.Expires):
		s.State = "expired"
	}
	return s
}

// orNull returns nil for the zero time.
func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
