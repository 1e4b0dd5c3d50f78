package channel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// quiet is a driver that says what a test tells it.
type quiet struct {
	repeats bool
	post    error
	amended []string
	listen  func(context.Context) error // nil for one that hears until the end
}

func (q *quiet) Post(context.Context, *Message) (string, error) { return "ref", q.post }
func (q *quiet) Amend(_ context.Context, ref string, m *Message) error {
	q.amended = append(q.amended, fmt.Sprintf("%s %s %t", ref, m.Head, m.Replaced))
	return q.post
}
func (q *quiet) Listen(ctx context.Context, _ Hear) error {
	if q.listen != nil {
		return q.listen(ctx)
	}
	<-ctx.Done()
	return nil
}
func (q *quiet) Webhook(Hear) http.Handler { return nil }
func (q *quiet) Repeats() bool             { return q.repeats }

// book is a store of deliveries.
type book struct {
	Store
	list    []Delivery
	changed []Change
	err     error
}

func (b *book) Deliveries(_ context.Context, f Filter) (out []Delivery, err error) {
	for _, v := range b.list {
		open := v.State == Due || v.State == Sending
		if f.Request == "" && f.Channel == "" && !open || f.Request != "" && v.Request != f.Request || f.Channel != "" && v.Channel != f.Channel {
			continue
		}
		out = append(out, v)
	}
	return out, b.err
}

func (b *book) ChangeDelivery(_ context.Context, c Change) (bool, error) {
	b.changed = append(b.changed, c)
	return true, b.err
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// dispatching has channels phone and slack over a store, and a request that Get returns.
func dispatching(b *book, r *approval.Request, gone error) (*Dispatcher, *quiet) {
	q := &quiet{}
	return New(Options{
		Store: b, Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler), Link: func(id string) string { return "https://desk/" + id },
		Told: func() []string { return []string{"phone"} }, NeedsPasskey: func(risk string) bool { return risk == "critical" },
		Get:    func(context.Context, string) (*approval.Request, error) { return r, gone },
		Record: func(context.Context, ...audit.Entry) error { return nil },
		Channels: []Channel{
			{Name: "phone", Type: "memory", Driver: q, People: map[string]string{"1": "kim", "2": "ann", "3": "ann"}, Place: "home", OneTap: "medium", After: 90 * time.Second},
			{Name: "slack", Type: "memory", Driver: &quiet{repeats: true}},
		},
	}), q
}

