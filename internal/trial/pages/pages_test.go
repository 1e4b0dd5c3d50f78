// Package pages holds the tests of what is written for people: links lead
// somewhere, the site shows every page, and the README decides as it says.
package pages_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/world"
)

const root = "../../.."

var (
	fence   = regexp.MustCompile("(?ms)^ *(```|~~~).*?^ *(```|~~~) *$")
	code    = regexp.MustCompile("`[^`\n]*`")
	link    = regexp.MustCompile(`!?\[[^\]]*\]\(([^)\s]+)[^)]*\)|(?:href|src|srcset)="([^"]+)"`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	inner   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	snippet = regexp.MustCompile("(?ms)^```yaml *\n(.*?)^```")
	anchor  = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
)

// Every relative link in a page leads to a file, and its anchor to a heading.
func TestLinks(t *testing.T) {
	links := 0
	ids := map[string][]string{}
	for _, page := range markdown(t) {
		text := fence.ReplaceAllString(read(t, page), "")
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, "``"), -1) {
			target := m[1] + m[2]
			if strings.Contains(target, ":") {
				continue // another site
			}
			links++
			if why := broken(t, ids, page, target); why != "" {
				t.Errorf("%s: the link to %s: %s", page, target, why)
			}
		}
	}
	if links < 200 {
		t.Errorf("only %d links were found", links)
	}
}

func broken(t *testing.T, ids map[string][]string, page, target string) string {
	file, section, _ := strings.Cut(target, "#")
	at := page
	if file != "" {
		at = path.Join(path.Dir(page), file)
	}
	if _, err := os.Stat(filepath.Join(root, at)); err != nil {
		return "there is no such file"
	}
	if section == "" || !strings.HasSuffix(at, ".md") {
		return ""
	}
	if ids[at] == nil {
		ids[at] = anchors(read(t, at))
	}
	if !slices.Contains(ids[at], section) {
		return "the page has no such heading"
	}
	return ""
}

// anchors returns the ids that GitHub gives the headings of a page.
func anchors(text string) []string {
	text = fence.ReplaceAllString(text, "")
	ids, seen := []string{}, map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		title := inner.ReplaceAllString(m[1], "$1")
		id := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, title)
		n := seen[id]
		seen[id]++
		if n > 0 {
			id = fmt.Sprintf("%s-%d", id, n)
		}
		ids = append(ids, id)
	}
	for _, m := range anchor.FindAllStringSubmatch(text, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// The navigation of the site names every page of docs once.
func TestSite(t *testing.T) {
	var site struct {
		Docs string      `yaml:"docs_dir"`
		Nav  []yaml.Node `yaml:"nav"`
	}
	if err := yaml.Unmarshal([]byte(read(t, "mkdocs.yml")), &site); err != nil {
		t.Fatal(err)
	}
	named := map[string]int{}
	for i := range site.Nav {
		pagesOf(&site.Nav[i], named)
	}
	for _, page := range markdown(t) {
		if rest, ok := strings.CutPrefix(page, site.Docs+"/"); ok {
			if named[rest] != 1 {
				t.Errorf("mkdocs.yml names %s %d times", rest, named[rest])
			}
			delete(named, rest)
		}
	}
	for page := range named {
		t.Errorf("mkdocs.yml names %s, which is no page", page)
	}
}

func pagesOf(n *yaml.Node, named map[string]int) {
	if n.Kind == yaml.ScalarNode && strings.HasSuffix(n.Value, ".md") {
		named[n.Value]++
	}
	for _, c := range n.Content {
		pagesOf(c, named)
	}
}

// The lines that the README tells readers to try are decided as it says.
func TestReadmeLines(t *testing.T) {
	dir := t.TempDir()
	engine, err := policy.New(policy.Defaults(), policy.Options{World: world.New([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")})})
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (allow|ask|deny) \\|").FindAllStringSubmatch(read(t, "README.md"), -1)
	if len(rows) < 4 {
		t.Errorf("the README has %d lines to try", len(rows))
	}
	for _, row := range rows {
		command := strings.ReplaceAll(row[1], `\|`, "|")
		call := policy.Shell(command, dir)
		call.Home = dir
		v, err := engine.Decide(context.Background(), nil, call)
		if err != nil || v.Decision.String() != row[2] {
			t.Errorf("%s: %s because %s %v, the README says %s", command, v.Decision, v.Why, err, row[2])
		}
	}
}

// A policy that a page shows is a whole one and valid, so that it can be copied.
func TestPolicySnippets(t *testing.T) {
	sections := map[string]bool{"version": true}
	for _, k := range config.Keys() {
		section, _, _ := strings.Cut(k.Path, ".")
		sections[section] = true
	}
	found := 0
	for _, page := range markdown(t) {
		for _, m := range snippet.FindAllStringSubmatch(read(t, page), -1) {
			var top map[string]any
			if yaml.Unmarshal([]byte(m[1]), &top) != nil || len(top) == 0 || !slices.ContainsFunc(slices.Collect(maps.Keys(top)), func(k string) bool { return sections[k] && k != "version" }) {
				continue // another file
			}
			found++
			l, err := config.Load(policy.Defaults(), config.File{Layer: config.Managed, Name: page, Data: []byte(m[1]), Admit: config.Everything})
			if err == nil {
				_, err = policy.New(l.Settings, policy.Options{})
			}
			if err != nil || len(l.Warnings) > 0 {
				t.Errorf("%s: the policy\n%s\nis not whole and valid: %v %v", page, m[1], err, l.Warnings)
			}
		}
	}
	if found < 25 {
		t.Errorf("only %d policies were found", found)
	}
}

func markdown(t *testing.T) []string {
	var pages []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && name != "." && (d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".md") {
			pages = append(pages, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func read(t *testing.T, name string) string {
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
