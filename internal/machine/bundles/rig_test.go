package bundles

import (
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// The key of the organisation, and one that nobody trusts.
var (
	org   = curve()
	other = curve()
)

func curve() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

// private and public are keys in PEM.
func private(key *ecdsa.PrivateKey) string {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

func public(key *ecdsa.PrivateKey) string {
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// A rig is a server of bundles that is a collector too, and a directory of
// state that the clients of a test share.
type rig struct {
	*testing.T
	url, dir string

	mu       sync.Mutex
	archives map[string][]byte // by path
	asked    []*http.Request   // for bundles
	posted   map[string]string // by path, what came last
	tokens   map[string]string // by path, who sent it
	down     bool
	time     time.Time
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{T: t, dir: t.TempDir(), archives: map[string][]byte{}, posted: map[string]string{}, tokens: map[string]string{}, time: noon}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	r.write("key", public(org))
	return r
}

// ServeHTTP serves archives with the digest as their tag, and takes reports.
func (r *rig) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if q.Method == http.MethodPost {
		r.posted[q.URL.Path], r.tokens[q.URL.Path] = text(q), q.Header.Get("Authorization")
		return
	}
	r.asked = append(r.asked, q)
	archive, ok := r.archives[q.URL.Path]
	switch tag := fmt.Sprintf("\"%x\"", sha256.Sum256(archive)); {
	case r.down:
		http.Error(w, "down", http.StatusServiceUnavailable)
	case !ok:
		http.NotFound(w, q)
	case q.Header.Get("If-None-Match") == tag:
		w.WriteHeader(http.StatusNotModified)
	default:
		w.Header().Set("ETag", tag)
		w.Header().Set("Content-Type", "application/gzip")
		w.Write(archive)
	}
}

// text returns the body of a request.
func text(q *http.Request) string {
	body := io.Reader(q.Body)
	if q.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(q.Body)
		if err != nil {
			return err.Error()
		}
		body = unpacked
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func (r *rig) path(name string) string { return filepath.Join(r.dir, name) }

func (r *rig) write(name, text string) {
	r.Helper()
	if err := os.WriteFile(r.path(name), []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
}

// publish serves a signed bundle whose revision is r and its sequence number,
// with one policy.
func (r *rig) publish(path string, sequence uint64, edit ...func(*bundle.Bundle)) {
	r.Helper()
	b := &bundle.Bundle{
		Revision: fmt.Sprintf("r%d", sequence), Sequence: sequence, Roots: []string{"policyctl"},
		Policies: []bundle.File{{Name: "rules.yaml", Text: fmt.Sprintf("version: 1\nrules:\n  - {id: rule-%d, when: {shell.program: make}, decision: deny}\n", sequence)}},
	}
	for _, e := range edit {
		e(b)
	}
	archive, err := bundle.Write(b)
	if err == nil {
		archive, err = bundle.Sign(archive, bundle.SigningKey{ID: "org", PEM: private(org)})
	}
	if err != nil {
		r.Fatal(err)
	}
	r.serve(path, archive)
}

// serve serves an archive; nil stands for none.
func (r *rig) serve(path string, archive []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if archive == nil {
		delete(r.archives, path)
		return
	}
	r.archives[path] = archive
}

func (r *rig) turn(down bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down = down
}

func (r *rig) requests() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.asked)
}

func (r *rig) report(path string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.posted[path]
}

func (r *rig) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.time
}

func (r *rig) pass(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.time = r.time.Add(d)
}

// client is a process with the clock of the rig. It ends with the test.
func (r *rig) client(mode Mode) *Client {
	r.Helper()
	c := New(mode, r.path("state"), r.dir)
	c.now = r.now
	r.Cleanup(func() { c.Close() })
	return c
}

// source subscribes to what lies at /NAME.
func (r *rig) source(name string, edit ...func(*config.BundleSource)) config.BundleSource {
	s := config.BundleSource{
		Name: name, URL: r.url + "/" + name, Keys: map[string]string{"org": r.path("key")},
		Origin: policy.Origin{Layer: config.User, File: "policy.yaml", Line: 3},
	}
	for _, e := range edit {
		e(&s)
	}
	return s
}

// until waits for what another goroutine does.
func (r *rig) until(what string, done func() bool) {
	r.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.Fatal("in vain: ", what)
}

// one is what a client has of one subscription.
func one(c *Client, s config.BundleSource) layers.Bundle {
	return c.Bundles([]config.BundleSource{s}, nil)[0]
}
