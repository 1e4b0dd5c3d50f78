// Package discord tells of requests in a channel of Discord and hears the buttons that
// its members press (API version 10, interactions by webhook).
//
// Discord proves who pressed a button by a signature of the application's key. All texts
// arrive as they are: nobody is mentioned, no link is unfolded, and no markup holds. The
// package opens no gateway, so it reads nothing that is written in the channel.
package discord

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/rest"
)

// Options are what the settings of a channel say. Token and Channel are required.
type Options struct {
	// Token is that of the bot.
	Token string
	// Channel is the id of the channel to write to.
	Channel string
	// PublicKey is that of the application, in hexadecimal. Without it no button is
	// heard, and buttons only open pages.
	PublicKey string
	// API is the base of the API; "" stands for https://discord.com/api/v10.
	API string
	// HTTP does the asking; nil stands for that of package rest.
	HTTP *http.Client
	// Now is the time; nil stands for [time.Now].
	Now func() time.Time
}

// A Driver writes to one channel. It implements [channel.Driver].
type Driver struct {
	messages string // the URL of the messages of the channel
	channel  string
	key      ed25519.PublicKey // nil where no button is heard
	client   rest.Client
	now      func() time.Time
}

var (
	snowflakes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A[0-9]{1,20}\z`) })
	tokens     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A[!-~]+\z`) })
)

// New returns a driver, or says what is wrong with the options.
func New(o Options) (*Driver, error) {
	o.API = strings.TrimSuffix(cmp.Or(o.API, "https://discord.com/api/v10"), "/")
	u, err := url.Parse(o.API)
	key, wrong := hex.DecodeString(o.PublicKey)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("api is no address; leave it out for https://discord.com/api/v10")
	case !tokens().MatchString(o.Token):
		return nil, errors.New("token_file has no token of a bot in one line; the page Bot of the application at https://discord.com/developers shows it once")
	case !snowflakes().MatchString(o.Channel):
		return nil, errors.New("channel is no id of a channel, a number; turn on the developer mode of Discord, and copy it from the menu of the channel")
	case o.PublicKey != "" && (wrong != nil || len(key) != ed25519.PublicKeySize):
		return nil, errors.New("public_key is not 64 hexadecimal digits; the page General Information of the application has it")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	d := &Driver{
		messages: o.API + "/channels/" + o.Channel + "/messages", channel: o.Channel, now: o.Now,
		client: rest.Client{HTTP: o.HTTP, Now: o.Now, Secrets: []string{o.Token}, Header: http.Header{
			"Authorization": {"Bot " + o.Token}, "User-Agent": {"DiscordBot (https://policyctl.github.io/policyctl/, 1)"},
		}},
	}
	if o.PublicKey != "" {
		d.key = key
	}
	return d, nil
}

// Post writes a message to the channel, and returns its id.
func (d *Driver) Post(ctx context.Context, m *channel.Message) (ref string, err error) {
	data, err := d.send(ctx, http.MethodPost, d.messages, post{
		content: d.content(m), Nonce: nonceOf(m.ID), Enforce: true,
	})
	if err != nil {
		return "", err
	}
	var answer struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(data, &answer) != nil || !snowflakes().MatchString(answer.ID) {
		return "", &channel.Refusal{Text: "what answers at the API is no Discord; write its address, or leave api out"}
	}
	return answer.ID, nil
}

// Amend edits a message.
func (d *Driver) Amend(ctx context.Context, ref string, m *channel.Message) error {
	if !snowflakes().MatchString(ref) {
		return nil
	}
	_, err := d.send(ctx, http.MethodPatch, d.messages+"/"+ref, d.content(m))
	return err
}

func (d *Driver) send(ctx context.Context, method, to string, body any) ([]byte, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return d.client.Do(ctx, method, to, nil, data)
}

// nonceOf names a delivery in 24 characters, of the 25 that Discord takes.
func nonceOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}

// Listen waits: presses come by [Driver.Webhook].
func (d *Driver) Listen(ctx context.Context, _ channel.Hear) error {
	<-ctx.Done()
	return ctx.Err()
}

// Repeats reports false. Discord knows a nonce for the past few minutes: long enough for
// a message that is tried again at once, and not for one that nobody knows of after a
// restart.
func (d *Driver) Repeats() bool { return false }

var _ channel.Driver = (*Driver)(nil)
