package redact

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func decode(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

func TestValue(t *testing.T) {
	rows := []struct{ want, paths, in string }{
		{`{"command":"curl -u a:[redacted basic-auth] h"}`, "/command", `{"command":"curl -u a:hunter2 h"}`},
		{`{"password":"[redacted password]"}`, "/password", `{"password":"hunter two"}`},
		{`{"password":"[redacted password]"}`, "/password", `{"password":123456}`},
		{`{"password":null,"token":true}`, "", `{"password":null,"token":true}`},
		{`{"max_tokens":4096,"token":12}`, "", `{"max_tokens":4096,"token":12}`},
		{`{"password":"$PASSWORD"}`, "", `{"password":"$PASSWORD"}`},
		{`{"apiKey":"[redacted github-token]"}`, "/apiKey", `{"apiKey":"ghp_{w36}"}`},
		{`{"headers":{"Authorization":"[redacted authorization]"}}`, "/headers/Authorization", `{"headers":{"Authorization":"Bearer {w24}"}}`},
		{`{"headers":{"Authorization":"Bearer $TOKEN"}}`, "", `{"headers":{"Authorization":"Bearer $TOKEN"}}`},
		{`{"headers":{"Cookie":"[redacted cookie]"}}`, "/headers/Cookie", `{"headers":{"Cookie":"a=b; c=d"}}`},
		{`{"a/b":{"~c":["x","[redacted github-token]"]}}`, "/a~1b/~0c/1", `{"a/b":{"~c":["x","ghp_{w36}"]}}`},
		{`{"[redacted github-token]":1}`, "/[redacted github-token]", `{"ghp_{w36}":1}`},
		{`{"env":["PASSWORD=[redacted password]","A=b"]}`, "/env/0", `{"env":["PASSWORD=hunter2","A=b"]}`},
		{`{"env":[{"name":"DB_PASSWORD","value":"[redacted password]"}]}`, "/env/0/value", `{"env":[{"name":"DB_PASSWORD","value":"hunter2"}]}`},
		{`{"headers":[{"key":"X-Api-Key","value":"[redacted api-key]"}]}`, "/headers/0/value", `{"headers":[{"key":"X-Api-Key","value":"{w20}"}]}`},
		{`{"passwords":["[redacted password]","[redacted password]"]}`, "/passwords/0 /passwords/1", `{"passwords":["hunter2","hunter3"]}`},
		{`{"secrets":{"DB":"[redacted secret]","file":"a.json"}}`, "/secrets/DB", `{"secrets":{"DB":"hunter2","file":"a.json"}}`},
		{`["tool","--password","[redacted password]"]`, "/2", `["tool","--password","hunter2"]`},
		{`["tool","--password","$P","--token-file","/run/t1"]`, "", `["tool","--password","$P","--token-file","/run/t1"]`},
		{`["/usr/bin/curl","-su","ann:[redacted basic-auth]","https://h"]`, "/2", `["/usr/bin/curl","-su","ann:hunter2","https://h"]`},
		{`["curl","https://h","-X","GET"]`, "", `["curl","https://h","-X","GET"]`},
		{`["docker","login","-p","[redacted password]"]`, "/3", `["docker","login","-p","hunter2"]`},
		{`["mysql","-p[redacted password]","-u","ann"]`, "/1", `["mysql","-phunter2","-u","ann"]`},
		{`["curl","-uann:[redacted basic-auth]"]`, "/1", `["curl","-uann:hunter2"]`},
		{`["mysql","-p$P","-P3306"]`, "", `["mysql","-p$P","-P3306"]`},
		{`["ls","-phunter2"]`, "", `["ls","-phunter2"]`},
		{`{"password":{"value":"[redacted password]","file":"f"}}`, "/password/value", `{"password":{"value":"hunter2","file":"f"}}`},
		{`{"color":{"value":"red"}}`, "", `{"color":{"value":"red"}}`},
		{`{"basic_auth":["ann","[redacted basic-auth]"]}`, "/basic_auth/1", `{"basic_auth":["ann","hunter2"]}`},
		{`{"auth":["ann","$P"],"author":["ann","bob"]}`, "", `{"auth":["ann","$P"],"author":["ann","bob"]}`},
		{`{"kind":"Secret","data":{"db":"[redacted secret]"}}`, "/data/db", `{"kind":"Secret","data":{"db":"aHVudGVyMg=="}}`},
		{`{"kind":"ConfigMap","data":{"db":"aHVudGVyMg=="}}`, "", `{"kind":"ConfigMap","data":{"db":"aHVudGVyMg=="}}`},
		{`["docker","run","-p","8080:80"]`, "", `["docker","run","-p","8080:80"]`},
		{`["ssh","-p","2222"]`, "", `["ssh","-p","2222"]`},
		{`{"n":1.50,"b":false,"s":[],"o":{}}`, "", `{"n":1.50,"b":false,"s":[],"o":{}}`},
	}
	for _, r := range rows {
		in := decode(t, fill(r.in))
		before, _ := json.Marshal(in)
		got, found := Value(in)
		if want := decode(t, r.want); !reflect.DeepEqual(got, want) {
			t.Errorf("Value(%s)\n = %v\nwant %v", r.in, got, want)
		}
		var paths []string
		for _, f := range found {
			paths = append(paths, f.Path)
		}
		if got := strings.Join(paths, " "); got != r.paths {
			t.Errorf("Value(%s): paths %q, want %q", r.in, got, r.paths)
		}
		if after, _ := json.Marshal(in); string(after) != string(before) {
			t.Errorf("Value(%s) changed its argument: %s", r.in, after)
		}
	}
}

// Two keys that become the same keep both members.
func TestValueKeepsMembers(t *testing.T) {
	in := map[string]any{fill("ghp_{w36}"): 1, fill("ghp_A{w36}"): 2, "[redacted github-token]": 3}
	got, found := Value(in)
	if len(got.(map[string]any)) != 3 || len(found) != 2 {
		t.Errorf("%v, %d findings", got, len(found))
	}
}

func TestValueOfStrings(t *testing.T) {
	in := map[string]any{"env": map[string]string{"PASSWORD": "hunter2"}, "argv": []string{"x", "--token", fill("{w20}")}, "f": float64(1), "password": float64(12345)}
	want := map[string]any{"env": map[string]string{"PASSWORD": "[redacted password]"}, "argv": []string{"x", "--token", "[redacted token]"}, "f": float64(1), "password": "[redacted password]"}
	if got, _ := Value(in); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestValueOfOtherTypes(t *testing.T) {
	type login struct{ User, Password string }
	in := map[string]any{"a": login{"ann", "hunter2"}, "b": []map[string]any{{"token": fill("{w20}")}}, "c": func() {}, "d": int8(1)}
	want := map[string]any{
		"a": map[string]any{"User": "ann", "Password": "[redacted password]"}, "b": []any{map[string]any{"token": "[redacted token]"}},
		"c": "[redacted secret]", "d": json.Number("1"),
	}
	if got, _ := Value(in); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestValueDeep(t *testing.T) {
	var v any = "PASSWORD=hunter2"
	for range 10_000 {
		v = []any{v}
	}
	got, found := Value(v)
	if len(found) != 1 {
		t.Errorf("%d findings", len(found))
	}
	if data, _ := json.Marshal(got); strings.Contains(string(data), "hunter2") {
		t.Error("a deep secret is left")
	}
}
