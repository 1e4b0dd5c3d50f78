package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/collector"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
	"github.com/policyctl/policyctl/pkg/world"
	"github.com/policyctl/policyctl/policies"
)

// A machine has a person with projects and the policy of the pack developer.
type machine struct {
	*testing.T
	home string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t, home}
	for _, name := range []string{"proj", "other"} {
		for _, file := range []string{".git/HEAD\nref: refs/heads/main\n", ".git/refs/x\n", ".git/objects/x\n", "src/a.go\npackage a\n", "web/b.js\n1\n", "x.py\n1\n"} {
			file, text, _ := strings.Cut(file, "\n")
			m.write(name+"/"+file, text)
		}
	}
	m.write("plain/src/a.go", "package a\n")
	m.write("other/.policyctl/policy.yaml", "version: 1\npermissions:\n  shell go vet *: deny\n")
	m.write(".config/policyctl/policy.yaml", developer(t)+"\nrecord: {allow_percent: 100}\n")
	if err := os.Symlink("proj", filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	return m
}

// developer is the text of the pack.
func developer(t *testing.T) string {
	text, ok := policies.Lookup("developer")
	if !ok {
		t.Fatal("the pack developer is gone")
	}
	return string(text)
}

func (m *machine) path(name string) string { return filepath.Join(m.home, name) }

func (m *machine) write(name, text string) {
	m.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o700); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(text), 0o600); err != nil {
		m.Fatal(err)
	}
}

func (m *machine) place() layers.Place {
	place := layers.Fixed(m.home, "")
	place.Managed = m.path("managed")
	return place
}

// run runs a command in a directory of the home directory.
func (m *machine) run(dir, stdin string, args ...string) (stdout, stderr string, code int) {
	m.Helper()
	var out, said bytes.Buffer
	code = cli.Run(m.Context(), console.Process{
		Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &said,
		Getenv: func(name string) string { return map[string]string{"HOME": m.home}[name] },
		Getwd:  func() (string, error) { return m.path(dir), nil },
		Place:  func() (layers.Place, error) { return m.place(), nil },
	})
	return out.String(), said.String(), code
}

// A madeCall is a call of a recorded session.
type madeCall struct{ id, session, transcript, dir, command string }

// hook returns the verdict of an agent's hook.
func (m *machine) hook(c *madeCall) string {
	m.Helper()
	env := []string{"HOME=" + m.home}
	g := &guard.Guard{Place: m.place(), Environ: env, World: world.New(env), Now: time.Now}
	e := &hook.Event{
		Name: "PreToolUse", Transcript: m.path(c.transcript),
		Call: policy.Call{ID: c.id, Agent: "claude", Session: c.session, Dir: m.path(c.dir), Tool: "Bash", Input: map[string]any{"command": c.command}},
	}
	v, err := g.Decide(m.Context(), e)
	if err != nil {
		m.Fatal(err)
	}
	return fmt.Sprint(v.Decision, " ", v.Stage, " ", v.Rule)
}

// answered returns the verdict in the answer of a command.
func (m *machine) answered(text string) string {
	m.Helper()
	var v struct{ Decision, Stage, Rule string }
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		m.Fatalf("%s: %v", text, err)
	}
	return v.Decision + " " + v.Stage + " " + v.Rule
}

// everyday are commands, most of which a project decides.
var everyday = []string{
	"go test ./...", "go vet ./...", "go build -o bin/x .", "npm test", "make", "python3 x.py", "touch src/new.go", "mkdir -p out/a", "rm -rf out",
	"sed -i s/a/b/ src/a.go", "cp x.py y.py", "echo x > src/z", "echo x > ../z", "mv x.py src/", "pytest -q", "cargo test", "ls", "cat src/a.go",
	"git status", "git add -A && git commit -m x", "git push origin main", "cat ../other/x.py", "touch ~/x", "rm -rf ~", "npm run lint", "tsc --noEmit",
	"chmod +x x.py", "find . -name x -delete", "node web/b.js",
}

// days are the sessions: where each begins, by its transcript, and where its calls
// are made. A session that moves keeps its project.
func (m *machine) days() (calls []madeCall) {
	for i, day := range []struct {
		transcript string
		dirs       []string
	}{
		{"proj", []string{"proj"}},
		{"proj", []string{"proj/web"}},
		{"proj/web", []string{"proj/web"}},
		{"", []string{"proj/src"}},
		{"", []string{"other"}},
		{"other", []string{"other/web"}},
		{"", []string{"plain"}},
		{"", []string{"plain/src"}},
		{"", []string{""}},
		{"", []string{"gone"}},
		{"", []string{"link"}},
		{"", []string{"proj", "other", "", "proj/web"}},
	} {
		session := fmt.Sprint("s", i)
		name := "sessions/" + session + ".jsonl"
		if day.transcript != "" {
			name = m.transcript(day.transcript, session)
		}
		for k, command := range everyday {
			calls = append(calls, madeCall{fmt.Sprint(session, "-", k), session, name, day.dirs[k%len(day.dirs)], command})
		}
	}
	return calls
}

