package requests

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/policyctl/policyctl/internal/support/plainfile"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A loginAnswer is what the service says to a login.
type loginAnswer struct {
	Token    string `json:"token"`
	Identity string `json:"identity"`
}

// setLogin takes --login, which has no value.
func (v *visitor) setLogin(value string) error {
	v.asks = value != "false"
	v.exposed = v.exposed || v.asks && value != "true"
	return nil // args says what is wrong, without the value
}

// args refuses a login URL on the command line before it looks at the arguments.
func (v *visitor) args(others cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		given := append([]string{v.service, v.tokenFile, v.loginFile}, args...)
		if v.exposed || slices.ContainsFunc(given, isLogin) {
			return console.Usagef("do not give a login URL as an argument: every program that runs as you can read the command line and log in with it first; " +
				"give --login alone and paste the URL when it is asked for, or name its file with --login-file")
		}
		return others(cmd, args)
	}
}

// isLogin says that a text holds a login URL, a part of it, or its code.
func isLogin(text string) bool {
	return strings.Contains(text, "polo_") || strings.Contains(text, "/login#") || strings.Contains(text, "://") && strings.HasSuffix(text, "/login")
}

// logsIn says that the caller shows a login URL.
func (v *visitor) logsIn() bool { return v.asks || v.loginFile != "" }

// oneIdentity refuses two flags that say who calls.
func (v *visitor) oneIdentity() error {
	var given []string
	for name, set := range map[string]bool{"--login": v.asks, "--login-file": v.loginFile != "", "--token-file": v.tokenFile != ""} {
		if set {
			given = append(given, name)
		}
	}
	if len(given) < 2 {
		return nil
	}
	slices.Sort(given)
	return console.Usagef("%s and %s both say who you are: leave one out", given[0], given[1])
}

// logIn exchanges the code of the first-login URL for a session, which this
// process keeps in memory alone.
func (v *visitor) logIn(ctx context.Context) error {
	text, err := v.loginURL(ctx)
	if err != nil {
		return err
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Fragment == "" || u.Path != "/login" {
		return console.Usagef("the login URL: give it whole, as policyctl serve printed it, with the part after the #")
	}
	base := u.Scheme + "://" + u.Host
	if _, err := approval.NewClient(base, u.Fragment); err != nil { // which would send it readable
		return console.Usagef("the login URL: %v", err)
	}
	address, err := v.address(base)
	if err != nil {
		return err
	}
	client, err := approval.NewClient(address, "")
	if err != nil {
		return console.Usagef("%v", err)
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

// loginURL returns the URL from the file, or from whoever sits at the input.
func (v *visitor) loginURL(ctx context.Context) (text string, err error) {
	if v.loginFile != "" {
		if text, err = ownFile(v.loginFile); err != nil {
			return "", console.Usagef("--login-file %s: %v", v.loginFile, err)
		}
		return strings.TrimSpace(text), nil
	}
	if text, err = v.askLogin(ctx); err != nil {
		return "", console.Usagef("--login: no URL was read: %v", err)
	}
	return strings.TrimSpace(text), nil
}

// ownFile returns the first line of a file that nobody but its owner may read.
func ownFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", plainfile.Bare(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", plainfile.Bare(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&^0o600 != 0 {
		return "", fmt.Errorf("its mode is %04o, so others may read it: run chmod 600 to keep it private", mode)
	}
	return firstLine(f)
}

// askLogin reads the URL from the input, of which nothing else is taken. At a
// terminal it does not show, so that no agent finds it on a screen or in a log.
func (v *visitor) askLogin(ctx context.Context) (string, error) {
	if f, ok := v.Stdin.(*os.File); ok && console.IsTerminal(f) {
		restore, err := console.HideTyping(f)
		if err != nil {
			return "", fmt.Errorf("the terminal cannot hide what is typed: %w; name a file with --login-file", err)
		}
		defer restore()
		fmt.Fprint(v.Stderr, "login URL"+console.TypingHidden+": ")
		defer fmt.Fprintln(v.Stderr)
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	defer stop()
	var text string
	read := make(chan error, 1)
	go func() {
		line, err := firstLine(v.Stdin)
		text = line
		read <- err
	}()
	select {
	case err := <-read:
		return text, err
	case <-ctx.Done(): // the terminal is to show again what is typed
		return "", errors.New("interrupted")
	}
}

// maxLogin bounds a login URL, in bytes.
const maxLogin = 4 << 10

// firstLine reads one line, and nothing behind it.
func firstLine(from io.Reader) (string, error) {
	var line []byte
	next := make([]byte, 1)
	for len(line) <= maxLogin {
		n, err := from.Read(next)
		switch {
		case n > 0 && next[0] == '\n', n == 0 && err == io.EOF && len(line) > 0:
			return string(line), nil
		case n > 0:
			line = append(line, next[0])
		case err == io.EOF:
			return "", errors.New("it is empty")
		case err != nil:
			return "", plainfile.Bare(err)
		}
	}
	return "", fmt.Errorf("its first line is longer than %d bytes", maxLogin)
}
