package permission_test

import (
	"fmt"
	"testing"

	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/pkg/permission"
)

var tools = map[string]permission.Tool{
	"shell": {Name: "shell"},
	"read":  {Name: "read", Kind: permission.Reads, Paths: true},
	"write": {Name: "write", Kind: permission.Writes, Paths: true},
	"fetch": {Name: "fetch", Kind: permission.Fetches},
}

func compile(t *testing.T, match string, except ...string) *permission.Pattern {
	t.Helper()
	p, err := permission.Compile(match, except, func(name string) (permission.Tool, bool) { tool, ok := tools[name]; return tool, ok })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func view(command string) *permission.View {
	in := &permission.View{Tool: tools["shell"], Dir: "/w", Stands: "/w", Project: "/w", Home: "/home/u", OS: "linux"}
	in.Line = eval.Read(command, eval.Env{Dir: in.Dir, Home: in.Home})
	return in
}

// TestCommands shows that a deny needs one value that matches and an allow
// needs all of them.
func TestCommands(t *testing.T) {
	for _, tc := range []struct {
		hits   permission.Hit
		covers bool
		match  string
		except string
		line   string
	}{
		{permission.Full, true, "shell git push *", "", "git push origin"},
		{permission.Full, true, "shell git push *", "", "git push"},
		{permission.Full, false, "shell git push *", "", "git -C . push origin"},
		{permission.Full, false, "shell git push *", "", "GIT push"},
		{permission.Full, false, "shell git push *", "", "/opt/x/git push"},
		{permission.Full, true, "shell git push *", "", "/usr/bin/git push"},
		{permission.Maybe, false, "shell git push *", "", "git $X origin"},
		{permission.None, false, "shell git push *", "", "git pushed"},
		{permission.None, false, "shell git push *", "shell git push origin *", "git push origin main"},
		{permission.Full, true, "shell git push *", "shell git push origin *", "git push fork main"},
		{permission.Full, true, "shell cat ./a/*", "", "cat ./a/b"},
		{permission.Full, false, "shell cat ./a/*", "", "cat ./a/../b"},
		{permission.Full, false, "read b", "", "cat ./a/../b"},
		{permission.Full, false, "read /w/b", "", "cat b"},
		{permission.None, false, "write b", "", "cat b"},
		{permission.Full, false, "write b", "", "echo x > b"},
		{permission.Full, true, "*", "", "make"},
		{permission.Full, false, "shell python *", "", "python3 x"},
		{permission.Full, false, "shell python *", "", "python3.12 x"},
		{permission.Full, false, "shell python3 *", "", "/usr/bin/python3.12 x"},
		{permission.Full, true, "shell python3.12 *", "", "/usr/bin/python3.12 x"},
		{permission.Full, false, "shell python *", "", "python3.12.exe -m $X"},
		{permission.None, false, "shell python3 *", "", "python x"},
		{permission.None, false, "shell python *", "shell python3 *", "python3 x"},
		{permission.Full, false, "shell node *", "", "nodejs x"},
		{permission.Full, false, "shell find *", "", "gfind x"},
		{permission.Full, false, "shell find * -delete*", "", "FIND.EXE x -delete"},
		{permission.Full, true, "shell gfind *", "", "/usr/local/bin/gfind x"},
		{permission.Full, false, "shell mvn deploy *", "", "./mvnw -B deploy"},
		{permission.None, false, "shell docker *", "", "podman ps"},
		{permission.None, false, "shell r *", "", "r2 x"},
	} {
		var except []string
		if tc.except != "" {
			except = []string{tc.except}
		}
		p, in := compile(t, tc.match, except...), view(tc.line)
		if got, _ := p.Hits(in); got != tc.hits {
			t.Errorf("%s, %s: hits %d, want %d", tc.match, tc.line, got, tc.hits)
		}
		if got := p.Covers(in, &in.Line.Commands[0]); got != tc.covers {
			t.Errorf("%s, %s: covers %v", tc.match, tc.line, got)
		}
	}
}

// TestSubjects shows the same for tools other than the shell: an allow covers
// every subject, a deny any.
func TestSubjects(t *testing.T) {
	for _, tc := range []struct {
		hits, covers bool
		match        string
		tool         string
		subjects     []string
	}{
		{true, true, "write src/*", "write", []string{"src/a", "/w/src/b"}},
		{true, false, "write src/*", "write", []string{"src/a", "b"}},
		{false, false, "write src/*", "write", []string{"src/../b"}},
		{false, false, "write src/*", "read", []string{"src/a"}},
		{true, true, "read ~/x", "read", []string{"/home/u/x"}},
		{true, true, "fetch https://a.example/*", "fetch", []string{"https://a.example/x"}},
		{true, true, "fetch https://a.example/*", "fetch", []string{"https://A.example/x"}},
		{false, false, "fetch https://a.example/*", "fetch", []string{"https://a.example.org/x"}},
		{false, false, "fetch https://a.example/*", "fetch", []string{"https://b.example/https://a.example/x"}},
	} {
		in := &permission.View{Tool: tools[tc.tool], Subjects: tc.subjects, Dir: "/w", Stands: "/w", Project: "/w", Home: "/home/u", OS: "linux"}
		p := compile(t, tc.match)
		if got, _ := p.Hits(in); (got == permission.Full) != tc.hits {
			t.Errorf("%s, %s: hits %d", tc.match, tc.subjects, got)
		}
		if got := p.CoversCall(in); got != tc.covers {
			t.Errorf("%s, %s: covers %v", tc.match, tc.subjects, got)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for match, except := range map[string][]string{"": nil, " ": nil, "shell rm *": {"shell"}, "file_system erase x": nil} {
		_, err := permission.Compile(match, except, func(string) (permission.Tool, bool) { return permission.Tool{}, false })
		if err == nil {
			t.Errorf("%q except %q: no error", match, except)
		}
	}
}

func Example() {
	lookup := func(name string) (permission.Tool, bool) { return permission.Tool{Name: name}, name == "shell" }
	p, _ := permission.Compile("shell git push *", []string{"shell git push origin *"}, lookup)
	for _, line := range []string{"git push fork", "git push origin", "git $verb"} {
		in := &permission.View{Tool: permission.Tool{Name: "shell"}, Line: eval.Read(line, eval.Env{})}
		hit, _ := p.Hits(in)
		fmt.Println(line, "|", hit == permission.Full, hit == permission.Maybe, p.Covers(in, &in.Line.Commands[0]))
	}
	// Output:
	// git push fork | true false true
	// git push origin | false false false
	// git $verb | false true false
}
