package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/auth/authtest"
)

const approveOnce = `{"decision":"approved_once"}`

// Who submits cannot decide, whatever their tokens are.
func TestSelfDecision(t *testing.T) {
	s := start(t)
	both := s.Token(t, "agent", "submit,approve,read,admin")
	for name, token := range map[string]string{
		"the same token":             both,
		"another token of the name":  s.Token(t, "agent", "approve"),
		"the name in other letters":  s.Token(t, "AGENT", "approve"),
		"a token without that scope": s.Token(t, "agent", "read"),
	} {
		id := submit(t, s, both, push)
		a := s.Do(t, token, "POST", "/v1/requests/"+id+"/decision", approveOnce)
		if a.Status != http.StatusForbidden || state(t, s, id) != "PENDING" {
			t.Errorf("%s: %d %s, and it is %s", name, a.Status, a.Text, state(t, s, id))
		}
	}
	audit := s.Do(t, both, "GET", "/v1/audit", "").Text
	if !strings.Contains(audit, `"kind":"refusal"`) || !strings.Contains(audit, "self-decision") {
		t.Errorf("the attempts are not on record: %s", audit)
	}
}

// The token says who decides, and nothing else that is sent.
func TestIdentityIsNotSmuggled(t *testing.T) {
	s := start(t)
	agent, boss := s.Token(t, "agent", "submit"), s.Token(t, "boss", "approve")
	id := submit(t, s, agent, push)
	path := "/v1/requests/" + id + "/decision"
	bearer := "Authorization: Bearer "
	for _, row := range []struct {
		want   int
		name   string
		header http.Header
		path   string
		body   string
	}{
		{403, "forwarded user", headers(bearer+agent, "X-Forwarded-User: boss", "X-Remote-User: boss", "Remote-User: boss"), path, approveOnce},
		{403, "identity header", headers(bearer+agent, "X-Identity: token:boss", "X-Policyctl-Identity: token:boss", "X-Scopes: approve"), path, approveOnce},
		{401, "two headers", headers(bearer+agent, bearer+boss), path, approveOnce},
		{401, "joined header", headers(bearer + agent + ", Bearer " + boss), path, approveOnce},
		{401, "basic", headers("Authorization: Basic " + boss), path, approveOnce},
		{401, "token in the query", headers(), path + "?token=" + url.QueryEscape(boss), approveOnce},
		{401, "token in the query beside one", headers(bearer + boss), path + "?access_token=" + boss, approveOnce},
		{401, "token in a cookie", headers("Cookie: policyctl_session=" + boss), path, approveOnce},
		{401, "bad header before a good socket", headers("Authorization: "), path, approveOnce},
		{400, "reviewer", headers(bearer + boss), path, `{"decision":"approved_once","reviewer":"token:ann"}`},
		{400, "decided by", headers(bearer + boss), path, `{"decision":"approved_once","decided_by":"token:ann"}`},
		{400, "receipt", headers(bearer + boss), path, `{"decision":"approved_once","receipt":"x"}`},
		{400, "source", headers(bearer + boss), path, `{"decision":"approved_once","source":"human"}`},
		{400, "case", headers(bearer + boss), path, `{"decision":"rejected","Decision":"approved_once"}`},
		{400, "twice", headers(bearer + boss), path, `{"decision":"rejected","decision":"approved_once"}`},
		{400, "auto", headers(bearer + boss), path, `{"decision":"auto_approved"}`},
		{400, "what is not offered", headers(bearer + boss), path, `{"decision":"approved_remember","scope":"anywhere"}`},
		{405, "method override", headers(bearer+boss, "X-Http-Method-Override: POST"), path, ""},
	} {
		method := http.MethodPost
		if row.want == http.StatusMethodNotAllowed {
			method = http.MethodGet
		}
		if row.header["Content-Type"] == nil {
			row.header["Content-Type"] = []string{"application/json"}
		}
		a := wire{method: method, path: row.path, body: row.body, header: row.header}.send(t, s, http.DefaultTransport)
		if a.Status != row.want || state(t, s, id) != "PENDING" {
			t.Errorf("%s: %d %s, want %d; it is %s", row.name, a.Status, a.Text, row.want, state(t, s, id))
		}
	}
}

