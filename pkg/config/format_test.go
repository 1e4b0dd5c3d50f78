package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A writer writes a value of YAML in another format. Tables of TOML get headers
// where the order of keys allows it.
type writer struct{ strings.Builder }

func (w *writer) json(n *yaml.Node) {
	w.flow(n, ": ")
}

func (w *writer) toml(path string, n *yaml.Node) {
	last := -1 // of the keys without a header
	for i := 1; i < len(n.Content); i += 2 {
		if v := n.Content[i]; !tabular(v) {
			last = i
		}
	}
	for i := 1; i < len(n.Content); i += 2 {
		key, v := strconv.Quote(n.Content[i-1].Value), n.Content[i]
		switch {
		case i <= last:
			w.WriteString(key + " = ")
			w.flow(v, " = ")
			w.WriteString("\n")
		case v.Kind == yaml.MappingNode:
			fmt.Fprintf(w, "[%s%s] # of\n\t", path, key)
			w.toml(path+key+".", v)
		default:
			for _, item := range v.Content {
				fmt.Fprintf(w, "[[%s%s]]\n", path, key)
				w.toml(path+key+".", item)
			}
		}
	}
}

// tabular reports whether a value is a table, or a list of tables.
func tabular(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode && len(n.Content) > 0 &&
		!slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return item.Kind != yaml.MappingNode })
}

// flow writes a value with brackets.
func (w *writer) flow(n *yaml.Node, is string) {
	switch n.Kind {
	case yaml.MappingNode:
		w.WriteString("{")
		for i := 0; i < len(n.Content); i += 2 {
			if i > 0 {
				w.WriteString(", ")
			}
			w.WriteString(strconv.Quote(n.Content[i].Value) + is)
			w.flow(n.Content[i+1], is)
		}
		w.WriteString("}")
	case yaml.SequenceNode:
		w.WriteString("[")
		for i, item := range n.Content {
			if i > 0 {
				w.WriteString(",\n\t")
			}
			w.flow(item, is)
		}
		w.WriteString("]")
	default:
		if n.ShortTag() == "!!str" {
			w.WriteString(strconv.Quote(n.Value))
		} else {
			w.WriteString(n.Value)
		}
	}
}

// Every policy that we have means the same in each format.
func TestFormats(t *testing.T) {
	names, _ := filepath.Glob("../../policies/[bst]*/policy.yaml")
	unplaced := cmp.Options{
		byText, cmpopts.IgnoreFields(policy.Origin{}, "File", "Line"), cmpopts.IgnoreFields(document.Node{}, "Line", "Column"),
		cmpopts.IgnoreUnexported(record.Record{}, policy.FirmTreatment{}), cmpopts.IgnoreFields(pattern.Rule{}, "When"),
		cmpopts.IgnoreFields(Loaded{}, "Revision", "Assignments"), cmpopts.IgnoreFields(Problem{}, "File", "Line", "Column", "Text"),
	}
	for _, name := range append(names, "testdata/full.yaml") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var doc yaml.Node
		if err := yaml.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		var asJSON, asTOML writer
		asJSON.json(doc.Content[0])
		asTOML.toml("", doc.Content[0])
		want := load(t, policy.Defaults(), File{Layer: User, Name: name, Data: data, Admit: Everything})
		for _, f := range []File{
			{Name: "policy.json", Data: []byte(asJSON.String())}, {Name: "pipe", Data: []byte(asJSON.String())}, {Name: "policy.toml", Data: []byte(asTOML.String())},
		} {
			f.Layer, f.Admit = User, Everything
			got, err := Load(policy.Defaults(), f)
			if err != nil {
				t.Errorf("%s as %s: %v\n%s", name, f.Name, err, f.Data)
				continue
			}
			if diff := cmp.Diff(want, got, unplaced...); diff != "" {
				t.Errorf("%s as %s: %s", name, f.Name, diff)
			}
			if a, b := valuesOf(want), valuesOf(got); !reflect.DeepEqual(a, b) {
				t.Errorf("%s as %s: %q, want %q", name, f.Name, b, a)
			}
		}
	}
	if len(names) < 3 {
		t.Error("there are no packs")
	}
}

