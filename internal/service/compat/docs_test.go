package compat

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/api"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/auth/authtest"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

var update = flag.Bool("update", false, "write the answers and the routes into docs/api.md")

const guide = "../../../docs/api.md"

// TestGuideRoutes compares the table of the guide with the routes that are
// served.
func TestGuideRoutes(t *testing.T) {
	var want strings.Builder
	want.WriteString("| method | path | scopes | |\n|---|---|---|---|\n")
	row := func(method, path string, open bool, s auth.Scope, summary string) {
		who := strings.Join(s.Names(), ", ")
		switch {
		case open:
			who = "–"
		case strings.Contains(path, "{token}"):
			who = "submit, in the path"
		case s == anyone:
			who = "any"
		}
		if method == "" {
			method = "any"
		}
		fmt.Fprintf(&want, "| %s | `%s` | %s | %s |\n", method, path, who, summary)
	}
	for _, r := range new(api.API).Family().Routes {
		row(r.Method, r.Path, r.Open, r.Scopes, r.Summary)
	}
	for _, f := range new(Handler).Families() {
		for _, r := range f.Routes {
			row(r.Method, r.Path, r.Open, r.Scopes, r.Summary)
		}
	}
	text := guideText(t)
	before, rest, _ := strings.Cut(text, "<!-- routes -->\n")
	table, after, ok := strings.Cut(rest, "<!-- end of routes -->")
	switch {
	case !ok:
		t.Fatal("the guide has no place for the routes")
	case table != want.String() && *update:
		writeGuide(t, before+"<!-- routes -->\n"+want.String()+"<!-- end of routes -->"+after)
	case table != want.String():
		t.Errorf("the routes of the guide are not those that are served: run go test ./internal/service/compat -run Guide -update")
	}
}

// Every path that an example asks for is one of a route.
func TestGuidePaths(t *testing.T) {
	mux := http.NewServeMux()
	for _, r := range new(api.API).Family().Routes {
		mux.Handle(r.Method+" "+r.Path, http.NotFoundHandler())
	}
	for _, f := range new(Handler).Families() {
		for _, r := range f.Routes {
			mux.Handle(r.Pattern(), http.NotFoundHandler())
		}
	}
	paths := regexp.MustCompile(`\$URL(/[^\s"?]+)`).FindAllStringSubmatch(guideText(t), -1)
	if len(paths) < 60 {
		t.Errorf("%d paths", len(paths))
	}
	for _, p := range paths {
		path := regexp.MustCompile(`\$\(.*|\$[A-Z]+`).ReplaceAllString(p[1], "x")
		found := false
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			_, pattern := mux.Handler(httpRequest(t, method, path))
			found = found || pattern != ""
		}
		if !found {
			t.Errorf("%s is no route", path)
		}
	}
}

func httpRequest(t *testing.T, method, path string) *http.Request {
	r, err := http.NewRequest(method, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGuideAnswers runs the examples of the guide, in their order, and
// compares the answers.
func TestGuideAnswers(t *testing.T) {
	seed.Slow(t)
	if testing.Short() {
		t.Skip("it builds the program")
	}
	for _, tool := range []string{"bash", "curl", "jq", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("the gate needs %s: %v", tool, err)
			}
			t.Skipf("%s is not installed", tool)
		}
	}
	r := newRig(t, nil)
	text := guideText(t)
	answers := r.run(commands(text))
	got := fill(text, answers)
	switch {
	case masked(got) == masked(text):
	case *update:
		writeGuide(t, got)
	default:
		t.Errorf("an answer of the guide is another one: run go test ./internal/service/compat -run Guide -update\n%s", firstDifference(masked(text), masked(got)))
	}
}

const prompt = "$ "

// commands returns the lines of the examples that are typed.
func commands(text string) (list []string) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && strings.HasPrefix(line, prompt):
			list = append(list, strings.TrimPrefix(line, prompt))
		}
	}
	return list
}

const mark = "@@@@"

// run runs commands in one shell and returns what each prints. The tokens of
// the first one are those of the rig.
func (r *rig) run(list []string) []string {
	var script strings.Builder
	for i, command := range list {
		if i > 0 {
			fmt.Fprintln(&script, command)
		}
		fmt.Fprintf(&script, "echo %s\n", mark)
	}
	dir := r.t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "policyctl"), "../../../cmd/policyctl")
	if out, err := build.CombinedOutput(); err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
	shell := exec.Command("bash", "-c", script.String())
	shell.Dir = r.t.TempDir()
	shell.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "NO_PROXY=*", "URL="+r.URL, "AGENT="+r.agent, "PERSON="+r.boss,
		"ADMIN="+r.Token(r.t, "admin", "admin"), "SHIPPER="+r.Token(r.t, "build-7", "record"), "CODE="+authtest.Code(r.Logins))
	out, err := shell.CombinedOutput()
	parts := strings.Split(string(out), mark+"\n")
	if err != nil || len(parts) != len(list)+1 {
		r.t.Fatalf("%v: %d answers to %d commands: %s", err, len(parts)-1, len(list), out)
	}
	return parts
}

// fill returns a text with the answers behind the commands.
func fill(text string, answers []string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		typed := strings.HasPrefix(line, prompt)
		if strings.HasPrefix(line, "```") {
			inside = line == "```console\n"
			typed = true
		}
		if inside && !typed {
			continue // the answer of before
		}
		b.WriteString(line)
		if inside && strings.HasPrefix(line, prompt) {
			b.WriteString(answers[0])
			answers = answers[1:]
		}
	}
	return b.String()
}

// chance is what differs from run to run.
var chance = []struct{ form, text string }{
	{`req_[A-Z2-7]{26}`, "req_"}, {`rcp_[A-Z2-7]{26}`, "rcp_"}, {`urn:policyctl:request:[A-Z2-7]+`, "urn"},
	{`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, "time"}, {`http://127\.0\.0\.1:\d+`, "url"}, {`"version":"[^"]*"`, "version"},
}

func masked(text string) string {
	for _, c := range chance {
		text = regexp.MustCompile(c.form).ReplaceAllString(text, c.text)
	}
	return text
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: the guide has\n%s\nand the service says\n%s", i+1, a[i], b[i])
		}
	}
	return "one is longer"
}

func guideText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeGuide(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(guide, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
