package pattern_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/seed"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// corpus returns the shell lines on which the chain is tested.
func corpus(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus: ", err)
	}
	escapes := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`)
	var out []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			f := strings.SplitN(strings.TrimSuffix(line, "\n"), " · ", 4)
			if len(f) < 4 || strings.HasPrefix(line, "#") {
				continue
			}
			if text, ok := strings.CutPrefix(f[3], "$ "); ok {
				f[3] = escapes.Replace(text)
			}
			out = append(out, f[3])
		}
	}
	if len(out) < 100 {
		t.Fatalf("%d lines of the corpus", len(out))
	}
	return out
}

// conditions are what random rules test.
var conditions = []string{
	`"shell.program": git`, `"shell.program": rm`, `"shell.program": {in: [cat, ls, npm, make, curl]}`, `verb: push`, `verb: {in: [test, run, build]}`,
	`"shell.argv": {contains: "-rf"}`, `"shell.command": {glob: "git *"}`, `"shell.command": {contains: "tmp"}`, `sensitivity: {in: [write, mutate, destructive]}`,
	`sensitivity: read`, `"file.path": {globPath: "/etc/**"}`, `"file.op": write`, `"http.host": {exists: true}`, `"shell.writes": {contains: /etc/passwd}`,
	`not: {"shell.program": {in: [ls, cat, echo]}}`, `"shell.dir": {startsWith: /w}`, `any: [{"shell.program": sudo}, {"http.method": GET}]`,
	`"shell.context": local`, `"k8s.verb": delete`, `"sql.verb": DROP`, `type: shell.exec`, `"shell.hosts": {contains: example.com}`,
}

// TestDenyNeverLoosens adds a rule that denies to random rules: no line is
// answered more loosely than before, and none that the floor denies at all.
// An ask above all others may only loosen what a rule below it denied.
func TestDenyNeverLoosens(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed.New(t), 0))
	lines := corpus(t)
	verbs := []string{"allow", "require_human", "deny"}
	some := func(verbs []string) string {
		return verbs[rng.IntN(len(verbs))] + ": " + conditions[rng.IntN(len(conditions))]
	}
	denied, allowed := 0, 0
	for range 150 {
		var list []string
		for range rng.IntN(4) {
			list = append(list, some(verbs))
		}
		at := rng.IntN(len(list) + 1)
		extra := some(verbs[2:])
		more := append(append(append([]string(nil), list[:at]...), extra), list[at:]...)
		before, after := ruled(t, strings.Join(list, ";;")), ruled(t, strings.Join(more, ";;"))
		for range 20 {
			line := lines[rng.IntN(len(lines))]
			b, a := quickly(t, before, line), quickly(t, after, line)
			if a.Decision > b.Decision {
				t.Errorf("%q: %s became %s by adding %q to %q", line, brief(b), brief(a), extra, list)
			}
			if (b.Stage == policy.StageHardline) != (a.Stage == policy.StageHardline) {
				t.Errorf("%q: the floor: %s became %s by adding %q", line, brief(b), brief(a), extra)
			}
			if a.Stage == policy.StagePermissionDeny {
				denied++
			}
			if b.Stage == policy.StageRules && b.Decision == policy.Allow {
				allowed++
			}
		}
	}
	if denied < 100 || allowed < 20 {
		t.Errorf("only %d denies and %d allows by rules: the rules are too weak to show anything", denied, allowed)
	}
}

func quickly(t *testing.T, e *policy.Engine, line string) policy.Verdict {
	t.Helper()
	v, err := e.Decide(context.Background(), nil, shellCall(line))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestFloorStands lets rules allow everything: what the floor denies stays
// denied.
func TestFloorStands(t *testing.T) {
	plain, e := plainEngine(t), ruled(t, `allow: all: [{type: {exists: true}}]`)
	floor := 0
	for _, line := range corpus(t) {
		before, after := quickly(t, plain, line), quickly(t, e, line)
		if before.Stage != policy.StageHardline {
			continue
		}
		floor++
		if brief(before) != brief(after) {
			t.Errorf("%q: %s became %s", line, brief(before), brief(after))
		}
	}
	if floor < 20 {
		t.Errorf("only %d lines of the floor", floor)
	}
}

// TestWrappingNeverLoosens hides commands that rules deny: the deny stays, or
// at least somebody is asked.
func TestWrappingNeverLoosens(t *testing.T) {
	e := ruled(t, `deny: "shell.program": git, verb: push;; deny: "file.path": /w/app/f, "file.op": write;; allow: type: shell.exec`)
	for _, line := range []string{"git push", "git -C . push origin", "tee f", "echo x > f", "rm f", "cp a f", "sed -i s/a/b/ f", "mv a f"} {
		for _, wrap := range []string{"%", "sudo %", "env %", "(%)", "%; ls", "ls | %", "true && %", "bash -c '%'", "timeout 5 %", "nohup %", "if true; then %; fi",
			"for i in 1; do %; done", "x=$(%)", "f() { %; }; f", "eval '%'", "cd . && %", "find . -exec % \\;", "xargs %", "command %", "% &"} {
			wrapped := strings.ReplaceAll(wrap, "%", line)
			if v := quickly(t, e, wrapped); v.Decision == policy.Allow {
				t.Errorf("%s: %s", wrapped, brief(v))
			}
		}
	}
}

// TestNoRulesNoCost shows that a source without rules allocates nothing.
func TestNoRulesNoCost(t *testing.T) {
	if pattern.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	ctx, s, c := context.Background(), policy.NewSession("s"), shellCall("git status | head -5")
	count := func(e *policy.Engine) float64 {
		return testing.AllocsPerRun(200, func() {
			if _, err := e.Decide(ctx, s, c); err != nil {
				t.Fatal(err)
			}
		})
	}
	if bare, empty := count(plainEngine(t)), count(ruled(t, "")); bare != empty {
		t.Errorf("%v allocations without rules, %v with none of them", bare, empty)
	}
}

// BenchmarkChain decides a line of three commands.
func BenchmarkChain(b *testing.B) {
	for _, r := range []struct{ name, rules string }{
		{"none", ""},
		{"program", `deny: "shell.program": git, verb: push`},
		{"dangerous", `deny: "shell.program": git, verb: push, "shell.dangerous": {contains: git-push-force}`},
		{"several", `deny: "shell.program": git, verb: push;; deny: "file.path": {globPath: "/etc/**"};; require_human: sensitivity: destructive;; deny: "sql.verb": DROP`},
	} {
		b.Run(r.name, func(b *testing.B) {
			e, s, c, ctx := ruled(b, r.rules), policy.NewSession("s"), shellCall("cd web && npm test | tail -5"), context.Background()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Decide(ctx, s, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
