package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
)

// expiry says when a token ends.
func expiry(s *auth.Shown) string { return console.DateOr(s.Expires, "never") }

// A tokenLister lists the tokens.
type tokenLister struct {
	*console.Process
	Database
	json bool
}

func newTokenList(p *console.Process) *cobra.Command {
	l := &tokenLister{Process: p}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tokens, revoked ones too, without their secrets",
		Args:  console.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return l.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&l.json, "json", false, "print the tokens as JSON")
	l.Register(cmd.Flags())
	return cmd
}

func (l *tokenLister) run(ctx context.Context) error {
	db, err := l.Open(ctx, l.Process)
	if err != nil {
		return err
	}
	tokens, err := db.Tokens(ctx)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	rows := []auth.Shown{}
	table := [][]string{{"ID", "NAME", "SCOPES", "STATE", "CREATED", "EXPIRES"}}
	for i := range tokens {
		r := tokens[i].Shown(time.Now())
		rows = append(rows, r)
		table = append(table, []string{r.ID, r.Name, tokens[i].Scopes.String(), r.State, console.DateOr(&r.Created, ""), expiry(&r)})
	}
	return l.List(l.json, rows, "there is no token: policyctl token create makes one", table)
}

// A revoker ends a token.
type revoker struct {
	*console.Process
	Database
}

func newTokenRevoke(p *console.Process) *cobra.Command {
	r := &revoker{Process: p}
	cmd := &cobra.Command{
		Use:   "revoke ID",
		Short: "Revoke a token for good; policyctl token list shows the ids",
		Args:  console.OneOf("id", "policyctl token revoke ID, as policyctl token list shows it"),
		RunE:  func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args[0]) },
	}
	r.Register(cmd.Flags())
	return cmd
}

func (r *revoker) run(ctx context.Context, id string) error {
	db, err := r.Open(ctx, r.Process)
	if err != nil {
		return err
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	done, err := db.RevokeToken(ctx, id, now, backend.TokenRevoked(Owner(), id, now))
	var named []string
	if err == nil && !done {
		named, err = idsOf(ctx, db, id)
	}
	switch err := errors.Join(err, db.Close()); {
	case err != nil:
		return err
	case len(named) > 0:
		return fmt.Errorf("%q is the name of a token: revoke it by its id, %s", id, strings.Join(named, " or "))
	case !done:
		return fmt.Errorf("there is no token with the id %q that is not revoked: see policyctl token list", id)
	}
	_, err = fmt.Fprintf(r.Stdout, "revoked  %s\n", id)
	return err
}

// idsOf returns the ids of the tokens of a name that are not revoked.
func idsOf(ctx context.Context, db Store, name string) (ids []string, err error) {
	all, err := db.Tokens(ctx)
	for i := range all {
		if all[i].Name == name && all[i].Revoked.IsZero() {
			ids = append(ids, all[i].ID)
		}
	}
	return ids, err
}
