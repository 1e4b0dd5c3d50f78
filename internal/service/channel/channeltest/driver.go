// Package channeltest is a driver of channels for tests, which keeps in memory what it was
// told and says what a test wants.
//
// It speaks to no service.
package channeltest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A Driver keeps what it was told. The zero value takes everything. It is safe for
// concurrent use.
type Driver struct {
	// Repeated is what Repeats returns.
	Repeated bool
	// OnPost and OnAmend are called before a message is taken, and may refuse it; nil
	// refuses nothing. OnListen is called when somebody listens.
	OnPost   func(*channel.Message) error
	OnAmend  func(ref string, m *channel.Message) error
	OnListen func() error

	mu   sync.Mutex
	told []channel.Message // in the order in which they came
	refs []string          // of amendments, "" for a message that was posted
	hear channel.Hear
}

// Post implements [channel.Driver]. The reference is the id of the message.
func (d *Driver) Post(_ context.Context, m *channel.Message) (string, error) {
	if d.OnPost != nil {
		if err := d.OnPost(m); err != nil {
			return "", err
		}
	}
	d.keep(m, "")
	return "ref:" + m.ID, nil
}

// Amend implements [channel.Driver].
func (d *Driver) Amend(_ context.Context, ref string, m *channel.Message) error {
	if d.OnAmend != nil {
		if err := d.OnAmend(ref, m); err != nil {
			return err
		}
	}
	d.keep(m, ref)
	return nil
}

func (d *Driver) keep(m *channel.Message, ref string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.told, d.refs = append(d.told, *m), append(d.refs, ref)
}

// Listen implements [channel.Driver].
func (d *Driver) Listen(ctx context.Context, hear channel.Hear) error {
	if d.OnListen != nil {
		if err := d.OnListen(); err != nil {
			return err
		}
	}
	d.mu.Lock()
	d.hear = hear
	d.mu.Unlock()
	<-ctx.Done()
	return ctx.Err()
}

// Webhook implements [channel.Driver]: it takes an answer as JSON, and proves nothing.
func (d *Driver) Webhook(hear channel.Hear) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a channel.Answer
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprint(w, hear(r.Context(), a).Text)
	})
}

// Repeats implements [channel.Driver].
func (d *Driver) Repeats() bool { return d.Repeated }

// Say says something as somebody, once the driver is heard, and returns the reply.
func (d *Driver) Say(t testing.TB, a channel.Answer) channel.Reply {
	t.Helper()
	Until(t, "somebody listens", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.hear != nil
	})
	d.mu.Lock()
	hear := d.hear
	d.mu.Unlock()
	return hear(context.Background(), a)
}

// Posted returns the messages that were posted, of a request or of all for "".
func (d *Driver) Posted(request string) []channel.Message { return d.of(request, false) }

// Amended returns what messages became.
func (d *Driver) Amended(request string) []channel.Message { return d.of(request, true) }

func (d *Driver) of(request string, amended bool) (list []channel.Message) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.told {
		if (request == "" || d.told[i].Request == request) && (d.refs[i] != "") == amended {
			list = append(list, d.told[i])
		}
	}
	return list
}

// Await returns the message of a request, once it came.
func (d *Driver) Await(t testing.TB, request string) channel.Message {
	t.Helper()
	Until(t, "a message of "+request, func() bool { return len(d.Posted(request)) > 0 })
	return d.Posted(request)[0]
}

// Token returns the token of the button with a label, or fails the test.
func Token(t testing.TB, m channel.Message, label string) string {
	t.Helper()
	for _, b := range m.Buttons {
		if b.Label == label && b.Token != "" {
			return b.Token
		}
	}
	t.Fatalf("no button %q with a token: %+v", label, m.Buttons)
	return ""
}

// Until waits for something, at most ten seconds.
func Until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}
