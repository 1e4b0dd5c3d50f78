package channel

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/approval"
)

// A diary is a store whose events nobody has looked at but up to a cursor, and that notes
// what it is asked for.
type diary struct {
	book
	cursor    int64
	looked    []time.Time // when it was asked for the cursor
	forgotten []time.Time // when it was to forget
	before    []time.Time // what
	steps     []Step
	pressed   Pressed
	unkept    error // of what is to be removed, and of a press
}

func (d *diary) Cursor(context.Context) (int64, bool, error) {
	d.looked = append(d.looked, time.Now())
	return d.cursor, true, d.err
}

func (d *diary) Follow(_ context.Context, s Step) error {
	d.steps, d.cursor = append(d.steps, s), s.Event
	return nil
}

func (d *diary) ForgetDeliveries(_ context.Context, before time.Time) error {
	d.forgotten, d.before = append(d.forgotten, time.Now()), append(d.before, before)
	return d.unkept
}

func (d *diary) Pressed(context.Context, [sha256.Size]byte) (Pressed, bool, error) {
	return d.pressed, true, nil
}

func (d *diary) Press(context.Context, [sha256.Size]byte, string, time.Time) error { return d.unkept }

// keeping has channels phone and slack over a diary, the clock of the test and a log.
func keeping(b *diary) (d *Dispatcher, phone *quiet, log *bytes.Buffer) {
	log = new(bytes.Buffer)
	d, phone = dispatching(&b.book, nil, nil)
	d.o.Store, d.o.Now, d.o.Log = b, time.Now, slog.New(slog.NewTextHandler(log, nil))
	d.o.Bounds = func(context.Context) (first, last int64, err error) { return 1, b.cursor, nil }
	return d, phone, log
}

// What is old is removed at first and then each hour, whatever went wrong with it before.
func TestForgets(t *testing.T) {
	for _, err := range []error{nil, errors.New("locked")} {
		synctest.Test(t, func(t *testing.T) {
			b, began := &diary{unkept: err}, time.Now()
			d, _, log := keeping(b)
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Hour+time.Minute)
			defer stop()
			d.Run(ctx)
			want := []time.Time{began, began.Add(time.Hour), began.Add(2 * time.Hour)}
			if !slices.Equal(b.forgotten, want) {
				t.Errorf("%v: at %v, want %v", err, b.forgotten, want)
			}
			for i, at := range b.before {
				if at != b.forgotten[i].Add(-7*24*time.Hour) {
					t.Errorf("%v: what is older than %v", err, at)
				}
			}
			told := strings.Count(log.String(), "old deliveries of channels are not removed")
			if err == nil && log.Len() > 0 || err != nil && told != len(want) {
				t.Errorf("%v: %s", err, log)
			}
		})
	}
}

// A store that fails is asked again after a second, and the log is told each time; where it
// does not, it is asked each five seconds. That it fails since the service ends is no error.
func TestStoreIsAskedAgain(t *testing.T) {
	for _, row := range []struct {
		err   error
		every time.Duration
	}{{nil, 5 * time.Second}, {errors.New("locked"), time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			b := &diary{}
			d, _, log := keeping(b)
			wait := make(chan struct{})
			d.o.Bounds = func(ctx context.Context) (int64, int64, error) {
				if len(b.looked) == 4 { // until the service ends
					close(wait)
					<-ctx.Done()
					return 0, 0, errors.New("it ended")
				}
				return 1, 0, row.err
			}
			ctx, stop := context.WithCancel(t.Context())
			go func() { <-wait; stop() }()
			d.Run(ctx)
			for i := range b.looked[1:] {
				if got := b.looked[i+1].Sub(b.looked[i]); got != row.every {
					t.Errorf("%v: again after %s, want %s", row.err, got, row.every)
				}
			}
			want := 0
			if row.err != nil {
				want = 3
			}
			if got := strings.Count(log.String(), "channels are not told what happens"); got != want || strings.Contains(log.String(), "it ended") {
				t.Errorf("%v: %s", row.err, log)
			}
		})
	}
}

