// Package requests has the command that submits, lists, shows and decides requests for
// approval. It talks to the service alone and keeps nothing but a login.
package requests

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Command returns the command requests.
func Command(p *console.Process) *cobra.Command {
	return console.Grouped(&cobra.Command{
		Use:   "requests COMMAND",
		Short: "List the calls that wait for approval, and decide them",
		Long: `List the calls that wait for approval at the approval service, and decide them.

policyctl finds the service of this machine, and anything that runs as its user
may look. To decide, you need more: --login and the login URL, which works once
and which policyctl serve shows when you type login at its terminal; or a token
that may approve, in --token-file or in the variable POLICYCTL_TOKEN. Agents are
denied approve, deny, revoke and watch, and the service refuses decisions from
processes below an agent that it knows. What an agent runs as your user can
still read your files and your terminal: if that matters, run the service as a
separate user (docs/service.md).

The URL is never an argument, since every program of the user can read those. --login
reads it from the terminal without showing it, or from the first line of the standard
input; --login-file reads it from a file that only its owner may read.`,
		Example: `  policyctl requests list
  policyctl requests show req_7XK2…
  policyctl requests approve req_7XK2… --login
  policyctl requests watch --token-file ada.token`,
	},
		console.Group{Title: "Look", Members: []*cobra.Command{newRequestsList(p), newRequestsShow(p)}},
		console.Group{Title: "Decide", Members: []*cobra.Command{newRequestsWatch(p), newRequestsApprove(p), newRequestsDeny(p), newRequestsRevoke(p)}},
		console.Group{Title: "Ask", Members: []*cobra.Command{newRequestsSubmit(p)}})
}

// A visitor goes to an approval service.
type visitor struct {
	*console.Process
	service, tokenFile, loginFile string
	// asks says that --login was given, exposed that it had a value.
	asks, exposed bool

	client *approval.Client
	// login is what ends with the command, nil where a token or a socket says
	// who calls.
	login *loginAnswer
}

func (v *visitor) register(flags *pflag.FlagSet) {
	flags.StringVar(&v.service, "service", "", "the `ADDRESS` of the service: a URL, or unix:PATH (default the service of this machine)")
	flags.StringVar(&v.tokenFile, "token-file", "", "the `FILE` with your token")
	flags.BoolFunc("login", "log in with the URL that policyctl serve printed; asks for the URL, or reads it from the standard input", v.setLogin)
	flags.StringVar(&v.loginFile, "login-file", "", "log in with the URL in a `FILE` that only you may read")
}

// visit connects with a service. leave must be called.
func (v *visitor) visit(ctx context.Context) error {
	if err := v.oneIdentity(); err != nil {
		return err
	}
	token, err := v.token()
	switch {
	case err != nil:
		return err
	case v.logsIn():
		return v.logIn(ctx)
	}
	address, err := v.address("")
	if err != nil {
		return err
	}
	if v.client, err = approval.NewClient(address, token); err != nil {
		return console.Usagef("%v", err)
	}
	return nil
}

// token returns the token of the caller, "" for none.
func (v *visitor) token() (string, error) {
	if v.tokenFile == "" {
		return strings.TrimSpace(v.Getenv(layers.Token)), nil
	}
	text, err := console.ReadUpTo(v.tokenFile, console.MaxKey)
	if err != nil {
		return "", console.Usagef("--token-file %s: %v", v.tokenFile, err)
	}
	if console.OthersRead(v.tokenFile) {
		console.Warn(v.Stderr, "warning: ", fmt.Errorf("%s: others on this machine may read the token: run chmod 600 to keep it private", v.tokenFile))
	}
	token := strings.TrimSpace(string(text))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return "", console.Usagef("--token-file %s: it is empty: policyctl token create prints a token", v.tokenFile)
	}
	return token, nil
}

// address returns where the service is. The service of this machine is reached
// over its socket, also where a URL of its own is known: anybody can listen at
// a port that it has left.
func (v *visitor) address(of string) (string, error) {
	if v.service != "" {
		return v.service, nil
	}
	place, err := v.Policies()
	if err != nil {
		return "", err
	}
	info, found, err := rendezvous.Read(place.State)
	switch {
	case err != nil:
		return "", err
	case found && (of == "" || of == info.URL):
		return info.Address(), nil
	case of == "":
		return "", errors.New("no approval service runs here: start policyctl serve, or name one with --service")
	}
	return of, nil
}

// unreached adds the next step to the error of a service that does not answer.
func unreached(err error) error {
	var reach *url.Error
	if errors.As(err, &reach) {
		return fmt.Errorf("%w: see whether policyctl serve runs", cmp.Or(errors.Unwrap(err), err))
	}
	return err
}

// mayDecide refuses who shows nothing but a socket.
func (v *visitor) mayDecide() error {
	token, err := v.token()
	if err != nil || token != "" || v.logsIn() {
		return err
	}
	return console.Usagef("the service does not know who you are, and needs to for a decision: give --login, which asks for the URL that policyctl serve printed, or --token-file, or set %s", layers.Token)
}

// completionTime bounds how long a shell waits for ids.
const completionTime = 2 * time.Second

// complete offers the ids of the requests that are pending.
func (v *visitor) complete(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || v.logsIn() { // which would use the login up
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	if v.visit(ctx) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, _ := v.client.List(ctx, approval.Filter{States: []approval.State{approval.Pending}}) // none where it does not answer
	var ids []string
	for _, r := range list {
		ids = append(ids, r.ID+"\t"+render.Plain(r.Title))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
