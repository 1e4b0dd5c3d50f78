package serve

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// rulesEvery is how often the service looks for rules that others have written
// to the database.
const rulesEvery = 5 * time.Second

// rules returns the rules of the database, which it follows.
func (r *instance) rules(ctx context.Context, db Store) (*ruledb.Rules, error) {
	rules, err := ruledb.Open(ctx, db, time.Now)
	if err != nil {
		return nil, err
	}
	if err := rules.Problem(); err != nil {
		r.rulesProblem(err)
	}
	r.during(func(ctx context.Context) {
		look := time.NewTicker(rulesEvery)
		defer look.Stop()
		rules.Follow(ctx, look.C, r.rulesProblem)
	})
	return rules, nil
}

// rulesProblem tells of a problem with the rules of the database, and by nil
// that it is over.
func (r *instance) rulesProblem(err error) {
	if err == nil {
		r.log.Info("all rules of the database count again")
		return
	}
	r.log.Error("the rules of the database do not all count", "error", err)
}

// submitName is the name of the token in the variable that serve prints.
const submitName = "submit"

// submitToken returns the token of that variable: the one of before, so that
// clients outlive a restart. Its file is no secret to the user of the service,
// who may submit over the socket as well.
func (s *serve) submitToken(ctx context.Context, db Store, a *auth.Authenticator) (string, error) {
	file := filepath.Join(s.directory, "submit-token")
	if text, err := plainfile.ReadOwn(file, console.MaxKey); err == nil {
		secret := strings.TrimSpace(string(text))
		if who, err := a.Token(ctx, secret); err == nil && who.Scopes == auth.Submit {
			return secret, nil
		}
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	secret, t := auth.NewToken(submitName, auth.Submit, time.Time{}, now)
	if err := db.AddToken(ctx, t, backend.TokenMade(Owner(), &t)); err != nil {
		return "", err
	}
	return secret, atomicfile.Write(file, ".submit-token-", []byte(secret+"\n")) // also in place of a link
}
