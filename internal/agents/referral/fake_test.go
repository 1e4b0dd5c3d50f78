package referral_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/rendezvous"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A fake is an approval service over a Unix socket whose decider is a
// function. It speaks what the client of pkg/approval needs.
type fake struct {
	t      *testing.T
	key    approval.PrivateKey
	socket string
	// decide changes a request that was submitted; nil lets it be.
	decide func(f *fake, r *approval.Request)
	// down has the service fail for what a path begins with.
	down func(r *http.Request) bool

	mu       sync.Mutex
	requests []*approval.Request
	log      []string
}

// serve starts a fake and tells the machine of it.
func serve(t *testing.T, state string, decide func(*fake, *approval.Request)) *fake {
	t.Helper()
	f := &fake{t: t, key: approval.NewPrivateKey(), decide: decide, socket: filepath.Join(t.TempDir(), "s")}
	l, err := net.Listen("unix", f.socket)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: f.routes()}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	keys, err := json.Marshal(approval.KeysOf(approval.NewKey(f.key.Public(), time.Time{})))
	if err == nil {
		err = rendezvous.Write(state, rendezvous.Info{Socket: f.socket, Keys: keys, PID: 1, Started: time.Now()})
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fake) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/requests", f.submit)
	mux.HandleFunc("GET /v1/requests", func(w http.ResponseWriter, _ *http.Request) { f.say(w, map[string]any{"requests": f.requests}) })
	mux.HandleFunc("GET /v1/requests/{id}", f.await)
	mux.HandleFunc("POST /v1/requests/{id}/cancel", func(w http.ResponseWriter, r *http.Request) {
		f.change(w, r.PathValue("id"), func(q *approval.Request) { q.State = approval.Cancelled })
	})
	mux.HandleFunc("POST /v1/receipts/consume", f.consume)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.log = append(f.log, r.Method+" "+r.URL.Path)
		down := f.down != nil && f.down(r)
		f.mu.Unlock()
		if down {
			panic(http.ErrAbortHandler) // as if it were killed
		}
		mux.ServeHTTP(w, r)
	})
}

// say writes an answer; the lock is for what is in it.
func (f *fake) say(w http.ResponseWriter, v any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = json.NewEncoder(w).Encode(v)
}

func (f *fake) submit(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Key     string
		Call    json.RawMessage
		Asked   approval.Asked
		Timeout string
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		f.t.Error(err)
	}
	call, err := policy.DecodeCall(in.Call)
	if err != nil {
		f.t.Error(err)
		return
	}
	hash, err := approval.HashOf(call)
	if err != nil {
		f.t.Error(err)
	}
	f.mu.Lock()
	q := &approval.Request{
		ID: fmt.Sprintf("req_%d", len(f.requests)+1), State: approval.Pending, Kind: approval.KindCall, Key: in.Key, Hash: hash,
		Call: in.Call, Tool: call.Tool, Session: call.Session, Agent: call.Agent, Dir: call.Dir, Asked: in.Asked,
	}
	f.requests = append(f.requests, q)
	f.mu.Unlock()
	if f.decide != nil {
		f.decide(f, q)
	}
	f.say(w, q)
}

// await holds the question until the request is decided, or as long as it may.
func (f *fake) await(w http.ResponseWriter, r *http.Request) {
	wait, err := time.ParseDuration(r.URL.Query().Get("wait"))
	if err != nil {
		f.t.Error(err)
	}
	for end := time.Now().Add(wait); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		f.mu.Lock()
		over := f.find(r.PathValue("id")).State != approval.Pending
		f.mu.Unlock()
		if over {
			break
		}
	}
	f.change(w, r.PathValue("id"), func(*approval.Request) {})
}

func (f *fake) change(w http.ResponseWriter, id string, change func(*approval.Request)) {
	f.mu.Lock()
	q := f.find(id)
	change(q)
	f.mu.Unlock()
	f.say(w, q)
}

func (f *fake) find(id string) *approval.Request {
	for _, q := range f.requests {
		if q.ID == id {
			return q
		}
	}
	f.t.Errorf("no request %s", id)
	return &approval.Request{}
}

func (f *fake) consume(w http.ResponseWriter, r *http.Request) {
	var in struct{ Receipt string }
	_ = json.NewDecoder(r.Body).Decode(&in)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, q := range f.requests {
		if q.Receipt == nil || q.Receipt.Text != in.Receipt {
			continue
		}
		if q.Receipt.Consumed != nil {
			w.WriteHeader(http.StatusConflict)
			_, _ = w.Write([]byte(`{"code":"receipt-consumed","detail":"used","hint":"ask again"}`))
			return
		}
		now := time.Now()
		q.Receipt.Consumed = &now
		_ = json.NewEncoder(w).Encode(q)
		return
	}
	w.WriteHeader(http.StatusUnprocessableEntity)
}

// approve gives a receipt for what a request is about, after a change.
func (f *fake) approve(q *approval.Request, by approval.PrivateKey, spoil func(*approval.Claims)) {
	f.approveAs(q, approval.NewKey(by.Public(), time.Time{}).ID, by, spoil)
}

// approveAs signs in the name of a key.
func (f *fake) approveAs(q *approval.Request, kid string, by approval.PrivateKey, spoil func(*approval.Claims)) {
	now := time.Now()
	c := approval.Claims{
		ID: "rcp_" + q.ID, Request: q.ID, Hash: q.Hash, Submitter: "peer", Stage: q.Asked.Stage, Rule: q.Asked.Rule,
		Revision: q.Asked.Revision, Word: approval.ApprovedOnce, Scope: approval.Once, By: "token:ann", Source: approval.Human,
		Issued: now.Unix(), NotBefore: now.Unix(), Expires: now.Add(5 * time.Minute).Unix(), Uses: 1,
	}
	if spoil != nil {
		spoil(&c)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	q.State = approval.Approved
	q.Decision = &approval.Decision{Word: approval.ApprovedOnce, Scope: approval.Once, By: "token:ann", Source: approval.Human}
	q.Receipt = &approval.Issued{ID: c.ID, Text: sign(kid, by, c), Expires: now.Add(5 * time.Minute)}
}

// sign writes a receipt as RFC 7515 says.
func sign(kid string, key approval.PrivateKey, c approval.Claims) string {
	encode := base64.RawURLEncoding.EncodeToString
	payload, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	text := encode([]byte(`{"alg":"EdDSA","kid":"`+kid+`","typ":"policyctl-receipt+jwt"}`)) + "." + encode(payload)
	return text + "." + encode(ed25519.Sign(ed25519.PrivateKey(key), []byte(text)))
}

func approves(f *fake, q *approval.Request) { f.approve(q, f.key, nil) }

func denies(f *fake, q *approval.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	q.State = approval.Denied
	q.Decision = &approval.Decision{Word: approval.Rejected, By: "token:ann", Source: approval.Human, Reason: "not on a Friday"}
}

// later decides while the hook waits.
func later(decide func(*fake, *approval.Request)) func(*fake, *approval.Request) {
	return func(f *fake, q *approval.Request) {
		go func() {
			time.Sleep(50 * time.Millisecond)
			decide(f, q)
		}()
	}
}

// seen waits until the service has got something.
func (f *fake) seen(ctx context.Context, what string) bool {
	for ctx.Err() == nil {
		f.mu.Lock()
		for _, line := range f.log {
			if line == what {
				f.mu.Unlock()
				return true
			}
		}
		f.mu.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
	return false
}
