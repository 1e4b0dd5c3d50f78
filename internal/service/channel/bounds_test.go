package channel

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// What waits is counted at its own channel.
func TestWaiting(t *testing.T) {
	d, _ := dispatching(&book{list: []Delivery{{Channel: "phone", State: Due, Next: noon}, {Channel: "phone", State: Due, Next: noon}, {Channel: "slack", State: Due, Next: noon}}}, nil, nil)
	list, err := d.Healths(t.Context())
	if err != nil || len(list) != 2 || list[0].Waiting != 2 || list[1].Waiting != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

// An outcome waits for the ask of its own request at its own channel, and for no other.
func TestUnsettled(t *testing.T) {
	outcome := &Delivery{Request: "r", Channel: "phone", About: AboutOutcome}
	for name, row := range map[string]struct {
		open Delivery
		want bool
	}{
		"its ask":         {Delivery{Request: "r", Channel: "phone", About: AboutAsk}, true},
		"another request": {Delivery{Request: "s", Channel: "phone", About: AboutAsk}, false},
		"another channel": {Delivery{Request: "r", Channel: "slack", About: AboutAsk}, false},
		"an outcome":      {Delivery{Request: "r", Channel: "phone", About: AboutOutcome}, false},
	} {
		if got := unsettled([]Delivery{row.open}, outcome); got != row.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// An ask cannot be relied on once its channel has failed it three times.
func TestTroubled(t *testing.T) {
	d, _ := dispatching(&book{}, nil, nil)
	for tries, want := range []bool{false, false, false, true, true} {
		if got := d.troubled(&Delivery{Channel: "phone", State: Due, Tries: tries}); got != want {
			t.Errorf("%d tries: %t", tries, got)
		}
	}
}

// A message just as long as a service takes is not cut, nor is a short one at all.
func TestFitBounds(t *testing.T) {
	size := func(m *Message) int { return len(m.Command) + len(m.Fields[0].Value) }
	press := []Button{{Label: "Approve once", Style: Primary, Token: "a"}}
	m := &Message{Command: strings.Repeat("x", 80), Fields: []Field{{"tool", strings.Repeat("y", 80)}}, Risk: "medium", Buttons: press}
	if got := m.Fit(160, size); got.Note != "" || len(got.Buttons) != 1 || got.Held != "" {
		t.Errorf("%+v", got)
	}
	// Of texts that are equally long, the command is cut.
	if got := m.Fit(159, size); got.Note != Cut || len(got.Fields[0].Value) != 80 || len(got.Buttons) != 0 || got.Held != notWhole {
		t.Errorf("%+v", got)
	}
	low := *m
	low.Risk = risks[0]
	if got := low.Fit(159, size); got.Note != Cut || len(got.Buttons) != 1 || got.Held != "" {
		t.Errorf("%+v", got)
	}
	none := *m
	none.Buttons = nil
	if got := none.Fit(159, size); got.Note != Cut || got.Held != "" {
		t.Errorf("%+v", got)
	}
	for length, cut := range map[int]bool{minShown: false, minShown + 1: true} {
		short := &Message{Command: strings.Repeat("x", length), Fields: []Field{{"tool", "y"}}}
		if got := short.Fit(1, size); (got.Note == Cut) != cut {
			t.Errorf("%d: %+v", length, got)
		}
	}
}

// What fails is in the log, and what works is not.
func TestLogged(t *testing.T) {
	gone := errors.New("gone")
	for _, err := range []error{nil, gone} {
		var log bytes.Buffer
		b := &book{err: err}
		d, _ := dispatching(b, nil, nil)
		d.o.Log = slog.New(slog.NewTextHandler(&log, nil))
		d.o.Record = func(context.Context, ...audit.Entry) error { return err }
		l := d.lines["phone"]
		if got := d.recovered(t.Context()); got != (err == nil) {
			t.Errorf("%v: recovered %t", err, got)
		}
		d.alarm(t.Context(), l, noon, refused{"r", "x", "y"}, map[string]string{"sender": "1"})
		d.say(t.Context(), l, &Delivery{}, err)
		for _, want := range []string{"cannot be read", "the audit log is not told", "a channel was not told"} {
			if strings.Contains(log.String(), want) != (err != nil) {
				t.Errorf("%v: %q in %s", err, want, log.String())
			}
		}
		log.Reset()
		over, stop := context.WithCancel(t.Context())
		stop()
		d.recovered(over)
		if d.say(over, l, &Delivery{}, err); log.Len() > 0 {
			t.Errorf("the service ends: %s", log.String())
		}
	}
}

// The first try that fails is repeated after the shortest pause.
func TestFirstPause(t *testing.T) {
	for _, about := range []About{AboutAsk, AboutOutcome} {
		r := &approval.Request{ID: "r", State: approval.Pending, Kind: approval.KindContract, Contract: []byte(`{"x":1}`), Expires: noon.Add(time.Hour)}
		send := (*Dispatcher).ask
		if about == AboutOutcome {
			r.State, send = approval.Denied, (*Dispatcher).outcome
		}
		b := &book{list: []Delivery{{ID: "first", Request: "r", Channel: "phone", About: AboutAsk, State: Sent, Ref: "one"}}}
		d, q := dispatching(b, r, nil)
		q.post = errors.New("odd")
		if err := send(d, t.Context(), d.lines["phone"], Delivery{ID: "dlv", Request: "r", Channel: "phone", About: about, State: Due, Created: noon}); err != nil {
			t.Fatal(err)
		}
		last := b.changed[len(b.changed)-1]
		if wait := last.Next.Sub(noon); last.Tries != 1 || wait < time.Second*3/4 || wait > time.Second*5/4 {
			t.Errorf("%s: try %d, again in %s", about, last.Tries, wait)
		}
	}
}

// The id of a request may be as long as any key.
func TestLongestID(t *testing.T) {
	for more, asked := range []bool{true, false} {
		id := strings.Repeat("r", approval.MaxKey+more)
		b := &book{err: errors.New("gone")}
		d, _ := dispatching(b, nil, nil)
		reply := d.written(t.Context(), d.lines["phone"], Answer{Request: id}, "kim")
		if (reply.Text != "no request of this id was sent here") != asked {
			t.Errorf("%d: %+v", len(id), reply)
		}
	}
	d, _ := dispatching(&book{}, nil, nil)
	d.o.Told = func() []string { return nil }
	if got := d.named(); !slices.Equal(got, []string{"phone", "slack"}) {
		t.Errorf("%q", got)
	}
}

// What a message says of time and risk is that of its request.
func TestMessageOfState(t *testing.T) {
	d, _ := dispatching(&book{}, nil, nil)
	fields := func(r *approval.Request) (names, risk string) {
		for _, f := range d.message(r).Fields {
			if names += f.Name + " "; f.Name == "Risk" {
				risk = f.Value
			}
		}
		return names, risk
	}
	r := &approval.Request{ID: "r", State: approval.Pending, Revision: "again-1", Kind: approval.KindContract, Contract: []byte(`{"x":1}`), Expires: noon.Add(time.Hour)}
	if names, risk := fields(r); !strings.Contains(names, "Asked again ") || !strings.Contains(names, "Time left ") || risk != "unknown" {
		t.Errorf("%s, risk %q", names, risk)
	}
	r.State = approval.Denied
	if names, _ := fields(r); strings.Contains(names, "Asked again ") || strings.Contains(names, "Time left ") {
		t.Error(names)
	}
}

// A word that begins in the last quarter is left out, and an earlier one is cut.
func TestLastQuarter(t *testing.T) {
	for at, want := range map[int]string{31: strings.Repeat("a", 31) + " …", 30: strings.Repeat("a", 30) + " " + strings.Repeat("b", 9) + " …"} {
		if got, _ := shortened(strings.Repeat("a", at)+" "+strings.Repeat("b", 60), 40); got != want {
			t.Errorf("%d: %q, want %q", at, got, want)
		}
	}
}
