package bundles

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A machine has an organisation with a bundle, a person, and a project in a
// project, each of which denies a program of its own.
type machine struct {
	*rig
	place  layers.Place
	client *Client
	more   []config.File
}

// files are those of the layers, by the name that the test gives each.
var files = map[string]string{
	"managed": "etc/policy.yaml",
	"folder":  "etc/policy.d/10.yaml",
	"user":    "home/.config/policyctl/policy.yaml",
	"own":     "home/.config/policyctl/policy.d/10.yaml",
	"outer":   "w/.policyctl/policy.yaml",
	"inner":   "w/app/.policyctl/policy.yaml",
}

func newMachine(t *testing.T) *machine {
	m := &machine{rig: newRig(t)}
	m.place = layers.Fixed(m.path("home"), "")
	m.place.Managed = m.path("etc")
	for name, file := range files {
		m.policy(file, "permissions: {\"shell "+name+" *\": deny, \"shell echo *\": allow}\n")
	}
	m.policy("etc/policy.yaml", "locked: [permissions, approvals]\napprovals: {mode: manual}\n"+
		"permissions: {\"shell managed *\": deny, \"shell make *\": allow}\n"+m.subscription("acme", "max_age: 72h"))
	m.policy(files["user"], "permissions: {\"shell user *\": deny}\n"+m.subscription("own", ""))
	deny := func(program string) func(*bundle.Bundle) {
		return func(b *bundle.Bundle) {
			b.Policies = []bundle.File{{Name: "a.yaml", Text: "version: 1\nrules: [{id: no, when: {shell.program: " + program + "}, decision: deny, priority: 1}]\n" +
				"permissions: {\"shell " + program + " *\": deny}\n"}}
			b.Expires = noon.Add(90 * 24 * time.Hour)
		}
	}
	m.publish("/acme", 1, deny("bundle"))
	m.publish("/own", 1, deny("other"))
	return m
}

func (m *machine) subscription(name, more string) string {
	text := "bundles:\n  " + name + ":\n    url: " + m.url + "/" + name + "\n    keys: {org: " + m.path("key") + "}\n"
	if more != "" {
		text += "    " + more + "\n"
	}
	return text
}

func (m *machine) policy(file, text string) {
	m.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(file)), 0o755); err != nil {
		m.Fatal(err)
	}
	os.RemoveAll(m.path(file))
	m.write(file, "version: 1\n"+text)
}

// load reads everything as a new process does.
func (m *machine) load(mode Mode) *layers.Policy {
	m.Helper()
	m.client = m.rig.client(mode)
	m.place.Bundler = m.client
	return layers.Load(m.place, m.path("w/app"), m.more...)
}

func (m *machine) decide(p *layers.Policy, command string) string {
	m.Helper()
	e, err := p.Engine(nil)
	if err != nil {
		m.Fatal(err)
	}
	v, err := e.Decide(context.Background(), &policy.Session{}, &policy.Call{
		Tool: "shell", Input: map[string]any{"command": command}, Dir: m.path("w/app"), Home: m.path("home"),
	})
	if err != nil {
		m.Fatal(err)
	}
	return v.Decision.String()
}

// A fault is something that is wrong: what denied there may deny no more.
type fault struct {
	what string
	// lost are the programs whose deny may end.
	lost  []string
	spoil func(*machine)
}

