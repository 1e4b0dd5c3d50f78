package requests

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A sessionDenier denies all of a session, and ends that.
type sessionDenier struct {
	session string
	time    time.Duration
}

// args wants ids, or a session.
func (s *sessionDenier) args(example string) cobra.PositionalArgs {
	ids := console.SomeOf("id", example+", as policyctl requests list shows it")
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case !cmd.Flags().Changed("session"):
			if s.time != 0 {
				return console.Usagef("--for is the time for which a session is denied: name the session with --session")
			}
			return ids(cmd, args)
		case s.session == "":
			return console.Usagef("--session: the id is empty: policyctl requests list shows it")
		case len(args) > 0:
			return console.Usagef("--session names all of a session: leave %q out", args[0])
		case s.time < 0:
			return console.Usagef("--for %s: give a time such as 30m or 8h", s.time)
		}
		return nil
	}
}

func (s *sessionDenier) deny(ctx context.Context, v *visitor, reason string) error {
	var until time.Time
	if s.time > 0 {
		until = time.Now().Add(s.time)
	}
	d, err := v.client.DenySession(ctx, s.session, reason, until)
	if err != nil {
		return unreached(err)
	}
	return v.WriteLine(deniedText(&d))
}

// deniedText says what the denial of a session does.
func deniedText(d *approval.SessionDenial) string {
	text := fmt.Sprintf("denied  session %s  %d that were pending, and all that come", d.Session, d.Denied)
	if d.Until != nil {
		text += " until " + d.Until.UTC().Format("2006-01-02 15:04:05Z")
	}
	return text + "  by " + d.By + "  policyctl requests revoke --session ends it"
}

// standingText says that the denial of a session stands.
func standingText(d *approval.SessionDenial) string {
	text := fmt.Sprintf("all of session %q is denied by %s", d.Session, d.By)
	if d.Until != nil {
		text += " until " + d.Until.UTC().Format("2006-01-02 15:04:05Z")
	}
	return text + ": policyctl requests revoke --session ends it"
}

func (s *sessionDenier) release(ctx context.Context, v *visitor) error {
	err := v.client.ReleaseSession(ctx, s.session)
	switch {
	case errors.Is(err, approval.ErrNotFound):
		return fmt.Errorf("the session %s is not denied: nothing was changed", s.session)
	case err != nil:
		return unreached(err)
	}
	return v.WriteLine("released  session " + s.session + "  what was denied stays denied")
}
