// Package serve has the command that runs the approval service, and those that work on
// its database: backups, tokens and the keys of receipts. It has no route.
package serve

import (
	"bufio"
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/effective"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

// A serve runs the approval service.
type serve struct {
	*console.Process
	effective.Flags
	Database
	listen, socket string
	port           uint16
	hosts          []string
	// public is the address at which people reach the desk, and publicHost its host.
	public, publicHost string
	certFile, keyFile  string
	key                SigningKey
	keep, logFormat    string
	rotate             bool
	pushHosts          []string
	pushContact        string
	// models are the language models that may answer; they and the channels are in one
	// file.
	models Reviewers
	// directory is that of the service's files, path that of its database.
	directory, path string
}

// Command returns the command serve, with more commands below it.
func Command(p *console.Process, more ...*cobra.Command) *cobra.Command {
	s := &serve{Process: p}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the approval service, where agents ask and people decide",
		Long: `Run the approval service, where agents ask and people decide. It listens on this
machine only and on a Unix socket, keeps everything in one database, and runs until
you stop it. It applies the organisation's policy and yours; a project's policy
applies where the call is made.

When it starts, it prints its addresses. At a terminal it also prints a variable
for clients that only know a URL: it holds a token that may submit and nothing
else. Type login there for a URL that logs a person in once, within two minutes.
serve never prints either to a file, a pipe or the systemd journal, because
other programs read those: there, decide with a token from policyctl token
create.

Other machines reach it only with --tls-cert and --tls-key. Agents are denied this
command.`,
		Example: `  policyctl serve
  policyctl serve --listen 127.0.0.1:9000 --policy builtin:strict
  policyctl serve --listen 10.0.0.5:8765 --host policy.example.com --tls-cert srv.pem --tls-key srv.key`,
		Args: console.NoArgs,
		RunE: console.UntilStopped(s.run),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&s.listen, "listen", "127.0.0.1:8765", "the `ADDRESS` to listen on; port 0 takes a free one, and an empty address listens only on the socket")
	flags.Uint16Var(&s.port, "port", 0, "listen on this `PORT` of 127.0.0.1, instead of --listen")
	flags.StringVar(&s.socket, "socket", "", "the `PATH` of the Unix socket, or none (default approval/approval.sock where policyctl keeps its state)")
	s.Database.Register(flags)
	flags.StringArrayVar(&s.hosts, "host", nil, "another `NAME` under which clients reach it, besides those of this machine; may repeat")
	flags.StringVar(&s.public, "public-url", "", "the `URL` at which people reach the desk, for the links in messages (default where it listens, by the first --host with --tls-cert)")
	flags.StringVar(&s.certFile, "tls-cert", "", "the `FILE` of the certificate, in PEM")
	flags.StringVar(&s.keyFile, "tls-key", "", "the `FILE` of its private key, in PEM")
	s.key.Register(flags)
	flags.StringVar(&s.keep, "keep", "90d", "how long requests are kept whole: a number of days (`TIME`, such as 30d), or forever; the audit log is always kept")
	flags.StringVar(&s.logFormat, "log-format", "text", "how the log on standard error is written: `FORMAT` is text or json; secrets of a known form are masked")
	console.Completes(cmd, "log-format", "text", "json")
	flags.BoolVar(&s.rotate, "rotate-key", false, "sign receipts with a new key from now on; existing receipts stay valid")
	flags.String("passkey-above", "", "approve requests of more than this `RISK` only with a passkey, in the desk: medium, low or none, which is every request (default no passkey)")
	console.Completes(cmd, "passkey-above", policy.Thresholds()...)
	flags.StringArrayVar(&s.pushHosts, "push-host", nil, "the `NAME` or address of your own push service, in any network; may repeat")
	flags.StringVar(&s.pushContact, "push-contact", "", "whom push services may ask, a mailto: or https: `ADDRESS` (default the page of this project)")
	flags.StringVar(&s.models.File, "approvers", "", "the `FILE` that says by which channels people are told, who may answer, and which language models may (default approvers.yaml beside your policy)")
	s.Flags.Register(cmd)
	flags.StringVar((*string)(&s.Engine), "engine", "native", "what evaluates rules: `ENGINE` is native, opa or both, which denies if they differ")
	console.Completes(cmd, "engine", effective.Engines()...)
	s.Bundle.Register(flags)
	cmd.AddCommand(append(more, newServeBackup(p), newServeMigrate(p), newServeLogin(p), newPasskeys(p))...)
	return cmd
}

// serviceGC is by how many percent the memory of a service may grow before it is swept. What a
// service keeps is small and what it makes for each request is not: at 100, a tenth of its time
// goes into sweeping.
const serviceGC = 300

func (s *serve) run(ctx context.Context) error {
	if s.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(serviceGC))
	}
	err := s.check()
	if err == nil {
		err = s.settle()
	}
	if err != nil {
		return err
	}
	s.World = world.New(os.Environ())
	s.Bundle.Mode = bundles.Following
	defer s.Bundle.Close(s.Process)
	started, err := s.start(ctx)
	if err != nil {
		return err
	}
	defer started.end()
	if err := s.announce(started); err != nil {
		return err
	}
	s.offerLogins(started)
	return started.server.Serve(ctx)
}