// A page in a browser, of whatever origin, decides nothing.
func TestCrossSite(t *testing.T) {
	s := start(t)
	id := submit(t, s, s.Token(t, "agent", "submit"), push)
	boss := s.Token(t, "boss", "approve,read")
	login, err := s.Logins.Exchange(authtest.Code(s.Logins))
	if err != nil {
		t.Fatal(err)
	}
	cookie, bearer := "Cookie: policyctl_session="+login.Cookie, "Authorization: Bearer "+boss
	json, own := "Content-Type: application/json", "Origin: "+s.URL
	path := "/v1/requests/" + id + "/decision"
	for _, row := range []struct {
		want   int
		name   string
		method string
		path   string
		header http.Header
	}{
		{415, "form", "POST", path, headers(cookie, "Content-Type: application/x-www-form-urlencoded")},
		{415, "text", "POST", path, headers(cookie, "Content-Type: text/plain")},
		{415, "multipart", "POST", path, headers(cookie, "Content-Type: multipart/form-data; boundary=x")},
		{415, "no type", "POST", path, headers(cookie)},
		{415, "two types", "POST", path, headers(cookie, json, "Content-Type: text/plain")},
		{415, "compressed", "POST", path, headers(bearer, json, "Content-Encoding: gzip")},
		{403, "a form with a token", "POST", path, headers(bearer, "Content-Type: text/plain", "Sec-Fetch-Site: cross-site", "Origin: https://evil.example")},
		{403, "fetch", "POST", path, headers(bearer, json, "Sec-Fetch-Site: cross-site", "Origin: https://evil.example")},
		{403, "same site", "POST", path, headers(cookie, json, "Sec-Fetch-Site: same-site", "Origin: http://127.0.0.1:3000")},
		{403, "old browser", "POST", path, headers(cookie, json, "Origin: http://localhost:3000")},
		{403, "sandbox", "POST", path, headers(cookie, json, "Origin: null")},
		{403, "its own page: a cookie only reads", "POST", path, headers(cookie, json, "Sec-Fetch-Site: same-origin", own)},
		{403, "image", "GET", "/v1/requests", headers(cookie, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image")},
		{403, "stream", "GET", "/v1/events", headers(cookie, "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty")},
		{404, "by way of the webhooks", "POST", "/api/approvers/%2e%2e/%2e%2e" + path, headers(bearer, "Content-Type: text/plain")},
		{404, "by way of the webhooks, plainly", "POST", "/api/approvers/../.." + path, headers(bearer, "Content-Type: text/plain")},
		{405, "preflight", "OPTIONS", path, headers("Origin: https://evil.example", "Access-Control-Request-Method: POST")},
		{200, "its own page reads", "GET", "/v1/requests", headers(cookie, "Sec-Fetch-Site: same-origin", own)},
	} {
		a := wire{method: row.method, path: row.path, body: approveOnce, header: row.header}.send(t, s, http.DefaultTransport)
		if a.Status != row.want || state(t, s, id) != "PENDING" {
			t.Errorf("%s: %d %s, want %d", row.name, a.Status, a.Text, row.want)
		}
		for name := range a.Header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: the answer has %s", row.name, name)
			}
		}
	}
}

