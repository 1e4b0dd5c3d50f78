package audit

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// secret has a form that is found in any text.
const secret = "ghp_" + "a8Kd03mZpQ7rT1xWvB5nYc2LsE9uJhG4fD6i"

func TestSecretsInEveryField(t *testing.T) {
	for _, name := range fields(reflect.TypeFor[Entry]()) {
		e := full()
		f := reflect.ValueOf(&e).Elem().FieldByName(name)
		switch v := f.Addr().Interface().(type) {
		case *string:
			if name == "Kind" {
				continue // a closed set
			}
			*v = "x " + secret
		case *json.RawMessage:
			*v = json.RawMessage(`{"a":["x ` + secret + `"]}`)
		case *map[string]string:
			*v = map[string]string{"a": "x " + secret, "b " + secret: "x"}
		default:
			continue // a time
		}
		r := next(t, nil, e)
		line, err := r.line()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(line), secret[:12]) || len(r.Redacted) == 0 || !strings.HasSuffix(r.Redacted[0], " github-token") {
			t.Errorf("%s: %v in %s", name, r.Redacted, line)
		}
		if err := new(Verifier).Check(r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What names nobody's secret must stay readable.
func TestHarmlessStays(t *testing.T) {
	r := next(t, nil, full())
	if r.Redacted != nil {
		t.Errorf("redacted: %v", r.Redacted)
	}
	for _, actor := range []string{"token:laptop", "token:ci-runner-0123456789abcdef", "uid:1000", "service", "token:ann@example.com", "telegram:@ann", "token:"} {
		e := full()
		e.Actor, e.DecidedBy = actor, actor
		if r := next(t, nil, e); r.Actor != actor || r.DecidedBy != actor {
			t.Errorf("%q became %q and %q", actor, r.Actor, r.DecidedBy)
		}
	}
}

func TestWhatIsNoted(t *testing.T) {
	rows := []struct {
		want []string
		edit func(*Entry)
	}{
		{[]string{"/actor github-token"}, func(e *Entry) { e.Actor = "token:" + secret }},
		{[]string{"/reason token"}, func(e *Entry) { e.Reason = "token:abcdef012345" }},
		{[]string{"/arguments/env/DB_PASSWORD password"}, func(e *Entry) { e.Arguments = json.RawMessage(`{"env":{"DB_PASSWORD":"hunter2"}}`) }},
		{[]string{"/arguments/a~1b~0c github-token"}, func(e *Entry) { e.Arguments = json.RawMessage(`{"a/b~c":"` + secret + `"}`) }},
		{[]string{"/arguments github-token"}, func(e *Entry) { e.Arguments = json.RawMessage(`"` + secret + `"`) }},
		{[]string{"/detail/password password"}, func(e *Entry) { e.Detail["password"] = "hunter2" }},
		{[]string{"/reason github-token"}, func(e *Entry) { e.Reason = secret + " and " + secret }},
		{[]string{"/dir not-text"}, func(e *Entry) { e.Dir = "/home/\xff" }},
		{[]string{"/detail/a~1b not-text"}, func(e *Entry) { e.Detail["a/b"] = "\x00" }},
		{[]string{"/arguments not-json"}, func(e *Entry) { e.Arguments = json.RawMessage(`{"a":1,"a":2}`) }},
		{[]string{"/arguments not-json", "/arguments not-text"}, func(e *Entry) { e.Arguments = json.RawMessage("{\xff}") }},
		{[]string{"/arguments not-json", "/arguments password"}, func(e *Entry) { e.Arguments = json.RawMessage(`{"password":"hunter2","password":"hunter3"}`) }},
		{[]string{"/arguments authorization", "/arguments not-json"}, func(e *Entry) {
			e.Arguments = json.RawMessage(`{"command":"curl -H \"Authorization: Bearer abcdef0123456789\"","cut":"\ud83d"}`)
		}},
		{[]string{`/arguments/\x00 github-token`}, func(e *Entry) { e.Arguments = json.RawMessage(`{"\u0000":"` + secret + `"}`) }},
	}
	for _, row := range rows {
		e := full()
		row.edit(&e)
		r := next(t, nil, e)
		if !slices.Equal(r.Redacted, row.want) {
			t.Errorf("noted %q, not %q", r.Redacted, row.want)
		}
		for _, old := range []string{"hunter", secret, "abcdef012345"} {
			if line, _ := r.line(); strings.Contains(string(line), old) {
				t.Errorf("%s is still in %s", old, line)
			}
		}
		if err := new(Verifier).Check(r); err != nil {
			t.Error(err)
		}
	}
}

func TestArgumentsAreKept(t *testing.T) {
	rows := []struct{ want, in string }{
		{`null`, `null`},
		{`{}`, ` { } `},
		{`[]`, `[]`},
		{`""`, `""`},
		{`{"a":1,"b":[2,null,true]}`, "{\"b\":[2,null,true],\n\t\"a\":1}"},
		{`[9007199254740993,1.0,1e400,-0,12345678901234567890123]`, `[9007199254740993, 1.0, 1e400, -0, 12345678901234567890123]`},
		{`"é😀\u2028<&>"`, `"\u00e9\ud83d\ude00\u2028\u003c&>"`},
		{"\"\\u0000\ufffd\"", `"\u0000\ufffd"`},
		{`"{\"a\":1,\"a\":2}"`, `{"a":1,"a":2}`},
		{`"[\"\\ud83d\"]"`, `["\ud83d"]`},
		{`"[\"\\ude00\\ud83d\"]"`, `["\ude00\ud83d"]`},
		{`"\"\\ud83d\\ude00\\ud83d\""`, `"\ud83d\ude00\ud83d"`},
		{`"\"\\\\\\ud83d\""`, `"\\\ud83d"`},
		{`"😀\\ud83d"`, `"\ud83d\ude00\\ud83d"`},
		{`"\\xff\\\\xff"`, "\xff\\xff"},
		{`"{} {}"`, `{} {}`},
		{`" "`, ` `},
		{`"[1,]"`, `[1,]`},
		{`["\\ud83d"]`, `["\\ud83d"]`},
	}
	for _, row := range rows {
		e := full()
		e.Arguments = json.RawMessage(row.in)
		r := next(t, nil, e)
		if diff := cmp.Diff(row.want, string(r.Arguments)); diff != "" {
			t.Errorf("%s: %s", row.in, diff)
		}
	}
	if r := next(t, nil, Entry{Time: noon, Kind: KindLogin, Actor: "uid:0", Arguments: json.RawMessage{}}); r.Arguments != nil {
		t.Errorf("no arguments became %s", r.Arguments)
	}
}

// Calls that differ never share a hash.
func TestDifferentArgumentsDiffer(t *testing.T) {
	deep := strings.Repeat("[", 300)
	inputs := []string{
		``, `null`, `"null"`, `""`, `{}`, `[]`, `0`, `-0`, `0.0`, `1`, `1.0`, `1e0`, `"1"`, `9007199254740992`, `9007199254740993`,
		`9007199254740992.0`, `1e400`, `1e401`, `0.1`, `0.10000000000000001`, `{"a":1}`, `{"a":1,"a":1}`, `{"a":1,"a":2}`,
		`"{\"a\":1,\"a\":1}"`, `"\ud83d"`, `"\ud83e"`, `"\ude00\ud83d"`, `"\ufffd"`, `"\\ud83d"`, "\"\xff\"", "\"\xfe\"", `"\\xff"`,
		"\xff\\xff", "\\xff\xff", "\xff\xff", "\x00", `"\u0000"`, `"\\u0000"`, `"é"`, `"e\u0301"`, `"\u2028"`, `"<"`, `"\\u003c"`,
		deep + "1" + strings.Repeat("]", 300), deep + "2" + strings.Repeat("]", 300), `"K"`, `"\u212a"`, `{"a":{"b":1}}`, `{"a.b":1}`,
	}
	seen := map[string]string{}
	for _, in := range inputs {
		e := full()
		e.Arguments = json.RawMessage(in)
		r := next(t, nil, e)
		if old, twice := seen[r.Hash]; twice {
			t.Errorf("%q and %q have one hash", old, in)
		}
		seen[r.Hash] = in
	}
}

func TestTextThatIsNone(t *testing.T) {
	rows := []struct{ want, in string }{
		{"plain", "plain"},
		{`a\b`, `a\b`},
		{"\ufffd", "\ufffd"},
		{`\xff`, "\xff"},
		{`\xff\\xff`, "\xff\\xff"},
		{`a\x00é`, "a\x00é"},
		{`\xed\xa0\x80`, "\xed\xa0\x80"},
		{`\xc0\xaf`, "\xc0\xaf"},
	}
	for _, row := range rows {
		e := full()
		e.ExecutionResult = row.in
		if r := next(t, nil, e); r.ExecutionResult != row.want {
			t.Errorf("%q became %q, not %q", row.in, r.ExecutionResult, row.want)
		}
	}
}
