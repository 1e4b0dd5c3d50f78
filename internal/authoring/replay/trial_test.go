package replay

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/policy"
)

func summary(r *Report) string {
	var out []string
	for _, s := range r.Permissions {
		text := fmt.Sprintf("%s saves %d", s.Match, s.Saves)
		for _, f := range s.Forms {
			text += fmt.Sprintf(" %s=%d", f.Word, f.Count)
		}
		for _, b := range s.Beyond {
			text += fmt.Sprintf(" beyond %s=%d", b.Name, b.Count)
		}
		out = append(out, text)
	}
	for _, f := range r.Refused {
		out = append(out, "not "+f.Head)
	}
	return strings.Join(out, "; ")
}

// TestPermission shows which permission is proposed for what asked.
func TestPermission(t *testing.T) {
	rows := []struct {
		want     string
		commands []string
	}{
		{"", []string{"ls", "git log"}},
		{"shell npm run * saves 2 build=1 test=1", []string{"npm run test", "npm run build"}},
		{"shell npm run * saves 1 test=1", []string{"npm run test", "npm run build && make x"}},
		{"shell cargo build * saves 2 --all=1 -v=1", []string{"cd x && cargo build -v", "timeout 5 cargo build --all | tail"}},
		{"not git push", []string{"git push origin main"}},
		{"not go build", []string{"go build ./x"}}, // -o writes anywhere
		{"not make", []string{"make x"}},
		{"not python3", []string{"python3 x.py"}},
		{"not echo > FILE", []string{"echo x > f"}},
		{"", []string{"docker exec c ls"}}, // both docker and ls ask
		{"not (a program that is unknown)", []string{`"$X" y`}},
		{"not (a line that cannot be read)", []string{`echo "`}},
		{"", []string{"npm run test && make x"}}, // nothing alone keeps it from being allowed
	}
	for _, r := range rows {
		if got := summary(run(t, options(t), shellCalls("s", r.commands...))); got != r.want {
			t.Errorf("%q: got %q, want %q", r.commands, got, r.want)
		}
	}
}

// TestBeyond shows that the permission for a tool names what else it opens,
// and that it is not proposed where that is dangerous.
func TestBeyond(t *testing.T) {
	call := func(tool, path string) string {
		return fmt.Sprintf(`{"tool":%q,"input":{"file_path":%q,"prompt":"x","url":"https://x.example/"},"dir":"/home/dev/p","session":"s"}`+"\n", tool, path)
	}
	rows := []struct{ want, text string }{
		{"not write", call("Write", "a.go") + call("Write", "b.go")},
		{"not edit", call("Edit", "a.go")},
		{"task * saves 2 =2", call("Task", "") + call("Agent", "")},
		{"fetch * saves 1 =1", call("WebFetch", "")},
		{"mcp__x__y * saves 1 =1", call("mcp__x__y", "")},
		{"not apply_patch", `{"tool":"apply_patch","input":{"input":"*** Update File: a.go\n"},"dir":"/w"}` + "\n"},
	}
	for _, r := range rows {
		if got := summary(run(t, options(t), r.text)); got != r.want {
			t.Errorf("%s: got %q, want %q", r.text, got, r.want)
		}
	}
}

// TestRefusedByRecording shows that a recorded dangerous call spoils a
// permission that no example of a table speaks against.
func TestRefusedByRecording(t *testing.T) {
	c := &candidate{head: head{name: "x y", match: "shell x y *"}, forms: map[string]int{}, beyond: map[string]*changeCount{}}
	p := &pass{current: &recordingPass{name: "r", number: 1}, tools: newToolNames(nil)}
	c.save(p, &event{call: policy.Shell("x y z", "/w")}, []head{{name: "x y", dangerous: []string{"some-rule"}}})
	tr := trial{candidates: []*candidate{c}}
	r := new(Report)
	if tr.tell(r); len(r.Permissions) != 0 || len(r.Refused) != 1 || r.Refused[0].Why != "it would also allow the recorded x y z (some-rule)" {
		t.Errorf("%+v", r)
	}
}

// TestSecondReading shows that a stream is read twice, and that what is added
// to a file meanwhile does not count.
func TestSecondReading(t *testing.T) {
	seed.Slow(t)
	text := shellCalls("s", "npm run test", "npm run build")
	r, err := Run(context.Background(), []Input{Stream("stdin", strings.NewReader(text))}, options(t))
	if err != nil || summary(r) != "shell npm run * saves 2 build=1 test=1" {
		t.Errorf("stream: %v %q", err, summary(r))
	}
	long := text + strings.Repeat(" ", maxHeld)
	r, err = Run(context.Background(), []Input{Stream("stdin", strings.NewReader(long))}, options(t))
	if err != nil || summary(r) != "" || r.Untried == "" || r.Calls != 2 {
		t.Errorf("long stream: %v %q %q", err, summary(r), r.Untried)
	}

	name := filepath.Join(t.TempDir(), "r.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options(t)
	late := filepath.Join(filepath.Dir(name), "late.jsonl")
	o.Progress = func(p Progress) {
		if p.Pass == 2 && p.Calls == 0 {
			for _, name := range []string{name, late} {
				if err := os.WriteFile(name, []byte(text+text), 0o600); err != nil {
					t.Error(err)
				}
			}
		}
	}
	r, err = Run(context.Background(), []Input{File(name), File(late)}, o)
	if err != nil || summary(r) != "shell npm run * saves 2 build=1 test=1" || r.Files.Read != 1 {
		t.Errorf("growing files: %v %q", err, summary(r))
	}
}

func TestAgainst(t *testing.T) {
	o := options(t, allow("shell npm run *"))
	s := policy.Defaults()
	s.Permissions = []policy.Permission{{Match: "shell npm run deploy *", Action: policy.Deny}, allow("shell make *")}
	other, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o.Against = []Rival{{"other", other}}
	r := run(t, o, shellCalls("s", "ls", "npm run test", "npm run deploy", "npm run deploy", "make x", "cargo build"))
	var got []string
	for _, c := range r.Against[0].Changes {
		got = append(got, fmt.Sprintf("%d %s %s→%s %s: %s", c.Count, c.Head, c.From.Decision, c.To.Decision, c.To.Stage, c.To.Rule))
	}
	want := "1 make ask→allow rules: shell make *|1 npm run allow→ask confirm: |2 npm run allow→deny permission_deny: shell npm run deploy *"
	if strings.Join(got, "|") != want || r.Against[0].Differ != 4 || *r.Against[0].AsksPer100 != 33.3 || *r.AsksPer100 != 33.3 {
		t.Errorf("got %s; %+v", strings.Join(got, "|"), r.Against[0])
	}
}
