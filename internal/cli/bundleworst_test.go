package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
)

// A subscriber is a person whose policy subscribes to bundles.
type subscriber struct {
	*desk
	place layers.Place
}

func newSubscriber(t *testing.T) *subscriber {
	t.Helper()
	s := &subscriber{desk: newDesk(t)}
	s.place = layers.Place{Home: s.dir, Managed: s.path("managed"), Config: s.path("config"), State: s.path("state")}
	for _, dir := range []string{s.place.Managed, s.place.Config, s.place.State} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run runs the tool under the policies of the person, and returns all that it
// writes.
func (s *subscriber) run(args ...string) string {
	s.Helper()
	var out bytes.Buffer
	cli.Run(context.Background(), console.Process{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
		Getenv: func(string) string { return "" },
		Getwd:  func() (string, error) { return s.dir, nil },
		Place:  func() (layers.Place, error) { return s.place, nil },
	})
	return out.String()
}

// A bundle that nothing keeps current is told by its age in days, with what to
// do, by whoever shows it.
func TestOldBundle(t *testing.T) {
	s := newSubscriber(t)
	s.signed()
	s.write("config/policy.yaml", "version: 1\nbundles: {acme: {url: "+s.path("acme.tar.gz")+", keys: {k: "+s.path("key.pub")+"}}}\n")
	s.run("bundle", "sync", "--once")
	state := s.path("state/bundles/acme/state.json")
	data, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	var record map[string]any
	if err := json.Unmarshal(data, &record); err != nil {
		t.Fatal(err)
	}
	record["contact"] = time.Now().Add(-52*24*time.Hour - time.Minute)
	if data, err = json.Marshal(record); err != nil {
		t.Fatal(err)
	}
	s.write("state/bundles/acme/state.json", string(data))
	if err := os.Remove(s.path("acme.tar.gz")); err != nil {
		t.Fatal(err)
	}
	for what, texts := range map[string][2]string{
		"eval":   {s.run("eval", "ls"), "confirmed 52 days ago: see policyctl status"},
		"status": {s.run("status"), "hooks decide by the bundle acme as it was 52 days ago"},
		"doctor": {s.run("doctor", "claude"), "hooks decide by the bundle acme as it was 52 days ago"},
	} {
		if !strings.Contains(texts[0], texts[1]) || !strings.Contains(texts[0], "policyctl") {
			t.Errorf("%s does not say %q:\n%s", what, texts[1], texts[0])
		}
	}
}

// What is wrong with a file or a bundle is said once: no line repeats a clause
// or a path, and no line appears twice.
func TestErrorsSayOnce(t *testing.T) {
	for name, policy := range map[string]string{
		"an unknown key":       "version: 1\npermisions: {}\n",
		"no YAML":              "version: 1\n\t{\n",
		"two wrong keys":       "version: 1\npermisions: {}\nsecurty: {}\n",
		"a bundle not there":   "version: 1\nbundles: {acme: {url: @none.tar.gz}}\n",
		"a bundle not reached": "version: 1\nbundles: {acme: {url: 'http://127.0.0.1:9/acme.tar.gz'}}\n",
		"no bundle":            "version: 1\nbundles: {acme: {url: @garbage.tar.gz}}\n",
		"no key":               "version: 1\nbundles: {acme: {url: @acme.tar.gz, keys: {k: @none.pem}}}\n",
		"another's key":        "version: 1\nbundles: {acme: {url: @acme.tar.gz, keys: {other: @key.pub}}}\n",
		"the wrong algorithm":  "version: 1\nbundles: {acme: {url: @acme.tar.gz, algorithm: RS512, keys: {k: @key.pub}}}\n",
		"two bundles":          "version: 1\nbundles: {acme: {url: @none.tar.gz}, other: {url: @acme.tar.gz, keys: {k: @none.pem}}}\n",
		"a bundle and a file":  "version: 1\npermisions: {}\nbundles: {acme: {url: @none.tar.gz}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := newSubscriber(t)
			s.signed()
			s.write("garbage.tar.gz", "garbage")
			s.write("config/policy.yaml", strings.ReplaceAll(policy, "@", s.dir+string(filepath.Separator)))
			for _, command := range []string{"eval ls", "check", "bundle sync --once", "status"} {
				out := s.run(strings.Fields(command)...)
				if said := repeated(out); said != "" {
					t.Errorf("%s says %q twice:\n%s", command, said, out)
				}
			}
		})
	}
}

// repeated returns what a text says twice: a line, within one a path or a clause
// of four words, or in two lines a clause of seven; "" if nothing.
func repeated(text string) string {
	lines := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if lines[line] && strings.Contains(line, " ") {
			return line
		}
		lines[line] = true
		words := wordsOf(line)
		if twice := clauseTwice(words, 4); twice != "" {
			return twice
		}
		paths := map[string]bool{}
		for _, word := range words {
			if strings.Contains(word, "/") && paths[word] {
				return word
			}
			paths[word] = true
		}
	}
	return clauseTwice(wordsOf(text), 7)
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" :;,\n", r) })
}

// clauseTwice returns some words that stand together twice.
func clauseTwice(words []string, n int) string {
	said := map[string]bool{}
	for i := n; i <= len(words); i++ {
		clause := strings.Join(words[i-n:i], " ")
		if said[clause] {
			return clause
		}
		said[clause] = true
	}
	return ""
}

// A bundle that is named for one run without a key is warned of.
func TestBundleWithoutKey(t *testing.T) {
	s := newSubscriber(t)
	s.signed()
	const want = "the signature of " // … is not checked
	if out := s.run("eval", "--bundle", s.path("acme.tar.gz"), "ls"); !strings.Contains(out, want) || !strings.Contains(out, "--bundle-key ID=FILE") {
		t.Errorf("no warning:\n%s", out)
	}
	if out := s.run("eval", "--bundle", s.path("acme.tar.gz"), "--bundle-key", "k="+s.path("key.pub"), "ls"); strings.Contains(out, want) {
		t.Errorf("a warning:\n%s", out)
	}
}
