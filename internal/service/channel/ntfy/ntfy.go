// Package ntfy tells phones of requests by ntfy (https://ntfy.sh), a service that shows
// whoever knows a topic what is published there, with buttons.
//
// Buttons post a token to the service, which proves no more than that who pressed one
// can read the topic: answers are those of one person, whom the settings name. The
// package subscribes to nothing.
package ntfy

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"sync"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/rest"
	"github.com/policyctl/policyctl/internal/support/outbound"
)

// Options are what the settings of a topic say. Topic and Person are required.
type Options struct {
	// Server is where to publish; "" stands for https://ntfy.sh.
	Server string
	// Topic is where to publish. Without Token it is the only secret there is.
	Topic string
	// Token lets publish, where the server asks for one: tk_ and 29 characters.
	Token string
	// Person is whose answers those of this topic are.
	Person string
	// Callback is where phones reach the service: its address with /api/approvers/NAME/.
	// Without it buttons only open pages.
	Callback string
	// HTTP does the asking; nil stands for that of package rest.
	HTTP *http.Client
}

// A Driver publishes to one topic. It implements [channel.Driver].
type Driver struct {
	o      Options
	client rest.Client
}

// minTopic is how long a topic must be that is the only secret, in characters.
const minTopic = 20

var topics = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A[-_A-Za-z0-9]{1,64}\z`) })

// New returns a driver, or says what is wrong with the options.
func New(o Options) (*Driver, error) {
	o.Server = cmp.Or(o.Server, "https://ntfy.sh")
	if err := address("server", o.Server); err != nil {
		return nil, err
	}
	switch {
	case !topics().MatchString(o.Topic):
		return nil, errors.New("the topic must have 1 to 64 letters, digits, - and _")
	case o.Token == "" && len(o.Topic) < minTopic:
		return nil, fmt.Errorf("the topic can be guessed: without a token it is the only secret, and must have at least %d characters; `openssl rand -hex 16` makes one", minTopic)
	case o.Person == "":
		return nil, errors.New("person is missing: write the one approver who reads this topic")
	}
	if o.Callback != "" {
		if err := address("the address of the service", o.Callback); err != nil {
			return nil, err
		}
	}
	d := &Driver{o, rest.Client{HTTP: o.HTTP, Header: http.Header{}, Secrets: []string{o.Token, o.Topic}}}
	if o.Token != "" {
		d.client.Header.Set("Authorization", "Bearer "+o.Token)
	}
	return d, nil
}

// address says what is wrong with an address that tokens are sent to: only a machine
// sees what it sends to itself.
func address(what, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf("%s is no address; write one such as https://ntfy.example.com", what)
	}
	if u.Scheme == "http" && !outbound.IsHere(u.Hostname()) {
		return fmt.Errorf("%s is http, so that others can read what decides; write https", what)
	}
	return nil
}

// Post publishes a request that waits. Where its message is tried again, the server
// takes it for an update of the same notification.
func (d *Driver) Post(ctx context.Context, m *channel.Message) (ref string, err error) {
	sequence := sequenceOf(m.ID)
	return sequence, d.publish(ctx, d.waiting(m, sequence))
}

// Amend updates the notification. A server before 2.16 and an app that knows no updates
// show a second one, which makes no sound.
func (d *Driver) Amend(ctx context.Context, ref string, m *channel.Message) error {
	return d.publish(ctx, d.ended(m, ref))
}

func (d *Driver) publish(ctx context.Context, n *notification) error {
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	data, err := d.client.Do(ctx, http.MethodPost, d.o.Server, nil, body)
	if err != nil {
		return err
	}
	var answer struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(data, &answer) != nil || answer.ID == "" {
		return &channel.Refusal{Text: "what answers at the server is no ntfy; write the address of one, without the topic"}
	}
	return nil
}

// sequenceOf names the notification of a delivery: 1 to 64 letters and digits.
func sequenceOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return "policyctl-" + hex.EncodeToString(sum[:16])
}

// Listen waits: presses come by [Driver.Webhook].
func (d *Driver) Listen(ctx context.Context, _ channel.Hear) error {
	<-ctx.Done()
	return ctx.Err()
}

// Repeats reports true: a message that comes again updates its notification. On a server
// before 2.16 it is shown twice; it is decided once all the same.
func (d *Driver) Repeats() bool { return true }

var _ channel.Driver = (*Driver)(nil)
