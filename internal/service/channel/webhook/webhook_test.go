package webhook

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/support/outbound"
)

// The vectors of the reference implementations of Standard Webhooks.
func TestVectors(t *testing.T) {
	k, err := readKeys(Options{Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", Key: "whsk_VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk="})
	if err != nil {
		t.Fatal(err)
	}
	k.peer = k.key.Public().(ed25519.PublicKey)
	body := []byte(`{"test": 2432232314}`)
	const v1 = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	const v1a = "v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag=="
	if got := k.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body); got != v1+" "+v1a {
		t.Errorf("signed %s", got)
	}
	for text, want := range map[string]bool{
		v1: true, v1a: true, "v2,x v1,aaaa " + v1: true, v1a + " " + v1: true,
		"": false, "v1,": false, "v1a,": false, v1[3:]: false, strings.Replace(v1, "v1", "v1a", 1): false, strings.ToUpper(v1): false,
		v1 + "x": false, strings.Replace(v1, " ", "  ", 1) + "=": false, strings.Repeat("v1,aaaa ", maxSignatures) + v1: false,
	} {
		if got := k.verify("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body, text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// What is wrong with the options is said, without the secrets in them.
func TestOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"url is missing":                      {Secret: secret},
		"url is no address":                   {URL: "approver.example.com", Secret: secret},
		"url has a user":                      {URL: "https://ann:x@approver.example.com", Secret: secret},
		"write https, or set allow_private":   {URL: "http://approver.example.com", Secret: secret},
		"10.0.0.1 is not an address":          {URL: "https://10.0.0.1/hook", Secret: secret},
		"::1 is not an address":               {URL: "https://[::1]/hook", Secret: secret},
		"169.254.169.254 is not an":           {URL: "https://169.254.169.254/", Secret: secret},
		"secret_file and key_file are":        {URL: "https://approver.example.com"},
		"the secret does not begin with":      {URL: "https://approver.example.com", Secret: "hunter2hunter2"},
		"the secret is not in base64":         {URL: "https://approver.example.com", Secret: "whsec_hunter2!"},
		"the secret has 3 bytes":              {URL: "https://approver.example.com", Secret: "whsec_aGkh"},
		"the key has 3 bytes":                 {URL: "https://approver.example.com", Key: "whsk_aGkh"},
		"the public key has 3 bytes":          {URL: "https://approver.example.com", Secret: secret, Peer: "whpk_aGkh"},
		"the public key does not begin with ": {URL: "https://approver.example.com", Secret: secret, Peer: "whsk_aGkh"},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "aGkh") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// A receiver is a program that keeps what it is sent, once for each id.
type receiver struct {
	*httptest.Server
	t    *testing.T
	keys keys

	mu    sync.Mutex
	known map[string]notice
	tries int
	serve http.HandlerFunc // answers instead, nil for none
}

func newReceiver(t *testing.T) *receiver {
	k, err := readKeys(Options{Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{t: t, keys: k, known: make(map[string]notice)}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		r.t.Error(err)
	}
	id := q.Header.Get("webhook-id")
	if !r.keys.verify(id, q.Header.Get("webhook-timestamp"), body, q.Header.Get("webhook-signature")) {
		r.t.Error("the signature does not hold")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tries++
	if r.serve != nil {
		r.serve(w, q)
		return
	}
	var n notice
	if err := json.Unmarshal(body, &n); err != nil {
		r.t.Error(err)
	}
	r.known[id] = n
}

func (r *receiver) answers(h http.HandlerFunc) { r.mu.Lock(); defer r.mu.Unlock(); r.serve = h }

func newDriver(t *testing.T, o Options) *Driver {
	t.Helper()
	if o.Secret == "" {
		o.Secret = secret
	}
	o.AllowPrivate = true
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hostile is a command with all that some service would take for more than text.
const hostile = "echo '@everyone <!channel> [x](https://evil.example) **b** <b>' \u202e\r\nX-Evil: 1"

var message = channel.Message{
	ID: "dlv_1", Request: "req_1", Link: "https://desk.example/ui/requests/req_1", Head: "[APPROVAL REQUIRED]",
	Fields: []channel.Field{{Name: "tool", Value: "shell"}}, Command: hostile, Note: "cut: the rest is on the page", Risk: "high",
	Buttons: []channel.Button{{Label: "Approve", Style: channel.Primary, Token: "tok-a"}, {Label: "Deny", Style: channel.Danger, Token: "tok-d", Confirm: "Sure?"}, {Label: "Open", URL: "https://desk.example/ui/requests/req_1"}},
	Until:   time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC),
}

// A receiver is told of a request, once however often it is sent, and how it ended.
func TestPost(t *testing.T) {
	r := newReceiver(t)
	d := newDriver(t, Options{URL: r.URL})
	for range 2 { // nobody knows whether the first one arrived
		if ref, err := d.Post(t.Context(), &message); err != nil || ref != "dlv_1" {
			t.Fatal(ref, err)
		}
	}
	ended := channel.Message{ID: "dlv_1", Request: "req_1", Head: "[APPROVED]", Outcome: "approved by ann"}
	if err := d.Amend(t.Context(), "dlv_1", &ended); err != nil {
		t.Fatal(err)
	}
	n := r.known["dlv_1"]
	if n.Type != "request.waiting" || n.Data.Command != hostile || n.Data.Risk != "high" || n.Data.Until != "2030-01-02T03:04:05Z" || n.Data.Link != message.Link ||
		len(n.Data.Fields) != 1 || n.Data.Fields[0] != (field{"tool", "shell"}) || len(n.Data.Buttons) != 3 || n.Data.Buttons[1] != (button{"Deny", "danger", "tok-d", "", "Sure?"}) || n.Data.Buttons[2].URL == "" {
		t.Errorf("it is told %+v", n)
	}
	if e := r.known["dlv_1.ended"]; len(r.known) != 2 || e.Type != "request.ended" || e.Data.Outcome != "approved by ann" || len(e.Data.Buttons) != 0 || e.Data.Risk != "unknown" {
		t.Errorf("it is told %+v", r.known)
	}
	if !d.Repeats() {
		t.Error("it does not repeat")
	}
}

// A receiver that is away, or says no, has its way.
func TestReceiverAnswers(t *testing.T) {
	r := newReceiver(t)
	d := newDriver(t, Options{URL: r.URL + "/secret"})
	for name, row := range map[string]struct {
		answer http.HandlerFunc
		kind   string
	}{
		"gone":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) }, "refusal"},
		"unknown": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, "again"},
		"down":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) }, "again"},
		"busy":    {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "9"); w.WriteHeader(429) }, "pause"},
		"away":    {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "9"); w.WriteHeader(503) }, "pause"},
		"redirect": {func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		}, "refusal"},
		"silent": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "again"},
	} {
		r.answers(row.answer)
		_, err := d.Post(t.Context(), &message)
		kind := "again"
		if _, ok := errors.AsType[*channel.Refusal](err); ok {
			kind = "refusal"
		}
		if p, ok := errors.AsType[*channel.Pause](err); ok && p.For == 9*time.Second {
			kind = "pause"
		}
		if err == nil || kind != row.kind || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	r.answers(nil) // it is back
	if _, err := d.Post(t.Context(), &message); err != nil {
		t.Error(err)
	}
	hold := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hold }))
	defer slow.Close()
	defer close(hold)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := newDriver(t, Options{URL: slow.URL}).Post(ctx, &message); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 2*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
}

