package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
)

// newPasskeys returns the command passkeys.
func newPasskeys(p *console.Process) *cobra.Command {
	return console.Family(&cobra.Command{
		Use:   "passkeys COMMAND",
		Short: "List and remove the passkeys of people who decide in the desk",
		Long: `List and remove the passkeys of people who decide in the desk, in the database of
the service, which may run meanwhile. In the desk, a passkey that is registered has
to confirm each new one and each removal: remove those here that are lost. When none
is left, whoever logs in next registers the first one. Agents are denied these commands.`,
		Example: `  policyctl serve passkeys list
  policyctl serve passkeys remove 2dK0cVbYq1a`,
	}, newPasskeyList(p), newPasskeyRemove(p))
}

// A passkeyLister lists the passkeys.
type passkeyLister struct {
	*console.Process
	Database
	json bool
}

func newPasskeyList(p *console.Process) *cobra.Command {
	l := &passkeyLister{Process: p}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the passkeys, the newest first",
		Args:  console.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return l.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&l.json, "json", false, "print the passkeys as JSON")
	l.Register(cmd.Flags())
	return cmd
}

func (l *passkeyLister) run(ctx context.Context) error {
	db, err := l.Open(ctx, l.Process)
	if err != nil {
		return err
	}
	keys, err := db.Passkeys(ctx)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	rows := []auth.ShownPasskey{}
	table := [][]string{{"ID", "PERSON", "LABEL", "ADDRESS", "CREATED", "USED"}}
	for i := range keys {
		r := keys[i].Shown()
		rows = append(rows, r)
		table = append(table, []string{r.ID, r.Person, r.Label, r.Origin, console.DateOr(&r.Created, ""), console.DateOr(r.LastUsed, "never")})
	}
	return l.List(l.json, rows, "there is no passkey: people register theirs in the desk", table)
}

// A passkeyRemover removes a passkey.
type passkeyRemover struct {
	*console.Process
	Database
}

func newPasskeyRemove(p *console.Process) *cobra.Command {
	r := &passkeyRemover{Process: p}
	cmd := &cobra.Command{
		Use:   "remove ID",
		Short: "Remove a passkey for good; policyctl serve passkeys list shows the ids",
		Args:  console.OneOf("id", "policyctl serve passkeys remove ID, as policyctl serve passkeys list shows it"),
		RunE:  func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args[0]) },
	}
	r.Register(cmd.Flags())
	return cmd
}

func (r *passkeyRemover) run(ctx context.Context, id string) error {
	db, err := r.Open(ctx, r.Process)
	if err != nil {
		return err
	}
	done, err := removePasskey(ctx, db, id)
	switch err := errors.Join(err, db.Close()); {
	case err != nil:
		return err
	case !done:
		return fmt.Errorf("there is no passkey with the id %q: see policyctl serve passkeys list", id)
	}
	_, err = fmt.Fprintf(r.Stdout, "removed  %s\n", id)
	return err
}

func removePasskey(ctx context.Context, db Store, id string) (done bool, err error) {
	keys, err := db.Passkeys(ctx)
	i := slices.IndexFunc(keys, func(k auth.Passkey) bool { return k.ID == id })
	if err != nil || i < 0 {
		return false, err
	}
	return db.RemovePasskey(ctx, id, backend.PasskeyRemoved(Owner(), &keys[i], time.Now().UTC()))
}
