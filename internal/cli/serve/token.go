package serve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/sqlstore"
)

// NewToken returns the command token.
func NewToken(p *console.Process) *cobra.Command {
	return console.Family(&cobra.Command{
		Use:   "token COMMAND",
		Short: "Make, list and revoke the tokens of the approval service",
		Long: `Make, list and revoke the tokens of the approval service, in its database. Anyone
who may write that file needs no other right. The service may keep running, and
follows the change at once. Agents are denied create and revoke.

A scope says what a token is for:
  submit    ask for approval, use receipts, report results
  approve   decide requests
  read      see requests, rules and the audit log
  admin     write rules and manage tokens, and read
  record    put decisions of other machines on record
  prove     vouch for the contracts of programs that the token submits

Nobody can decide their own request: two tokens with one name are one identity.`,
		Example: `  policyctl token create ci --scope submit --expires 30d
  policyctl token create ada --scope approve,read
  policyctl token list
  policyctl token revoke 2dK0cVbYq1a`,
	}, newTokenCreate(p), newTokenList(p), newTokenRevoke(p))
}

// A minter makes a token.
type minter struct {
	*console.Process
	Database
	scope, expires string
	json           bool
}

// allScopes are those that a token may have.
const allScopes = auth.Submit | auth.Approve | auth.Read | auth.Admin | auth.Record | auth.Prove

func newTokenCreate(p *console.Process) *cobra.Command {
	m := &minter{Process: p}
	cmd := &cobra.Command{
		Use:   "create NAME --scope SCOPES",
		Short: "Make a token, and print it once",
		Long: `Make a token and print it once. Nothing stores it: replace a lost token with a new
one. The token goes to the standard output, and notes go to the standard error.

A name has letters, digits and . _ - @. Agents are denied this command.`,
		Example: `  policyctl token create ci --scope submit --expires 30d
  (umask 077; policyctl token create ada --scope approve,read > ada.token)`,
		Args: console.OneOf("name", "policyctl token create NAME --scope submit"),
		RunE: func(cmd *cobra.Command, args []string) error { return m.run(cmd.Context(), args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&m.scope, "scope", "", "what the token is for: `SCOPES`, some of "+allScopes.String())
	console.CompletesList(cmd, "scope", allScopes.Names()...)
	flags.StringVar(&m.expires, "expires", "", "when it ends: a `TIME` such as 30d, 12h or 2027-01-31 (default never)")
	flags.BoolVar(&m.json, "json", false, "print the token and what there is to say about it as JSON")
	m.Register(flags)
	return cmd
}

func (m *minter) run(ctx context.Context, name string) error {
	now := time.Now().UTC().Truncate(time.Microsecond)
	if m.scope == "" {
		return console.Usagef("--scope is missing: give some of submit,approve,read,admin,record")
	}
	scopes, err := auth.ParseScope(m.scope)
	if err != nil {
		return console.Usagef("--scope: %v", err)
	}
	if err := auth.CheckName(name); err != nil {
		return console.Usagef("%v", err)
	}
	expires, err := console.Ending(m.expires, now)
	if err != nil {
		return err
	}
	db, err := m.make(ctx, m.Process, sqlstore.Options{})
	if err != nil {
		return err
	}
	secret, t := auth.NewToken(name, scopes, expires, now)
	if err := errors.Join(db.AddToken(ctx, t, backend.TokenMade(Owner(), &t)), db.Close()); err != nil {
		return err
	}
	return m.show(secret, &t)
}

func (m *minter) show(secret string, t *auth.Token) error {
	row := t.Shown(t.Created)
	if m.json {
		row.Secret = secret
		return render.JSON(m.Stdout, row)
	}
	if _, err := fmt.Fprintln(m.Stdout, secret); err != nil {
		return err
	}
	console.Warn(m.Stderr, "", fmt.Errorf("the token %s with the id %s may %s and expires %s; it is not shown again",
		t.Name, t.ID, t.Scopes, expiry(&row)))
	return nil
}
