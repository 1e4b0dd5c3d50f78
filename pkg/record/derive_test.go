package record_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

var update = flag.Bool("update", false, "rewrite testdata/records.txt")

// input returns what a source is shown of a call.
func input(t testing.TB, e *policy.Engine, c *policy.Call) *policy.Input {
	t.Helper()
	in, err := e.Input(c)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func plainEngine(t testing.TB, sources ...policy.Source) *policy.Engine {
	t.Helper()
	e, err := policy.New(policy.Defaults(), policy.Options{Sources: sources})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// shellCall returns a call as most tests make it.
func shellCall(command string) *policy.Call {
	c := policy.Shell(command, "/w/app")
	c.Home = "/home/dev"
	return c
}

// TestRecords compares the records of calls with testdata/records.txt: after
// "> " a command, or a call in JSON, and then its records, without the line.
func TestRecords(t *testing.T) {
	file := filepath.Join("testdata", "records.txt")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e := plainEngine(t)
	var got strings.Builder
	calls := 0
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "> ") {
			if strings.HasPrefix(line, "#") || line == "\n" && calls == 0 {
				got.WriteString(line)
			}
			continue
		}
		calls++
		got.WriteString(line + records(t, e, strings.TrimSuffix(line[2:], "\n")) + "\n")
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if calls < 60 {
		t.Errorf("%d calls, want at least 60", calls)
	}
	want := strings.Split(string(data), "\n> ")
	for i, entry := range strings.Split(got.String(), "\n> ") {
		if i >= len(want) || strings.TrimSpace(entry) != strings.TrimSpace(want[i]) {
			t.Errorf("got\n%s\nwant\n%s", entry, want[min(i, len(want)-1)])
		}
	}
}

func records(t *testing.T, e *policy.Engine, text string) string {
	c := shellCall(strings.ReplaceAll(text, `\n`, "\n"))
	if strings.HasPrefix(text, "{") {
		var err error
		if c, err = policy.DecodeCall([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if c.Dir == "" {
			c.Dir, c.Home = "/w/app", "/home/dev"
		}
	}
	parts, err := record.Derive(input(t, e, c), record.Everything)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range parts {
		delete(p.Record.Facets["shell"], "line")
		if p.Record.Primary != "tool" {
			delete(p.Record.Facets, "tool")
		}
		p.Record.Summary = ""
		out, err := json.Marshal(p.Record)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]any
		d := json.NewDecoder(bytes.NewReader(out))
		d.UseNumber()
		if err := d.Decode(&back); err != nil {
			t.Fatal(err)
		}
		if _, err := record.Decode(back); err != nil {
			t.Errorf("%s: its record is none: %v\n%s", text, err, out)
		}
		fmt.Fprintf(&b, "%d %s\n", p.Command, out)
	}
	return b.String()
}
