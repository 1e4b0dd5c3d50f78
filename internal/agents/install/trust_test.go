package install

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(h[:])
}

// The hash is that of the documented text.
func TestTrustHash(t *testing.T) {
	rows := []struct{ want, event, settings string }{
		{`{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"/usr/local/bin/policyctl hook codex","timeout":600,"type":"command"}]}`,
			"PreToolUse", `{"hooks":[{"type":"command","command":"/usr/local/bin/policyctl hook codex","timeout":600}]}`},
		{`{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"/x/policyctl hook codex","statusMessage":"policyctl","timeout":600,"type":"command"}]}`,
			"PreToolUse", `{"hooks":[{"statusMessage":"policyctl","timeout":600,"command":"/x/policyctl hook codex","type":"command"}]}`},
		{`{"event_name":"permission_request","hooks":[{"async":false,"command":"'/a&b/<é>/policyctl' hook codex","timeout":3600,"type":"command"}],"matcher":"*"}`,
			"PermissionRequest", `{"matcher":"*","hooks":[{"type":"command","command":"'/a&b/<é>/policyctl' hook codex","timeout":3600}]}`},
	}
	for _, row := range rows {
		d, err := parse(`{"hooks":{"` + row.event + `":[` + row.settings + `]}}`)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := lookup(t, "codex").ours(d, row.event)
		if err != nil || len(ours) != 1 {
			t.Fatalf("%v %v", ours, err)
		}
		if got := trustHash(ours[0]); got != sum(row.want) {
			t.Errorf("%s is not the hash of %s", got, row.want)
		}
	}
}

func codexRequest(t *testing.T) (r Request, config string) {
	r = request(lookup(t, "codex"), newPlace(t))
	return r, filepath.Join(r.Place.Home, ".codex", "config.toml")
}

// records returns the configuration that trusts all hooks of a new file.
func records(r Request, group string) string {
	var b strings.Builder
	for i, e := range r.Agent.events {
		hook := map[string]any{"async": false, "command": r.line(e, e.timeout), "timeout": int(e.timeout.Seconds()), "type": "command"}
		for _, p := range e.extra {
			hook[p.key] = p.value
		}
		if i > 0 {
			b.WriteString("\n")
			group = "0"
		}
		identity := compact(map[string]any{"event_name": snake(e.name), "hooks": []any{hook}})
		fmt.Fprintf(&b, "[hooks.state.\"%s:%s:%s:0\"]\ntrusted_hash = \"%s\"\n",
			filepath.Join(r.Place.Home, ".codex", "hooks.json"), snake(e.name), group, sum(identity))
	}
	return b.String()
}

// nasty is TOML 1.1, which Codex reads, in a form that nobody else would write.
const nasty = "# \u2603 [features]\n\ta = {\n  b = [1,\n  ], # }\n}   \n\n\n [ \"x.y\" ]#c\n  'k k' . z=\"\\e[0m\" \n[[ t ]]\n"

func TestTrust(t *testing.T) {
	for _, before := range []string{"", nasty, "model = \"x\"\n", "# a\n[features]\nx = true\n", "a = [\n  \"[hooks]\", # ]\n]\n\n[hooks.state.\"/other:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n"} {
		r, config := codexRequest(t)
		r.Trust = true
		if before != "" {
			put(t, config, before)
		}
		if n := apply(t, Install, r); n != 2 {
			t.Errorf("%d changes", n)
		}
		want := records(r, "0")
		if before != "" {
			want = before + "\n" + want
		}
		if got := get(t, config); got != want {
			t.Errorf("%q has become\n%s, want\n%s", before, got, want)
		}
		if n := apply(t, Install, r); n != 0 {
			t.Errorf("%d changes the second time", n)
		}
		if n := apply(t, Uninstall, r); n != 2 {
			t.Errorf("%d changes to uninstall", n)
		}
		if before == "" {
			if _, err := os.Stat(config); err == nil {
				t.Errorf("%q is left", get(t, config))
			}
		} else if got := get(t, config); got != before {
			t.Errorf("%q comes back as %q", before, got)
		}
	}
}

// Without the flag nothing is written, and the user is told.
func TestTrustIsAsked(t *testing.T) {
	r, config := codexRequest(t)
	p, err := Install(r)
	if err != nil || len(p.Changes) != 1 || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "Codex runs no hook that it does not trust") {
		t.Errorf("%+v %v", p, err)
	}
	apply(t, Install, r)
	if _, err := os.Stat(config); err == nil {
		t.Error("the configuration of Codex has changed")
	}
}

