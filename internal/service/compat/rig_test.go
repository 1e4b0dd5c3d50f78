package compat

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/schemas"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/internal/service/stream"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A rig is a service with these routes, and tokens of some people.
type rig struct {
	*servertest.Service
	t           *testing.T
	agent, boss string // tokens: submit, and approve with read
	log         *logged
	handler     *Handler
}

// newRig starts a service; change may be nil.
func newRig(t *testing.T, change func(*servertest.Options, *Handler)) *rig {
	t.Helper()
	r := &rig{t: t, log: &logged{}}
	var o servertest.Options
	o.Log = r.log
	o.More = func(hub *stream.Hub) []route.Family {
		r.handler = New(hub, schemas.Dir(filepath.Join(t.TempDir(), "plugins")))
		if change != nil {
			change(&o, r.handler)
		}
		return r.handler.Families()
	}
	if change != nil {
		change(&o, &Handler{})
	}
	r.Service = servertest.New(t, o)
	r.agent, r.boss = r.Token(t, "agent", "submit"), r.Token(t, "boss", "approve,read")
	return r
}

// A logged is what a service logs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// do sends a body, "" for none, and fails unless the answer has the status.
func (r *rig) do(want int, token, method, path, body string) servertest.Answer {
	r.t.Helper()
	a := r.Do(r.t, token, method, path, body)
	if a.Status != want {
		r.t.Fatalf("%s %s %.200s: %d, want %d: %s", method, path, body, a.Status, want, a.Text)
	}
	return a
}

// url is what serve prints for clients of clauz3.
func (r *rig) url() string { return r.URL + "/s/" + r.agent }

// propose submits a call natively and returns the id of its request.
func (r *rig) propose(session, command string) string {
	r.t.Helper()
	call := fmt.Sprintf(`{"call":{"id":"c","tool":"shell","input":{"command":%q},"session":%q,"dir":"/src","agent":"claude"}}`, command, session)
	return r.do(201, r.agent, "POST", "/v1/requests", call).At("id").(string)
}

// pending waits until a request with an id or a name stands, and returns its
// id.
func (r *rig) pending(id string) string {
	r.t.Helper()
	for range 500 {
		if q, err := r.Backend.Service.Get(r.t.Context(), id); err == nil && q.State == approval.Pending {
			return id
		}
		f := approval.Filter{Name: id, States: []approval.State{approval.Pending}}
		if list, err := r.Backend.Service.List(r.t.Context(), f); err == nil && len(list) == 1 {
			return list[0].ID
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Fatalf("%s is not pending", id)
	return ""
}

// records returns a list of programs.
func (r *rig) records(token, path string) (list []map[string]any) {
	r.t.Helper()
	a := r.do(200, token, "GET", path, "")
	if err := json.Unmarshal([]byte(a.Text), &list); err != nil {
		r.t.Fatalf("%v: %s", err, a.Text)
	}
	return list
}

// A stock is a client of clauz3 as its protocol says: it posts what was proved
// to a URL, and waits.
type stock struct{ url string }

// body returns a submission; changes replace its keys, and nil removes one.
func body(id, program string, changes map[string]any) string {
	sum := sha256.Sum256([]byte(program))
	keys := map[string]any{
		"schema_version": 1, "kind": "clauz3.run", "request_id": id, "program_sha256": hex.EncodeToString(sum[:]),
		"source_name": "cases/only_bob_pass.py", "target": "main", "trusted_roots": []string{"tools/email/trusted"},
		"import_roots": []string{"."}, "guarantees": []string{"emails.only(['bob@example.com'])"},
		"proofs":  []any{map[string]any{"name": "main", "conclusion": "proved!", "description": "assertion, guarantee"}},
		"program": program,
	}
	maps.Copy(keys, changes)
	maps.DeleteFunc(keys, func(_ string, v any) bool { return v == nil })
	text, err := json.Marshal(keys)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A verdict is what the client makes of the answer.
type verdict struct {
	Decision string  `json:"decision"`
	Receipt  *string `json:"receipt"`
	Feedback *string `json:"feedback"`
	ID       string  `json:"request_id"`
}

// runs reports whether the client runs the program.
func (v verdict) runs() bool {
	switch v.Decision {
	case "approved_once", "approved_remember", "auto_approved":
		return v.Receipt != nil && *v.Receipt != ""
	}
	return false
}

func (v verdict) feedback() string {
	if v.Feedback == nil {
		return ""
	}
	return *v.Feedback
}

func (s stock) run(body string) (verdict, error) {
	res, err := http.Post(strings.TrimRight(s.url, "/")+"/requests", "application/json", strings.NewReader(body))
	if err != nil {
		return verdict{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return verdict{}, err
	}
	if res.StatusCode != 200 {
		return verdict{}, fmt.Errorf("approval service: %d %s", res.StatusCode, text)
	}
	var v verdict
	if json.Unmarshal(text, &v) != nil || v.Decision == "" {
		return v, errors.New("no decision")
	}
	return v, nil
}

// An outcome is what became of a client.
type outcome struct {
	verdict
	err error
}

// start runs a client beside the test.
func (s stock) start(body string) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		v, err := s.run(body)
		done <- outcome{v, err}
	}()
	return done
}

func wait(t *testing.T, done <-chan outcome) outcome {
	t.Helper()
	select {
	case o := <-done:
		return o
	case <-time.After(20 * time.Second):
		t.Fatal("no answer")
		panic("unreachable")
	}
}

func pause() { time.Sleep(20 * time.Millisecond) }