// transcript returns where Claude Code records a session that begins in a directory.
func (m *machine) transcript(dir, session string) string {
	return ".claude/projects/" + strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(m.path(dir)) + "/" + session + ".jsonl"
}

// record writes the sessions as Claude Code does; each call has run.
func (m *machine) record(calls []madeCall) {
	files := make(map[string]*strings.Builder)
	for _, c := range calls {
		if files[c.transcript] == nil {
			files[c.transcript] = new(strings.Builder)
		}
		input, _ := json.Marshal(c.command)
		fmt.Fprintf(files[c.transcript], `{"type":"assistant","sessionId":%q,"cwd":%q,"message":{"content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%s}}]}}`+"\n",
			c.session, m.path(c.dir), c.id, input)
		fmt.Fprintf(files[c.transcript], `{"type":"user","sessionId":%q,"cwd":%q,"message":{"content":[{"type":"tool_result","tool_use_id":%q,"content":"ok"}]}}`+"\n", c.session, m.path(c.dir), c.id)
	}
	for name, text := range files {
		m.write(name, text.String())
	}
}

// Every command sees the project that an agent's hook sees: the same calls get the
// same answers.
func TestOneProject(t *testing.T) {
	m := newMachine(t)
	calls := m.days()
	if len(calls) < 300 {
		t.Fatalf("%d calls", len(calls))
	}
	m.record(calls)
	want := make(map[string]string)
	counts := make(map[string]int)
	for i := range calls {
		c := &calls[i]
		want[c.id] = m.hook(c)
		decision, rest, _ := strings.Cut(want[c.id], " ")
		stage, _, _ := strings.Cut(rest, " ")
		counts[decision+" "+stage]++
	}
	if counts["allow allowlist"] < 100 || counts["ask confirm"] < 50 || counts["deny permission_deny"] < 2 {
		t.Fatalf("the calls are no mixture: %v", counts)
	}
	m.single(calls, want)
	m.bulk(calls, want)
	m.counted(counts)
	m.differs(calls, want)
	m.learnt(calls, want)
}

// single asks about calls alone. The session that moves keeps a project that a call
// alone does not show, and a transcript may name one above the repository.
func (m *machine) single(calls []madeCall, want map[string]string) {
	for i := range calls {
		c := &calls[i]
		if c.session == "s2" || c.session == "s11" {
			continue
		}
		for _, command := range []string{"eval", "explain"} {
			out, said, _ := m.run(c.dir, "", command, "--json", "--agent", "claude", c.command)
			if got := m.answered(out); got != want[c.id] {
				m.Errorf("%s of %q in %q: %s, but the hook says %s\n%s", command, c.command, c.dir, got, want[c.id], said)
			}
		}
	}
	for dir, want := range map[string]string{"proj/web": m.path("proj"), "plain": m.path("plain"), "": "none: neither"} {
		if out, _, _ := m.run(dir, "", "explain", "go test ./..."); !strings.Contains(out, "\nproject ") || !strings.Contains(out, want) {
			m.Errorf("explain in %q does not name the project %s:\n%s", dir, want, out)
		}
	}
	if out, _, _ := m.run("", "", "eval", "--project-dir", "proj", "--dir", "proj", "touch src/x"); !strings.HasPrefix(out, "decision   allow") {
		m.Errorf("a project that is named: %s", out)
	}
}

