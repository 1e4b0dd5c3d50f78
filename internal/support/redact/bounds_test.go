package redact

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// bounds are texts on both sides of a bound: what is just a secret stands in «», behind its
// kind; what is just none has no kind.
var bounds = []struct{ kind, text string }{
	// How long the parts of a token are.
	{"openai-key", "«sk-aaaa-{w16}»"}, {"", "sk-aaaa-{w15}"}, {"openai-key", "«sk-{w12}-{w12}-{w14}»"}, {"", "sk-{w12}-{w12}-{w13}"},
	{"sendgrid-key", "«SG.{w16}.{w23}»"}, {"", "SG.{w15}.{w40}"}, {"sendgrid-key", "«SG.{w22}.{w20}»"}, {"", "SG.{w40}.{w19}"},
	{"jwt", "«eyJ{w9}.{w8}»"}, {"", "eyJ{w8}.{w30}"}, {"", "eyJ{w9}.{w7}"}, {"jwt", "«eyJ{w9}.{w3}.{w4}»"}, {"", "eyJ{w9}.{w3}.{w3}"}, {"jwt", "«eyJ{w33}..{w4}.{w16}.{w22}»"},
	{"discord-token", "«M{w22}.{w6}.{w27}»"}, {"", "M{w21}.{w6}.{w27}"}, {"discord-token", "«M{w27}.{w6}.{w27}»"}, {"", "M{w28}.{w6}.{w27}"},
	{"discord-token", "«M{w23}.{w7}.{w27}»"}, {"", "M{w23}.{w8}.{w27}"}, {"", "M{w23}.{w5}.{w27}"}, {"", "M{w23}.{w6}.{w26}"},
	{"slack-webhook", "https://hooks.slack.com/«{w20}»"}, {"", "https://hooks.slack.com/{w19}"},
	{"authorization", "Bearer «{w16}»"}, {"", "Bearer {w15}"}, {"authorization", "say Bearer «{w16}»..."}, {"", "Bearer ..."},
	{"telegram-token", "«{d8}:AA{w31}»"}, {"", "{d7}:AA{w31}"}, {"", "{d8}:AA{w30}"}, {"telegram-token", "«{d8}:AA{w38}»"}, {"", "{d8}:AA{w39}"},
	{"telegram-token", "«{d12}:AA{w31}»"}, {"telegram-token", "1«{d12}:AA{w31}»"},
	{"github-token", `\u003d«ghp_{w36}»`}, {"github-token", "[1m«ghp_{w36}»"}, {"github-token", "\x1b[38;5;123;48;1m«ghp_{w36}»"}, {"", "1mghp_{w36}"},
	{"token", "vault login «{w8}»"}, {"", "vault login {w7}"},
	{"url-password", "https://«{w20}»@h.test/x"}, {"", "https://{w19}@h.test/x"},
	{"url-password", "postgres://ann:«x/{w256}»@h.test"}, {"", "postgres://ann:x/{w257}@h.test"}, {"url-password", "postgres://ann:«x/{w200}»@{w100}.test/x"}, {"url-password", "postgres://ann:«a/b?c#d4»@h/x"}, {"", "http://h:80/a@b"},
	{"private-key", "-----BEGIN PRIVATE KEY-----\n«{b16}»"}, {"", "-----BEGIN PRIVATE KEY-----\n{b15}"},
	{"private-key", "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("A: b\n", 8) + "«{b64}»"}, {"", "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("A: b\n", 9) + "{b64}"},
	{"private-key", `"-----BEGIN PRIVATE KEY-----\n" +` + "\n" + ` "«{b64}»"`}, {"private-key", "-----BEGIN PRIVATE KEY-----\n«{b64}»-----END PRIVATE KEY-----"},
	{"private-key", "-----BEGIN PRIVATE KEY-----\n«{b64}\n{b4}»\n-----END PRIVATE KEY-----"},

	// Headers.
	{"authorization", "Authorization: «{w8}»"}, {"", "Authorization: {w7}"}, {"authorization", "Authorization: Bearer «k7Qz»"}, {"", "Authorization: Bearer k7Q"},
	{"", "Authorization: Bearer ,{w20}"}, {"authorization", "Authorization: Bearer «correcthorse»"}, {"", "Authorization: Bearer correcthorse went away"},
	{"authorization", "Authorization: Bearer «{b3000}»"}, {"authorization", "Authorization: Bearer «{w20}», more"},

	// Values of names.
	{"token", "token=«k7Qz2m»"}, {"", "token=k7Qz2"}, {"token", "x token=«12345678»"}, {"", "x token=1234567"}, {"password", "password=«1»"}, {"", "pass=123"},
	{"password", "PASSWORD='«$a1b»'"}, {"", "PASSWORD='$a1'"}, {"", "PASSWORD=\"$a1b\""},
	{"", "password = conn.Secret4"}, {"password", "password = «a.B4+c»"}, {"password", "f(Password=«abcdef»;Server=db)"}, {"password", "f(Password=«abcdef,x»)"},
	{"", `the password: wrong "x"`}, {"", "the password: wrong 'x"}, {"password", `the "password: «wrong»"`}, {"", "password = foo{"},
	{"token", `token = f"«{w20}»"`}, {"token", `token = b'«{w20}»'`}, {"token", "token = $'«{w20}»'"},
	{"password", `{\\\"password\\\":\\\"«{w8}»\\\"}`}, {"password", `password="«abc\\»" x`}, {"password", `password="«abc\" def»" x`}, {"password", "password=\"«abc»\\\nx"},
	{"password", `password="«abc»[redacted token]"`}, {"password", `{password: «abc4567»,"x":1}`}, {"password", "x password=«abc4,=x»"}, {"password", "x password=«abc4»,b=x"},
	{"", `password="<a>"`}, {"", `password="{name}"`}, {"password", `password="«{;abcd}»"`}, {"password", `password="«{;abcd»"`}, {"password", `password="«{abc4}x9yz»"`}, {"", `password="[name]"`},
	{"password", `password="«[name4]»"`}, {"password", `password="«[na me]»"`}, {"password", `password="«[name»"`}, {"password", `password="«<name»"`},
	{"", `password="todo"`}, {"", `password="env:"`}, {"", `password="C:\a"`}, {"", `password="C:/a"`}, {"password", `password="«C;\a4»"`}, {"password", `password="«C:a45»"`},
	{"password", `password="«/a/{w16}»"`}, {"", `password="/a/{w15}"`}, {"", `password="${A}abc"`}, {"password", `password="«${A}abcd»"`}, {"", `password="{x}ab"`},
	{"password", `password="«{}abcd»"`}, {"", `password="$?ab"`}, {"", `password="%PASS%abc"`}, {"password", `password="«%PASS%abcd»"`}, {"password", `password="«%%ab»"`},
	{"", `password="ab${C}d"`}, {"", `password="{{ x }}ab"`}, {"password", `password="«ab{{ x }}cd»"`}, {"", `password="%s"`}, {"password", `password="«%sabcd»"`}, {"", `password="%(name)s"`},
	{"password", "password        = «hunter2»"}, {"", "password         = hunter2"}, {"", "if password!=hunter2x"}, {"password", "${PASSWORD:-«hunter2»}"},
	{"password", "${PASSWORD:=«hunter2»}"}, {"", "${PASSWORD:?hunter2}"}, {"", "secret://path/x4567"}, {"password", "password := «hunter2»"}, {"", "password == hunter2"},
	{"password", `password == "«hunter2»"`}, {"password", "password: |-\n  «hunter2»"}, {"password", "password: >+\n  «hunter2»"}, {"password", "password: |\r\n  «hunter2»"},
	{"password", `a\npassword=«hunter2»`}, {"token", "token=«{w8}»'«b4»'"}, {"token", "token=«{w8}»'b4"}, {"password", `password: str = "«hunter2»"`}, {"", "password: str"},

	// Options.
	{"basic-auth", "curl https://h?a=1&b=2 -u a:«b4567»"}, {"", "curl h & x -u a:b4567"}, {"", "curl h &&x -u a:b4567"}, {"", "curl h ; x -u a:b4567"},
	{"basic-auth", "curl -sSfLku a:«b4567» h"}, {"", "curl -sSfLkvu a:b4567 h"}, {"", "7z x -p archive.7z"}, {"password", "7z x -p«hunter2» a.7z"}, {"", "git config set secret.x {w20}"},
	{"basic-auth", `auth=(\"ann\", \"«x4567»\")`}, {"basic-auth", `auth=('ann', '«x4567»')`}, {"", `auth=(ann, '')`}, {"basic-auth", "curl -u :«b4567» h"}, {"", "curl -u ann: h"},
	{"basic-auth", "curl -x ann:«b4567»@h x"}, {"", "curl -x @h x"}, {"basic-auth", "curl --proxy ann:«b4567»@h x"}, {"basic-auth", "curl --proxy-user ann:«b4567» x"},
	{"password", "echo '«a|b4»' | docker login --password-stdin"}, {"password", `echo "«it's4»" | chpasswd`}, {"", "echo x4567 | cat"}, {"password", "echo -n «b4567» | sudo -S ls"},

	// In percents.
	{"token", "x?u=a%3Ftoken%3D«{w10}%40{w10}»"}, {"token", "x?u=a%3Ftoken%3D«{w10}»%26b%3D1"}, {"url-password", "https%3A%2F%2Fann%3A«x4567»%40host"}, {"", "https%3A%2F%2F%40host"},
	{"", "https%3A%2F%2Fann%40host%3A80"}, {"", "token%3"}, {"url-password", "https%3a%2f%2fann%3a«ɐɐɐɐɐɐɐɐ4»%40host"}, {"", "https%3A%2F%2Fann%3Ax4567%2fy%40host"},

	// Names as long as are read, and what may stand around them.
	{"password", "<" + strings.Repeat("a_", 36) + "password>«hunter2»</x>"}, {"", "<" + strings.Repeat("a_", 36) + "apassword>hunter2</x>"}, {"password", strings.Repeat(". ", 60) + "<password>«hunter2»</password>"},
	{"password", "x password=«abc4»," + strings.Repeat("b", 80) + "=x"}, {"password", "x password=«abc4," + strings.Repeat("b", 81) + "=x»"},
	{"secret", "config set " + strings.Repeat("a", 154) + ".token «{w8}»"}, {"", "config set " + strings.Repeat("a", 155) + ".token {w8}"}, {"secret", strings.Repeat(". ", 100) + "config set token «{w8}»"},
	{"password", `x["password"]]]]] = "«hunter2»"`}, {"", `x["password"]]]]]] = "hunter2"`}, {"token", `a\ntoken=«{w8}»`}, {"token", "x SSOToken=«{w8}»"},
	{"", "${PASSWORD:-}abc4567"}, {"", "secret://abc4+567"}, {"password", "PASSWORD=«//abc4+567»"}, {"", "password = +foo{"}, {"password", "password = «+a[4{»"},

	// Values.
	{"password", `password="«ab[4]cd»"`}, {"password", `password="«abc»\[redacted token]"`}, {"", `password="{.name}"`}, {"password", `password="«C:/»"`}, {"password", `password="«$$abcd4»"`},
	{"password", "SET PASSWORD = '«x4567»'"}, {"jwt", "«eyJ{w20}.{w10}..{w10}»"},

	// Keys.
	{"", "-----BEGIN PRIVATE KEY-----\n{b8}\n-----END PRIVATE KEY-----"}, {"private-key", "-----BEGIN PRIVATE KEY-----«{b64}»"}, {"private-key", "-----BEGIN PRIVATE KEY-----+ «{b64}»"},
	{"private-key", "-----BEGIN PRIVATE KEY-----+\"«{b64}»\""}, {"", "-----BEGIN PRIVATE KEY-----+"}, {"", "-----BEGIN PRIVATE KEY-----\n---{b64}"},
	{"aws-access-key", "{b100}" + strings.Repeat(". ", 60) + "«AKIA{u16}»"}, {"aws-access-key", "«AKIA{u16}»" + strings.Repeat(". ", 80) + "{b40}"},

	// Commands, URLs and marks.
	{"github-token", "[redacted token] «ghp_{w36}»"}, {"github-token", "{w7}[redacted token]«ghp_{w36}»"},
	{"basic-auth", "curl h &x -u a:«b4567»"}, {"", "curl h& x -u a:b4567"}, {"", "curl h&"}, {"", "echo x4567 || sudo -S ls"}, {"", "echo '' | sudo -S ls"}, {"", "echo | sudo -S ls"},
	{"", "https://ann:abc[redacted token]@h.test"}, {"url-password", "https://ann:«ab[4]cd»@h.test"}, {"password", "/opt/homebrew/bin/docker login -p «hunter2»"},
}