// faults are all that can be wrong with one file, for each file, and what can
// be wrong with bundles and the environment.
func faults() (all []fault) {
	ways := []struct {
		what  string
		spoil func(m *machine, file string)
	}{
		{"an unknown key", func(m *machine, f string) { m.policy(f, "permisions: {}\n") }},
		{"a wrong type", func(m *machine, f string) { m.policy(f, "permissions: 7\n") }},
		{"a key twice", func(m *machine, f string) { m.policy(f, "permissions: {}\npermissions: {}\n") }},
		{"no version", func(m *machine, f string) { m.policy(f, ""); m.write(f, "permissions: {}\n") }},
		{"empty", func(m *machine, f string) { m.policy(f, ""); m.write(f, "") }},
		{"binary", func(m *machine, f string) { m.policy(f, ""); m.write(f, "\x7fELF\x00\x00\xff") }},
		{"no YAML", func(m *machine, f string) { m.policy(f, "a: [b\n") }},
		{"a bomb", func(m *machine, f string) {
			m.policy(f, "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n")
		}},
		{"deep", func(m *machine, f string) { m.policy(f, "a: "+strings.Repeat("[", 20000)+"\n") }},
		{"too large", func(m *machine, f string) { m.policy(f, "#"+strings.Repeat("x", 6<<20)+"\n") }},
		{"a directory", func(m *machine, f string) { m.policy(f, ""); os.Remove(m.path(f)); os.MkdirAll(m.path(f+"/x"), 0o755) }},
		{"a pipe", func(m *machine, f string) {
			m.policy(f, "")
			os.Remove(m.path(f))
			_ = syscall.Mkfifo(m.path(f), 0o600)
		}},
		{"a link to itself", func(m *machine, f string) { m.policy(f, ""); os.Remove(m.path(f)); os.Symlink(m.path(f), m.path(f)) }},
		{"a link to nowhere", func(m *machine, f string) { m.policy(f, ""); os.Remove(m.path(f)); os.Symlink("/no/where", m.path(f)) }},
		{"unreadable", func(m *machine, f string) {
			if m.policy(f, "permisions: {}\n"); os.Getuid() != 0 {
				os.Chmod(m.path(f), 0)
			}
		}},
		{"what only the engine notices", func(m *machine, f string) {
			m.policy(f, "permissions: {\"file_system read x\": {action: deny, except: [\"file_system read\"]}}\n")
		}},
	}
	for name, file := range files {
		lost := []string{name}
		if name == "managed" {
			lost = []string{"managed", "bundle"}
		}
		if name == "user" {
			lost = []string{"user", "other"}
		}
		for _, way := range ways {
			all = append(all, fault{name + ": " + way.what, lost, func(m *machine) { way.spoil(m, file) }})
		}
	}
	set := func(f config.File) func(*machine) { return func(m *machine) { m.more = append(m.more, f) } }
	return append(all,
		fault{"user: locks", []string{"user", "other"}, func(m *machine) { m.policy(files["user"], "locked: [permissions]\n") }},
		fault{"user: the organisation's bundle again", []string{"user", "other"}, func(m *machine) {
			m.policy(files["user"], "bundles: {acme: {url: /nowhere.tar.gz}}\n")
		}},
		fault{"user: a tool that takes a name of ours", []string{"user", "other"}, func(m *machine) {
			m.policy(files["user"], "tools: {mine: {aliases: [shell]}}\n")
		}},
		fault{"user: a bundle without a server", nil, func(m *machine) {
			m.policy(files["own"], "permissions: {\"shell own *\": deny}\nbundles: {gone: {url: 'http://127.0.0.1:1/x', keys: {org: "+m.path("key")+"}}}\n")
		}},
		fault{"user: a bundle without its key", nil, func(m *machine) {
			m.policy(files["own"], "permissions: {\"shell own *\": deny}\nbundles: {gone: {url: /x.tar.gz, keys: {org: /no/key}}}\n")
		}},
		fault{"folder of the person: a file", []string{"own"}, func(m *machine) {
			os.RemoveAll(m.path("home/.config/policyctl/policy.d"))
			m.write("home/.config/policyctl/policy.d", "x")
		}},
		fault{"a variable", nil, set(config.Assign(config.Environment, "POLICYCTL_APPROVALS_MODE", "approvals.mode=garbage", config.Tightening))},
		fault{"a variable that loosens", nil, set(config.Assign(config.Environment, "POLICYCTL_APPROVALS_MODE", "approvals.mode=skip", config.Tightening))},
		fault{"the command line", nil, set(config.Assign(config.Flag, "--set", "nope=1", config.Everything))},
		fault{"the command line loosens", nil, set(config.Assign(config.Flag, "--set", "approvals.mode=skip", config.Everything))},
		fault{"bundle: too old", nil, func(m *machine) { m.load(Once).Engine(nil); m.turn(true); m.pass(80 * time.Hour) }},
		fault{"bundle: expired", nil, func(m *machine) { m.load(Once).Engine(nil); m.turn(true); m.pass(100 * 24 * time.Hour) }},
		fault{"bundle: unreachable", nil, func(m *machine) { m.load(Once).Engine(nil); m.turn(true); m.pass(time.Hour) }},
		fault{"bundle: tampered with", nil, func(m *machine) { m.load(Once).Engine(nil); m.serve("/acme", []byte("junk")); m.pass(time.Hour) }},
		fault{"bundle: never there", []string{"bundle"}, func(m *machine) { m.serve("/acme", nil) }},
		fault{"bundle: the key is gone", []string{"bundle", "other"}, func(m *machine) { os.Remove(m.path("key")) }},
		fault{"bundle: the wrong key", []string{"bundle", "other"}, func(m *machine) { m.write("key", public(other)) }},
		fault{"bundle: what is kept was changed", []string{"bundle", "other"}, func(m *machine) {
			m.load(Once).Engine(nil)
			m.turn(true)
			kept, _ := filepath.Glob(m.path("state/bundles/*/*.tar.gz"))
			for _, name := range kept {
				os.WriteFile(name, []byte("junk"), 0o600)
			}
		}},
	)
}

