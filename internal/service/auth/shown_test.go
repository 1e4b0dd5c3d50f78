package auth_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
)

func TestShown(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for want, token := range map[string]auth.Token{
		`{"id":"a","name":"ci","scopes":["submit"],"state":"valid","created":"2026-05-01T12:00:00Z","expires":null,"last_used":null,"revoked":null}`: {ID: "a", Name: "ci", Scopes: auth.Submit, Created: now},
		`{"id":"","name":"","scopes":["read"],"state":"expired","created":"2026-05-01T12:00:00Z","expires":"2026-05-01T12:00:00Z","last_used":"2026-05-01T12:00:00Z","revoked":null}`: {
			Scopes: auth.Read, Created: now, Expires: now, LastUsed: now,
		},
		`{"id":"","name":"","scopes":["read"],"state":"revoked","created":"2026-05-01T12:00:00Z","expires":"2026-05-01T12:00:00Z","last_used":null,"revoked":"2026-05-01T12:00:00Z"}`: {
			Scopes: auth.Read, Created: now, Expires: now, Revoked: now,
		},
	} {
		if got, err := json.Marshal(token.Shown(now)); err != nil || string(got) != want {
			t.Errorf("got  %s %v\nwant %s", got, err, want)
		}
	}
}