// A name that leads to a private network is refused when it is known where it leads.
func TestPrivate(t *testing.T) {
	r := newReceiver(t)
	d := newDriver(t, Options{URL: "http://localhost" + r.URL[strings.LastIndexByte(r.URL, ':'):]})
	d.client.HTTP = outbound.Guard{Advice: advice}.Client(nil)
	_, err := d.Post(t.Context(), &message)
	if _, ok := errors.AsType[*channel.Refusal](err); !ok || !strings.Contains(err.Error(), "allow_private") || r.tries != 0 {
		t.Errorf("%v, asked %d times", err, r.tries)
	}
}

func sealed(k keys, id string, at time.Time, body string) *http.Request {
	stamp := at.Unix()
	text := itoa(stamp)
	q := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	q.Header.Set("webhook-id", id)
	q.Header.Set("webhook-timestamp", text)
	q.Header.Set("webhook-signature", k.sign(id, text, []byte(body)))
	return q
}

func itoa(n int64) string { b, _ := json.Marshal(n); return string(b) }

// A hearer keeps what it hears.
type hearer struct {
	mu    sync.Mutex
	heard []channel.Answer
	reply channel.Reply
}

func (h *hearer) hear(_ context.Context, a channel.Answer) channel.Reply {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard = append(h.heard, a)
	return h.reply
}

