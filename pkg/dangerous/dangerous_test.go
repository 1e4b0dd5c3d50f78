package dangerous_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// scene reads a line where the examples of the rules stand.
func scene(line string) *hazard.Scene {
	return &hazard.Scene{Line: eval.Read(line, eval.Env{Dir: "/home/dev/project", Home: "/home/dev"}), Home: "/home/dev", Denies: hardline.Denies}
}

// found returns the ids of the rules that match a command of a line.
func found(s *hazard.Scene) []string {
	var out []string
	for i := range s.Line.Commands {
		for _, f := range dangerous.All(s, i) {
			if !slices.Contains(out, f.Rule.ID) {
				out = append(out, f.Rule.ID)
			}
		}
	}
	return out
}

func TestExamples(t *testing.T) {
	byID := map[string]hazard.Rule{}
	for _, r := range dangerous.Rules() {
		byID[r.ID] = r
	}
	for _, r := range dangerous.Rules() {
		if len(r.Hit) < 3 || len(r.Miss) < 3 {
			t.Errorf("%s: has fewer than three examples of a kind", r.ID)
		}
		for _, line := range r.Hit {
			s := scene(line)
			if s.Line.Problem != nil {
				t.Errorf("%s: %q does not parse: %s", r.ID, line, s.Line.Problem.Why)
			}
			if got := found(s); !slices.Contains(got, r.ID) {
				t.Errorf("%s: does not match %q, which has %v", r.ID, line, got)
			}
		}
		for _, line := range r.Miss {
			s := scene(line)
			if s.Line.Problem != nil {
				t.Errorf("%s: %q does not parse: %s", r.ID, line, s.Line.Problem.Why)
			}
			for _, id := range found(s) {
				if byID[id].Class == r.Class {
					t.Errorf("%s: %q matches %s of its class", r.ID, line, id)
				}
			}
		}
	}
}

func TestTable(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	class, classes := "", map[string]bool{}
	for _, r := range dangerous.Rules() {
		if !kebab.MatchString(r.ID) {
			t.Errorf("%s: is no id", r.ID)
		}
		if r.Why == "" || strings.HasSuffix(r.Why, ".") {
			t.Errorf("%s: needs a clause that says why", r.ID)
		}
		if !strings.HasSuffix(r.Instead, ".") || r.Instead[:1] != strings.ToUpper(r.Instead[:1]) {
			t.Errorf("%s: needs a sentence that says what to do instead", r.ID)
		}
		if r.Programs != strings.ToLower(r.Programs) {
			t.Errorf("%s: a program is not in lower case", r.ID)
		}
		if r.Class != class && classes[r.Class] {
			t.Errorf("%s: stands apart from its class", r.ID)
		}
		class, classes[r.Class] = r.Class, true
	}
}

// TestFind checks that Find returns what All returns first.
func TestFind(t *testing.T) {
	for _, r := range dangerous.Rules() {
		for _, line := range append(slices.Clone(r.Hit), r.Miss...) {
			s := scene(line)
			for i := range s.Line.Commands {
				all := dangerous.All(s, i)
				f, ok := dangerous.Find(s, i)
				if ok != (len(all) > 0) || ok && f != all[0] {
					t.Errorf("%q: Find returns %v, All %v", line, f, all)
				}
				if ok && (f.Command != i || f.Span.From < 0 || f.Span.From > f.Span.To || f.Span.To > len(line)) {
					t.Errorf("%q: the finding lies at %v", line, f.Span)
				}
			}
		}
	}
}

// TestWrapped checks that a rule matches a command also behind wrappers, in
// lists and in text that a shell evaluates.
func TestWrapped(t *testing.T) {
	for _, r := range dangerous.Rules() {
		for _, line := range r.Hit {
			if strings.ContainsAny(line, "'\n\\") {
				continue
			}
			for _, wrapped := range []string{"ls; " + line, "cd . && " + line, "(" + line + ")", "sh -c '" + line + "'", "if true; then " + line + "; fi"} {
				if got := found(scene(wrapped)); !slices.Contains(got, r.ID) {
					t.Errorf("%s: does not match %q, which has %v", r.ID, wrapped, got)
				}
			}
			for _, data := range []string{"echo '" + line + "'", "grep -rn '" + line + "' docs", "git log --grep '" + line + "'", "# " + line, "cat > notes.md <<'EOF'\n" + line + "\nEOF"} {
				if got := found(scene(data)); len(got) > 0 {
					t.Errorf("%q has %v", data, got)
				}
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	for _, line := range []string{"ls -la", "git status", "go test ./...", "rm notes.txt", "cat go.mod", "npm test"} {
		s := scene(line)
		if n := testing.AllocsPerRun(100, func() { dangerous.Find(s, 0) }); n > 0 {
			t.Errorf("Find of %q allocates %v times", line, n)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, r := range dangerous.Rules() {
		for _, line := range append(slices.Clone(r.Hit), r.Miss...) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, line string) {
		s := scene(line)
		for i := range s.Line.Commands {
			all := dangerous.All(s, i)
			f, ok := dangerous.Find(s, i)
			if ok != (len(all) > 0) || ok && f != all[0] {
				t.Errorf("Find returns %v, All %v", f, all)
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	for _, line := range []string{"ls -la", "git status --short", "go test ./...", "cp a.go b.go", "rm -rf node_modules", "echo x >> ~/.bashrc"} {
		s := scene(line)
		b.Run(line, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dangerous.Find(s, 0)
			}
		})
	}
}