// A name of another site that resolves to this machine is not served.
func TestRebinding(t *testing.T) {
	s := start(t)
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	for _, row := range []struct {
		want int
		host string
	}{
		{200, "127.0.0.1" + port}, {200, "localhost" + port}, {200, "LOCALHOST" + port}, {200, "[::1]" + port},
		{200, "127.0.0.1"}, {200, "localhost:1"}, // no site has these names, and a forwarded port is another
		{421, "evil.example" + port}, {421, "evil.example"}, {421, "127.0.0.2" + port}, {421, "localhost.evil.example" + port},
		{421, "127.0.0.1.nip.io" + port}, {421, "localhost." + port}, {421, "0.0.0.0" + port},
	} {
		a := wire{method: "GET", path: "/health", host: row.host}.send(t, s, http.DefaultTransport)
		if a.Status != row.want {
			t.Errorf("%s: %d %s, want %d", row.host, a.Status, a.Text, row.want)
		}
	}
	if a := (wire{method: "GET", path: "/health", host: "anything"}).send(t, s, overSocket(t, s)); a.Status != 200 {
		t.Errorf("over the socket: %d %s", a.Status, a.Text)
	}
}

// Bodies that readers would read in different ways are read by none.
func TestBodies(t *testing.T) {
	s := start(t)
	agent := s.Token(t, "agent", "submit")
	call := func(input string) string {
		return `{"call":{"tool":"shell","input":{"command":"make","x":` + input + `}}}`
	}
	for _, row := range []struct {
		want    int
		name    string
		body    string
		chunked bool
	}{
		{201, "plain", call(`1`), false},
		{201, "chunked", call(`1`), true},
		{201, "large", call(`"` + strings.Repeat("a", 900<<10) + `"`), false},
		{413, "too large", call(`"` + strings.Repeat("a", 1<<20) + `"`), false},
		{413, "too large, in chunks", call(`"` + strings.Repeat("a", 1<<20) + `"`), true},
		{400, "deep", call(strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)), false},
		{400, "deep objects", call(strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)), false},
		{400, "deep and open", call(strings.Repeat("[", 500_000)), false},
		{400, "a key twice", `{"call":{"tool":"shell","input":{"command":"ls","command":"make"}}}`, false},
		{400, "a key twice, outside", `{"call":{"command":"ls"},"call":{"command":"make"}}`, false},
		{400, "a key twice, escaped", `{"call":{"tool":"shell","input":{"command":"ls","\u0063ommand":"make"}}}`, false},
		{400, "keys that differ in case", `{"call":{"command":"ls"},"Call":{"command":"make"}}`, false},
		{400, "unknown key", `{"call":{"command":"make"},"approve":true}`, false},
		{400, "unknown key of asked", `{"call":{"command":"make"},"asked":{"decision":"allow"}}`, false},
		{400, "trailing", `{"call":{"command":"make"}} {}`, false},
		{400, "not UTF-8", "{\"call\":{\"command\":\"make \xff\"}}", false},
		{400, "half a character", `{"call":{"command":"make \ud800"}}`, false},
		{400, "a list", `[{"call":{"command":"make"}}]`, false},
		{400, "null", `null`, false},
		{400, "empty", ` `, false},
		{400, "no call", `{"call":null}`, false},
		{400, "no tool", `{"call":{}}`, false},
		{400, "a time of no time", `{"call":{"command":"make"},"timeout":"0s"}`, false},
		{400, "a long time", `{"call":{"command":"make"},"timeout":"25h"}`, false},
		{400, "a long key", `{"call":{"command":"make"},"key":"` + strings.Repeat("k", 257) + `"}`, false},
	} {
		h := headers("Authorization: Bearer "+agent, "Content-Type: application/json")
		a := wire{method: "POST", path: "/v1/requests", body: row.body, header: h, chunked: row.chunked}.send(t, s, http.DefaultTransport)
		if a.Status != row.want || a.Status >= 400 && (a.Code() == "" || a.At("hint") == nil) {
			t.Errorf("%s: %d %.300s, want %d", row.name, a.Status, a.Text, row.want)
		}
	}
}

