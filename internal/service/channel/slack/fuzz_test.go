package slack

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// Whatever Slack signs, what is heard was pressed by somebody in the channel.
func FuzzSigned(f *testing.F) {
	press, err := json.Marshal(pressing("U0ALICE", "1.1", "x", "2.2"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("payload=" + string(press))
	f.Add("payload={}")
	f.Add("payload=%zz&payload=")
	now := time.Now()
	f.Fuzz(func(t *testing.T, body string) {
		d, err := New(Options{Token: botToken, Secret: testKey, Workspace: workspace, Channel: room, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		hear := func(_ context.Context, a channel.Answer) channel.Reply {
			if a.Sender == "" || a.Place != workspace+"/"+room || a.Token == "" || a.Request != "" || a.Approve {
				t.Errorf("%s is heard as %+v", body, a)
			}
			return channel.Reply{Done: true}
		}
		w := httptest.NewRecorder()
		d.Webhook(hear).ServeHTTP(w, signedBody(body, testKey, now))
		if w.Code != 200 && w.Code != 400 {
			t.Errorf("%q: %d", body, w.Code)
		}
	})
}

// Whatever a message says, Slack takes it, and it has no markup.
func FuzzRender(f *testing.F) {
	f.Add("[APPROVAL REQUIRED]", "git push 😀 &lt;", "note", strings.Repeat("y", 5000))
	f.Fuzz(func(t *testing.T, head, command, note, value string) {
		m := asking()
		m.Head, m.Command, m.Note = head, command, note
		m.Fields = []channel.Field{{Name: "Why", Value: value}, {Name: "Why", Value: command}}
		p := &posted{outgoing: *(&Driver{channel: room}).render(m)}
		if why := wrong(p); why != "" && p.Text != "" {
			t.Errorf("%s: %+v", why, p.Blocks)
		}
		if strings.ContainsAny(p.Text, "<>") {
			t.Errorf("the notification is %q", p.Text)
		}
	})
}
