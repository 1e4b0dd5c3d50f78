package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// TestLinear reads 1 MiB of each text that could make the work grow with the
// square of its length.
func TestLinear(t *testing.T) {
	seed.Slow(t)
	const size = 1 << 20
	const most = time.Second * cputime.Slower // quadratic work takes many
	parts := []string{
		"a", " ", "=", ":", "-", "-- ", "://", "://a:b/", "://a:b#", "://a:b@", "@", "password=", "password=\"", `password=\"`, `\`,
		"password='$", "password: |\n", "password:\n", "token=a,", "<password>", "<password>a", "{w36}", "M{w20}", "M{w23}.{w6}.", "eyJ{w10}.", "eyJ", "-----BEGIN ",
		"-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n{b64}\n", "-----BEGIN PRIVATE KEY-----\\n", "{b64}\n", "AKIA{u16} ", "AKIA{u16}/",
		"ghp_", "ghp_{w36} ", "Authorization: Bearer ", "Cookie: a=b ", "curl -u a:b ", "curl -u ", "mysql -p", "--password ", "--password x ",
		"1:AA", "{d10}:AA{w33} ", "[redacted ", "[redacted token]", "password=[redacted token]", "machine password ", "password '", "config set ",
		"config set token ", "LS0tLS1CRUdJTi", "$(", "${", "password=${", "password=\"${", "PASSWORD='x'\"'\"'", "a'b'", "token=a'b", "\n", "password", "_",
		"Private-Lines: 1\n", "Proc-Type: ", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type:", "\x1b[31m", "[0;0;0;0;0;0", "https://hooks.slack.com/", "Bearer ",
		"echo ", "echo a | ", "echo a | chpasswd;", "a%3D", "token%3D", "token%3D%", "%3A%2F%2F", "%3A%2F%2Fa%3A", "%3A%2F%2Fa%3Ab%40", "--from-literal=",
		"--from-literal=a=", "--from-literal=$", "auth=(\"", "auth=(\"a\",", "<<<", "chpasswd <<< a ", "curl -b a=b ", "curl -x a:b@c ", "vault login ", "SET PASSWORD ",
	}
	for _, p := range parts {
		p = fill(p)
		text := strings.Repeat(p, size/len(p))
		if d := cputime.Of(func() { Text(text) }); d > most {
			t.Errorf("1 MiB of %q takes %v", p, d)
		}
	}
	for _, head := range []string{"-----BEGIN PRIVATE KEY-----", "password=\"", "AKIA" + fill("{u16}"), "postgres://a:b", "Cookie: a="} {
		for _, p := range parts {
			p = fill(p)
			text := head + strings.Repeat(p, size/8/len(p))
			if d := cputime.Of(func() { Text(text) }); d > most {
				t.Errorf("%q and 128 KiB of %q takes %v", head, p, d)
			}
		}
	}
}

// FuzzText holds the laws: no panic, nothing left to find, JSON stays JSON.
func FuzzText(f *testing.F) {
	for _, name := range []string{"secrets.txt", "lookalikes.txt"} {
		for _, line := range corpus(f, name) {
			f.Add(strings.NewReplacer("«", "", "»", "").Replace(line))
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, found := Text(s)
		if twice, again := Text(once); twice != once {
			t.Fatalf("Text(%q)\n = %q\nthen %q: %v", s, once, twice, again)
		}
		if len(found) == 0 && once != s {
			t.Fatalf("Text(%q) = %q without a finding", s, once)
		}
		for _, p := range found {
			if p.Path != "" || !isKind(p.Kind) {
				t.Fatalf("Text(%q): finding %v", s, p)
			}
		}
		if json.Valid([]byte(s)) && !json.Valid([]byte(once)) {
			t.Fatalf("Text(%q) = %q is no JSON", s, once)
		}
	})
}

// FuzzValue holds that the shape of a value stays, and that nothing is left.
func FuzzValue(f *testing.F) {
	f.Add(`{"a":["b",{"password":"x"},1.5,null,true],"ghp_":{}}`)
	for _, line := range corpus(f, "secrets.txt") {
		data, _ := json.Marshal(map[string]any{"command": line, line: []any{line, 1, nil}})
		f.Add(string(data))
	}
	f.Add(fill(`{"a":"-----BEGIN PRIVATE KEY-----\n{b30}---+{b30}\n-----END PRIVATE KEY-----"}`))
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&v) != nil {
			return
		}
		once, _ := Value(v)
		if !sameShape(v, once) {
			t.Fatalf("Value(%s) = %v", text, once)
		}
		if _, again := Value(once); len(again) > 0 {
			t.Fatalf("Value(%s) = %v: left %v", text, once, again)
		}
	})
}

// sameShape reports whether two values have the same objects and lists; keys and
// what is no container may differ.
func sameShape(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && len(a) == len(b)
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !sameShape(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}
