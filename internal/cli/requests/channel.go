package requests

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/pkg/approval"
)

// NewChannel returns the command channel.
func NewChannel(p *console.Process) *cobra.Command {
	return console.Grouped(&cobra.Command{
		Use:   "channel COMMAND",
		Short: "List the channels that notify people, and test them",
		Long: `List and test the channels that tell people what asks, such as chats, phones and
mail. approvers.yaml beside your policy defines them, and policyctl serve uses
them.`,
		Example: `  policyctl channel list
  policyctl channel test phone`,
	}, console.Group{Title: "Commands", Members: []*cobra.Command{newChannelList(p), newChannelTest(p)}})
}

// channelList is what the service says of its channels.
type channelList struct {
	Channels []channel.Health `json:"channels"`
	Problems []string         `json:"problems"`
}

// channels asks the service for its channels.
func (v *visitor) channels(ctx context.Context) (l channelList, err error) {
	return l, v.client.Do(ctx, http.MethodGet, "/v1/channels", nil, &l)
}

// A channelLister lists channels.
type channelLister struct {
	visitor
	json bool
}

func newChannelList(p *console.Process) *cobra.Command {
	l := &channelLister{visitor: visitor{Process: p}}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the channels and their state",
		Long: `List the channels of the running approval service: whether they work, what was
sent last, what last went wrong, and what waits to be sent. Exits 1 if one is
down or the policy names one that does not exist.`,
		Example: `  policyctl channel list
  policyctl channel list --json`,
		Args: l.args(console.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&l.json, "json", false, "print the channels as JSON")
	l.register(flags)
	return cmd
}

func (l *channelLister) run(ctx context.Context) error {
	if err := l.visit(ctx); err != nil {
		return err
	}
	defer l.leave(ctx)
	list, err := l.channels(ctx)
	if err != nil {
		return unreached(err)
	}
	if l.json {
		err = render.JSON(l.Stdout, list)
	} else {
		err = l.show(&list)
	}
	broken := len(list.Problems) > 0 || slices.ContainsFunc(list.Channels, func(c channel.Health) bool { return c.Down != "" })
	if err == nil && broken {
		return console.Exit(console.ExitFailure)
	}
	return err
}

func (l *channelLister) show(list *channelList) error {
	page := l.Page()
	if len(list.Channels) == 0 {
		page.Block("none: approvers.yaml beside your policy defines them")
	} else {
		rows := [][]string{{"channel", "type", "state", "asks", "after", "one tap", "last sent", "waiting", "people"}}
		for i := range list.Channels {
			rows = append(rows, cells(&list.Channels[i], time.Now()))
		}
		page.Table(rows)
	}
	for i := range list.Channels {
		c := &list.Channels[i]
		switch {
		case c.Down != "":
			page.Text(c.Name + " is down: " + c.Down)
		case c.LastError != "":
			page.Text(c.Name + ": " + since(*c.LastFailed, time.Now()) + " ago: " + c.LastError)
		}
	}
	for _, p := range list.Problems {
		page.Text(p)
	}
	return page.Close()
}

// cells are the columns of a channel.
func cells(c *channel.Health, now time.Time) []string {
	state, told, sent, people := "works", "rules only", "never", "-"
	if c.Down != "" {
		state = "down"
	}
	if c.Told {
		told = "all"
	}
	if c.LastSent != nil {
		sent = since(*c.LastSent, now) + " ago"
	}
	if len(c.People) > 0 {
		people = strings.Join(c.People, ", ")
	}
	after := time.Duration(c.After * float64(time.Second)).String()
	return []string{c.Name, c.Type, state, told, after, c.OneTap, sent, fmt.Sprint(c.Waiting), people}
}

// since says how long ago something was, in whole seconds.
func since(at, now time.Time) string { return max(0, now.Sub(at)).Round(time.Second).String() }

// A channelTester tests a channel.
type channelTester struct {
	visitor
	timeout time.Duration
}

func newChannelTest(p *console.Process) *cobra.Command {
	c := &channelTester{visitor: visitor{Process: p}}
	cmd := &cobra.Command{
		Use:   "test NAME",
		Short: "Send a harmless request by one channel, and wait for the answer",
		Long: `Send a harmless request through the approval service by one channel alone, wait until
somebody presses a button, and say who did and how long it took. Nothing runs,
whatever they press. Exits 1 if nobody answers in time or the channel is down.`,
		Example: `  policyctl channel test phone
  policyctl channel test phone --timeout 30s`,
		Args: c.args(console.OneOf("name", "policyctl channel test NAME, as policyctl channel list shows it")),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.DurationVar(&c.timeout, "timeout", 2*time.Minute, "how long to wait for the answer: a `TIME` such as 30s or 2m")
	c.register(flags)
	return cmd
}

func (c *channelTester) run(ctx context.Context, name string) error {
	if c.timeout < approval.MinTimeout || c.timeout > approval.MaxTimeout {
		return console.Usagef("--timeout %s: give a time from %s to %s", c.timeout, approval.MinTimeout, approval.MaxTimeout)
	}
	if err := c.visit(ctx); err != nil {
		return err
	}
	defer c.leave(ctx)
	var r approval.Request
	began := time.Now()
	err := c.client.Do(ctx, http.MethodPost, "/v1/channels/"+url.PathEscape(name)+"/test", map[string]string{"timeout": c.timeout.String()}, &r)
	if answer, ok := errors.AsType[*approval.ServiceError](err); ok && answer.Status == http.StatusNotFound {
		return console.Usagef("%s: %s", answer.Detail, answer.Hint)
	}
	if err != nil {
		return unreached(err)
	}
	if err := c.WriteLine("sent by " + name + ": press a button there, whichever you like"); err != nil {
		return err
	}
	return c.await(ctx, name, &r, began)
}

// testPoll is how long one look at a test waits for an answer.
const testPoll = time.Second

// await waits for the answer, and looks whether the channel took the message.
func (c *channelTester) await(ctx context.Context, name string, r *approval.Request, began time.Time) error {
	for r.State == approval.Pending {
		path := fmt.Sprintf("/v1/requests/%s?wait=%s", url.PathEscape(r.ID), testPoll)
		if err := c.client.Do(ctx, http.MethodGet, path, nil, r); err != nil {
			return unreached(err)
		}
		if r.State != approval.Pending {
			break
		}
		if why, err := c.broken(ctx, name, r.Created); why != "" || err != nil {
			_, _ = c.client.Cancel(ctx, r.ID) // it may be left to run out
			if err != nil {
				return err
			}
			return fmt.Errorf("the channel %s does not take the message: %s", name, why)
		}
	}
	took := time.Since(began).Round(100 * time.Millisecond)
	if r.Decision == nil || r.Decision.Source != approval.Human {
		return fmt.Errorf("nobody answered on %s within %s: check whether the message arrived, and whether people names the person who pressed", name, c.timeout)
	}
	word := "denied"
	if r.Decision.Word.Approves() {
		word = "approved"
	}
	return c.WriteLine(fmt.Sprintf("%s %s after %s: the channel works", r.Decision.By, word, took))
}

// broken says why the channel did not take a message since a time, "" where it may have.
func (c *channelTester) broken(ctx context.Context, name string, since time.Time) (string, error) {
	list, err := c.channels(ctx)
	if err != nil {
		return "", unreached(err)
	}
	for i := range list.Channels {
		row := &list.Channels[i]
		if row.Name == name && row.LastFailed != nil && !row.LastFailed.Before(since) && (row.LastSent == nil || row.LastSent.Before(*row.LastFailed)) {
			return row.LastError, nil
		}
	}
	return "", nil
}