// A channel that cannot be heard says so: at once where that lasts, and of a connection that
// breaks only when it breaks again before it was sound.
func TestDeaf(t *testing.T) {
	broke, busy := errors.New("it broke"), errors.New("busy")
	for name, row := range map[string]struct {
		lasts []time.Duration // each connection
		err   error
		deaf  []string // what is said behind each
	}{
		"once":         {[]time.Duration{0}, broke, []string{""}},
		"twice":        {[]time.Duration{0, 0}, broke, []string{"", "it hears nothing: it broke"}},
		"closed":       {[]time.Duration{0, 0}, nil, []string{"", "it hears nothing: the connection was closed"}},
		"after a time": {[]time.Duration{0, 0, 11 * time.Second, 0}, broke, []string{"", "it hears nothing: it broke", "", "it hears nothing: it broke"}},
		"too short":    {[]time.Duration{0, 9 * time.Second}, broke, []string{"", "it hears nothing: it broke"}},
		"refused":      {[]time.Duration{0}, &Refusal{"who are you?"}, []string{"it hears nothing: who are you?"}},
		"paused":       {[]time.Duration{0}, &Pause{maxBackoff, busy}, []string{""}},
		"long paused":  {[]time.Duration{0}, &Pause{maxBackoff + 1, busy}, []string{"it hears nothing: busy"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			d, phone, log := keeping(&diary{})
			said, next := make(chan struct{}), 0
			var ends []time.Time
			phone.listen = func(ctx context.Context) error {
				if next++; next > len(row.lasts) {
					<-ctx.Done()
					return nil
				}
				time.Sleep(row.lasts[next-1])
				ends = append(ends, time.Now())
				defer func() { go func() { said <- struct{}{} }() }()
				return row.err
			}
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() { defer close(ended); d.listen(ctx, d.lines["phone"]) }()
			for i, want := range row.deaf {
				<-said
				synctest.Wait()
				if got := d.Down()["phone"]; got != want {
					t.Errorf("%s: behind connection %d: %q, want %q", name, i+1, got, want)
				}
			}
			for i := range ends[1:] { // a sound connection that breaks is made again at once
				want := time.Second
				if i > 0 && row.lasts[i] < soundTime {
					want = 2 * time.Second
				}
				if got := ends[i+1].Sub(ends[i]) - row.lasts[i+1]; got < want*3/4 || got > want*5/4 {
					t.Errorf("%s: again after %s, want about %s", name, got, want)
				}
			}
			stop()
			<-ended
			if got := strings.Count(log.String(), "a channel hears nothing for now"); got != len(row.deaf) {
				t.Errorf("%s: %s", name, log)
			}
		})
	}
}

// A connection that lasts is heard, before anybody says something.
func TestHeardAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, phone, _ := keeping(&diary{})
		d.lines["phone"].deafen(errors.New("it broke"))
		phone.listen = func(ctx context.Context) error { <-ctx.Done(); return nil }
		go d.listen(t.Context(), d.lines["phone"])
		for _, deaf := range []bool{true, false} {
			if got := d.Down()["phone"] != ""; got != deaf {
				t.Errorf("deaf: %t", got)
			}
			time.Sleep(soundTime + time.Millisecond)
			synctest.Wait()
		}
	})
}

// As long as no event is missing, only the requests of events are looked at.
func TestMissingEvents(t *testing.T) {
	for _, row := range []struct {
		cursor, first, last int64
		all                 bool
	}{{4, 5, 7, false}, {3, 5, 7, true}, {8, 5, 7, true}, {6, 5, 7, false}} {
		b := &diary{cursor: row.cursor}
		d, _, _ := keeping(b)
		d.o.Bounds = func(context.Context) (int64, int64, error) { return row.first, row.last, nil }
		var asked string
		d.o.Pending = func(context.Context) ([]*approval.Request, error) { asked = "all"; return nil, nil }
		d.o.Events = func(context.Context, int64, int) ([]approval.Event, error) {
			asked = "events"
			return []approval.Event{{ID: row.last, RequestID: "r"}}, nil
		}
		d.o.Get = func(context.Context, string) (*approval.Request, error) { return nil, approval.ErrNotFound }
		more, err := d.follow(t.Context())
		if !more || err != nil || (asked == "all") != row.all || len(b.steps) != 1 || b.steps[0].Event != row.last {
			t.Errorf("%+v: %s, %v, %+v", row, asked, err, b.steps)
		}
	}
}

