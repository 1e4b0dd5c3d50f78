// Package slack tells a channel of Slack about requests, and hears who presses the
// buttons below them.
//
//	d, err := slack.New(slack.Options{Token: bot, AppToken: app, Workspace: "T0123ABCD", Channel: "C0123ABCD"})
//
// Presses come over a socket that is opened from here (socket mode), or as requests that
// Slack signs. Only the configured channel is told and heard; who in it may decide is
// not known here. Slack can read what is told. What people write is not heard: a reason
// for a denial is written on the page of the request.
package slack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// Options are what the settings of a channel say. Token, Workspace and Channel are
// required, and AppToken or Secret.
type Options struct {
	// Token is that of the bot (xoxb-), with the scope chat:write.
	Token string
	// AppToken is that of the app (xapp-), with the scope connections:write: presses
	// are heard over a socket.
	AppToken string
	// Secret is the signing secret of the app: presses are heard as signed requests.
	Secret string
	// Workspace and Channel are the ids of both, such as T0123ABCD and C0123ABCD.
	Workspace, Channel string
	// API is where the methods are, "" for https://slack.com/api. It is https, or on
	// this machine. The socket is at its host or below it.
	API string
	// HTTP does the asking; nil stands for a client that goes by the proxy of the
	// environment. It follows no redirect, and its time-out is that of each call.
	HTTP *http.Client
	// Log gets who was not heard, and why; nil stands for none.
	Log *slog.Logger
	// Now is the time; nil stands for [time.Now].
	Now func() time.Time
}

// A Driver is one app in one channel. It is safe for concurrent use.
type Driver struct {
	api       *api
	appToken  string
	secret    []byte
	workspace string
	channel   string
	log       *slog.Logger
	now       func() time.Time
	presses   presses
	// turns are how many presses are heard at once.
	turns chan struct{}
	// pings is how often the socket is tried.
	pings time.Duration
}

const defaultAPI = "https://slack.com/api"

var (
	workspaceForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[TE][A-Z0-9]{2,20}$`) })
	channelForm   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[CDG][A-Z0-9]{2,20}$`) })
	secretForm    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-zA-Z]{16,128}$`) })
	tokenForm     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Za-z.-]{8,400}$`) })
)

// New returns a driver, or says what is wrong with the options. It asks nobody.
func New(o Options) (*Driver, error) {
	if err := check(o); err != nil {
		return nil, err
	}
	a, err := newAPI(o)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Driver{
		api: a, appToken: o.AppToken, secret: []byte(o.Secret), workspace: o.Workspace, channel: o.Channel,
		log: o.Log.With("channel", o.Channel), now: o.Now, turns: make(chan struct{}, maxTurns), pings: pingPause,
	}, nil
}

func check(o Options) error {
	switch {
	case !strings.HasPrefix(o.Token, "xoxb-") || !tokenForm().MatchString(o.Token):
		return errors.New("the token is not that of a bot: write the Bot User OAuth Token, which begins with xoxb-, to token_file")
	case o.AppToken == "" && o.Secret == "":
		return errors.New("nothing says how presses are heard: name app_token_file for socket mode, or secret_file with the signing secret for signed requests")
	case o.AppToken != "" && (!strings.HasPrefix(o.AppToken, "xapp-") || !tokenForm().MatchString(o.AppToken)):
		return errors.New("the app token is none: write an App-Level Token, which begins with xapp-, to app_token_file")
	case o.Secret != "" && !secretForm().MatchString(o.Secret):
		return errors.New("the signing secret is none: write that of Basic Information, 32 hexadecimal digits, to secret_file")
	case !workspaceForm().MatchString(o.Workspace):
		return fmt.Errorf("workspace %q is not the id of a workspace, such as T0123ABCD", o.Workspace)
	case !channelForm().MatchString(o.Channel):
		return fmt.Errorf("channel %q is not the id of a channel, such as C0123ABCD; a name is none", o.Channel)
	}
	return nil
}

// Post sends a message to the channel. The reference is the channel and the time of the
// message, with a slash between.
func (d *Driver) Post(ctx context.Context, m *channel.Message) (ref string, err error) {
	var sent struct {
		Channel string `json:"channel"`
		TS      string `json:"ts"`
	}
	if err := d.api.call(ctx, "chat.postMessage", d.api.token, d.render(m), &sent); err != nil {
		return "", err
	}
	return d.channel + "/" + sent.TS, nil
}

// Amend replaces a message and its buttons.
func (d *Driver) Amend(ctx context.Context, ref string, m *channel.Message) error {
	place, ts, found := strings.Cut(ref, "/")
	if !found || place != d.channel || ts == "" {
		return &channel.Refusal{Text: fmt.Sprintf("the message %q is not in the channel %s of the settings", ref, d.channel)}
	}
	out := d.render(m)
	out.TS = ts
	return d.api.call(ctx, "chat.update", d.api.token, out, nil)
}

// Repeats reports false: Slack shows a message that is sent twice twice.
func (d *Driver) Repeats() bool { return false }

var _ channel.Driver = (*Driver)(nil)
