package reference

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/policyctl/policyctl/pkg/policy"
)

const folder = "../../../docs/reference"

func pages(t *testing.T) []Page {
	t.Helper()
	all, err := Pages(source(t))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func source(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../pkg/policy/chain.go")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCurrent(t *testing.T) {
	var names []string
	for _, p := range pages(t) {
		names = append(names, p.Name)
		got, err := os.ReadFile(filepath.Join(folder, p.Name))
		if err != nil || string(got) != p.Text {
			t.Errorf("docs/reference/%s is not what the tables say: run go generate ./...", p.Name)
		}
	}
	agents, err := os.ReadFile("../../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	if page, err := Agents(string(agents)); err != nil || page != string(agents) {
		t.Errorf("docs/agents.md is not what the table of answers says (%v): run go generate ./...", err)
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !slices.Contains(names, f.Name()) {
			t.Errorf("docs/reference/%s is written by nothing: remove it", f.Name())
		}
	}
}

// TestLinks shows that each link of a page leads to a heading that is there
// once. Fenced blocks hold no headings, so they are skipped as a reader of
// Markdown skips them.
func TestLinks(t *testing.T) {
	for _, p := range pages(t) {
		if filepath.Ext(p.Name) != ".md" {
			continue
		}
		used, links := anchors{}, []string(nil)
		fence := ""
		for line := range strings.Lines(p.Text) {
			line = strings.TrimSuffix(line, "\n")
			ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
			switch {
			case fence != "":
				if line == fence {
					fence = ""
				}
			case len(ticks) >= 3:
				fence = ticks
			case strings.HasPrefix(line, "#"):
				used.next(strings.ReplaceAll(strings.TrimLeft(line, "# "), `\`, ""))
			default:
				if _, rest, ok := strings.Cut(line, "](#"); ok {
					anchor, _, _ := strings.Cut(rest, ")")
					links = append(links, anchor)
				}
			}
		}
		if fence != "" {
			t.Errorf("%s: a block is not closed", p.Name)
		}
		if len(links) != len(used)-2 { // less the title and the contents
			t.Errorf("%s: %d links to %d headings", p.Name, len(links), len(used)-2)
		}
		for _, l := range links {
			if !used[l] {
				t.Errorf("%s: no heading for #%s", p.Name, l)
			}
		}
	}
}

func TestReasons(t *testing.T) {
	text := source(t)
	got, err := reasons(text, policy.Stages())
	if err != nil || len(got) != len(policy.Stages())-1 || got[0] != "a rule must never be named for what no rule can lift" {
		t.Errorf("%q, %v", got, err)
	}
	_, err = Pages(strings.Replace(text, "rules before allowlist", "allowlist after rules", 1))
	const want = `pkg/policy/chain.go: no reason for "rules before allowlist": add the line "//	rules before allowlist: …" to the comment of the chain`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestDocument(t *testing.T) {
	d := document{"A title", "What it is.", []class{
		{name: "disk", about: "2 rules", entries: []entry{{"disk", "fills a disk", "Body."}, {"a_b", "", ""}}},
		{name: "contents", body: "Only a body."},
	}}
	want := notice + `

# A title

What it is.

## Contents

- [disk](#disk): 2 rules
  - [disk](#disk-1): fills a disk
  - [a_b](#a_b)
- [contents](#contents-1)

## disk

### disk

Body.

### a_b

## contents

Only a body.
`
	if diff := cmp.Diff(want, d.markdown()); diff != "" {
		t.Error(diff)
	}
}
