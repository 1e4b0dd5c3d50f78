package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/rendezvous"
	"github.com/policyctl/policyctl/pkg/approval"
)

func newRequests(p *Process) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "requests COMMAND",
		Short: "See what waits for an approval, and decide it",
		Long: `See what waits for an approval at the approval service, and decide it.

The service of this machine is found by itself, and whoever runs as its user may look.
To decide needs more, so that no agent of that user can: the first-login URL that
policyctl serve printed, good once, with --login; or a token that may approve, in a
file named by --token-file or in the variable POLICYCTL_TOKEN. Keep both where no
agent reads them. Agents are denied approve, deny and watch.`,
		Example: `  policyctl requests list
  policyctl requests show req_7XK2…
  policyctl requests approve req_7XK2… --login http://127.0.0.1:8765/login#polo_…
  policyctl requests watch --token-file ada.token`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRequestsList(p), newRequestsShow(p), newRequestsApprove(p), newRequestsDeny(p), newRequestsWatch(p), newRequestsSubmit(p))
	return cmd
}

// A visitor goes to an approval service.
type visitor struct {
	*Process
	service, tokenFile, loginURL string

	client *approval.Client
	// login is what ends with the command, nil where a token or a socket says
	// who calls.
	login *loginAnswer
}

func (v *visitor) register(flags *pflag.FlagSet) {
	flags.StringVar(&v.service, "service", "", "the `ADDRESS` of the service: a URL, or unix:PATH (default the service of this machine)")
	flags.StringVar(&v.tokenFile, "token-file", "", "the `FILE` with your token")
	flags.StringVar(&v.loginURL, "login", "", "the first-login `URL` that policyctl serve printed; it is good once")
}

// A loginAnswer is what the service says to a login.
type loginAnswer struct {
	Token    string `json:"token"`
	Identity string `json:"identity"`
}

// visit connects with a service. leave must be called.
func (v *visitor) visit(ctx context.Context) error {
	token, err := v.token()
	if err != nil {
		return err
	}
	if v.loginURL != "" {
		if token != "" && v.tokenFile != "" {
			return usagef("--login and --token-file both say who you are: leave one out")
		}
		return v.logIn(ctx)
	}
	address, err := v.address("")
	if err != nil {
		return err
	}
	if v.client, err = approval.NewClient(address, token); err != nil {
		return usagef("%v", err)
	}
	return nil
}

// token returns the token of the caller, "" for none.
func (v *visitor) token() (string, error) {
	if v.tokenFile == "" {
		return strings.TrimSpace(v.Getenv(layers.Token)), nil
	}
	text, err := readUpTo(v.tokenFile, maxKey)
	if err != nil {
		return "", usagef("--token-file %s: %v", v.tokenFile, err)
	}
	if othersRead(v.tokenFile) {
		warn(v.Stderr, "warning: ", fmt.Errorf("%s: others on this machine may read the token: chmod 600 keeps it to you", v.tokenFile))
	}
	token := strings.TrimSpace(string(text))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return "", usagef("--token-file %s: it holds no token: policyctl token create prints one", v.tokenFile)
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
	place, err := v.policies()
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

// logIn exchanges the code of the first-login URL for a session, which this
// process keeps in memory alone.
func (v *visitor) logIn(ctx context.Context) error {
	u, err := url.Parse(v.loginURL)
	if err != nil || u.Host == "" || u.Fragment == "" || u.Path != "/login" {
		return usagef("--login: give the whole URL that policyctl serve printed, with what stands behind the #, in quotes")
	}
	base := u.Scheme + "://" + u.Host
	if _, err := approval.NewClient(base, u.Fragment); err != nil { // which would send it readable
		return usagef("--login: %v", err)
	}
	address, err := v.address(base)
	if err != nil {
		return err
	}
	client, err := approval.NewClient(address, "")
	if err != nil {
		return usagef("%v", err)
	}
	if err := client.Do(ctx, http.MethodPost, "/v1/login", map[string]string{"code": u.Fragment}, &v.login); err != nil {
		return unreached(err)
	}
	v.client, err = approval.NewClient(address, v.login.Token)
	return err
}

// leave ends the login.
func (v *visitor) leave(ctx context.Context) {
	if v.login != nil {
		_ = v.client.Do(context.WithoutCancel(ctx), http.MethodPost, "/v1/logout", nil, nil) // it ends by itself, later
	}
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
	if err != nil || token != "" || v.loginURL != "" {
		return err
	}
	return usagef("who you are is not known, and to decide needs that: give --login with the URL that policyctl serve printed, or --token-file, or set %s", layers.Token)
}

// completionTime bounds how long a shell waits for ids.
const completionTime = 2 * time.Second

// complete offers the ids of the requests that are pending.
func (v *visitor) complete(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || v.loginURL != "" { // which would use the login up
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
