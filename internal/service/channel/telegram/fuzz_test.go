package telegram

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// Whatever is written, a command names a request in its form, or none.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"/approve req_1", "/deny@policybot req_1 reason: x", "/deny reason: y", "/approve !! no", "/start", "approve"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, ok := parse(text, "PolicyBot")
		if !ok {
			return
		}
		if !strings.HasPrefix(strings.TrimSpace(text), "/"+c.word) || c.request != "" && !c.wrong && !requestForm().MatchString(c.request) {
			t.Errorf("%q is read as %+v", text, c)
		}
	})
}

// Whatever a message says, Telegram takes it, and its last line names the request.
func FuzzRender(f *testing.F) {
	f.Add("[APPROVAL REQUIRED]", "git push 😀", "note", strings.Repeat("y", 5000))
	f.Add("\xff", "", "", "\n")
	f.Fuzz(func(t *testing.T, head, command, note, value string) {
		d := &Driver{chat: testChat}
		m := &channel.Message{Head: head, Command: command, Note: note, Request: "req_1", Fields: []channel.Field{{Name: "Why", Value: value}, {Name: "Why", Value: command}}}
		out := d.render(m)
		units := utf16.Encode([]rune(out.Text))
		if len(units) > maxUnits || !strings.HasSuffix(out.Text, "\nRequest req_1") {
			t.Errorf("%d units: %q", len(units), out.Text)
		}
		for _, e := range out.Entities {
			if e.Length <= 0 || e.Offset < 0 || e.Offset+e.Length > len(units) {
				t.Errorf("%+v of %d", e, len(units))
			}
		}
	})
}

// Whatever an update holds, what is heard was said by somebody in the chat.
func FuzzUpdate(f *testing.F) {
	f.Add(`{"update_id":1,"callback_query":{"id":"1","from":{"id":5},"message":{"chat":{"id":4711}},"data":"x"}}`)
	f.Add(`{"update_id":2,"message":{"message_id":1,"from":{"id":5},"chat":{"id":4711},"text":"/deny req_1 reason: no"}}`)
	s := newStandInForFuzz(f)
	f.Fuzz(func(t *testing.T, data string) {
		if !json.Valid([]byte(data)) {
			return
		}
		d, err := New(Options{Token: testToken, Chat: "4711", API: s})
		if err != nil {
			t.Fatal(err)
		}
		l := &listener{d, bot{testBot, "PolicyBot"}, func(_ context.Context, a channel.Answer) channel.Reply {
			if a.Sender == "" || a.Sender == "0" || a.Place != "4711" || (a.Token == "") == (a.Request == "") || a.Token != "" && a.Approve {
				t.Errorf("%s is heard as %+v", data, a)
			}
			return channel.Reply{}
		}}
		_ = l.update(t.Context(), json.RawMessage(data)) // what cannot be read is an error
	})
}
