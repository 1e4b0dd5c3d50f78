package schemas

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const repo = `{"pluginId":"github","type":"github.repo.delete","label":"Delete repository","description":"Permanently.","primary":"http","defaultSensitivity":"destructive","facets":["http"]}`

func TestDecode(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(repo, old, new, 1) }
	for _, row := range []struct{ want, text string }{
		{"", repo}, {"", "[" + repo + "]"}, {"", `{"schemas":[` + repo + `]}`},
		{"", with(`"description":"Permanently.",`, "")},
		{"pluginId", with("github", "policyctl")},
		{"pluginId", with("github", "../x")},
		{"type", with("github.repo.delete", "a b")},
		{"label", with("Delete repository", "")},
		{"label", with("Delete repository", `a\nb`)},
		{"label", with("Delete repository", `a\u202eb`)},
		{"primary", with(`"primary":"http"`, `"primary":""`)},
		{"defaultSensitivity", with("destructive", "bad")},
		{"facets", with(`["http"]`, `["sql"]`)},
		{"facets", with(`["http"]`, `["http","a b"]`)},
		{"unknown", with(`"label"`, `"lable"`)},
		{"appears twice", with(`{`, `{"label":"x",`)},
		{"from 1 to", `[]`}, {"from 1 to", `{"schemas":[]}`}, {"empty", ``},
	} {
		_, err := Decode([]byte(row.text))
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.text, err, row.want)
		}
	}
}

// What is put replaces what is of the same plugin and type, and a file that
// cannot be read hides itself alone.
func TestDir(t *testing.T) {
	d := Dir(filepath.Join(t.TempDir(), "plugins"))
	if list, problems := d.List(); list != nil || problems != nil {
		t.Errorf("at first: %v %v", list, problems)
	}
	put := func(text string) {
		list, err := Decode([]byte(text))
		if err == nil {
			err = d.Put(list)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put(repo)
	put(strings.Replace(repo, "Delete repository", "Remove", 1))
	put(`[` + strings.Replace(repo, "repo.delete", "repo.create", 1) + `,` + strings.ReplaceAll(repo, "github", "gitlab") + `]`)
	if err := os.WriteFile(filepath.Join(string(d), "bad.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, problems := d.List()
	var got []string
	for _, s := range list {
		got = append(got, s.Plugin+" "+s.Type+" "+s.Label)
	}
	want := "github github.repo.create Delete repository; github github.repo.delete Remove; gitlab gitlab.repo.delete Delete repository"
	if strings.Join(got, "; ") != want || len(problems) != 1 || !strings.HasPrefix(problems[0], "bad.json: ") {
		t.Errorf("%v, %v", got, problems)
	}
	if err := Dir("").Put(list); !errors.Is(err, ErrNone) {
		t.Errorf("without a directory: %v", err)
	}
	var many []string
	for i := range maxSchemas {
		many = append(many, strings.Replace(repo, "repo.delete", fmt.Sprintf("t%d", i), 1))
	}
	all, err := Decode([]byte("[" + strings.Join(many, ",") + "]"))
	if err == nil {
		err = d.Put(all)
	}
	if !errors.Is(err, ErrFull) {
		t.Errorf("too many: %v", err)
	}
}