// valuesOf returns the keys that are assigned.
func valuesOf(l Loaded) (keys []string) {
	for _, a := range l.Assignments {
		keys = append(keys, a.Path)
	}
	slices.Sort(keys)
	return keys
}

// What is wrong has its place in each format, and the nearest name.
func TestFormatProblems(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"policy.toml", "version = 1\n[aprovals]\nmode = \"auto\"\n", `policy.toml:2:2: unknown key "aprovals" (did you mean approvals?)`},
		{"policy.toml", "version = 1\n[approvals]\n  mod = \"auto\"\n", `policy.toml:3:3: unknown key "approvals.mod" (did you mean approvals.mode?)`},
		{"policy.toml", "version = 1\napprovals.mode = \"atuo\"\n", `policy.toml:2:18: unknown mode "atuo": one of manual, auto, skip, observe (did you mean auto?)`},
		{"policy.toml", "version = 1\n[permissions]\n\"shell ü *\" = \"alow\"\n", `policy.toml:3:15: unknown action "alow": one of deny, ask, allow (did you mean allow?)`},
		{"policy.toml", "version = 1\n[security.approval]\ntimeout_secs = '3'\n", `policy.toml:3:16: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the text "3"`},
		{"policy.toml", "version = 1\n[security.approval]\ntimeout_secs = 1_0\n", `policy.toml:3:16: write the number 1_0 with decimal digits alone, as in 1500 or -0.5`},
		{"policy.toml", "version = 1\n[security.approval]\ntimeout_secs = 2026-01-02\n", `policy.toml:3:16: security.approval.timeout_secs must be a whole number from 1 to 31536000, not the date 2026-01-02`},
		{"policy.toml", "version = 1\n[[security.approval.auto_approve]]\ntool = 'shell'\n", `policy.toml:2:21: a pattern is missing here: one of command_pattern, path_pattern, url_pattern, args_pattern`},
		{"policy.toml", "version = 1\n[permissions]\n\"shell ls\" = [[1],\n [ 'x' ]]\n", `policy.toml:3:14: the action of "shell ls" must be deny, ask, allow or a mapping with action, not a list`},
		{"policy.toml", "version = 1\n\"approvals.mode\" = 'auto'\n", `policy.toml:2:1: approvals.mode is written without quotes around the whole, or below the [section]`},
		{"policy.toml", "version = 1\nversion = 1\n", `policy.toml:2:1: duplicate key "version": it is already in line 1`},
		{"policy.toml", "version = 1\n[approvals]\n[approvals]\nx = 3\n", `policy.toml:3:2: duplicate key "approvals": it is already in line 2`},
		{"policy.toml", "version = 1\nrules_default = allow\n", "policy.toml:2:17: not TOML: unexpected character U+0061 'a' at start of value: a text needs quotes"},
		{"policy.toml", "version: 1\n", "policy.toml:1:8: not TOML: expected '=' after key"},
		{"policy.toml", "version = 1\n[approvals\n", "policy.toml:2:11: not TOML: expected ']' to close table name"},
		{"policy.toml", "version = 1\nx = [\n", "policy.toml:2:6: not TOML: array is incomplete"},
		{"policy.toml", "[approvals]\nmode = 'auto'\n", "policy.toml:1:1: version is missing: begin the file with version = 1"},
		{"policy.toml", "# nothing\n", "policy.toml:1:1: the file is empty: a policy begins with version = 1"},
		{"policy.toml", "[approvals]\nmode = 'auto'\n[version]\n", "policy.toml:3:2: version must be the first key: move it to the top\npolicy.toml:3:2: version must be the number 1, not a mapping"},
		{"policy.toml", "version = 2\nzzz = 1\n", "policy.toml:1:11: version 2 is unknown: this policyctl reads version 1, so get one that is newer or write version = 1"},
		{"policy.toml", "version = 1\nrules_default = \"allow\u202e\"\n", "policy.toml:2:23: the invisible character U+202E: remove it, or write it as an escape in double quotes"},
		{"config.toml", "[aprovals]\nmode = 'auto'\n", `config.toml:1:2: unknown key "aprovals" (did you mean approvals?)`},
		{"config.toml", "version = 3\n", "config.toml:1:11: version 3 is unknown: this policyctl reads version 1, so get one that is newer or write version = 1"},
		{"config.toml", "[approvals]\nmode = 'auto'\n", ""},
		{"config.yaml", "approvals: {mode: auto}\n", "config.yaml:1:1: version is missing: begin the file with version: 1"},
		{"policy.json", "{\n\t\"version\": 1,\n\t\"aprovals\": {}\n}\n", `policy.json:3:2: unknown key "aprovals" (did you mean approvals?)`},
		{"policy.json", "{\"version\": 1, \"approvals\": {\"mode\": \"atuo\"}}", `policy.json:1:38: unknown mode "atuo": one of manual, auto, skip, observe (did you mean auto?)`},
		{"policy.json", "{\"version\": 1, \"permissions\": {\"shell ü\": \"deny\", \"shell ls\": \"alow\"}}", `policy.json:1:63: unknown action "alow": one of deny, ask, allow (did you mean allow?)`},
		{"policy.json", "{\"version\": 1, // no\n}", "policy.json:1:16: JSON has no comments: remove it"},
		{"policy.json", "version: 1\n", "policy.json:1:1: not JSON: invalid character 'v' at start of value"},
		{"policy.json", "{\"version\": 1,\n\"approvals\": {\"yolo\": true, \"yolo\": false}}", `policy.json:2:29: the key "yolo" appears twice: keep one`},
		{"policy.json", "{\"approvals\": {\"mode\": \"auto\"}}", `policy.json:1:1: version is missing: begin the file with {"version": 1`},
		{"policy.json", "{\"version\": 1, \"approvals.mode\": \"auto\"}", `policy.json:1:16: approvals.mode is written as nested objects: the part behind each dot is its own key`},
		{"policy.json", " \n", `policy.json:1:1: the file is empty: a policy begins with {"version": 1`},
		{"policy.json", "{\"version\": 1} {}", "policy.json:1:16: something follows the JSON: remove it"},
	} {
		_, err := Load(policy.Defaults(), File{Layer: User, Name: c.name, Data: []byte(c.in), Admit: Everything})
		if got := fmt.Sprint(err); got != c.want && (err != nil || c.want != "") {
			t.Errorf("%q:\ngot  %s\nwant %s", c.in, got, c.want)
		}
	}
}