// The health of a channel says what arrived last, what failed last and what waits.
func TestHealths(t *testing.T) {
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	b := &book{list: []Delivery{
		{Channel: "phone", State: Sent, Changed: at(1)}, {Channel: "phone", State: Sent, Changed: at(3)}, {Channel: "phone", State: Sent, Changed: at(2)},
		{Channel: "phone", State: Failed, Changed: at(4), Problem: "early"}, {Channel: "phone", State: Failed, Changed: at(5), Problem: "late"},
		{Channel: "phone", State: Failed, Changed: at(5), Problem: "latest"}, {Channel: "phone", State: Over, Changed: at(9), Problem: "over"},
		{Channel: "phone", State: Failed, Changed: at(9)}, {Channel: "phone", State: Failed, Changed: at(2), Problem: "before"},
		{Channel: "phone", State: Due, Next: at(0), Changed: at(0)}, {Channel: "phone", State: Due, Next: at(1)}, {Channel: "slack", State: Sending, Next: at(-1)},
	}}
	d, _ := dispatching(b, nil, nil)
	list, err := d.Healths(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	phone, slack := list[0], list[1]
	if !phone.Told || phone.Waiting != 1 || !phone.LastSent.Equal(at(3)) || phone.LastError != "latest" || !phone.LastFailed.Equal(at(5)) || phone.OneTap != "medium" || phone.After != 90 ||
		strings.Join(phone.People, " ") != "ann kim" || phone.Down != "" {
		t.Errorf("%+v", phone)
	}
	if slack.Told || slack.Waiting != 1 || slack.LastSent != nil || slack.LastFailed != nil || slack.OneTap != "none" || slack.People == nil || len(slack.People) != 0 {
		t.Errorf("%+v", slack)
	}
	b.err = errors.New("gone")
	if list, err := d.Healths(t.Context()); err == nil || list != nil {
		t.Errorf("%+v, %v", list, err)
	}
	for who, want := range map[string]bool{"ann": true, "kim": true, "bob": false, "": false} {
		if d.Knows(who) != want || d.KnowsAt("phone", who) != want || d.KnowsAt("slack", who) || d.KnowsAt("mail", who) || (*Dispatcher)(nil).Knows(who) || (*Dispatcher)(nil).KnowsAt("phone", who) {
			t.Errorf("%q is known otherwise", who)
		}
	}
}

// A channel is down after three failures in a row, at once where it is refused or long
// busy, and while it hears nothing; what works mends it.
func TestDown(t *testing.T) {
	busy := errors.New("busy")
	for name, row := range map[string]struct {
		errs []error
		down string
		wait time.Duration
	}{
		"works":        {[]error{nil}, "", 0},
		"twice":        {[]error{busy, busy}, "", 0},
		"three times":  {[]error{busy, busy, busy}, "busy", 0},
		"works again":  {[]error{busy, busy, busy, nil}, "", 0},
		"refused":      {[]error{&Refusal{"who are you?"}}, "who are you?", 0},
		"stopped":      {[]error{busy, busy, context.Canceled}, "", 0},
		"short pause":  {[]error{&Pause{maxBackoff, busy}}, "", maxBackoff},
		"long pause":   {[]error{&Pause{maxBackoff + 1, busy}}, "busy", maxBackoff + 1},
		"no pause":     {[]error{&Pause{0, busy}}, "", 0},
		"back in time": {[]error{&Pause{-time.Hour, busy}}, "", 0},
		"for a day":    {[]error{&Pause{24 * time.Hour, busy}}, "busy", maxPause},
	} {
		d, _ := dispatching(&book{}, nil, nil)
		l := d.lines["phone"]
		for _, err := range row.errs {
			l.note(noon, err)
		}
		wait := time.Duration(0)
		if until := l.pausedUntil(); !until.IsZero() {
			wait = until.Sub(noon)
		}
		if l.down() != row.down || wait != row.wait || d.Down()["phone"] != row.down || len(d.Down()) != min(1, len(row.down)) {
			t.Errorf("%s: %q for %s, want %q for %s", name, l.down(), wait, row.down, row.wait)
		}
	}
	d, _ := dispatching(&book{}, nil, nil)
	l := d.lines["phone"]
	l.deafen(busy)
	if l.down() != "it hears nothing: busy" {
		t.Error(l.down())
	}
	if l.deafen(nil); l.down() != "" {
		t.Error(l.down())
	}
	for i := range maxInFlight + 1 {
		if got := l.takeOff(); got != (i < maxInFlight) {
			t.Errorf("%d on their way: %t", i, got)
		}
	}
	if l.land(); !l.takeOff() {
		t.Error("what has arrived takes no room")
	}
}

// The log is told of twenty odd answers at once, and then of one each ten seconds.
func TestAlarms(t *testing.T) {
	var l limiter
	count := func(n int, at time.Time) (told int) {
		for range n {
			if l.allow(at) {
				told++
			}
		}
		return told
	}
	for _, row := range []struct {
		after time.Duration
		want  int
	}{{0, 20}, {9 * time.Second, 0}, {10 * time.Second, 1}, {30 * time.Second, 2}, {time.Hour, 20}} {
		if got := count(50, noon.Add(row.after)); got != row.want {
			t.Errorf("after %s: %d, want %d", row.after, got, row.want)
		}
	}
}

// What an answer of a service says is one line without its secrets.
func TestSaying(t *testing.T) {
	for _, row := range []struct {
		text    string
		secrets []string
		want    string
	}{
		{"a token abc", []string{"abc", ""}, "a token ***"}, {"a\nb\x1b", nil, "a b "}, {"x", nil, "x"},
		{strings.Repeat("é", maxSaying), nil, strings.Repeat("é", maxSaying)}, {strings.Repeat("é", maxSaying+1), nil, strings.Repeat("é", maxSaying) + " …"},
	} {
		if got := Saying(row.text, row.secrets...); got != row.want {
			t.Errorf("%.20q: %.40q", row.text, got)
		}
	}
	for n, want := range map[int]string{2: "é…", 3: "éaé", 4: "éaé"} {
		if got := Limit("éaé", n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// How long is left, in the two largest units.
func TestTimeLeft(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0 s", 59 * time.Second: "59 s", 59*time.Second + 600*time.Millisecond: "1 min 0 s", time.Minute: "1 min 0 s", time.Hour - time.Second: "59 min 59 s",
		time.Hour: "1 h", time.Hour + 59*time.Second: "1 h", time.Hour + time.Minute: "1 h 1 min", 8 * time.Hour: "8 h", 25*time.Hour + 30*time.Minute: "25 h 30 min",
	} {
		if got := timeLeft(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}

// A text is cut behind a word where it is too long, and after forty lines.
func TestShortened(t *testing.T) {
	word := strings.Repeat("a", 30)
	for _, row := range []struct {
		in   string
		most int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "abc …"}, {word + " bbbbb ccc", 36, word + " …"}, {"a " + word, 20, "a " + word[:18] + " …"},
		{strings.Repeat("x\n", 39) + "y", 200, strings.Repeat("x\n", 39) + "y"}, {strings.Repeat("x\n", 40) + "y", 200, strings.Repeat("x\n", 39) + " …"},
	} {
		got, cut := shortened(row.in, row.most)
		if got != row.want || cut != (got != row.in) {
			t.Errorf("%.40q to %d: %.60q %t, want %.60q", row.in, row.most, got, cut, row.want)
		}
	}
}

// How a request ended, in words, whoever ended it.
func TestOutcomes(t *testing.T) {
	at := " at " + clockTime(noon)
	by := func(word approval.Word, scope approval.Scope, source, reason string) *approval.Decision {
		return &approval.Decision{Word: word, Scope: scope, By: "phone:ann", Source: source, Reason: reason, At: noon}
	}
	for _, row := range []struct {
		state      approval.State
		d          *approval.Decision
		head, want string
	}{
		{approval.Pending, nil, "APPROVAL REQUIRED", ""},
		{approval.Cancelled, nil, "WITHDRAWN", "withdrawn: the agent waits no more"},
		{approval.Cancelled, by(approval.Rejected, "", approval.Human, ""), "WITHDRAWN", "withdrawn: the agent waits no more"},
		{approval.Denied, nil, "DENIED", "withdrawn: the agent waits no more"},
		{approval.Denied, by(approval.Rejected, "", approval.Human, "no"), "DENIED", "denied by phone:ann" + at + ": no"},
		{approval.Denied, by(approval.RequestMore, "", approval.Human, "why?"), "DENIED", "sent back with a question by phone:ann" + at + ": why?"},
		{approval.Denied, by(approval.Rejected, "", approval.Static, "long text"), "DENIED", "denied by phone:ann" + at},
		{approval.TimedOut, by(approval.Rejected, "", approval.Timeout, ""), "TIMED OUT", "nobody answered in time," + at},
		{approval.Approved, by(approval.AutoApproved, approval.Once, approval.Timeout, ""), "APPROVED", "approved" + at + ", since nobody answered in time"},
		{approval.Approved, by(approval.ApprovedOnce, approval.Once, approval.Human, ""), "APPROVED", "approved by phone:ann" + at},
		{approval.Executed, by(approval.ApprovedRemember, approval.ForChat, approval.Human, ""), "APPROVED", "approved for this chat by phone:ann" + at},
	} {
		r := &approval.Request{ID: "r", State: row.state, Decision: row.d}
		if got := outcomeOf(r); got != row.want || headOf(row.state) != row.head {
			t.Errorf("%s: %q under %s, want %q under %s", row.state, got, headOf(row.state), row.want, row.head)
		}
	}
	r := &approval.Request{State: approval.Revoked, Decision: by(approval.ApprovedOnce, approval.Once, approval.Human, ""), Revocation: &approval.Revocation{By: "token:bob", At: noon}}
	if got := outcomeOf(r); got != "taken back by token:bob"+at+"; it was approved by phone:ann"+at || headOf(r.State) != "APPROVAL TAKEN BACK" {
		t.Error(got)
	}
	for want, asked := range map[string]approval.Asked{
		"w (stage rules, rule r)": {Why: "w", Stage: "rules", Rule: "r"}, "w (stage confirm)": {Why: "w", Stage: "confirm"}, "w": {Why: "w", Rule: "r"}, "(stage mode)": {Stage: "mode"},
	} {
		if got := why(&approval.Request{Asked: asked}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if already(&approval.Request{State: approval.Cancelled, Decision: r.Decision}) != "too late: the request was withdrawn" || already(&approval.Request{State: approval.Denied}) != "too late: the request was withdrawn" ||
		!strings.HasPrefix(already(r), "already taken back by token:bob") {
		t.Error("who comes late is told otherwise")
	}
	if counts(&approval.Request{}) != "your answer counts, and others must answer too" || counts(&approval.Request{Tally: &approval.Tally{Quorum: 2, Missing: 1, Approved: []string{"ann"}, Open: []string{"bob"}}}) != "your approval counts as 1 of 2; waiting for one more of bob" {
		t.Error("what an answer counts is said otherwise")
	}
}

// One press approves up to a risk, and whoever may not press learns why.
func TestPressable(t *testing.T) {
	for tap, within := range map[string]string{"": "", "none": "", "low": "low", "medium": "low medium", "high": "low medium high"} {
		c := Channel{OneTap: tap}
		for _, risk := range []string{"", "low", "medium", "high", "critical"} {
			if got := c.within(risk); got != slices.Contains(strings.Fields(within), risk) {
				t.Errorf("up to %q, of %q risk: %t", tap, risk, got)
			}
		}
	}
	d, _ := dispatching(&book{}, nil, nil)
	l := d.lines["phone"]
	for _, row := range []struct {
		m    Message
		want string
	}{
		{Message{Risk: "medium"}, ""}, {Message{Risk: "medium", Note: Cut}, notWhole}, {Message{Risk: "low", Note: Cut}, ""},
		{Message{Risk: "critical"}, "it takes a passkey, which only the page asks for"},
		{Message{Risk: "high"}, "one press approves up to medium risk here (one_tap), and this is of high risk"},
		{Message{}, "one press approves up to medium risk here (one_tap), and the risk of this is unknown"},
	} {
		if got := d.unpressable(l, &row.m); got != row.want {
			t.Errorf("%+v: %q, want %q", row.m, got, row.want)
		}
	}
	if got := d.unpressable(d.lines["slack"], &Message{Risk: "low"}); got != "no press of a button approves here (one_tap: none)" {
		t.Error(got)
	}
	for place, want := range map[string]bool{"home": true, "team/home": true, "teamhome": false, "home/x": false, "": false} {
		if l.at(place) != want || !d.lines["slack"].at(place) {
			t.Errorf("%q: %t", place, !want)
		}
	}
}

// timedOut is an error of the network that took too long.
type timedOut struct{}

func (timedOut) Error() string   { return "timed out" }
func (timedOut) Timeout() bool   { return true }
func (timedOut) Temporary() bool { return false }

// Nobody knows whether a message arrived where the connection broke behind it, and
// everybody where it never began.
func TestDoubtful(t *testing.T) {
	dial := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for _, err := range []error{io.EOF, io.ErrUnexpectedEOF, context.DeadlineExceeded, context.Canceled, syscall.ECONNRESET, syscall.EPIPE, timedOut{}, &net.OpError{Op: "read", Err: syscall.ECONNRESET}} {
		if !doubtful(fmt.Errorf("x: %w", err)) {
			t.Errorf("%v is sure", err)
		}
	}
	for _, err := range []error{dial, &net.OpError{Op: "dial", Err: timedOut{}}, &net.DNSError{IsTimeout: true}, &Pause{time.Second, io.EOF}, errors.New("no"), &Refusal{"no"}} {
		if doubtful(fmt.Errorf("x: %w", err)) {
			t.Errorf("%v is doubtful", err)
		}
	}
}

// What a crash left on its way is told again where that does no harm.
func TestSettle(t *testing.T) {
	for name, row := range map[string]struct {
		v     Delivery
		state State // "" for no change
	}{
		"of a channel that is gone": {Delivery{Channel: "mail", State: Due}, Failed},
		"due":                       {Delivery{Channel: "phone", State: Due}, ""},
		"may have arrived":          {Delivery{Channel: "phone", State: Sending, About: AboutAsk}, Uncertain},
		"knows it":                  {Delivery{Channel: "slack", State: Sending, About: AboutAsk}, Due},
		"an outcome":                {Delivery{Channel: "phone", State: Sending, About: AboutOutcome}, Due},
	} {
		b := &book{list: []Delivery{row.v}}
		d, _ := dispatching(b, nil, nil)
		if !d.recovered(t.Context()) {
			t.Error(name)
		}
		var got State
		if len(b.changed) == 1 {
			got = b.changed[0].State
		}
		if got != row.state || got != "" && (b.changed[0].Was != row.v.State || b.changed[0].Problem == "" || !b.changed[0].Changed.Equal(noon)) {
			t.Errorf("%s: %+v", name, b.changed)
		}
		if b.err = errors.New("gone"); d.recovered(t.Context()) {
			t.Errorf("%s: recovered of nothing", name)
		}
	}
}

// What is told of a request goes on by how it went, and stops where there is nothing to tell.
func TestDeliver(t *testing.T) {
	pending := &approval.Request{ID: "r", State: approval.Pending, Kind: approval.KindContract, Contract: []byte(`{"x":1}`), Expires: noon.Add(time.Hour)}
	over := *pending
	over.State = approval.Denied
	again := *pending
	again.Revision = "again-1"
	odd := errors.New("odd")
	for name, row := range map[string]struct {
		r     *approval.Request
		gone  error
		post  error
		about About
		state State // of the last change, "" for none
		err   error
	}{
		"arrives":       {pending, nil, nil, AboutAsk, Sent, nil},
		"refused":       {pending, nil, &Refusal{"no"}, AboutAsk, Failed, nil},
		"doubtful":      {pending, nil, io.EOF, AboutAsk, Uncertain, nil},
		"fails":         {pending, nil, odd, AboutAsk, Due, nil},
		"over":          {&over, nil, nil, AboutAsk, Over, nil},
		"asked again":   {&again, nil, nil, AboutAsk, Over, nil},
		"of now":        {&again, nil, nil, Asking(&again), Sent, nil},
		"not there":     {nil, approval.ErrNotFound, nil, AboutAsk, Over, nil},
		"altered":       {nil, approval.ErrAltered, nil, AboutAsk, Over, nil},
		"damaged":       {nil, approval.ErrDamaged, nil, AboutAsk, Over, nil},
		"unread":        {nil, odd, nil, AboutAsk, "", odd},
		"outcome":       {&over, nil, nil, AboutOutcome, Sent, nil},
		"of nothing":    {nil, approval.ErrNotFound, nil, AboutOutcome, Over, nil},
		"unread then":   {nil, odd, nil, AboutOutcome, "", odd},
		"cannot be":     {&over, nil, &Refusal{"no"}, AboutOutcome, Failed, nil},
		"is tried anew": {&over, nil, odd, AboutOutcome, Due, nil},
	} {
		b := &book{list: []Delivery{{ID: "first", Request: "r", Channel: "phone", About: AboutAsk, State: Sent, Ref: "one"}, {ID: "second", Request: "r", Channel: "phone", About: askedAgain + "x", State: Sent, Ref: "two"}}}
		d, q := dispatching(b, row.r, row.gone)
		q.post = row.post
		send := d.ask
		if row.about == AboutOutcome {
			send = d.outcome
		}
		v := Delivery{ID: "dlv", Request: "r", Channel: "phone", About: row.about, State: Due, Created: noon.Add(-maxOutcome)}
		err := send(t.Context(), d.lines["phone"], v)
		var got State
		if n := len(b.changed); n > 0 {
			last := b.changed[n-1]
			got = last.State
			if got == Due && (!last.Next.After(noon) || last.Problem != "odd") || (got == Failed || got == Uncertain) && last.Problem == "" || got == Sent && row.about != AboutOutcome && last.Ref != "ref" {
				t.Errorf("%s: %+v", name, last)
			}
		}
		if got != row.state || !errors.Is(err, row.err) {
			t.Errorf("%s: %s, %v, want %s", name, got, err, row.state)
		}
		want := map[string]string{"outcome": "one [DENIED] true, two [DENIED] false", "of now": "one [ASKED AGAIN] true, two [ASKED AGAIN] true"}[name]
		if got := strings.Join(q.amended, ", "); want != "" && got != want {
			t.Errorf("%s: amended %s, want %s", name, got, want)
		}
		if row.about == AboutOutcome && row.gone == nil {
			v.Created, b.changed = noon.Add(-maxOutcome-time.Second), nil
			if err := send(t.Context(), d.lines["phone"], v); err != nil || len(b.changed) != 1 || b.changed[0].State != Over {
				t.Errorf("%s, a day later: %+v, %v", name, b.changed, err)
			}
		}
	}
}

// What a store could not read again is not stored.
func TestChecks(t *testing.T) {
	good := Delivery{ID: "d", Request: "r", Channel: "c", About: AboutAsk, State: Due}
	for name, edit := range map[string]func(*Delivery){
		"": func(*Delivery) {}, "of now": func(d *Delivery) { d.About = askedAgain + "1" }, "an outcome": func(d *Delivery) { d.About = AboutOutcome },
		"no id": func(d *Delivery) { d.ID = "" }, "no request": func(d *Delivery) { d.Request = "" }, "no channel": func(d *Delivery) { d.Channel = "" },
		"no kind": func(d *Delivery) { d.About = "x" }, "no state": func(d *Delivery) { d.State = "x" },
	} {
		d := good
		edit(&d)
		if err := d.Check(); strings.HasPrefix(name, "no ") != (err != nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, row := range []struct {
		t    Token
		fine bool
	}{{Token{Delivery: "d", Word: approval.Rejected}, true}, {Token{Word: approval.Rejected}, false}, {Token{Delivery: "d", Word: "x"}, false}} {
		if err := row.t.Check(); row.fine != (err == nil) {
			t.Errorf("%+v: %v", row.t, err)
		}
	}
}

// A name that no channel has is told with the nearest one.
func TestUnknown(t *testing.T) {
	for want, configured := range map[string][]string{"did you mean phone?": {"phone", "mail"}, "there is mail, slack": {"mail", "slack"}, "add it there": nil} {
		if err := Unknown("fone", configured); !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	d, _ := dispatching(&book{}, nil, nil)
	if err := d.Misnamed(); err != nil {
		t.Error(err)
	}
	d.o.Told = func() []string { return []string{"mail", "phone"} }
	if err := d.Misnamed(); err == nil || strings.Count(err.Error(), "\n") != 0 || !strings.Contains(err.Error(), "mail") {
		t.Error(err)
	}
}

// A pause grows with each try, up to a minute, give or take a quarter.
func TestBackoff(t *testing.T) {
	d, _ := dispatching(&book{}, nil, nil)
	for tries, want := range map[int]time.Duration{0: time.Second, 1: 2 * time.Second, 5: 32 * time.Second, 6: time.Minute, 11: time.Minute, 1000: time.Minute} {
		for range 50 {
			if got := d.backoff(tries); got < want*3/4 || got > want*5/4 {
				t.Errorf("try %d: %s, want about %s", tries, got, want)
			}
		}
	}
}