// Ids name one thing, and never a way to another.
func TestPaths(t *testing.T) {
	s := start(t)
	all := s.Token(t, "all", "submit,approve,read,admin")
	for _, row := range []struct {
		want int
		path string
	}{
		{404, "/v1/requests/req_NONE"},
		{400, "/v1/requests/..%2fkeys"},
		{400, "/v1/requests/%2e%2e%2fkeys"},
		{400, "/v1/requests/a%2fb"},
		{400, "/v1/requests/a%00"},
		{400, "/v1/requests/a%0a"},
		{400, "/v1/requests/a..b"},
		{400, "/v1/requests/%20"},
		{400, "/v1/requests/%ff"},
		{400, "/v1/requests/-a"},
		{400, "/v1/requests/a%25"},
		{400, "/v1/requests/" + strings.Repeat("a", 129)},
		{404, "/v1/requests/"},
		{404, "/v1/requests/../keys"},
		{404, "/v1/requests/./x"},
		{404, "/v1//keys"},
		{404, "//v1/keys"},
		{404, "/V1/keys"},
		{404, "/v1/keys/"},
		{404, "/v1/requests/x/decision/y"},
		{404, "/"},
		{404, "/etc/passwd"},
		{405, "/v1/receipts/consume"},
		{405, "/v1/login"},
		{404, "/v1/rules/no-such"},
		{400, "/v1/rules/..%5cx"},
	} {
		a := s.Do(t, all, "GET", row.path, "")
		media := "application/problem+json"
		if !strings.HasPrefix(row.path, "/v1/") {
			media = "application/json" // {"error": …}
		}
		if a.Status != row.want || a.Header.Get("Content-Type") != media {
			t.Errorf("%s: %d %s, want %d", row.path, a.Status, a.Text, row.want)
		}
	}
}

// What comes over the socket without a token submits and reads, and no more.
func TestSocketPeer(t *testing.T) {
	s := start(t)
	agent := s.Token(t, "agent", "submit")
	id := submit(t, s, agent, push)
	socket := overSocket(t, s)
	json := "Content-Type: application/json"
	for _, row := range []struct {
		want               int
		method, path, body string
		header             http.Header
	}{
		{200, "GET", "/v1/whoami", "", headers()},
		{200, "GET", "/v1/requests/" + id, "", headers()},
		{201, "POST", "/v1/requests", `{"call":` + push + `}`, headers(json)},
		{403, "POST", "/v1/requests/" + id + "/decision", approveOnce, headers(json)},
		{403, "POST", "/v1/rules", `{}`, headers(json)},
		{403, "GET", "/v1/tokens", "", headers()},
		{403, "POST", "/v1/tokens", `{"name":"boss","scopes":["approve"]}`, headers(json)},
		{401, "GET", "/v1/whoami", "", headers("Authorization: Bearer pol_wrong")},
		{403, "POST", "/v1/requests/" + id + "/decision", approveOnce, headers(json, "Authorization: Bearer "+agent)},
		{200, "POST", "/v1/requests/" + id + "/decision", approveOnce, headers(json, "Authorization: Bearer "+s.Token(t, "boss", "approve"))},
	} {
		a := wire{method: row.method, path: row.path, body: row.body, header: row.header}.send(t, s, socket)
		if a.Status != row.want {
			t.Errorf("%s %s: %d %s, want %d", row.method, row.path, a.Status, a.Text, row.want)
		}
	}
	if a := (wire{method: "GET", path: "/v1/whoami"}).send(t, s, http.DefaultTransport); a.Status != 401 {
		t.Errorf("over TCP the user is unknown, and yet: %s", a.Text)
	}
}

// Every answer, of whatever kind, tells browsers to do nothing with it, and
// has an id that no client chose.
func TestHeaders(t *testing.T) {
	s := start(t)
	all := s.Token(t, "all", "submit,approve,read,admin")
	for _, path := range []string{"/health", "/login", "/v1/whoami", "/v1/audit/export", "/v1/none", "/v1/requests/%00"} {
		a := wire{method: "GET", path: path, header: headers("Authorization: Bearer "+all, "X-Request-Id: mine")}.send(t, s, http.DefaultTransport)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
			"Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
		} {
			if got := a.Header.Get(name); !strings.Contains(got, want) {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if id := a.Header.Get("X-Request-Id"); id == "" || id == "mine" {
			t.Errorf("%s: the id is %q", path, id)
		}
	}
}
