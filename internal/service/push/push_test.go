package push

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/shelf/shelftest"
)

func decode(t testing.TB, text string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The example of RFC 8291, appendix A.
func TestEncryptVector(t *testing.T) {
	own, err := ecdh.P256().NewPrivateKey(decode(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	s := Subscription{
		Public: decode(t, "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
		Secret: decode(t, "BTBZMqHH6r4Tts7J_aSIgg"),
	}
	got, err := s.encrypt(own, decode(t, "DGv6ra1nlYgDCS1FRnbzlw"), []byte("When I grow up, I want to be a watermelon\x02"))
	want := "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if text := base64.RawURLEncoding.EncodeToString(got); err != nil || text != want {
		t.Errorf("%v\n%s, want\n%s", err, text, want)
	}
}

// A browser is what subscribes: it can read what is for it.
type browser struct {
	private *ecdh.PrivateKey
	secret  []byte
}

func newBrowser(t testing.TB) *browser {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	secret := make([]byte, secretSize)
	rand.Read(secret)
	return &browser{private, secret}
}

func (b *browser) subscription(id, endpoint string) Subscription {
	return Subscription{ID: id, Person: "passkey:ann", Label: "phone", Endpoint: endpoint, Public: b.private.PublicKey().Bytes(), Secret: b.secret}
}

// open reads a message, as RFC 8188 and RFC 8291 say.
func (b *browser) open(body []byte) (text []byte, err error) {
	if len(body) < 86 || binary.BigEndian.Uint32(body[16:20]) != 4096 || body[20] != 65 {
		return nil, fmt.Errorf("a header of %d bytes", len(body))
	}
	salt, sender := body[:16], body[21:86]
	theirs, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := b.private.ECDH(theirs)
	if err != nil {
		return nil, err
	}
	derive := func(secret, salt []byte, info string, n int) []byte {
		out, err := hkdf.Key(sha256.New, secret, salt, info, n)
		if err != nil {
			panic(err)
		}
		return out
	}
	ikm := derive(shared, b.secret, "WebPush: info\x00"+string(b.private.PublicKey().Bytes())+string(sender), 32)
	block, err := aes.NewCipher(derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	padded, err := gcm.Open(nil, derive(ikm, salt, "Content-Encoding: nonce\x00", 12), body[86:], nil)
	if err != nil {
		return nil, err
	}
	text = []byte(strings.TrimRight(string(padded), "\x00"))
	if len(text) == 0 || text[len(text)-1] != 2 {
		return nil, errors.New("no delimiter")
	}
	return text[:len(text)-1], nil
}

// A standIn is a push service that answers as a test says, and keeps what it was sent.
type standIn struct {
	*httptest.Server
	browser *browser
	t       *testing.T

	mu      sync.Mutex
	answer  http.HandlerFunc
	told    []Waiting
	tries   int
	headers http.Header
	sizes   map[int]bool
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{browser: newBrowser(t), t: t, sizes: make(map[int]bool)}
	s.Server = httptest.NewTLSServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	s.tries++
	s.headers, s.sizes[len(body)] = r.Header, true
	answer := s.answer
	s.mu.Unlock()
	if err := checkVAPID(r); err != nil {
		s.t.Error(err)
	}
	if answer != nil {
		answer(w, r)
		return
	}
	text, err := s.browser.open(body)
	if err != nil {
		s.t.Error(err)
	}
	var told Waiting
	if err := json.Unmarshal(text, &told); err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	s.told = append(s.told, told)
	s.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
}

// checkVAPID says what is wrong with the authorization of a message (RFC 8292).
func checkVAPID(r *http.Request) error {
	token, key, ok := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "vapid t="), ", k=")
	parts := strings.Split(token, ".")
	if !ok || len(parts) != 3 {
		return fmt.Errorf("Authorization: %s", r.Header.Get("Authorization"))
	}
	var raw [4][]byte
	for i, text := range append(parts, key) {
		b, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			return err
		}
		raw[i] = b
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), raw[3])
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if len(raw[2]) != 64 || !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(raw[2][:32]), new(big.Int).SetBytes(raw[2][32:])) {
		return errors.New("the signature does not hold")
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(raw[1], &claims); err != nil {
		return err
	}
	if left := time.Until(time.Unix(claims.Exp, 0)); claims.Aud != "https://"+r.Host || !strings.HasPrefix(claims.Sub, "https://") || left <= 0 || left > 24*time.Hour {
		return fmt.Errorf("the claims are %+v", claims)
	}
	return nil
}