func TestBounds(t *testing.T) {
	for _, row := range bounds {
		text := fill(row.text)
		want := marked.ReplaceAllString(text, "[redacted "+row.kind+"]")
		in := strings.NewReplacer("«", "", "»", "").Replace(text)
		if got, _ := Text(in); got != want {
			t.Errorf("Text(%.120q)\n = %.120q\nwant %.120q", in, got, want)
		}
	}
}

// A number in JSON stays JSON when it is replaced.
func TestNumberInJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"password":123456}`:          `{"password":"[redacted password]"}`,
		`{"password": "123456"}`:       `{"password": "[redacted password]"}`,
		`{\"password\":123456}`:        `{\"password\":\"[redacted password]\"}`,
		`password: 123456`:             `password: [redacted password]`,
		`{"a":1,"password":12,"b":[]}`: `{"a":1,"password":"[redacted password]","b":[]}`,
	} {
		if got, _ := Text(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// What nests as deep as it may is read, and what nests deeper is replaced as a whole.
func TestDeepestValue(t *testing.T) {
	for name, wrap := range map[string]func(any) any{
		"lists": func(v any) any { return []any{v} }, "objects": func(v any) any { return map[string]any{"a": v} },
		"others": func(v any) any { return struct{ A any }{v} },
	} {
		for more, want := range []string{"plain", "[redacted secret]"} {
			v := any("plain")
			n := maxDepth + more
			if name == "others" { // one is made plain, which is a step of its own
				v, n = wrap(v), n-2
			}
			for range n {
				if name == "others" {
					v = []any{v}
				} else {
					v = wrap(v)
				}
			}
			got, found := Value(v)
			text, err := json.Marshal(got)
			if err != nil || !strings.Contains(string(text), want) || len(found) != more {
				t.Errorf("%s: %d findings, %v, want %s", name, len(found), err, want)
			}
		}
	}
}

// Keys of names and titles say what a value is; keys of other signs are no names.
func TestKeysOfValues(t *testing.T) {
	const mark = "[redacted password]"
	for key, want := range map[string]string{
		"my password": mark, "Password": mark, "db.password": mark, "contraseña": mark, "a:password": "hunter2", "password?": "hunter2", "x/password": "hunter2",
		"À password": mark, "Àpw": "hunter2",
	} {
		got, _ := Value(map[string]any{key: "hunter2"})
		if got := got.(map[string]any)[key]; got != want {
			t.Errorf("%s: %v, want %s", key, got, want)
		}
	}
	for in, want := range map[string]string{mark: mark, mark + " x": mark, "[redacted x]": "[redacted x]"} {
		got, found := Value(map[string]any{"password": in})
		if got := got.(map[string]any)["password"]; in == mark && (got != mark || found != nil) || in != mark && got == "" {
			t.Errorf("%s: %v %v, want %s", in, got, found, want)
		}
	}
}

// Keys that become the same are numbered from 2.
func TestNumberedKeys(t *testing.T) {
	in := map[string]any{}
	for _, letter := range []string{"A", "B", "C", "D"} {
		in[fill("ghp_"+letter+"{w36}")] = letter
	}
	got, _ := Value(in)
	const mark = "[redacted github-token]"
	want := fmt.Sprint(map[string]any{mark: "A", mark + " (2)": "B", mark + " (3)": "C", mark + " (4)": "D"})
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// Words of a command in a list are secrets by the option before or in them.
func TestArguments(t *testing.T) {
	long := strings.Repeat("a", 25)
	for _, row := range []struct{ in, want string }{
		{"tool --pass hunter2", "tool --pass [redacted password]"}, {"tool --pw hunter2", "tool --pw hunter2"}, {"tool --no-password hunter2", "tool --no-password hunter2"},
		{"curl --user ann:b4567", "curl --user ann:[redacted basic-auth]"}, {"curl --proxy-user ann:b4567", "curl --proxy-user ann:[redacted basic-auth]"},
		{"curl --other ann:b4567", "curl --other ann:b4567"}, {"curl -sSfLku ann:b4567", "curl -sSfLku ann:[redacted basic-auth]"}, {"curl -sSfLkvu ann:b4567", "curl -sSfLkvu ann:b4567"},
		{"7z x -p archive", "7z x -p archive"}, {"7z x -phunter2", "7z x -p[redacted password]"}, {"mysql -phunter2", "mysql -p[redacted password]"}, {"mysql -p", "mysql -p"},
		{"curl -uann:b4567", "curl -uann:[redacted basic-auth]"}, {"curl -u:b4567", "curl -u:b4567"}, {"curl -uann:", "curl -uann:"}, {"curl -uann:$P", "curl -uann:$P"},
		{"mysql " + long + " -phunter2", "mysql " + long + " -p[redacted password]"}, {"/opt/" + strings.Repeat("b/", 40) + "mysql -phunter2", "/opt/" + strings.Repeat("b/", 40) + "mysql -p[redacted password]"},
		{"/opt/" + strings.Repeat("b/", 60) + "mysql -phunter2", "/opt/" + strings.Repeat("b/", 60) + "mysql -phunter2"},
		{"docker login -p hunter2", "docker login -p [redacted password]"}, {"docker run -p hunter2", "docker run -p hunter2"},
		{"mysql -p4", "mysql -p[redacted password]"}, {"/opt/homebrew/Cellar/podman/5.2/bin/podman login -p hunter2", "/opt/homebrew/Cellar/podman/5.2/bin/podman login -p [redacted password]"},
		{"/" + strings.Repeat("b", 89) + "/mysql -phunter2", "/" + strings.Repeat("b", 89) + "/mysql -p[redacted password]"}, {"/" + strings.Repeat("b", 90) + "/mysql -phunter2", "/" + strings.Repeat("b", 90) + "/mysql -phunter2"},
		{"/" + strings.Repeat("b", 88) + "/docker login -p hunter2", "/" + strings.Repeat("b", 88) + "/docker login -p [redacted password]"},
		{"/" + strings.Repeat("b", 89) + "/docker login -p hunter2", "/" + strings.Repeat("b", 89) + "/docker login -p hunter2"},
	} {
		var list []any
		for word := range strings.FieldsSeq(row.in) {
			list = append(list, word)
		}
		got, _ := Value(list)
		if text := strings.Trim(fmt.Sprint(got), "[]"); text != strings.Trim(row.want, "[]") {
			t.Errorf("%s\n = %s\nwant %s", row.in, text, row.want)
		}
	}
}
