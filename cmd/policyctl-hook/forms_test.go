package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/machine/forms"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

const makeEvent = `{"hook_event_name":"PreToolUse","session_id":"%s","cwd":"/tmp","tool_name":"Bash","tool_input":{"command":"%s"}}`

// rulesOf returns a policy of some rules that deny tool0, tool1 and so on.
func rulesOf(n int) string {
	var b strings.Builder
	b.WriteString("version: 1\nrules:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {id: r%d, reason: programs of other teams, when: {shell.program: tool%d}, decision: deny}\n", i, i)
	}
	return b.String()
}

// person writes the policy of a person.
func (d *desk) person(text string) string {
	d.t.Helper()
	file := filepath.Join(d.home, ".config", "policyctl", "policy.yaml")
	d.file(file, text)
	return file
}

func (d *desk) file(name, text string) {
	d.t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o700)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o600)
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// subscribe has the person subscribe to a bundle that is on disk with its
// form.
func (d *desk) subscribe(rules int) (state string) {
	file := d.person("version: 1\nbundles:\n  acme: {url: /b.tar.gz}\n")
	state = layers.Fixed(d.home, "").State
	text := rulesOf(rules)
	digest := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	d.file(filepath.Join(state, "bundles", "acme", "state.json"), `{"version":1,"name":"acme","highest_sequence":7,"digest":"`+digest+`"}`)
	if err := os.Chmod(state, 0o700); err != nil {
		d.t.Fatal(err)
	}
	source := config.BundleSource{Name: "acme", URL: "/b.tar.gz", Origin: policy.Origin{Layer: config.User, File: file, Line: 3}}
	c := forms.NewClient(forms.New("", state), state, d.home)
	c.Keep(&source, forms.Bundle{Revision: "r7", Digest: digest, Sequence: 7},
		[]config.File{{Layer: config.Bundle, Bundle: "acme", Name: "bundle acme: rules.yaml", Data: []byte(text), Admit: config.Everything}})
	return state
}

// A hook decides by the form of a bundle, and hands over where there is none.
func TestBundleForm(t *testing.T) {
	d := newDesk(t, "cat >/dev/null; echo handed over")
	state := d.subscribe(2000)
	ask := func(command string) string {
		stdout, stderr, _ := start(t, fmt.Sprintf(makeEvent, "s", command), d.hook)
		return stdout + stderr
	}
	if got := ask("tool7 x"); !strings.Contains(got, "acme/r7, bundle acme: rules.yaml:10") {
		t.Errorf("%s", got)
	}
	if got := ask("ls"); !strings.Contains(got, `"permissionDecision":"allow"`) {
		t.Errorf("%s", got)
	}
	files, _ := filepath.Glob(filepath.Join(state, "forms", "*"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	if err := os.Chmod(files[0], 0o666); err != nil {
		t.Fatal(err)
	}
	if got := ask("tool7 x"); got != "handed over\n" {
		t.Errorf("a form that others may write: %s", got)
	}
	if err := os.RemoveAll(filepath.Join(state, "forms")); err != nil {
		t.Fatal(err)
	}
	if got := ask("tool7 x"); got != "handed over\n" {
		t.Errorf("without a form: %s", got)
	}
}

// A large policy of the person decides the same with a form as without.
func TestLargePolicy(t *testing.T) {
	d := newDesk(t, "")
	d.person(rulesOf(2000))
	want := "r1999, " + filepath.Join(d.home, ".config/policyctl/policy.yaml") + ":2002"
	state := layers.Fixed(d.home, "").State
	d.file(filepath.Join(state, "x"), "")
	for _, when := range []string{"before", "after"} {
		if stdout, stderr, _ := start(t, fmt.Sprintf(makeEvent, "s", "tool1999"), d.hook); !strings.Contains(stdout, want) {
			t.Errorf("%s there is a form: %s%s", when, stdout, stderr)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(state, "forms", "*.form")); len(files) != 1 {
		t.Errorf("forms %v", files)
	}
}

// BenchmarkRules runs the hook without rules, with a bundle of 10,000 and with a
// policy of 10,000 in turn, and reports the ratios of their times.
func BenchmarkRules(b *testing.B) {
	var desks []*desk
	for i := range 3 {
		d := newDesk(b, "echo handed over")
		switch i {
		case 0:
			d.person("version: 1\n")
		case 1:
			d.subscribe(10_000)
		case 2:
			d.person(rulesOf(10_000))
			d.file(filepath.Join(layers.Fixed(d.home, "").State, "x"), "")
		}
		desks = append(desks, d)
	}
	n := 0
	took := make([][]time.Duration, len(desks))
	for b.Loop() {
		for i, d := range desks {
			n++
			b.Setenv(relaying, d.home)
			b.Setenv("GOGC", "off") // as main has it
			event := fmt.Sprintf(makeEvent, fmt.Sprint("s", n), "unknown-program")
			begin := time.Now()
			if stdout, stderr, _ := start(b, event, d.hook); !strings.Contains(stdout, "(confirm)") {
				b.Fatal(stdout, stderr)
			}
			took[i] = append(took[i], time.Since(begin))
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	median := func(i int) float64 { return float64(took[i][len(took[i])/2]) }
	b.ReportMetric(median(1)/median(0), "bundle-x-none")
	b.ReportMetric(median(2)/median(0), "policy-x-none")
}
