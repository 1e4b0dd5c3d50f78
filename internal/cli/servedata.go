package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/auth"
	"github.com/policyctl/policyctl/internal/backend"
	"github.com/policyctl/policyctl/internal/sqlite"
)

// A kept is the database as the service sees it.
type kept struct{ *sqlite.DB }

// RecordCall keeps a call for previews.
func (k kept) RecordCall(ctx context.Context, c backend.Call) error {
	return k.DB.RecordCall(ctx, sqlite.Call{Time: c.At, Session: c.Session, Call: c.JSON})
}

// Calls returns the calls that were kept, the newest first.
func (k kept) Calls(ctx context.Context, limit int) ([]backend.Call, error) {
	list, err := k.DB.Calls(ctx, limit)
	out := make([]backend.Call, len(list))
	for i, c := range list {
		out[i] = backend.Call{At: c.Time, Session: c.Session, JSON: c.Call}
	}
	return out, err
}

// mayDecide says whether there is a token of a name that may approve.
func (k kept) mayDecide(ctx context.Context, name string) bool {
	tokens, err := k.Tokens(ctx)
	if err != nil {
		return false
	}
	for i := range tokens {
		row := newTokenRow(&tokens[i], time.Now())
		if row.State == "valid" && strings.ToLower(row.Name) == name && tokens[i].Scopes.Has(auth.Approve) {
			return true
		}
	}
	return false
}

// submitName is the name of the token in the variable that serve prints.
const submitName = "submit"

// submitToken returns the token of that variable: the one of before, so that
// clients outlive a restart. Its file is no secret to the user of the service,
// who may submit over the socket as well.
func (s *serve) submitToken(ctx context.Context, db kept, a *auth.Authenticator) (string, error) {
	file := filepath.Join(s.directory, "submit-token")
	if text, err := readUpTo(file, maxKey); err == nil {
		secret := strings.TrimSpace(string(text))
		if who, err := a.Token(ctx, secret); err == nil && who.Scopes == auth.Submit {
			return secret, nil
		}
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	secret, t := auth.NewToken(submitName, auth.Submit, time.Time{}, now)
	e := tokenEntry(owner(), now, "created", t.ID)
	e.Detail["name"], e.Detail["scopes"] = t.Name, t.Scopes.String()
	if err := db.AddToken(ctx, t, e); err != nil {
		return "", err
	}
	return secret, os.WriteFile(file, []byte(secret+"\n"), 0o600)
}
