package rego_test

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
	"github.com/policyctl/policyctl/pkg/rego"
)

var updateInputs = flag.Bool("update-inputs", false, "rewrite testdata/admission/*.json")

// TestInput compares whole documents with testdata/admission/NAME.json.
func TestInput(t *testing.T) {
	line := shellCall(`cd "$D"; sudo rm -rf build "$X" && curl -sSO https://example.com/a.tgz > log 2>&1`)
	line.ID, line.Agent, line.Session, line.OS = "1", "claude", "s", "linux"
	line.Time = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	for name, c := range map[string]*policy.Call{
		"line": line, "unreadable": shellCall("if ; then"),
		"mcp": {Tool: "mcp__github__merge", Input: map[string]any{"number": json.Number("12345678901234567890"), "deep": []any{map[string]any{"a": nil}}}},
	} {
		file := filepath.Join("testdata", "admission", name+".json")
		got := string(document(t, c)) + "\n"
		if *updateInputs {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestInputRecords shows that a record is what its JSON form says where all of it
// is known.
func TestInputRecords(t *testing.T) {
	compared := 0
	for _, c := range sample(t) {
		in, err := engine(t, nil).Input(c)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := record.Derive(in, record.Everything)
		if err != nil {
			t.Fatal(err)
		}
		m, err := rego.Input(in)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range parts {
			if len(p.Record.Unknown) > 0 || c.Home == "" {
				continue
			}
			compared++
			got := normal(t, m["records"].([]any)[i])
			delete(got, "command")
			if want := normal(t, p.Record); !reflect.DeepEqual(got, want) {
				t.Errorf("%v: got\n%v\nwant\n%v", c.Input, got, want)
			}
		}
	}
	if compared < 50 {
		t.Errorf("%d records are known, want at least 50", compared)
	}
}

func normal(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCommands looks at single values: "PATH = JSON" within the document of a
// line.
func TestCommands(t *testing.T) {
	for _, row := range [][2]string{
		{`commands.0.program = "git"`, "/usr/bin/GIT status"},
		{`commands.0.path = "/usr/bin/GIT"`, "/usr/bin/GIT status"},
		{`commands.0.program = null`, `"$X" status`},
		{`commands.0.path = null`, `"$X" status`},
		{`commands.0.words = [{"known":false,"text":null},{"known":true,"text":"status"}]`, `"$X" status`},
		{`commands.0.words.1 = {"known":false,"text":null}`, `ls *.go`},
		{`commands.0.words.1 = {"known":false,"text":null}`, `ls ${X:-/}`},
		{`commands.0.words.1 = {"known":true,"text":"${__}"}`, `ls '${__}'`},
		{`commands.1.dir = "/w/app/web"`, `cd web && ls`},
		{`commands.1.dir = null`, `cd "$D" && ls`},
		{`commands.0.deletes = ["/w/app/x"]`, `rm x`},
		{`commands.0.deletes = ["/etc/x",null]`, `rm /etc/x "$X"`},
		{`commands.0.deletes = [null]`, `rm *.go`},
		{`commands.1.deletes = [null]`, `cd "$D"; rm x`},
		{`commands.1.deletes = ["/etc/x"]`, `cd "$D"; rm /etc/x`},
		{`commands.1.deletes = [null]`, `cd ${D:-/tmp}; rm x`},
		{`commands.1.deletes = ["/etc/x"]`, `cd ${D:-/tmp}; rm /etc/x`},
		{`commands.1.deletes = []`, `docker run alpine rm /x`},
		{`commands.2.deletes = [null]`, `ls | xargs rm`},
		{`commands.0.writes = ["/w/app/x"]`, `echo a > x`},
		{`commands.0.reads = ["/w/app/x"]`, `cat x`},
		{`commands.0.moves = ["/w/app/x"]`, `mv x y`},
		{`commands.0.alters = ["/w/app/x"]`, `chmod 600 x`},
		{`commands.0.runs = ["./x"]`, `./x`},
		{`commands.0.hosts = ["example.com"]`, `curl https://example.com/x`},
		{`commands.0.hosts = [null]`, `curl "$URL"`},
		{`commands.0.hosts = []`, `ls`},
		{`commands.0.hosts = [null]`, `git fetch`},
		{`commands.0.deletes = ["/srv/x"]`, `git -C /srv rm x`},
		{`commands.0.deletes = [null]`, `git --work-tree=$D rm x`},
		{`commands.0.readonly = true`, `ls`},
		{`commands.0.readonly = false`, `rm x`},
		{`commands.1.parent = 0`, `sudo rm x`},
		{`commands.0.parent = null`, `sudo rm x`},
		{`commands.0.dangerous = ["rm-recursive"]`, `rm -r x`},
		{`commands.0.dangerous = []`, `ls`},
		{`commands = []`, ``},
		{`record = null`, ``},
		{`unreadable = null`, `ls`},
		{`call.os = null`, `ls`},
		{`records.1.command = 1`, `ls; pwd`},
		{`record.facets.shell.argv = ["rm",null]`, `rm "$X"`},
		{`record.facets.shell.command = null`, `rm "$X"`},
		{`record.summary = null`, `rm "$X"`},
		{`record.sensitivity = null`, `if ; then`},
		{`record.facets.http = null`, `if ; then`},
		{`record.facets.shell.writes = ["/etc/x",null]`, `rm /etc/x "$X"`},
	} {
		path, want, _ := strings.Cut(row[0], " = ")
		var v any
		if err := json.Unmarshal(document(t, shellCall(row[1])), &v); err != nil {
			t.Fatal(err)
		}
		for _, key := range strings.Split(path, ".") {
			switch c := v.(type) {
			case map[string]any:
				v = c[key]
			case []any:
				i := int(key[0] - '0')
				if i >= len(c) {
					t.Fatalf("%s: %s: %d elements", row[1], path, len(c))
				}
				v = c[i]
			}
		}
		if got, _ := json.Marshal(v); string(got) != want {
			t.Errorf("%s: %s: got %s, want %s", row[1], path, got, want)
		}
	}
}

// TestValues has arguments that JSON cannot carry, or only at a price.
func TestValues(t *testing.T) {
	deep := any("x")
	for range 70 {
		deep = []any{deep}
	}
	for _, row := range []struct {
		want string
		v    any
	}{
		{"", json.Number("1e1000")},
		{"", json.Number("-12345678901234567890.5")},
		{"", math.MaxFloat64},
		{"", "\xff"},
		{"", []string{"a"}},
		{`call.input["v"]: NaN is not a JSON number`, math.NaN()},
		{`call.input["v"]: +Inf is not a JSON number`, math.Inf(1)},
		{`call.input["v"]: the exponent of 1e1001 does not lie between`, json.Number("1e1001")},
		{`call.input["v"]: the exponent of 1e999999999999999999999 does`, json.Number("1e999999999999999999999")},
		{`call.input["v"]: a number of more than 1000 digits`, json.Number(strings.Repeat("9", 1001))},
		{`call.input["v"]: "0x10" is not a JSON number`, json.Number("0x10")},
		{`call.input["v"]: "true" is not a JSON number`, json.Number("true")},
		{`call.input["v"]: "" is not a JSON number`, json.Number("")},
		{`call.input["v"]: " 1" is not a JSON number`, json.Number(" 1")},
		{`call.input["v"]["a"][1]: a value of the type chan int is not JSON`, map[string]any{"a": []any{1, make(chan int)}}},
		{`nested more than 64 levels deep`, deep},
		{`call.input["v"]: two keys are the same text`, map[string]any{"a\xff": 1, "a\xfe": 2}},
	} {
		in, err := engine(t, nil).Input(&policy.Call{Tool: "read", Input: map[string]any{"file_path": "/x", "v": row.v}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := rego.Input(in)
		if row.want == "" && err == nil {
			if _, err = json.Marshal(m); err != nil {
				t.Error(err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("got %v, want %s", err, row.want)
		}
		if _, err := admission(t, files(t, "everything.rego")).Judge(t.Context(), in); err == nil || !strings.Contains(err.Error(), "the call cannot be shown to it") {
			t.Errorf("%s: Judge: %v", row.want, err)
		}
	}
}

// TestOwnRecord shows that a record that a call brings along is the only one,
// without what it says is unknown, and that the commands stay those of the
// line.
func TestOwnRecord(t *testing.T) {
	c := shellCall("ls; curl https://example.com/x")
	c.Record = map[string]any{
		"type": "x", "verb": "v", "sensitivity": "read",
		"facets":  map[string]any{"http": map[string]any{"headers": map[string]any{"a.b": "c", "d": "e"}, "host": "h"}, "shell": map[string]any{"argv": []any{"a", "b", "c"}}},
		"unknown": []any{`http.headers."a.b"`, "verb", "sql", "http.url", "facets.shell.argv[1]"},
	}
	var got struct {
		Record   any
		Records  []any
		Commands []struct{ Hosts []any }
	}
	if err := json.Unmarshal(document(t, c), &got); err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(got.Record)
	want := `{"command":null,"facets":{"http":{"headers":{"a.b":null,"d":"e"},"host":"h","url":null},"shell":{"argv":["a",null,"c"]},"sql":null},` +
		`"sensitivity":"read","type":"x","unknown":["http.headers.\"a.b\"","verb","sql","http.url","shell.argv[1]"],"verb":null}`
	if string(text) != want || len(got.Records) != 1 {
		t.Errorf("got %s, want %s", text, want)
	}
	if len(got.Commands) != 2 || len(got.Commands[0].Hosts) != 0 || !reflect.DeepEqual(got.Commands[1].Hosts, []any{"example.com"}) {
		t.Errorf("commands: %v", got.Commands)
	}
}