// The record moves with the hook, and that of an older form is replaced.
func TestTrustOlder(t *testing.T) {
	r, config := codexRequest(t)
	path := settings(t, r)
	put(t, path, `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"other"}]},{"hooks":[{"type":"command","command":"/old/policyctl hook codex"}]}]}}`)
	put(t, config, "[hooks.state.\""+path+":pre_tool_use:1:0\"] # mine\nenabled = true\ntrusted_hash = 'sha256:old' # was\n")
	r.Trust = true
	apply(t, Install, r)
	want := strings.Replace(records(r, "1"), "]\ntrusted", "] # mine\nenabled = true\ntrusted", 1)
	want = strings.Replace(want, "\"\n\n", "\" # was\n\n", 1)
	if got := get(t, config); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// A record that is not of our hook stays.
func TestForeignRecord(t *testing.T) {
	r, config := codexRequest(t)
	apply(t, Install, r)
	text := "[hooks.state.\"" + settings(t, r) + ":pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:other\"\n"
	put(t, config, text)
	if n := apply(t, Uninstall, r); n != 1 || get(t, config) != text {
		t.Errorf("%d changes, %s", n, get(t, config))
	}
}

// A configuration that cannot be edited is no reason to keep the hook.
func TestUntrustRefused(t *testing.T) {
	r, config := codexRequest(t)
	apply(t, Install, r)
	put(t, config, "hooks = {}\n")
	p, err := Uninstall(r)
	if err != nil || len(p.Changes) != 1 || p.Changes[0].Action() != "remove" || len(p.Notes) != 1 || !strings.HasPrefix(p.Notes[0], "the record of trust stays: "+config+":1:1: ") {
		t.Errorf("%+v %v", p, err)
	}
}

func TestMoved(t *testing.T) {
	r, _ := codexRequest(t)
	put(t, settings(t, r), `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"/x/policyctl hook codex"}]},{"hooks":[{"type":"command","command":"other"}]}]}}`)
	p, err := Uninstall(r)
	if err != nil || len(p.Notes) != 1 || !strings.HasPrefix(p.Notes[0], "other hooks have moved up in the file") {
		t.Errorf("%q %v", p.Notes, err)
	}
	p, err = Install(r)
	if err != nil || len(p.Notes) != 1 || strings.HasPrefix(p.Notes[0], "other hooks") {
		t.Errorf("%q %v", p.Notes, err)
	}
}

// Configurations in which a record cannot be added line by line.
func TestTrustRefused(t *testing.T) {
	const form = "in a form that cannot be edited here"
	rows := []struct{ want, text string }{
		{":1:1: the trust of hooks is written " + form, `hooks = { state = {} }`},
		{":1:1: the trust of hooks is written " + form, `hooks.state = { "a" = { trusted_hash = "x" } }`},
		{":2:1: the trust of hooks is written " + form, "[hooks]\nstate = {}"},
		{":2:1: the trust of hooks is written " + form, "[hooks]\n'state' = {}"},
		{":1:1: the trust of hooks is written " + form, "[[hooks]]\nstate = {}"},
		{":2:1: the trust of hooks is written " + form, "[hooks.state]\n\"KEY\" = { trusted_hash = 'x' }"},
		{":2:1: the trust of hooks is written " + form, "[hooks.state]\n\"KEY\".trusted_hash = 'x'"},
		{":1:8: not TOML: multiline basic string not terminated", "a = \"\"\"x"},
		{":1:7: not TOML: literal strings cannot have new lines", "a = 'x\n'"},
		{":1:8: not TOML: array is incomplete", "a = [1,\n"},
		{":1:5: not TOML: expected ']' to close table name", "[a.b\n"},
		{":1:3: not TOML: expected '=' after key", "a b = 1"},
		{":1:1: not TOML: invalid character at start of key", "= 1"},
		{":1:5: not TOML: expected newline", "[a] b = 1"},
	}
	for _, row := range rows {
		r, config := codexRequest(t)
		r.Trust = true
		text := strings.ReplaceAll(row.text, "KEY", settings(t, r)+":pre_tool_use:0:0")
		put(t, config, text)
		if _, err := Install(r); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: %v, want %s", row.text, err, row.want)
		}
	}
}

// Where statements stand, to the byte, whatever their text looks like.
func TestStatements(t *testing.T) {
	rows := []struct{ path, written, text string }{
		{"a", "a = \"\"\"\n[hooks.state.\"k\"]\n\"\"\"", "[hooks.state.\"k\"]\n"},
		{"b", "b = '''\r\n[x]'''", "[x]"},
		{"c", "c=\"\\\"#\\u00e9\\e\"", "\"#é\x1b"},
		{"d", "d\t= {e = [1, \"]\"],\n # }\n}", "{e = [1, \"]\"],\n # }\n}"},
		{"f|g.h", "[ f . \"g.h\" ]", ""},
		{"f|g.h|i", "i=1", "1"},
		{"f|g.h|\t|x", "'\t' . \"\\u0078\" = true", "true"},
		{"j", "[[\tj]]", ""},
		{"j|k|l", "k.l = 1979-05-27", "1979-05-27"},
		{"m]", "[[ 'm]' ]]", ""},
		{"[n", "[\"[n\"]", ""},
	}
	var text string
	for _, row := range rows {
		text += "\r\n \t" + row.written + " # [y]\n"
	}
	all, err := statements(text)
	if err != nil || len(all) != len(rows) {
		t.Fatal(len(all), err)
	}
	for i, st := range all {
		if got := strings.Join(st.path, "|"); got != rows[i].path || text[st.from:st.to] != rows[i].written || st.text != rows[i].text {
			t.Errorf("%q is %q and says %q, not %q", text[st.from:st.to], got, st.text, rows[i])
		}
	}
}

func FuzzTrust(f *testing.F) {
	f.Add("a = 1\n[hooks.state.\"k\"]\ntrusted_hash = \"h\"\n")
	f.Add("a = \"\"\"\"\"\"\"\n[x]\r\nb = [\n'''\n''' ]")
	f.Fuzz(func(t *testing.T, text string) {
		after, err := trustIn(text, "k", "sha256:1")
		if err != nil {
			return
		}
		r, err := findRecord(after, "k")
		if err != nil || r == nil || r.hash != "sha256:1" {
			t.Errorf("%q becomes %q: %v %v", text, after, r, err)
		}
		if again, err := trustIn(after, "k", "sha256:1"); err != nil || again != after {
			t.Errorf("%q becomes %q: %v", after, again, err)
		}
	})
}
