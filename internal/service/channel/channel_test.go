package channel

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A message says all that it has, in order and without markup.
func TestText(t *testing.T) {
	m := Message{Head: "[APPROVAL REQUIRED]", Command: "ls", Note: "short", Fields: []Field{{"tool", "shell"}, {"risk", "low"}}, Link: "https://desk.example/1"}
	if got, want := m.Text(), "[APPROVAL REQUIRED]\n\nls\nshort\n\ntool: shell\nrisk: low\nhttps://desk.example/1"; got != want {
		t.Errorf("%q", got)
	}
}

// What is too long for a service is cut where it is longest, with a note.
func TestFit(t *testing.T) {
	size := func(m *Message) int { return len(m.Text()) }
	m := &Message{Head: "h", Command: strings.Repeat("é", 3000), Fields: []Field{{"arguments", strings.Repeat("x", 5000)}, {"tool", "shell"}}}
	for _, limit := range []int{300, 2000, 20_000} {
		got := m.Fit(limit, size)
		cut := limit < 10_000
		if size(got) > limit || (got.Note == Cut) != cut || strings.Contains(got.Text(), "\ufffd") || got.Fields[1].Value != "shell" || strings.HasSuffix(got.Command, "…") != cut {
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

// An error of a pause is the one of the service.
func TestErrors(t *testing.T) {
	why := errors.New("busy")
	err := error(&Pause{time.Second, why})
	if !errors.Is(err, why) || err.Error() != "busy" || (&Refusal{"no"}).Error() != "no" {
		t.Error(err)
	}
}
