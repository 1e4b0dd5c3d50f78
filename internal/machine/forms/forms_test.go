//go:build unix

package forms

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A desk is a person's state with a large policy.
type desk struct {
	t            *testing.T
	state, file  string
	text, digest string
}

func newDesk(t *testing.T) *desk {
	dir := t.TempDir()
	d := &desk{t: t, state: filepath.Join(dir, "state"), file: filepath.Join(dir, "policy.yaml"), text: large()}
	d.digest = fmt.Sprintf("%x", sha256.Sum256([]byte(d.text)))
	if err := os.Mkdir(d.state, 0o700); err != nil {
		t.Fatal(err)
	}
	d.write(d.file, []byte(d.text))
	return d
}

func large() string {
	var b strings.Builder
	b.WriteString("version: 1\nrules:\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "  - {id: r%d, reason: programs of other teams, when: {shell.program: tool%d}, decision: deny}\n", i, i)
	}
	return b.String()
}

func (d *desk) write(path string, data []byte) {
	d.t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// prepared has a process of its own add the form of the policy.
func (d *desk) prepared() *config.Prepared {
	f := config.File{Layer: config.User, Name: d.file, Data: []byte(d.text), Admit: config.Everything}
	New("", d.state).Prepare(&f, d.file, d.digest)
	return f.Prepared
}

// kept is the only form, "" where there is none.
func (d *desk) kept() string {
	d.t.Helper()
	all, err := filepath.Glob(filepath.Join(d.state, "forms", "*"+formEnd))
	if err != nil || len(all) != 1 {
		d.t.Fatalf("%v (%v)", all, err)
	}
	return all[0]
}

func (d *desk) load() []byte {
	owner, _ := ownerOf(d.file)
	return New("", d.state).load(d.digest, owner)
}

// A form is made where there is none, is used after, and counts only as it was
// made, where nobody else can write it.
func TestForms(t *testing.T) {
	for name, change := range map[string]func(d *desk, form string){
		"a byte is changed": func(d *desk, form string) {
			data, _ := os.ReadFile(form)
			data[len(data)/2] ^= 1
			d.write(form, data)
		},
		"it is cut": func(d *desk, form string) { os.Truncate(form, 1000) },
		"it is a link": func(d *desk, form string) {
			os.Rename(form, form+"x")
			os.Symlink(form+"x", form)
		},
		"others may write it":            func(d *desk, form string) { os.Chmod(form, 0o602) },
		"a group may write it":           func(d *desk, form string) { os.Chmod(form, 0o620) },
		"others may write its directory": func(d *desk, form string) { os.Chmod(filepath.Dir(form), 0o777) },
		"others may write the state":     func(d *desk, form string) { os.Chmod(d.state, 0o777) },
		"the directory is a link": func(d *desk, form string) {
			os.Rename(filepath.Dir(form), d.state+"/other")
			os.Symlink("other", filepath.Dir(form))
		},
		"it is of somebody else": func(d *desk, form string) {
			if os.Getuid() != 0 || os.Chown(form, 4711, 4711) != nil {
				os.Remove(form)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			if d.prepared() == nil || d.load() == nil {
				t.Fatal("no form is made")
			}
			change(d, d.kept())
			if d.load() != nil {
				t.Error("the form counts")
			}
		})
	}
}

// The form of one text is not used for another, however it came to its place.
func TestFormOfAnother(t *testing.T) {
	d := newDesk(t)
	d.prepared()
	old := d.kept()
	d.text = strings.ReplaceAll(d.text, "tool7}", "make}")
	d.digest = fmt.Sprintf("%x", sha256.Sum256([]byte(d.text)))
	if err := os.Rename(old, filepath.Join(d.state, "forms", name(d.digest))); err != nil {
		t.Fatal(err)
	}
	p := d.prepared()
	if p == nil || p.Digest != d.digest {
		t.Error("no form of the new text")
	}
}

// A policy whose owner is another has no form that a person could write.
func TestFormOfTheOrganisation(t *testing.T) {
	if os.Getuid() == 0 {
		d := newDesk(t)
		d.prepared()
		if err := os.Chown(d.kept(), 4711, 4711); err != nil {
			t.Skip(err)
		}
		if d.load() != nil { // the policy is root's
			t.Error("a person's form of root's policy counts")
		}
		return
	}
	if New("", t.TempDir()).load("x", 0) != nil {
		t.Error("a form that is not there")
	}
}

func TestSweep(t *testing.T) {
	d := newDesk(t)
	d.prepared()
	for i := range 2 * most {
		d.write(filepath.Join(d.state, "forms", fmt.Sprint("x", i, formEnd)), nil)
	}
	d.text += "\n"
	d.digest = fmt.Sprintf("%x", sha256.Sum256([]byte(d.text)))
	d.prepared()
	if all, _ := os.ReadDir(filepath.Join(d.state, "forms")); len(all) != most || d.load() == nil {
		t.Errorf("%d forms", len(all))
	}
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// A bundle of a form is that which was activated, for the subscription and the
// keys of then, as long as nothing is wrong with it.
func TestBundles(t *testing.T) {
	for name, tc := range map[string]struct {
		missing bool
		change  func(d *desk, s *config.BundleSource, c *Client)
	}{
		"as it was":      {false, func(*desk, *config.BundleSource, *Client) {}},
		"another key":    {true, func(d *desk, s *config.BundleSource, _ *Client) { d.write(s.Keys["k"], []byte("other")) }},
		"no key":         {true, func(d *desk, s *config.BundleSource, _ *Client) { os.Remove(s.Keys["k"]) }},
		"keys are due":   {true, func(_ *desk, s *config.BundleSource, _ *Client) { s.Keys = nil }},
		"another scope":  {true, func(_ *desk, s *config.BundleSource, _ *Client) { s.Scope = "x" }},
		"another server": {true, func(_ *desk, s *config.BundleSource, _ *Client) { s.URL = "/other" }},
		"another line":   {false, func(_ *desk, s *config.BundleSource, _ *Client) { s.Origin.Line = 9 }},
		"expired": {true, func(_ *desk, _ *config.BundleSource, c *Client) {
			c.now = func() time.Time { return noon.Add(48 * time.Hour) }
		}},
		"the last second": {false, func(_ *desk, _ *config.BundleSource, c *Client) {
			c.now = func() time.Time { return noon.Add(24*time.Hour - 1) }
		}},
		"stale": {true, func(_ *desk, _ *config.BundleSource, c *Client) {
			c.now = func() time.Time { return noon.Add(13 * time.Hour) }
		}},
		"the clock is set back": {true, func(_ *desk, _ *config.BundleSource, c *Client) {
			c.now = func() time.Time { return noon.Add(-time.Hour) }
		}},
		"a later one was seen": {true, func(d *desk, _ *config.BundleSource, _ *Client) { d.record(8, "d8") }},
		"an older one is kept": {true, func(d *desk, _ *config.BundleSource, _ *Client) { d.record(8, "d7") }},
		"no record":            {true, func(d *desk, _ *config.BundleSource, _ *Client) { os.RemoveAll(filepath.Join(d.state, "bundles")) }},
		"others may write it":  {true, func(d *desk, _ *config.BundleSource, _ *Client) { os.Chmod(d.kept(), 0o666) }},
		"it is damaged": {true, func(d *desk, _ *config.BundleSource, _ *Client) {
			data, _ := os.ReadFile(d.kept())
			data[len(bundleMagic)+10] ^= 1
			d.write(d.kept(), data)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.record(7, "d7")
			key := filepath.Join(d.state, "key.pem")
			d.write(key, []byte("a key"))
			s := config.BundleSource{Name: "acme", URL: "/b", Keys: map[string]string{"k": key}, Origin: policy.Origin{Layer: config.User, File: d.file, Line: 3}}
			files := []config.File{{Layer: config.Bundle, Bundle: "acme", Name: "bundle acme: rules.yaml", Data: []byte(d.text), Admit: config.Everything}, {Layer: config.Bundle, Bundle: "acme", Name: "bundle acme: small.yaml", Data: []byte("version: 1\n"), Admit: config.Everything}}
			if strings.Contains(name, "stale") {
				s.MaxAge = 12 * time.Hour
			}
			if strings.Contains(name, "clock") {
				s.MaxAge = 12 * time.Hour
			}
			d.client().Keep(&s, Bundle{Revision: "r7", Digest: "d7", Sequence: 7, Expires: noon.Add(24 * time.Hour)}, files)
			c := d.client()
			tc.change(d, &s, c)
			b := c.Bundles([]config.BundleSource{s}, nil)[0]
			if c.Missing() != tc.missing || (b.Err != nil) != tc.missing {
				t.Fatalf("missing is %t: %v", c.Missing(), b.Err)
			}
			if tc.missing {
				return
			}
			if b.Revision != "r7" || b.Digest != "d7" || len(b.Files) != 2 || b.Files[0].Prepared == nil || b.Files[1].Prepared != nil || string(b.Files[0].Data) != d.text {
				t.Errorf("%+v", b)
			}
			got, err := config.Load(policy.Defaults(), b.Files...)
			want, wantErr := config.Load(policy.Defaults(), files...)
			if err != nil || wantErr != nil || got.Revision != want.Revision {
				t.Errorf("%v, %v", err, wantErr)
			}
		})
	}
}

func (d *desk) client() *Client {
	c := NewClient(New("", d.state), d.state, "/home/dev")
	c.now = func() time.Time { return noon }
	return c
}

func (d *desk) record(highest uint64, digest string) {
	d.t.Helper()
	dir := filepath.Join(d.state, "bundles", "acme")
	data, err := json.Marshal(record{recordVersion, "acme", highest, digest, noon})
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	d.write(filepath.Join(dir, "state.json"), data)
}
