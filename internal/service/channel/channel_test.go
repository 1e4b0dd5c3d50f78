package channel_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A message says all that it has, in order and without markup.
func TestText(t *testing.T) {
	m := channel.Message{Head: "[APPROVAL REQUIRED]", Command: "ls", Note: "short", Fields: []channel.Field{{Name: "tool", Value: "shell"}, {Name: "risk", Value: "low"}}, Link: "https://desk.example/1"}
	if got, want := m.Text(), "[APPROVAL REQUIRED]\n\n│ ls\nshort\n\ntool: shell\nrisk: low\nhttps://desk.example/1"; got != want {
		t.Errorf("%q", got)
	}
}

// What is too long for a service is cut where it is longest, with a note.
func TestFit(t *testing.T) {
	size := func(m *channel.Message) int { return len(m.Text()) }
	m := &channel.Message{Head: "h", Command: strings.Repeat("é", 3000), Fields: []channel.Field{{Name: "arguments", Value: strings.Repeat("x", 5000)}, {Name: "tool", Value: "shell"}}}
	for _, limit := range []int{300, 2000, 20_000} {
		got := m.Fit(limit, size)
		cut := limit < 10_000
		if size(got) > limit || (got.Note == channel.Cut) != cut || strings.Contains(got.Text(), "\ufffd") || got.Fields[1].Value != "shell" || strings.HasSuffix(got.Command, "…") != cut {
			t.Errorf("%d: %d bytes: %s", limit, size(got), got.Text())
		}
	}
	if m.Note != "" || len(m.Fields[0].Value) != 5000 {
		t.Error("the message itself is changed")
	}
	if got := m.Fit(1, size); !strings.HasPrefix(got.Command, "éé") {
		t.Errorf("what cannot fit: %s", got.Text())
	}
}

// What a service has no room for, no button there approves.
func TestFitButtons(t *testing.T) {
	all := []channel.Button{{Label: "Approve once", Style: channel.Primary, Token: "a"}, {Label: "Deny", Style: channel.Danger, Token: "d"}, {Label: "Approve for this chat", Token: "c"}, {Label: "Open the page", URL: "u"}}
	for _, row := range []struct {
		limit int
		risk  string
		want  string
	}{{5000, "medium", "acdu"}, {2000, "medium", "du"}, {2000, "", "du"}, {2000, "low", "acdu"}} {
		m := &channel.Message{Command: strings.Repeat("x", 3000), Risk: row.risk, Buttons: all}
		var got []string
		for _, b := range m.Fit(row.limit, func(m *channel.Message) int { return len(m.Text()) }).Buttons {
			got = append(got, b.Token+b.URL)
		}
		slices.Sort(got)
		if text := strings.Join(got, ""); text != row.want || len(m.Buttons) != 4 {
			t.Errorf("%+v: %s", row, text)
		}
	}
}

// An error of a pause is the one of the service.
func TestErrors(t *testing.T) {
	why := errors.New("busy")
	err := error(&channel.Pause{For: time.Second, Err: why})
	if !errors.Is(err, why) || err.Error() != "busy" || (&channel.Refusal{Text: "no"}).Error() != "no" {
		t.Error(err)
	}
}
