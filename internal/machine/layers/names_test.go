package layers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/own"
)

// written is a policy with one permission for make, and further keys, as a file
// of that name is written.
func written(name, action string, more ...string) string {
	switch filepath.Ext(name) {
	case ".toml":
		return "version = 1\n" + strings.Join(append(more, ""), "\n") + "[permissions]\n\"shell make *\" = \"" + action + "\"\n"
	case ".json":
		keys := append([]string{`"version": 1`, `"permissions": {"shell make *": "` + action + `"}`}, more...)
		return "{\n\t" + strings.Join(keys, ",\n\t") + "\n}\n"
	}
	return "version: 1\n" + strings.Join(append(more, ""), "\n") + "permissions: {\"shell make *\": " + action + "}\n"
}

// A policy counts in each layer under each name as it does under the first.
func TestNames(t *testing.T) {
	for _, name := range own.PolicyNames() {
		for dir, allows := range map[string]string{"etc": "allow", "home/.config/policyctl": "allow", "w/.policyctl": "ask", "w/app/.policyctl": "ask"} {
			tr := newTree(t)
			path := tr.write(filepath.Join(dir, name), written(name, "allow"))
			if p := tr.load(); p.Err != nil || tr.verdict(p, "make x") != allows || len(p.Sources) != 1 || p.Sources[0].Path != path {
				t.Errorf("%s in %s: %v, %+v", name, dir, p.Err, p.Sources)
			}
			tr.write(filepath.Join(dir, name), written(name, "deny"))
			if got := tr.verdict(tr.load(), "make x"); got != "deny" {
				t.Errorf("%s in %s: a deny gives %s", name, dir, got)
			}
			tr.write(filepath.Join(dir, name), written(name, "dney"))
			if p := tr.load(); p.Err == nil || !strings.Contains(p.Err.Error(), path+":") || !strings.Contains(p.Err.Error(), "did you mean deny?") {
				t.Errorf("%s in %s: %v", name, dir, p.Err)
			}
		}
	}
}

// What the organisation locks holds whatever the formats of the files.
func TestNamesLocked(t *testing.T) {
	for _, name := range own.PolicyNames() {
		tr := newTree(t)
		lock := map[string]string{".toml": "locked = ['security']", ".json": `"locked": ["security"]`, ".yaml": "locked: [security]"}[filepath.Ext(name)]
		tr.write("etc/"+name, written(name, "ask", lock))
		tr.write("home/.config/policyctl/policy.toml", "version = 1\nsecurity.confirm_policy = 'dangerous_only'\n")
		if p := tr.load(); p.Err != nil || tr.verdict(p, "touch x") != "ask" || len(p.Held()) != 1 {
			t.Errorf("%s: %v, %+v", name, p.Err, p.Held())
		}
	}
}

// Trust is for one content at one path, whatever its name.
func TestNamesTrusted(t *testing.T) {
	for _, name := range own.PolicyNames() {
		tr := newTree(t)
		at := tr.write("w/app/.policyctl/"+name, written(name, "allow"))
		for _, path := range []string{at, tr.path("w/app"), tr.path("w/app/.policyctl")} {
			if got, ok := ProjectAt(path); got != at || !ok {
				t.Errorf("%s: %s, %t", path, got, ok)
			}
		}
		tr.trust(at)
		if got := tr.verdict(tr.load(), "make x"); got != "allow" {
			t.Errorf("%s, trusted: %s", name, got)
		}
		tr.write("w/app/.policyctl/"+name, written(name, "allow")+"\n")
		if p := tr.load(); tr.verdict(p, "make x") != "ask" || !p.Sources[0].Changed {
			t.Errorf("%s, changed: %+v", name, p.Sources)
		}
		tr.trust(at)
		others := slices.DeleteFunc(own.PolicyNames(), func(n string) bool { return n == name })
		must(0, os.Rename(at, tr.path("w/app/.policyctl/"+others[0])))
		record := must(tr.ReadTrust())
		if got := tr.verdict(tr.load(), "make x"); got != "ask" || record.State(record.Files[0]) != ErrAbsent.Error() {
			t.Errorf("%s, under another name: %s, %s", name, got, record.State(record.Files[0]))
		}
		tr.write("w/app/.policyctl/"+name, written(name, "allow"))
		if got := record.State(record.Files[0]); !strings.Contains(got, "a directory holds one policy") {
			t.Errorf("%s beside another: %s", name, got)
		}
	}
}

