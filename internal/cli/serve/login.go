package serve

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/auth"
)

// A loginMaker makes URLs that log a person in.
type loginMaker struct {
	*console.Process
	Database
}

func newServeLogin(p *console.Process) *cobra.Command {
	l := &loginMaker{Process: p}
	cmd := &cobra.Command{
		Use:   "login ADDRESS --db URL",
		Short: "Print a URL that logs one person in, at a service with several instances",
		Long: `Print a URL that logs one person in to the desk. It works once, within two minutes, at
every instance of the service that uses the database. ADDRESS is where people reach the
service. A service whose database is a file shows such URLs at its own terminal.

Whoever has the URL can decide requests, so do not send it where others can read it.
Agents are denied this command.`,
		Example: `  policyctl serve login https://policy.example.com --db postgres://policyctl@db.example.com/policyctl`,
		Args:    console.OneOf("address", "policyctl serve login https://policy.example.com --db URL"),
		RunE:    func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), args[0]) },
	}
	l.Register(cmd.Flags())
	return cmd
}

func (l *loginMaker) run(ctx context.Context, address string) error {
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" || at.RawQuery != "" || at.Fragment != "" {
		return console.Usagef("%q: give the address of the service, such as https://policy.example.com", address)
	}
	if !l.remote() {
		return console.Usagef("--db: a service whose database is a file shows the URL at its own terminal: type login there; otherwise give the URL of the database that the instances share")
	}
	db, err := l.Open(ctx, l.Process)
	if err != nil {
		return err
	}
	code, err := auth.NewLogins(time.Now, db.Shelf(loginShelf)).NewCode()
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(l.Stdout, strings.TrimRight(at.String(), "/")+"/login#"+code)
	return err
}
