package storetest

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/pkg/approval"
)

// newDelivery returns an ask that is due, whose id is made of its request and channel.
func newDelivery(request, name string) channel.Delivery {
	return channel.Delivery{
		ID: "dlv_" + request + name, Request: request, Channel: name, About: channel.AboutAsk, State: channel.Due,
		Created: day, Next: day.Add(time.Minute), Changed: day,
	}
}

// checkDeliveries compares the deliveries that a filter chooses.
func checkDeliveries(t *testing.T, s Store, f channel.Filter, want ...channel.Delivery) {
	t.Helper()
	got, err := s.Deliveries(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "deliveries", got, slices.Clip(want))
}

// change makes a change that counts.
func change(t *testing.T, s Store, d channel.Delivery, was channel.State, tokens ...channel.Token) channel.Delivery {
	t.Helper()
	if ok, err := s.ChangeDelivery(t.Context(), channel.Change{Delivery: d, Was: was, Tokens: tokens}); err != nil || !ok {
		t.Fatalf("change %s from %s to %s: %v, %v", d.ID, was, d.State, ok, err)
	}
	return d
}

func deliveries(t *testing.T, place Place) {
	s := open(t, place, Options{})
	if event, found, err := s.Cursor(t.Context()); event != 0 || found || err != nil {
		t.Fatalf("cursor of an empty store: %d, %v, %v", event, found, err)
	}
	a, b, c := newDelivery("r1", "phone"), newDelivery("r1", "mail"), newDelivery("r2", "phone")
	if err := s.Follow(t.Context(), channel.Step{Event: 7, Asks: []channel.Delivery{a, b}}); err != nil {
		t.Fatal(err)
	}
	again := a
	again.ID, again.State = "dlv_again", channel.Failed
	if err := s.Follow(t.Context(), channel.Step{Event: 9, Asks: []channel.Delivery{again, c}}); err != nil {
		t.Fatal(err)
	}
	if event, found, err := s.Cursor(t.Context()); event != 9 || !found || err != nil {
		t.Errorf("cursor: %d, %v, %v", event, found, err)
	}
	checkDeliveries(t, s, channel.Filter{}, a, b, c)

	a.State, a.Tries, a.Next, a.Changed = channel.Sending, 1, day.Add(time.Hour), day.Add(2*time.Hour)
	change(t, s, a, channel.Due)
	if ok, err := s.ChangeDelivery(t.Context(), channel.Change{Delivery: a, Was: channel.Due}); ok || err != nil {
		t.Errorf("a change of what it no longer is: %v, %v", ok, err)
	}
	a.State, a.Ref, a.Problem = channel.Sent, "chat/17", "the first try failed"
	change(t, s, a, channel.Sending)
	checkDeliveries(t, s, channel.Filter{}, b, c)
	checkDeliveries(t, s, channel.Filter{Request: "r1"}, a, b)
	checkDeliveries(t, s, channel.Filter{Channel: "phone"}, a, c)
	checkDeliveries(t, s, channel.Filter{Channel: "nobody"})

	for before, want := range map[time.Time]int{a.Changed: 3, a.Changed.Add(1): 3, day: 3} { // a sibling is due
		if err := s.ForgetDeliveries(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		one, _ := s.Deliveries(t.Context(), channel.Filter{Request: "r1"})
		two, _ := s.Deliveries(t.Context(), channel.Filter{Request: "r2"})
		if len(one)+len(two) != want {
			t.Errorf("forget before %v: %d are left, want %d", before, len(one)+len(two), want)
		}
	}
	b.State = channel.Failed
	change(t, s, b, channel.Due)
	if err := s.ForgetDeliveries(t.Context(), a.Changed.Add(time.Microsecond)); err != nil {
		t.Fatal(err)
	}
	checkDeliveries(t, s, channel.Filter{Request: "r1"})
	checkDeliveries(t, s, channel.Filter{Request: "r2"}, c)
}

func endedDeliveries(t *testing.T, place Place) {
	s := open(t, place, Options{})
	var asks []channel.Delivery
	states := []channel.State{channel.Due, channel.Sending, channel.Sent, channel.Failed, channel.Uncertain}
	for _, state := range states {
		d := newDelivery("r1", string(state))
		d.State = state
		asks = append(asks, d)
	}
	for _, row := range [][2]channel.State{{channel.Sent, channel.Sent}, {channel.Due, channel.Due}} { // asked again there: one outcome
		d := newDelivery("r1", string(row[0]))
		d.ID, d.About, d.State = d.ID+"_again", channel.Asking(&approval.Request{Revision: "again-2"}), row[1]
		asks = append(asks, d)
	}
	other := newDelivery("r2", "phone")
	if err := s.Follow(t.Context(), channel.Step{Event: 1, Asks: append(slices.Clone(asks), other)}); err != nil {
		t.Fatal(err)
	}
	at := day.Add(time.Hour)
	for range 2 { // the second time changes nothing
		if err := s.Follow(t.Context(), channel.Step{Event: 2, Ended: []string{"r1", "nobody"}, At: at}); err != nil {
			t.Fatal(err)
		}
	}
	if event, _, err := s.Cursor(t.Context()); event != 2 || err != nil {
		t.Errorf("cursor: %d, %v", event, err)
	}
	asks[0].State, asks[0].Changed = channel.Over, at
	asks[6].State, asks[6].Changed = channel.Over, at
	want := slices.Clone(asks)
	for _, ask := range asks[1:3] {
		want = append(want, channel.Delivery{
			ID: channel.OutcomeID(ask.ID), Request: "r1", Channel: ask.Channel, About: channel.AboutOutcome, State: channel.Due, Created: at, Next: at, Changed: at,
		})
	}
	checkDeliveries(t, s, channel.Filter{Request: "r1"}, want...)
	checkDeliveries(t, s, channel.Filter{Request: "r2"}, other)
}

func badDeliveries(t *testing.T, place Place) {
	s := open(t, place, Options{})
	good := newDelivery("r1", "phone")
	for name, spoil := range map[string]func(*channel.Delivery){
		"no id": func(d *channel.Delivery) { d.ID = "" }, "no request": func(d *channel.Delivery) { d.Request = "" },
		"no channel": func(d *channel.Delivery) { d.Channel = "" }, "about nothing": func(d *channel.Delivery) { d.About = "" },
		"no state": func(d *channel.Delivery) { d.State = "x" }, "NUL": func(d *channel.Delivery) { d.Ref = "a\x00b" }, "no UTF-8": func(d *channel.Delivery) { d.Problem = "\xff" },
	} {
		d := good
		spoil(&d)
		if err := s.Follow(t.Context(), channel.Step{Event: 1, Asks: []channel.Delivery{good, d}}); err == nil {
			t.Errorf("%s: stored", name)
		}
		if _, err := s.ChangeDelivery(t.Context(), channel.Change{Delivery: d, Was: channel.Due}); err == nil {
			t.Errorf("%s: changed", name)
		}
	}
	checkDeliveries(t, s, channel.Filter{})
	if _, found, err := s.Cursor(t.Context()); found || err != nil {
		t.Errorf("half a step was stored: %v, %v", found, err)
	}
}

func deliveryTokens(t *testing.T, place Place) {
	s := open(t, place, Options{})
	d := newDelivery("r1", "phone")
	if err := s.Follow(t.Context(), channel.Step{Event: 1, Asks: []channel.Delivery{d}}); err != nil {
		t.Fatal(err)
	}
	token := channel.Token{Hash: sha256.Sum256([]byte("a")), Delivery: d.ID, Word: approval.ApprovedRemember, Scope: approval.ForChat}
	for name, bad := range map[string]channel.Token{
		"no word": {Hash: token.Hash, Delivery: d.ID}, "no delivery": {Hash: token.Hash, Word: approval.Rejected}, "unknown delivery": {Hash: token.Hash, Delivery: "x", Word: approval.Rejected},
	} {
		if _, err := s.ChangeDelivery(t.Context(), channel.Change{Delivery: d, Was: channel.Due, Tokens: []channel.Token{bad}}); err == nil {
			t.Errorf("%s: stored", name)
		}
	}
	change(t, s, d, channel.Due, token)
	if _, err := s.ChangeDelivery(t.Context(), channel.Change{Delivery: d, Was: channel.Due, Tokens: []channel.Token{token}}); err == nil {
		t.Error("a token was stored twice")
	}
	if _, found, err := s.Pressed(t.Context(), sha256.Sum256([]byte("b"))); found || err != nil {
		t.Errorf("an unknown token: %v, %v", found, err)
	}
	for _, who := range []string{"ann", "ben", "ann"} {
		if err := s.Press(t.Context(), token.Hash, who, day); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Press(t.Context(), sha256.Sum256([]byte("b")), "ann", day); err == nil {
		t.Error("an unknown token was pressed")
	}
	got, found, err := s.Pressed(t.Context(), token.Hash)
	if err != nil || !found {
		t.Fatal(found, err)
	}
	same(t, "token", got, channel.Pressed{Token: token, Of: d, By: []string{"ann", "ben"}})
	d.State = channel.Sent
	change(t, s, d, channel.Due)
	if err := s.ForgetDeliveries(t.Context(), day.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, found, err := s.Pressed(t.Context(), token.Hash); found || err != nil {
		t.Errorf("a token outlives its delivery: %v, %v", found, err)
	}
}
