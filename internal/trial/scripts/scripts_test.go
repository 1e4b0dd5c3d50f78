// Package scripts asks the interpreters whether scripts that internal/lang/confine has
// proved do what it says.
package scripts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/lang/confine"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/trial/sandbox"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// TestInterpreters changes scripts at random, keeps those that are proved, and runs
// them: each file that they open must be one that the proof names, and they may
// evaluate no text, start no program and reach no host. SEED chooses the scripts,
// SCRIPTS how many are proved in each language.
func TestInterpreters(t *testing.T) {
	seed.Slow(t)
	count := seed.Count(t, "SCRIPTS", 2000)
	for _, row := range []struct {
		name     string
		language program.Language
		run      []string
	}{
		{"python3", program.Python, []string{"/usr/bin/python3", "-W", "ignore", "run.py"}},
		{"node", program.JavaScript, []string{"node", "--disallow-code-generation-from-strings", "run.js"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			sandbox.Need(t, sandbox.Missing(row.run[0], "setpriv"))
			g := newGenerator(t, row.name, seed.Count(t, "SEED", 1))
			var input bytes.Buffer
			for range count {
				if err := json.NewEncoder(&input).Encode(g.proved(t, row.language)); err != nil {
					t.Fatal(err)
				}
			}
			ran := run(t, row.run, &input)
			t.Logf("%d scripts drawn, %d proved, %d of them are scripts", g.drawn, count, ran)
			if ran < count/10 {
				t.Errorf("only %d of %d scripts ran", ran, count)
			}
		})
	}
}

// run runs scripts as nobody, without a network, in a directory of files that they
// name, and returns how many ran.
func run(t *testing.T, command []string, input *bytes.Buffer) int {
	dir := t.TempDir()
	for _, name := range []string{"work/src/a.py", "work/src/a.js", "work/docs/guide.md", "work/data/customers.csv", "work/package.json"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(`{"version": "1"}`), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "scripts"), input.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(filepath.Dir(dir), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o777)
	})
	if err != nil {
		t.Fatal(err)
	}
	command[len(command)-1] = filepath.Join(dir, command[len(command)-1])
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := sandbox.Command(ctx, `cd "$0" && exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"`, append(append([]string{filepath.Join(dir, "work")}, command...), filepath.Join(dir, "scripts"))...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "PYTHONDONTWRITEBYTECODE=1"}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s\n%.4000s", err, stderr.Bytes(), out)
	}
	var last struct {
		Ran   int
		Wrong []string
	}
	if err := json.Unmarshal(out, &last); err != nil {
		t.Fatalf("%v\n%.4000s", err, out)
	}
	for _, text := range last.Wrong {
		t.Error(text)
	}
	return last.Ran
}

// A generator changes scripts.
type generator struct {
	*rand.Rand
	scripts, pool []string
	drawn         int
}

var words = regexp.MustCompile(`\w+|"[^"\n]*"|'[^'\n]*'|[-+*/=<>&|]+|[^\w\s]`)

// extra are words that scripts could leave the project with.
var extra = strings.Fields(`eval exec open ( ) [ ] { } : = , . * ** += := lambda for in if else "x" 'y' f"{p}" p f x "/etc/passwd" "../out" "w" "src/a.py"
	global del as import from os sys Path replace copy format __class__ => const let var function return / /x/ + ++ constructor process require`)

func newGenerator(t *testing.T, interpreter string, number int) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(uint64(number), 11))}
	for _, name := range []string{"sessions.txt", "monorepo.txt", "scripts.txt"} {
		data, err := os.ReadFile("../../../testdata/workday/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			_, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " · shell · "+interpreter+" -")
			if !ok {
				continue
			}
			text = strings.ReplaceAll(text, "⏎", "\n")
			if _, body, ok := strings.Cut(text, "<<'EOF'\n"); ok {
				text = strings.TrimSuffix(body, "EOF")
			} else if i := strings.IndexAny(text, `'"`); i > 0 {
				text = strings.TrimSuffix(text[i+1:], text[i:i+1])
			}
			g.scripts = append(g.scripts, text)
			g.pool = append(g.pool, words.FindAllString(text, -1)...)
		}
	}
	if len(g.scripts) < 40 {
		t.Fatalf("only %d scripts", len(g.scripts))
	}
	return g
}

// A proved is a script that is proved, with what it opens.
type proved struct {
	Text  string
	Opens []confine.Access
}

func (g *generator) proved(t *testing.T, language program.Language) proved {
	for range 100_000 {
		g.drawn++
		text := g.script()
		if opens, refused := confine.Read(text, language); refused == nil {
			return proved{text, append([]confine.Access{}, opens...)}
		}
	}
	t.Fatal("no script is proved")
	return proved{}
}

// script returns one of the scripts with some changes.
func (g *generator) script() string {
	text := g.scripts[g.IntN(len(g.scripts))]
	for range 1 + g.IntN(4) {
		at := words.FindAllStringIndex(text, -1)
		if len(at) == 0 {
			return text
		}
		k := at[g.IntN(len(at))]
		word := g.pool[g.IntN(len(g.pool))]
		if g.IntN(3) == 0 {
			word = extra[g.IntN(len(extra))]
		}
		switch g.IntN(4) {
		case 0:
			text = text[:k[0]] + word + text[k[1]:]
		case 1:
			text = text[:k[0]] + word + " " + text[k[0]:]
		case 2:
			text = text[:k[0]] + text[k[1]:]
		default: // a line of another
			lines := strings.Split(g.scripts[g.IntN(len(g.scripts))], "\n")
			begin := strings.LastIndexByte(text[:k[0]], '\n') + 1
			text = text[:begin] + lines[g.IntN(len(lines))] + "\n" + text[begin:]
		}
	}
	return text
}
