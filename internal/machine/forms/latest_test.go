//go:build unix

package forms

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// What root keeps of a bundle of the organisation holds, whatever the state of
// a person says; what that state has newer is not replaced.
func TestLatest(t *testing.T) {
	for name, tc := range map[string]struct {
		revision string // "" for missing
		err      error
		change   func(d *desk, s *config.BundleSource, c *Client)
	}{
		"the state knows it":        {"r7", nil, func(d *desk, _ *config.BundleSource, _ *Client) { d.record(7, "d7") }},
		"the state knows nothing":   {"r7", nil, func(*desk, *config.BundleSource, *Client) {}},
		"the state is a file":       {"r7", nil, func(d *desk, _ *config.BundleSource, _ *Client) { d.write(filepath.Join(d.state, "bundles"), nil) }},
		"the state is put back":     {"r7", nil, func(d *desk, _ *config.BundleSource, _ *Client) { d.record(6, "d6") }},
		"the state has a later one": {"", nil, func(d *desk, _ *config.BundleSource, _ *Client) { d.record(8, "d8") }},
		"the record is a pipe":      {"r7", nil, func(d *desk, _ *config.BundleSource, _ *Client) { d.record(7, "d7"); d.pipe("bundles/acme/state.json") }},
		"the record is another's": {"r7", nil, func(d *desk, _ *config.BundleSource, _ *Client) {
			d.record(7, "d7")
			d.replace("bundles/acme/state.json", "acme", "evil")
		}},
		"the key is another": {"", nil, func(d *desk, s *config.BundleSource, _ *Client) { d.write(s.Keys["k"], []byte("other")) }},
		"it has expired": {"r7", errExpired, func(_ *desk, _ *config.BundleSource, c *Client) {
			c.now = func() time.Time { return noon.Add(48 * time.Hour) }
		}},
		"max_age, without a contact": {"r7", errContact, func(*desk, *config.BundleSource, *Client) {}},
		"others may write it": {"", nil, func(d *desk, _ *config.BundleSource, _ *Client) {
			os.Chmod(filepath.Join(d.managed(), "forms", "acme"+latestEnd), 0o666)
		}},
		"the directory is others'": {"", nil, func(d *desk, _ *config.BundleSource, _ *Client) { os.Chmod(filepath.Join(d.managed(), "forms"), 0o777) }},
		"it is the person's":       {"", nil, func(_ *desk, s *config.BundleSource, _ *Client) { s.Origin.Layer = config.User }},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			if err := os.Mkdir(d.managed(), 0o755); err != nil {
				t.Fatal(err)
			}
			key := filepath.Join(d.managed(), "key.pem")
			d.write(key, []byte("a key"))
			s := config.BundleSource{Name: "acme", URL: "/b", Keys: map[string]string{"k": key}, Origin: policy.Origin{Layer: config.Managed, File: d.file}}
			if strings.HasPrefix(name, "max_age") {
				s.MaxAge = 12 * time.Hour
			}
			c := NewClient(New(d.managed(), ""), d.state, "")
			c.now = func() time.Time { return noon }
			for i := uint64(6); i <= 7; i++ {
				c.Keep(&s, Bundle{Revision: fmt.Sprint("r", i), Digest: fmt.Sprint("d", i), Sequence: i, Expires: noon.Add(24 * time.Hour)},
					[]config.File{{Layer: config.Bundle, Bundle: "acme", Name: "bundle acme: a.yaml", Data: []byte("version: 1\n"), Admit: config.Everything}})
			}
			tc.change(d, &s, c)
			b := c.Bundles([]config.BundleSource{s}, nil)[0]
			if c.Missing() != (tc.revision == "") || b.Revision != tc.revision || tc.revision != "" && (b.Err != tc.err || len(b.Files) != 1) {
				t.Errorf("missing is %t: %+v", c.Missing(), b)
			}
		})
	}
}

// What policyctl itself takes from root is only more than what it has.
func TestOfRoot(t *testing.T) {
	d := newDesk(t)
	if err := os.Mkdir(d.managed(), 0o755); err != nil {
		t.Fatal(err)
	}
	s := config.BundleSource{Name: "acme", URL: "/b", Origin: policy.Origin{Layer: config.Managed, File: d.file}}
	c := NewClient(New(d.managed(), ""), d.state, "")
	c.Keep(&s, Bundle{Revision: "r7", Digest: "d7", Sequence: 7}, []config.File{{Layer: config.Bundle, Bundle: "acme", Name: "a.yaml", Data: []byte("version: 1\n")}})
	for _, row := range []struct {
		sequence uint64
		have     bool
		want     bool
	}{{0, false, true}, {6, true, true}, {7, true, false}, {8, true, false}} {
		b := c.OfRoot(&s, row.sequence, row.have)
		if (b != nil) != row.want || b != nil && (b.Err == nil || len(b.Files) != 1) {
			t.Errorf("%+v: %+v", row, b)
		}
	}
}

func (d *desk) managed() string { return filepath.Join(filepath.Dir(d.state), "etc") }

func (d *desk) pipe(name string) {
	d.t.Helper()
	os.Remove(filepath.Join(d.state, name))
	if err := syscall.Mkfifo(filepath.Join(d.state, name), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) replace(name, old, text string) {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.state, name))
	if err != nil || !json.Valid(data) {
		d.t.Fatal(err)
	}
	d.write(filepath.Join(d.state, name), []byte(strings.ReplaceAll(string(data), old, text)))
}