// Two policies in one directory are none: what others deny holds, and nothing
// is allowed.
func TestTwoPolicies(t *testing.T) {
	names := own.PolicyNames()
	for _, dir := range []string{"etc", "home/.config/policyctl", "w/.policyctl", "w/app/.policyctl"} {
		for i, first := range names {
			for _, second := range names[i+1:] {
				tr := newTree(t)
				tr.write(filepath.Join(dir, first), written(first, "allow"))
				tr.write("etc/policy.d/a.json", `{"version": 1, "permissions": {"shell curl *": "deny"}}`)
				tr.write(filepath.Join(dir, second), written(second, "allow"))
				p := tr.load()
				if p.Err == nil || !strings.Contains(p.Err.Error(), tr.path(filepath.Join(dir, first))+": "+second+" lies beside it") ||
					!strings.Contains(p.Err.Error(), tr.path(filepath.Join(dir, second))+": "+first+" lies beside it") {
					t.Errorf("%s and %s in %s: %v", first, second, dir, p.Err)
				}
				if got := tr.verdict(p, "make x") + " " + tr.verdict(p, "ls") + " " + tr.verdict(p, "curl x"); got != "ask ask deny" {
					t.Errorf("%s and %s in %s: %s", first, second, dir, got)
				}
			}
		}
	}
}

// A link is a name too: one that leads out of a project is not read, one beside
// the policy is a second one, and what those of the person lead to is protected.
func TestNamesLinked(t *testing.T) {
	for _, name := range own.PolicyNames()[1:] {
		tr := newTree(t)
		target := tr.write("elsewhere/x", written(name, "allow"))
		must(0, os.MkdirAll(tr.path("w/app/.policyctl"), 0o755))
		must(0, os.Symlink(target, tr.path("w/app/.policyctl/"+name)))
		if p := tr.load(); p.Err == nil || !strings.Contains(p.Err.Error(), "it is a link that leaves the project") {
			t.Errorf("%s: %v", name, p.Err)
		}
		tr = newTree(t)
		tr.write(innerFile, denyMake)
		must(0, os.Symlink("policy.yaml", tr.path("w/app/.policyctl/"+name)))
		if p := tr.load(); p.Err == nil || tr.verdict(p, "ls") != "ask" {
			t.Errorf("%s beside its target: %v", name, p.Err)
		}
		tr = newTree(t)
		target = tr.write("elsewhere/x", written(name, "allow"))
		must(0, os.MkdirAll(tr.Config, 0o755))
		must(0, os.Symlink(target, filepath.Join(tr.Config, name)))
		if p := tr.load(); p.Err != nil || tr.verdict(p, "make x") != "allow" || !slices.Contains(p.Settings.Protect, target) || tr.verdict(p, "tee "+target) != "deny" {
			t.Errorf("%s: %v, %q", name, p.Err, p.Settings.Protect)
		}
	}
}

// A program that keeps running follows its files under all names.
func TestNamesLive(t *testing.T) {
	tr := newTree(t)
	l, reports := tr.follow()
	user := "home/.config/policyctl/"
	for _, s := range []struct {
		want, what string
		edit       func()
	}{
		{"ask", "nothing", func() {}},
		{"allow", "JSON", func() { tr.write(user+"policy.json", written("x.json", "allow")) }},
		{"allow", "a second file", func() { tr.write(user+"policy.toml", written("x.toml", "deny")) }},
		{"deny", "the first removed", func() { must(0, os.Remove(tr.path(user+"policy.json"))) }},
		{"allow", "an edit of TOML", func() { tr.write(user+"policy.toml", written("x.toml", "allow")) }},
		{"allow", "a bad one", func() { tr.write(user+"policy.toml", "version = 1\npermissions = [\n") }},
		{"deny", "a good one", func() { tr.write(user+"policy.toml", written("x.toml", "deny")) }},
		{"ask", "under another name", func() {
			must(0, os.Rename(tr.path(user+"policy.toml"), tr.path(user+"config.toml")))
			tr.write(user+"config.toml", written("x.toml", "ask"))
		}},
		{"deny", "a project", func() { tr.write("w/app/.policyctl/config.toml", written("x.toml", "deny")) }},
		{"ask", "the project's removed", func() { must(0, os.Remove(tr.path("w/app/.policyctl/config.toml"))) }},
		{"deny", "a file of the organisation", func() { tr.write("etc/policy.d/a.toml", written("x.toml", "deny")) }},
	} {
		s.edit()
		if got := tr.decide(l.Engine(), "make x"); got != s.want {
			t.Errorf("%s: %s, want %s", s.what, got, s.want)
		}
	}
	tr.write("w/app/.policyctl/policy.yaml", "version: 1\n")
	time.Sleep(2 * tick) // then only what looks different is read again
	l.Engine()
	old := time.Now().Add(-time.Hour)
	must(0, os.Chtimes(tr.write("w/app/.policyctl/config.toml", ""), old, old))
	l.Engine()
	if r := *reports; r[len(r)-2] != "good" || r[len(r)-1] != "bad" {
		t.Errorf("a second policy of a project is not told: %v", r)
	}
}