// bulk asks about calls a line each, and puts them on record, for stats to count. Such
// a line names no transcript.
func (m *machine) bulk(calls []madeCall, want map[string]string) {
	calls = slices.DeleteFunc(slices.Clone(calls), func(c madeCall) bool { return c.session == "s2" })
	var lines strings.Builder
	for _, c := range calls {
		line, _ := json.Marshal(map[string]any{"id": c.id, "agent": "claude", "session": c.session, "dir": m.path(c.dir), "command": c.command})
		fmt.Fprintf(&lines, "%s\n", line)
	}
	out, said, code := m.run("", lines.String(), "eval", "--jsonl", "--audit")
	if code != 0 {
		m.Fatalf("exit code %d: %s", code, said)
	}
	answers := strings.Split(strings.TrimSpace(out), "\n")
	decisions := make(map[string]int)
	for i, c := range calls {
		decision, _, _ := strings.Cut(want[c.id], " ")
		decisions[decision]++
		if got := m.answered(answers[i]); got != want[c.id] {
			m.Errorf("eval --jsonl of %q in %q: %s, but the hook says %s", c.command, c.dir, got, want[c.id])
		}
	}
	name := m.path("a.db")
	db, err := sqlite.Open(m.Context(), name, sqlite.Options{})
	if err != nil {
		m.Fatal(err)
	}
	store := func(ctx context.Context, b trail.Batch) (int64, error) { return db.Collect(ctx, "test", b) }
	if _, err := collector.Drain(m.Context(), spool.Verdicts(m.place().State), store); err != nil {
		m.Fatal(err)
	}
	db.Close()
	out, said, _ = m.run("", "", "stats", "--db", name, "--json")
	var figures struct {
		Decisions []struct {
			Name  string
			Count int
		}
	}
	if err := json.Unmarshal([]byte(out), &figures); err != nil {
		m.Fatalf("%s%s: %v", out, said, err)
	}
	for _, d := range figures.Decisions {
		if d.Count != decisions[d.Name] {
			m.Errorf("stats counts %d times %s, and hooks %d", d.Count, d.Name, decisions[d.Name])
		}
	}
}

// counted compares what replay and diff count.
func (m *machine) counted(want map[string]int) {
	var report struct {
		Stages []struct {
			Stage, Decision string
			Count           int
		}
	}
	out, said, _ := m.run("", "", "replay", "--json", m.path("sessions"), m.path(".claude/projects"))
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		m.Fatalf("%s%s: %v", out, said, err)
	}
	got := make(map[string]int)
	for _, s := range report.Stages {
		got[s.Decision+" "+s.Stage] = s.Count
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		m.Errorf("replay counts\n%v, and hooks\n%v", got, want)
	}
}

// differs compares from what diff says recorded calls change.
func (m *machine) differs(calls []madeCall, want map[string]string) {
	m.write("old.yaml", developer(m.T))
	m.write("new.yaml", developer(m.T)+"\npermissions: {shell echo *: deny}\n")
	var report struct {
		Changes []struct {
			From    struct{ Decision, Stage, Rule string }
			Samples []struct{ Kind, At string }
		}
	}
	out, said, _ := m.run("", "", "diff", "--json", m.path("old.yaml"), m.path("new.yaml"), "--calls", m.path(m.transcript("proj/web", "s2")), "--calls", m.path(".claude/projects"), "--calls", m.path("sessions"))
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		m.Fatalf("%s%s: %v", out, said, err)
	}
	lines := make(map[string]int)
	places := make(map[string]string)
	for _, c := range calls {
		places[fmt.Sprint(m.path(c.transcript), ":", lines[c.transcript]+1)] = c.id
		lines[c.transcript] += 2
	}
	seen := make(map[string]bool)
	for _, change := range report.Changes {
		from := change.From.Decision + " " + change.From.Stage + " " + change.From.Rule
		for _, s := range change.Samples {
			if id := places[s.At]; s.Kind == "recorded" {
				seen[change.From.Decision] = true
				if want[id] != from {
					m.Errorf("diff says that %s was %s, and the hook %s", s.At, from, want[id])
				}
			}
		}
	}
	if !seen["allow"] || !seen["ask"] {
		m.Errorf("diff changes only %v: %s", seen, out)
	}
}

// learnt has learn propose nothing that is allowed already.
func (m *machine) learnt(calls []madeCall, want map[string]string) {
	out, said, _ := m.run("", "", "learn", "--json", "--least", "1", m.path("sessions"), m.path(".claude/projects"))
	var report struct {
		Proposals []struct {
			Match   string
			Answers int
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		m.Fatalf("%s%s: %v", out, said, err)
	}
	if len(report.Proposals) == 0 {
		m.Fatalf("learn proposes nothing: %s", out)
	}
	for _, p := range report.Proposals {
		words := strings.TrimSuffix(strings.TrimPrefix(p.Match, "shell "), "*")
		words = strings.ReplaceAll(words, m.home+"/", "~/")
		asks := 0
		for _, c := range calls {
			if strings.HasPrefix(c.command, words) && strings.HasPrefix(want[c.id], "ask") {
				asks++
			}
		}
		if p.Answers > asks {
			m.Errorf("learn proposes %s for %d calls, but hooks ask about %d", p.Match, p.Answers, asks)
		}
	}
}