// What cannot be stored is in the log, unless the service ends, and is left alone for a
// second; that a button was pressed is kept if it can be.
func TestUnstored(t *testing.T) {
	gone := errors.New("gone")
	for _, err := range []error{nil, gone} {
		synctest.Test(t, func(t *testing.T) {
			b := &diary{pressed: Pressed{Token: Token{Word: approval.Rejected}, Of: Delivery{Request: "r", Channel: "phone"}}, unkept: err}
			b.err = err
			d, _, log := keeping(b)
			r := &approval.Request{ID: "r", State: approval.Denied}
			d.o.Get = func(context.Context, string) (*approval.Request, error) { return r, nil }
			d.o.Decide = func(context.Context, string, string, approval.Answer) (*approval.Request, error) { return r, nil }
			at, l := time.Now(), d.lines["phone"]
			d.deliver(t.Context(), l, Delivery{Request: "r", Channel: "phone", About: AboutOutcome})
			took := time.Since(at)
			if reply := d.pressed(t.Context(), l, Answer{Sender: "1", Token: "x"}, "kim"); !reply.Done {
				t.Errorf("%v: %+v", err, reply)
			}
			for _, want := range []string{"cannot be stored, and is tried again", "it is not kept that a button was pressed"} {
				if strings.Contains(log.String(), want) != (err != nil) {
					t.Errorf("%v: %q in %s", err, want, log)
				}
			}
			if (took == time.Second) != (err != nil) || took > time.Second {
				t.Errorf("%v: it took %s", err, took)
			}
			log.Reset()
			over, stop := context.WithCancel(t.Context())
			stop()
			if d.deliver(over, l, Delivery{Request: "r", Channel: "phone", About: AboutOutcome}); log.Len() > 0 {
				t.Errorf("the service ends: %s", log)
			}
		})
	}
}

// The longer a command, the less there is of the arguments beside it.
func TestArgumentsBesideCommand(t *testing.T) {
	d, _ := dispatching(&book{}, nil, nil)
	for command, want := range map[int]int{0: maxCommand, 600: 400, 900: maxValue} {
		r := &approval.Request{ID: "r", State: approval.Pending, Kind: approval.KindCall, Expires: noon}
		r.Call = []byte(`{"tool":"shell","input":{"command":"` + strings.Repeat("c ", command/2) + `","text":"` + strings.Repeat("word ", 400) + `"}}`)
		var shown int
		for _, f := range d.message(r).Fields {
			if f.Name == "Arguments" {
				shown = utf8.RuneCountInString(f.Value)
			}
		}
		if shown > want+2 || shown < want-10 {
			t.Errorf("beside a command of %d characters: %d, want about %d", command, shown, want)
		}
	}
}

// However short the first pause is, there is one.
func TestShortestPause(t *testing.T) {
	d, _ := dispatching(&book{}, nil, nil)
	d.o.Retry = 1
	if got := d.backoff(0); got < 0 || got > 1 {
		t.Error(got)
	}
}

// Who answers is told what became of it, also of a request that is not as it was.
func TestReplies(t *testing.T) {
	r := &approval.Request{ID: "r", State: approval.Pending, Asked: approval.Asked{Why: "the rules changed"}}
	bare := &approval.Request{ID: "r", State: approval.Pending}
	const changed = "nothing is decided: the policy has changed since this was sent"
	for name, row := range map[string]struct {
		r     *approval.Request
		err   error
		want  Reply
		final bool
	}{
		"waits for others":     {r, nil, Reply{Text: "your answer counts, and others must answer too"}, true},
		"asked again":          {r, approval.ErrChanged, Reply{Text: changed + " (the rules changed); use the newer message, or the page https://desk/r", Refused: true}, false},
		"asked again, no why":  {bare, approval.ErrChanged, Reply{Text: changed + "; use the newer message, or the page https://desk/r", Refused: true}, false},
		"asked again, unknown": {nil, approval.ErrChanged, Reply{Text: errUnsure, Again: true}, false},
		"decided":              {&approval.Request{State: approval.Denied}, approval.ErrDecided, Reply{Text: "too late: the request was withdrawn", Done: true}, true},
		"decided, unknown":     {nil, approval.ErrDecided, Reply{Text: errUnsure, Again: true}, false},
		"not theirs":           {nil, approval.ErrNotApprover, Reply{Text: "the policy wants somebody else to decide this", Refused: true}, true},
		"gone":                 {nil, approval.ErrNotFound, Reply{Text: "this request is no longer there", Refused: true}, true},
		"not to be":            {nil, &approval.Invalid{Text: "reason: too long"}, Reply{Text: "reason: too long", Refused: true}, false},
		"fails":                {nil, errors.New("locked"), Reply{Text: errUnsure, Again: true}, false},
	} {
		d, _ := dispatching(&book{}, r, nil)
		d.o.Decide = func(context.Context, string, string, approval.Answer) (*approval.Request, error) {
			return row.r, row.err
		}
		got, final := d.decide(t.Context(), d.lines["phone"], "kim", &said{of: &Delivery{Request: "r"}, answer: approval.Answer{Word: approval.Rejected}})
		if got != row.want || final != row.final {
			t.Errorf("%s: %+v, final %t", name, got, final)
		}
	}
}