// settle finds where the files of the service lie.
func (s *serve) settle() error {
	place, err := s.Policies()
	if err != nil {
		return err
	}
	if hooks, differs := s.Elsewhere(place); differs && hooks.State != place.State {
		console.Warn(s.Stderr, "warning: ", fmt.Errorf("agent hooks look for the service in %s, not in %s: they ignore HOME and XDG_STATE_HOME", hooks.State, place.State))
	}
	s.directory = rendezvous.Dir(place.State)
	if s.path, err = s.Find(s.Process); err != nil {
		return err
	}
	if s.socket == "" {
		s.socket = filepath.Join(s.directory, "approval.sock")
	} else if s.socket != "none" {
		if s.socket, err = s.Absolute(s.socket); err != nil {
			return err
		}
	}
	return nil
}

// check refuses flags that do not fit together.
func (s *serve) check() error {
	if s.FlagSet.Changed("port") {
		if s.FlagSet.Changed("listen") {
			return console.Usagef("--port and --listen both say where to listen: give one of them")
		}
		s.listen = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), s.port).String()
	}
	if err := s.key.Check(); err != nil {
		return err
	}
	if _, err := keeping(s.keep); err != nil {
		return err
	}
	if above := s.FlagSet.Lookup("passkey-above").Value.String(); above != "" && !slices.Contains(policy.Thresholds(), above) {
		return console.Usagef("--passkey-above %q: give medium, low or none", above)
	}
	if err := s.checkPublic(); err != nil {
		return err
	}
	if err := push.Guard(s.pushHosts).CheckNames(); err != nil {
		return console.Usagef("--push-host: %v", err)
	}
	if err := push.CheckContact(s.pushContact); err != nil {
		return console.Usagef("--push-contact: %v", err)
	}
	if _, err := logTo(s.Stderr, s.logFormat); err != nil {
		return err
	}
	if s.rotate && s.key.command != "" {
		return console.Usagef("--rotate-key: the key is behind --sign-command: rotate it there, and name the new public key with --sign-key")
	}
	tls := s.certFile != ""
	if tls != (s.keyFile != "") {
		return console.Usagef("--tls-cert and --tls-key belong together: give both")
	}
	if s.listen == "" {
		if tls || len(s.hosts) > 0 || s.public != "" {
			return console.Usagef("--tls-cert, --tls-key, --host and --public-url are for an address: give --listen, or leave them out")
		}
		if s.socket == "none" {
			return console.Usagef("there is neither an address nor a socket: give --listen, or leave --socket out")
		}
		return nil
	}
	address, err := netip.ParseAddrPort(s.listen)
	switch {
	case err != nil:
		return console.Usagef("--listen %q: give an address and a port, such as 127.0.0.1:8765", s.listen)
	case !address.Addr().Unmap().IsLoopback() && !tls:
		return console.Usagef("--listen %s: other machines can reach it, and what they send could be read in transit: add --tls-cert and --tls-key, or listen on 127.0.0.1", s.listen)
	}
	return nil
}

// keeping reads how long requests are kept; 0 stands for ever.
func keeping(text string) (time.Duration, error) {
	if text == "forever" {
		return 0, nil
	}
	days, isDays := strings.CutSuffix(text, "d")
	if n, err := strconv.Atoi(days); isDays && err == nil && n >= 1 && n <= 36500 {
		return time.Duration(n) * 24 * time.Hour, nil
	}
	return 0, console.Usagef("--keep %q: give a number of days such as 90d, or forever", text)
}

// announce says where the service is: one line each, in this order.
func (s *serve) announce(r *instance) error {
	rows := [][]string{}
	if r.url != "" {
		rows = append(rows, []string{"listening", r.url})
	}
	if s.socket != "none" {
		rows = append(rows, []string{"socket", s.socket})
	}
	switch {
	case r.url == "":
	case s.attended():
		rows = append(rows, []string{"login", "type " + loginWord + " for a URL that is good once"}, []string{"CLAUZ3_APPROVAL_SERVICE=" + r.url + "/s/" + r.submit})
	default:
		rows = append(rows, []string{"login", "not here, where other programs may read it: policyctl token create NAME --scope approve,read"})
	}
	rows = append(rows, []string{"database", s.shown(s.path)})
	for _, row := range rows {
		text := row[0]
		if len(row) > 1 {
			text = fmt.Sprintf("%-10s %s", row[0], row[1])
		}
		if _, err := fmt.Fprintln(s.Stdout, text); err != nil {
			return err
		}
	}
	return nil
}

// loginWord is what a person types for a login URL. Enter alone is pressed too
// easily, by a person and by what types into terminals.
const loginWord = "login"

// attended reports whether a person sits at the service: what it prints is shown
// on the terminal at which they type, and kept by nobody.
func (s *serve) attended() bool { return console.IsTerminal(s.Stdin) && console.IsTerminal(s.Stdout) }

// offerLogins prints a login URL for each time that a person types the word.
// The log says so without the code.
func (s *serve) offerLogins(r *instance) {
	if r.url == "" || !s.attended() {
		return
	}
	go func() {
		for lines := bufio.NewScanner(s.Stdin); lines.Scan(); {
			if strings.TrimSpace(lines.Text()) != loginWord {
				fmt.Fprintf(s.Stdout, "%-10s type %s for a URL that is good once\n", "login", loginWord)
				continue
			}
			at, err := r.loginURL()
			if err != nil {
				r.log.Error("there is no login for now", "error", err)
				continue
			}
			fmt.Fprintf(s.Stdout, "%-10s %s\n", "login", at)
			r.log.Info("a login URL was shown at the terminal")
		}
	}()
}