func ask(h http.Handler, q *http.Request) (status int, body string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	return w.Code, w.Body.String()
}

// Only what is signed, in time and whole is heard.
func TestHear(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	seed := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", ed25519.SeedSize)))
	theirs, err := readKeys(Options{Key: "whsk_" + seed})
	if err != nil {
		t.Fatal(err)
	}
	public := "whpk_" + base64.StdEncoding.EncodeToString(theirs.key.Public().(ed25519.PublicKey))
	ours, err := readKeys(Options{Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	other, err := readKeys(Options{Secret: "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("o", 32)))})
	if err != nil {
		t.Fatal(err)
	}
	const good = `{"token":"tok-a","sender":"ann","reason":"fine"}`
	outgoing, err := encode("request.waiting", now, &message)
	if err != nil {
		t.Fatal(err)
	}
	without := func(name string) *http.Request {
		q := sealed(ours, "a1", now, good)
		q.Header.Del(name)
		return q
	}
	twice := sealed(ours, "a1", now, good)
	twice.Header.Add("webhook-id", "a2")
	changed := sealed(ours, "a1", now, good)
	changed.Body = io.NopCloser(strings.NewReader(strings.Replace(good, "tok-a", "tok-b", 1)))
	moved := sealed(ours, "a1", now.Add(-time.Hour), good)
	moved.Header.Set("webhook-timestamp", itoa(now.Unix()))
	renamed := sealed(ours, "a1", now, good)
	renamed.Header.Set("webhook-id", "a2")
	read := sealed(ours, "a1", now, good)
	read.Method = http.MethodGet
	for name, row := range map[string]struct {
		q    *http.Request
		want int
	}{
		"by the secret":              {sealed(ours, "a1", now, good), 200},
		"by their key":               {sealed(theirs, "a1", now, good), 200},
		"a little late":              {sealed(ours, "a1", now.Add(-tolerance), good), 200},
		"a little early":             {sealed(ours, "a1", now.Add(tolerance), good), 200},
		"by request":                 {sealed(ours, "a1", now, `{"request":"req_1","approve":false,"sender":"ann"}`), 200},
		"by another secret":          {sealed(other, "a1", now, good), 401},
		"clock 10 minutes behind":    {sealed(ours, "a1", now.Add(-10*time.Minute), good), 401},
		"clock 10 minutes ahead":     {sealed(ours, "a1", now.Add(10*time.Minute), good), 401},
		"without an id":              {without("webhook-id"), 401},
		"without a time":             {without("webhook-timestamp"), 401},
		"without a signature":        {without("webhook-signature"), 401},
		"with two ids":               {twice, 401},
		"changed on the way":         {changed, 401},
		"with a new time":            {moved, 401},
		"with a new id":              {renamed, 401},
		"with a long id":             {sealed(ours, strings.Repeat("a", maxID+1), now, good), 401},
		"read":                       {read, 405},
		"10 MB":                      {sealed(ours, "a1", now, strings.Repeat("x", 10<<20)), 413},
		"what we have sent":          {sealed(ours, "a1", now, string(outgoing)), 400},
		"nothing":                    {sealed(ours, "a1", now, ""), 400},
		"no sender":                  {sealed(ours, "a1", now, `{"token":"tok-a"}`), 400},
		"a token and a request":      {sealed(ours, "a1", now, `{"token":"tok-a","request":"req_1","approve":true,"sender":"ann"}`), 400},
		"a request without a yes":    {sealed(ours, "a1", now, `{"request":"req_1","sender":"ann"}`), 400},
		"a yes to nothing":           {sealed(ours, "a1", now, `{"approve":true,"sender":"ann"}`), 400},
		"a yes in words":             {sealed(ours, "a1", now, `{"request":"req_1","approve":"true","sender":"ann"}`), 400},
		"an unknown key":             {sealed(ours, "a1", now, `{"token":"tok-a","sender":"ann","x":1}`), 400},
		"two senders":                {sealed(ours, "a1", now, `{"token":"tok-a","sender":"ann","sender":"bob"}`), 400},
		"another letter case of one": {sealed(ours, "a1", now, `{"token":"tok-a","sender":"ann","Sender":"bob"}`), 400},
	} {
		h := &hearer{reply: channel.Reply{Text: "approved", Done: true}}
		d := newDriver(t, Options{URL: "https://approver.example.com", Peer: public, Now: func() time.Time { return now }})
		status, body := ask(d.Webhook(h.hear), row.q)
		if status != row.want || (len(h.heard) == 1) != (row.want == 200) {
			t.Errorf("%s: %d %s, heard %v", name, status, body, h.heard)
		}
		if strings.Contains(body, secret[6:]) {
			t.Errorf("%s: the answer tells the secret", name)
		}
	}
	if newDriver(t, Options{URL: "https://approver.example.com", Key: "whsk_" + seed}).Webhook(nil) == nil {
		t.Error("with a secret it hears")
	}
	silent, err := New(Options{URL: "https://approver.example.com", Key: "whsk_" + seed})
	if err != nil || silent.Webhook(nil) != nil {
		t.Errorf("without a secret and a public key it hears: %v", err)
	}
}

// What comes twice is decided once, at the same time too, and answered the same.
func TestTwice(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	ours, err := readKeys(Options{Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	h := &hearer{reply: channel.Reply{Text: "nothing is stored", Again: true}}
	d := newDriver(t, Options{URL: "https://approver.example.com", Now: func() time.Time { return now }})
	hook := d.Webhook(h.hear)
	const yes, no = `{"token":"tok-a","sender":"ann"}`, `{"token":"tok-d","sender":"ann"}`
	if status, body := ask(hook, sealed(ours, "a1", now, yes)); status != 503 || !strings.Contains(body, "nothing is stored") {
		t.Errorf("%d %s", status, body)
	}
	h.reply = channel.Reply{Text: "approved by ann", Done: true}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if status, body := ask(hook, sealed(ours, "a1", now, yes)); status != 200 || body != `{"text":"approved by ann","done":true,"refused":false}`+"\n" {
				t.Errorf("%d %s", status, body)
			}
		})
	}
	group.Wait()
	if len(h.heard) != 2 { // the one that came to nothing, and one
		t.Errorf("heard %d times", len(h.heard))
	}
	if status, _ := ask(hook, sealed(ours, "a1", now, no)); status != 409 || len(h.heard) != 2 {
		t.Errorf("another answer under the same id: %d", status)
	}
	h.reply = channel.Reply{Text: "bob may not decide", Refused: true}
	for range 2 {
		if status, _ := ask(hook, sealed(ours, "a2", now, no)); status != 403 || len(h.heard) != 3 {
			t.Errorf("refused: %d, heard %d times", status, len(h.heard))
		}
	}
	h.reply = channel.Reply{Text: "1 of 2"}
	if status, _ := ask(hook, sealed(ours, "a3", now, yes)); status != 202 {
		t.Errorf("a vote: %d", status)
	}
	late := now.Add(keepFor + time.Second)
	if status, _ := ask(newDriver(t, Options{URL: "https://approver.example.com", Now: func() time.Time { return late }}).Webhook(h.hear), sealed(ours, "a1", now, yes)); status != 401 {
		t.Errorf("after a restart, long after: %d", status)
	}
	for i := range int64(maxSeen) {
		_, _, _ = d.seen.enter("x"+itoa(i), [32]byte{}, now)
	}
	if status, _ := ask(hook, sealed(ours, "a4", now, yes)); status != 429 {
		t.Errorf("too many: %d", status)
	}
	if _, first, err := d.seen.enter("a1", [32]byte{}, late); !first || err != nil || len(d.seen.all) != 1 {
		t.Errorf("what is old is not forgotten: %v, %d", err, len(d.seen.all))
	}
}

// A driver that only posts waits for its end.
func TestListen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newDriver(t, Options{URL: "https://approver.example.com"}).Listen(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