// programs are those that somebody denies.
var programs = []string{"managed", "folder", "bundle", "other", "user", "own", "outer", "inner"}

// check looks at what holds after faults: every deny that is not theirs, and
// nothing is allowed where something is wrong.
func (m *machine) check(what string, mode Mode, lost ...string) {
	m.Helper()
	p := m.load(mode)
	for _, program := range programs {
		want := "deny"
		for _, l := range lost {
			if l == program {
				want = "ask"
			}
		}
		if got := m.decide(p, program+" x"); got != want && got != "deny" {
			m.Errorf("%s: %s is %s, want %s (%.200v)", what, program, got, want, p.Err)
		}
	}
	if p.Err != nil {
		for _, command := range []string{"make x", "echo x", "ls"} {
			if got := m.decide(p, command); got != "ask" {
				m.Errorf("%s: %s: %s, want ask", what, command, got)
			}
		}
	}
}

// What an organisation denies stays denied, whatever is wrong elsewhere; so
// does what any other layer denies.
func TestWorstDay(t *testing.T) {
	seed.Slow(t)
	m := newMachine(t)
	m.check("nothing is wrong", Once)
	if p := m.load(Offline); p.Err != nil || m.decide(p, "make x") != "allow" {
		t.Fatal(p.Err)
	}
	for _, f := range faults() {
		m := newMachine(t)
		f.spoil(m)
		m.check(f.what, Once, f.lost...)
		m.check(f.what+", to a hook", Offline, f.lost...)
	}
}

// Two faults take no more than each does by itself.
func TestWorstPairs(t *testing.T) {
	seed.Slow(t)
	all := faults()
	first := map[string]bool{}
	var few []fault // of each kind one, and all that are of no file
	for i, f := range all {
		layer, _, _ := strings.Cut(f.what, ":")
		if !first[layer] || i >= len(files)*16 {
			few = append(few, f)
		}
		first[layer] = true
	}
	for i, a := range few {
		for _, b := range few[i+1:] {
			m := newMachine(t)
			a.spoil(m)
			b.spoil(m)
			lost := append(append([]string{}, a.lost...), b.lost...)
			m.check(a.what+" and "+b.what, Once, lost...)
		}
	}
}