// got returns what the browser was told, and how often the service was asked.
func (s *standIn) got() (told []Waiting, tries int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(told, s.told...), s.tries
}

func (s *standIn) answers(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = h
}

// roots are those that the stand-in has.
func (s *standIn) roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return pool
}

// memory is a store.
type memory struct {
	mu  sync.Mutex
	all []Subscription
}

func (m *memory) Subscriptions(context.Context) ([]Subscription, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Subscription{}, m.all...), nil
}

func (m *memory) RemoveSubscription(_ context.Context, id string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.all {
		if m.all[i].ID == id {
			m.all = append(m.all[:i], m.all[i+1:]...)
			return true, nil
		}
	}
	return false, nil
}

// A pushRig is a pusher that runs, with a browser behind a stand-in.
type pushRig struct {
	*Pusher
	*standIn
	store *memory
	id    string

	mu      sync.Mutex
	waiting Waiting
}

func newPushRig(t *testing.T) *pushRig {
	s := newStandIn(t)
	r := &pushRig{standIn: s, store: new(memory), id: "psh_1"}
	r.store.all = []Subscription{s.browser.subscription(r.id, s.URL+"/secret")}
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	r.waits(1, "high", "req_1")
	r.Pusher = New(Options{
		Store: r.store, Key: func() (*Key, error) { return key, nil }, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Waiting: func(context.Context) (Waiting, error) { r.mu.Lock(); defer r.mu.Unlock(); return r.waiting, nil },
		Sender:  NewSender(Guard{strings.TrimPrefix(s.URL, "https://")}, s.roots()), Gather: time.Millisecond, Pause: 5 * time.Millisecond,
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { r.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	return r
}

func (r *pushRig) waits(n int, risk, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = Waiting{n, risk, id, time.Now().Add(time.Minute)}
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 400 {
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal(what)
}

// A browser is told how much waits, of what risk, and where; and nothing else.
func TestTold(t *testing.T) {
	r := newPushRig(t)
	r.Wake()
	eventually(t, "the browser is not told", func() bool { told, _ := r.got(); return len(told) == 1 })
	told, _ := r.got()
	if w := told[0]; w.Count != 1 || w.Risk != "high" || w.Request != "req_1" {
		t.Errorf("it is told %+v", w)
	}
	for name, want := range map[string]string{"Urgency": "high", "Topic": "policyctl", "Content-Encoding": "aes128gcm", "User-Agent": "policyctl"} {
		if got := r.headers.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if ttl := r.headers.Get("TTL"); ttl != "59" && ttl != "60" {
		t.Errorf("TTL: %s", ttl)
	}
	r.waits(1000, "low", "req_"+strings.Repeat("x", 60))
	r.Wake()
	eventually(t, "the browser is not told again", func() bool { told, _ := r.got(); return len(told) == 2 })
	if len(r.sizes) != 1 || r.headers.Get("Urgency") != "normal" {
		t.Errorf("the sizes of messages tell: %v", r.sizes)
	}
	if o := r.Outcome(r.id); o.Problem != "" || o.At.IsZero() {
		t.Errorf("the outcome is %+v", o)
	}
}

// A push service that says no has its way, and keeps nobody waiting.
func TestPushServiceAnswers(t *testing.T) {
	status := func(code int, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
		}
	}
	for name, row := range map[string]struct {
		answer  http.HandlerFunc
		problem string // "" where the subscription is gone
		tries   int
	}{
		"404":       {status(404), "", 1},
		"410":       {status(410), "", 1},
		"403":       {status(403), "answers 403", 1},
		"413":       {status(413), "answers 413", 1},
		"500":       {status(500), "answers 500", maxTries},
		"redirect":  {status(307, "Location", "/elsewhere"), "sends elsewhere (307)", 1},
		"no answer": {func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, "EOF", maxTries},
	} {
		t.Run(name, func(t *testing.T) {
			r := newPushRig(t)
			r.answers(row.answer)
			r.Wake()
			if row.problem == "" {
				eventually(t, "it is not forgotten", func() bool { all, _ := r.store.Subscriptions(t.Context()); return len(all) == 0 })
			} else {
				eventually(t, "the outcome does not say it", func() bool {
					o := r.Outcome(r.id)
					return strings.Contains(o.Problem, row.problem) && strings.Contains(o.Problem, "the next request is tried again")
				})
				if o := r.Outcome(r.id); strings.Contains(o.Problem, "secret") {
					t.Errorf("the outcome tells the endpoint: %s", o.Problem)
				}
			}
			time.Sleep(20 * time.Millisecond)
			if _, tries := r.got(); tries != row.tries {
				t.Errorf("it was tried %d times, want %d", tries, row.tries)
			}
			r.answers(nil)
			r.waits(2, "low", "req_2")
			r.Wake()
			if row.problem != "" {
				eventually(t, "the next one does not come", func() bool { told, _ := r.got(); return len(told) == 1 && r.Outcome(r.id).Problem == "" })
			}
		})
	}
}

// A push service that wants rest has it, and then the newest message.
func TestRetryAfter(t *testing.T) {
	r := newPushRig(t)
	r.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	began := time.Now()
	r.Wake()
	eventually(t, "the outcome does not say it", func() bool { return strings.Contains(r.Outcome(r.id).Problem, "wants 1s of rest") })
	r.answers(nil)
	for i := range 5 {
		r.waits(i+2, "low", fmt.Sprint("req_", i))
		r.Wake()
		time.Sleep(20 * time.Millisecond)
	}
	if _, tries := r.got(); tries != 1 {
		t.Errorf("it was asked %d times meanwhile", tries)
	}
	eventually(t, "it does not come", func() bool { told, _ := r.got(); return len(told) > 0 })
	if told, tries := r.got(); time.Since(began) < time.Second || len(told) != 1 || tries != 2 || told[0].Request != "req_4" {
		t.Errorf("after %s: %+v, asked %d times", time.Since(began), told, tries)
	}
}

// A slow push service keeps only its own browser waiting; who has waited too long is
// told nothing old.
func TestSlow(t *testing.T) {
	r := newPushRig(t)
	other := newBrowser(t)
	hold, begun := make(chan struct{}), make(chan struct{}, 9)
	r.answers(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/secret" {
			begun <- struct{}{}
			<-hold
		}
		w.WriteHeader(http.StatusCreated)
	})
	r.store.mu.Lock()
	r.store.all = append(r.store.all, other.subscription("psh_2", r.URL+"/other"))
	r.store.mu.Unlock()
	r.Wake()
	<-begun
	eventually(t, "the other one waits too", func() bool { return !r.Outcome("psh_2").At.IsZero() })
	for i := range 100 {
		r.waits(i, "low", "req_2")
		began := time.Now()
		r.Wake()
		if d := time.Since(began); d > 100*time.Millisecond {
			t.Fatalf("a request waits %s", d)
		}
	}
	r.Pusher.mu.Lock()
	if n := len(r.lines); n != 2 {
		t.Errorf("there are %d lines", n)
	}
	r.Pusher.mu.Unlock()
	close(hold)
	past := Waiting{Count: 1, Until: time.Now().Add(-time.Second)}
	if w := r.take(&line{next: &past, running: true}); w != nil {
		t.Errorf("what is over is sent: %+v", w)
	}
}

// What was removed is told nothing, also where something is on its way.
func TestForget(t *testing.T) {
	r := newPushRig(t)
	r.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	r.Wake()
	eventually(t, "it is not tried", func() bool { _, tries := r.got(); return tries == 1 })
	eventually(t, "it does not wait", func() bool { return r.Outcome(r.id).Problem != "" })
	if removed, err := r.store.RemoveSubscription(t.Context(), r.id); !removed || err != nil {
		t.Fatal(removed, err)
	}
	r.Forget(r.id)
	r.Wake()
	time.Sleep(1100 * time.Millisecond)
	if _, tries := r.got(); tries != 1 {
		t.Errorf("it was asked %d times", tries)
	}
}

// The service asks no address of its own network, whatever name leads there.
func TestGuard(t *testing.T) {
	s := newStandIn(t)
	host := strings.TrimPrefix(s.URL, "https://")
	_, port, _ := strings.Cut(host, ":")
	key, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		guard    Guard
		endpoint string
		want     string
	}{
		"an address":            {nil, s.URL + "/x", "127.0.0.1 is not an address of the internet"},
		"a name":                {nil, "https://localhost:" + port + "/x", "is not an address of the internet"},
		"a name that is named":  {Guard{"localhost:" + port}, "https://localhost:" + port + "/x", "certificate"},
		"another port is named": {Guard{"127.0.0.1:1"}, s.URL + "/x", "is not an address of the internet"},
		"it is named":           {Guard{host}, s.URL + "/x", ""},
		"no https":              {Guard{host}, "http://" + host + "/x", "plain https"},
	} {
		to := s.browser.subscription("psh_1", row.endpoint)
		err := NewSender(row.guard, s.roots()).Send(t.Context(), Message{To: &to, Text: []byte("{}"), Key: key, Contact: defaultContact, Now: time.Now()})
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, tries := s.got(); tries != 1 {
		t.Errorf("the push service was asked %d times", tries)
	}
	for _, name := range []string{"", "a/b", "https://a", "a b", "a?b", "u@a"} {
		if (Guard{name}).CheckNames() == nil {
			t.Errorf("%q is a host", name)
		}
	}
	if err := (Guard{"push.example.com", "10.0.0.1:8443", "[fd00::1]:8443"}).CheckNames(); err != nil {
		t.Error(err)
	}
	for contact, ok := range map[string]bool{"": true, "mailto:ops@example.com": true, "https://example.com": true, "ops@example.com": false, "http://example.com": false, "mailto:": false} {
		if err := CheckContact(contact); (err == nil) != ok {
			t.Errorf("%s: %v", contact, err)
		}
	}
}

// The key is made at its first use, is its owner's alone, and stays.
func TestKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x"+Suffix)
	first, err := KeyIn(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := KeyIn(file)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := first.Public()
	if b, _ := again.Public(); a != b || len(decode(t, a)) != 65 {
		t.Errorf("%s, %s", a, b)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for name, spoil := range map[string]func() error{
		"others may read it":   func() error { return os.Chmod(file, 0o644) },
		"it does not hold one": func() error { return os.WriteFile(file, []byte("x"), 0o600) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, err := KeyIn(file); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Chmod(file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Instances that share a shelf have one key, and a damaged one is not replaced.
func TestKeyOn(t *testing.T) {
	m := &shelftest.Memory{}
	a, err := KeyOn(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := KeyOn(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := a.Public()
	second, _ := b.Public()
	if first != second || first == "" {
		t.Errorf("%q and %q", first, second)
	}
	if err := m.Change(t.Context(), func([]byte) ([]byte, error) { return []byte(`"AAAA"`), nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := KeyOn(t.Context(), m); err == nil {
		t.Error("a damaged key signs")
	}
}

// The key of a file goes with its browsers to the instances, once.
func TestCarry(t *testing.T) {
	m, path := &shelftest.Memory{}, filepath.Join(t.TempDir(), "db"+Suffix)
	if err := Carry(t.Context(), path, m); err != nil {
		t.Fatal(err)
	}
	if text, _ := m.Look(t.Context()); text != nil {
		t.Errorf("there is no file, and %s was carried", text)
	}
	k, err := KeyIn(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Carry(t.Context(), path, m); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := KeyIn(path); err != nil { // another one, which comes too late
		t.Fatal(err)
	}
	if err := Carry(t.Context(), path, m); err != nil {
		t.Fatal(err)
	}
	on, err := KeyOn(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := k.Public()
	if got, _ := on.Public(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
