package hardline_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

// TestSpellingsInBash shows that the spellings of the generator mean what it
// says: bash expands each to the path. The words are printed, nothing else.
func TestSpellingsInBash(t *testing.T) {
	seed.Slow(t)
	seed := seedOf(t)
	t.Logf("SEED=%d", seed)
	var script strings.Builder
	var want, words []string
	for i := range uint64(2000) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, i)), harm: true}
		p := g.one("/", "/etc", "/usr/bin", "/home/dev", "/tmp/x", "/home/dev/.config/policyctl/policy.yaml")
		word := g.file(p)
		if g.maybe(20) {
			p, word = "/home/dev", g.homeWord()
		}
		fmt.Fprintf(&script, "( %s\nprintf '%%s\\0' %s )\n", strings.Join(g.setup, "; "), word)
		want, words = append(want, p), append(words, strings.Join(append(g.setup, word), "; "))
	}
	cmd := exec.Command(bash(t), "-f")
	cmd.Stdin = strings.NewReader(script.String())
	cmd.Env = []string{"HOME=/home/dev", "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(got) != len(want) {
		t.Fatalf("%d words for %d spellings", len(got), len(want))
	}
	for i := range got {
		if v := got[i]; path.Clean(path.Join("/home/dev/project", v)) != want[i] && path.Clean(v) != want[i] {
			t.Errorf("%s is %s in bash, want %s", words[i], v, want[i])
		}
	}
}

// homeWord spells the home directory as one word.
func (g *generator) homeWord() string {
	for {
		if w := g.home(); !strings.ContainsAny(w, "*") && !strings.HasPrefix(w, "~dev") && !strings.Contains(w, "{.,") {
			return w
		}
	}
}

// TestDisguisesInBash shows that bash can read what is drawn, but for one line
// in a hundred: it has trouble with some functions inside of [[ $( … ) ]].
// Nothing runs.
func TestDisguisesInBash(t *testing.T) {
	seed := seedOf(t)
	t.Logf("SEED=%d", seed)
	unread := 0
	for i := range uint64(200) {
		_, line := disguise(rand.NewPCG(seed, i), i%2 == 0)
		cmd := exec.Command(bash(t), "-n")
		cmd.Stdin = strings.NewReader(line + "\n")
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			if unread++; unread > 2 {
				t.Errorf("%v %s: %q", err, out, line)
			}
		}
		if _, err := syntax.NewParser().Parse(strings.NewReader(line), ""); err != nil {
			t.Errorf("%v: %q", err, line)
		}
	}
}

func bash(t *testing.T) string {
	t.Helper()
	name, err := exec.LookPath("bash")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return name
}
