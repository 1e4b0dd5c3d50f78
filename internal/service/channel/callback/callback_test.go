package callback_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/callback"
)

// What is posted is read up to a size, and nothing else is.
func TestBody(t *testing.T) {
	for name, row := range map[string]struct {
		method, body string
		want         int
	}{
		"short": {"POST", "1234", 200}, "too long": {"POST", "12345", 413}, "10 MB": {"POST", strings.Repeat("x", 10<<20), 413}, "read": {"GET", "", 405}, "put": {"PUT", "1", 405},
	} {
		w := httptest.NewRecorder()
		body, ok := callback.Body(w, httptest.NewRequest(row.method, "/", strings.NewReader(row.body)), 4)
		if w.Code != row.want || ok != (row.want == 200) || ok && string(body) != row.body || !ok && body != nil {
			t.Errorf("%s: %d, %q", name, w.Code, body)
		}
	}
}

// Who posts is told what came of it, and when to try again.
func TestWrite(t *testing.T) {
	for _, row := range []struct {
		reply  channel.Reply
		status int
		after  string
	}{
		{channel.Reply{Text: "approved", Done: true}, 200, ""}, {channel.Reply{Text: "1 of 2"}, 202, ""},
		{channel.Reply{Text: "bob may not decide", Refused: true}, 403, ""}, {channel.Reply{Text: "decided already", Done: true, Refused: true}, 403, ""},
		{channel.Reply{Text: "the disk is full", Again: true}, 503, "1"},
	} {
		w := httptest.NewRecorder()
		callback.Write(w, row.reply)
		if w.Code != row.status || w.Header().Get("Retry-After") != row.after || !strings.Contains(w.Body.String(), row.reply.Text) || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%+v: %d %v %s", row.reply, w.Code, w.Header(), w.Body)
		}
	}
}