// Two patterns that differ in case alone stay two, in each format.
func TestFormatCase(t *testing.T) {
	for name, in := range map[string]string{
		"policy.yaml": "version: 1\npermissions: {'shell git *': deny, 'shell Git *': allow}\n",
		"policy.toml": "version = 1\npermissions = {'shell git *' = 'deny', 'shell Git *' = 'allow'}\n",
		"policy.json": `{"version": 1, "permissions": {"shell git *": "deny", "shell Git *": "allow"}}`,
	} {
		got := load(t, policy.Defaults(), File{Layer: User, Name: name, Data: []byte(in), Admit: Everything}).Settings.Permissions
		if len(got) != 2 || got[0].Match != "shell git *" || got[0].Action != policy.Deny || got[1].Match != "shell Git *" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// What is JSON may write a character as two escapes, wherever it stands.
func TestSurrogatesAnywhere(t *testing.T) {
	const clef = `"\ud834\udd1e"`
	s := load(t, policy.Defaults(), file(User, "security: {command_allowlist: [a]}\n"),
		File{Layer: User, Name: "pipe", Data: []byte(`{"version": 1, "security": {"command_allowlist": [` + clef + `]}}`), Admit: Everything},
		Assign(Flag, "--set", `security.command_allowlist=[`+clef+`]`, Everything),
		Assign(Flag, "--set", `agents={"x": {"permissions": {"shell ls": {"action": "deny", "why": `+clef+`}}}}`, Everything)).Settings
	n, err := Parse("a_test.yaml", []byte(`{"x": `+clef+`}`))
	if len(s.Allowlist) != 3 || s.Allowlist[1].Text != "𝄞" || s.Allowlist[2].Text != "𝄞" || s.Agents["x"][0].Why != "𝄞" || err != nil || n.Items[0].Text != "𝄞" {
		t.Errorf("%+v, %+v, %+v, %v", s.Allowlist, s.Agents, n, err)
	}
}
