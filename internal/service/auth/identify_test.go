package auth

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestIdentify(t *testing.T) {
	r := newRig()
	good := r.token("laptop", Submit, nil)
	bad, _ := NewToken("x", Submit, noon, noon)
	s, _ := r.logins.Exchange(newCode(r.logins))
	code := newCode(r.logins)
	header := func(values ...string) http.Header { return http.Header{"Authorization": values} }
	cookie := func(text string) http.Header { return http.Header{"Cookie": {text}} }
	both := header("Bearer " + good)
	both.Set("Cookie", "policyctl_session="+s.Cookie)
	worse := header("Bearer " + bad)
	worse.Set("Cookie", "policyctl_session="+s.Cookie)
	for _, tc := range []struct {
		want   string
		uid    int64 // of the peer, -1 for TCP
		url    string
		header http.Header
	}{
		{"token:laptop submit", -1, "/", header("Bearer " + good)},
		{"token:laptop submit", 1000, "/", header("bearer " + good)},
		{"token:laptop submit", -1, "/?q=pol_x&token=abc", header("Bearer " + good)},
		{"login:1 approve,read,admin", -1, "/", header("Bearer " + s.Secret)},
		{"login:1 read", -1, "/", cookie("policyctl_session=" + s.Cookie)},
		{"login:1 read", 1000, "/", cookie("other=x; policyctl_session=" + s.Cookie)},
		{"token:laptop submit", -1, "/", both},
		{"uid:1000 submit,read", 1000, "/", nil},
		{ErrAbsent.Error(), -1, "/", nil},
		{ErrAbsent.Error(), 1001, "/", nil},
		{ErrAbsent.Error(), 0, "/", nil},
		{ErrAbsent.Error(), nobody, "/", nil},
		{ErrAbsent.Error(), -1, "/", cookie("__Host-policyctl_session=" + s.Cookie)}, // without TLS
		{"denied", 1000, "/", header("Bearer " + bad)},
		{"denied", 1000, "/", worse},
		{"denied", 1000, "/", header("")},
		{"denied", 1000, "/", header("Bearer")},
		{"denied", 1000, "/", header("Bearer ")},
		{"denied", 1000, "/", header("Bearer  " + good)},
		{"denied", 1000, "/", header(good)},
		{"denied", 1000, "/", header("Basic " + good)},
		{"denied", 1000, "/", header("Bearer " + good + ", Bearer " + good)},
		{"denied", 1000, "/", header("Bearer " + s.Cookie)},
		{"denied", 1000, "/", header("Bearer " + code)},
		{"denied", 1000, "/", cookie("policyctl_session=")},
		{"denied", 1000, "/", cookie("policyctl_session=" + s.Secret)},
		{"denied", 1000, "/", cookie("policyctl_session=" + good)},
		{ErrTwice.Error(), 1000, "/", header("Bearer "+good, "Bearer "+good)},
		{ErrTwice.Error(), 1000, "/", header("Bearer "+good, "Basic x")},
		{ErrTwice.Error(), -1, "/", cookie("policyctl_session=" + s.Cookie + "; policyctl_session=x")},
		{ErrInURL.Error(), 1000, "/?token=" + good, nil},
		{ErrInURL.Error(), 1000, "/?" + good, nil},
		{ErrInURL.Error(), -1, "/?a=b&access_token=" + s.Secret, header("Bearer " + good)},
		{ErrInURL.Error(), -1, "/login?code=" + code, nil},
	} {
		q := httptest.NewRequest("GET", "http://h"+tc.url, nil)
		if tc.header != nil {
			q.Header = tc.header
		}
		if tc.uid >= 0 {
			q = q.WithContext(context.WithValue(q.Context(), peerKey{}, uint32(tc.uid)))
		}
		if got := text(r.Identify(q)); got != tc.want {
			t.Errorf("uid %d %s %v: %s, want %s", tc.uid, tc.url, tc.header, got, tc.want)
		}
	}
}

// A service whose uid is nobody's tells no peers apart.
func TestPeerNobody(t *testing.T) {
	none := uint32(invalid)
	for _, own := range []int{nobody, -1, int(none)} {
		ctx := context.WithValue(t.Context(), peerKey{}, uint32(own))
		if i, ok := peerIdentity(ctx, own); ok {
			t.Errorf("uid %d: %+v", own, i)
		}
	}
}

func TestCookie(t *testing.T) {
	for _, tc := range []struct {
		want string
		tls  *tls.ConnectionState
	}{
		{"policyctl_session=C; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict", nil},
		{"__Host-policyctl_session=C; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict", &tls.ConnectionState{}},
	} {
		q := httptest.NewRequest("POST", "/login", nil)
		q.TLS = tc.tls
		w := httptest.NewRecorder()
		SetCookie(w, q, Session{Cookie: "C"})
		if got := w.Header().Get("Set-Cookie"); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
		w = httptest.NewRecorder()
		EndCookie(w, q)
		if got := w.Header().Get("Set-Cookie"); !strings.Contains(got, "Max-Age=0") || !strings.Contains(got, "session=;") {
			t.Errorf("the end: %s", got)
		}
	}
}

// With TLS only the cookie counts that a page without TLS cannot set.
func TestCookieTLS(t *testing.T) {
	r := newRig()
	s, _ := r.logins.Exchange(newCode(r.logins))
	for _, tc := range []struct{ want, name string }{
		{"login:1 read", "__Host-policyctl_session"},
		{ErrAbsent.Error(), "policyctl_session"},
	} {
		q := httptest.NewRequest("GET", "https://h/", nil)
		q.AddCookie(&http.Cookie{Name: tc.name, Value: s.Cookie})
		if got := text(r.Identify(q)); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// A real socket tells who connected; TCP does not.
func TestPeerConn(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the system does not tell")
	}
	own := newRig()
	own.uid = os.Geteuid()
	other := newRig()
	other.uid = os.Geteuid() + 1
	path := filepath.Join(t.TempDir(), "s")
	for _, tc := range []struct {
		want, network, address string
		a                      *rig
	}{
		{"uid", "unix", path, own},
		{ErrAbsent.Error(), "unix", path, other},
		{ErrAbsent.Error(), "tcp", "127.0.0.1:0", own},
	} {
		got, _, _ := strings.Cut(ask(t, tc.network, tc.address, tc.a), ":")
		want, _, _ := strings.Cut(tc.want, ":")
		if got != want {
			t.Errorf("%s: %s, want %s", tc.network, got, tc.want)
		}
	}
}

// ask serves on an address, and returns whom the service sees.
func ask(t *testing.T, network, address string, a *rig) string {
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{ConnContext: PeerConn, Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.WriteString(w, text(a.Identify(q)))
	})}
	go func() { _ = s.Serve(listener) }()
	defer s.Close()
	dial := func(context.Context, string, string) (net.Conn, error) {
		return net.Dial(network, listener.Addr().String())
	}
	c := http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
	resp, err := c.Get("http://policyctl/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestContext(t *testing.T) {
	if i, ok := FromContext(t.Context()); ok || i != (Identity{}) {
		t.Errorf("%+v", i)
	}
	want := Identity{Name: "uid:1", Scopes: Read}
	if i, ok := FromContext(NewContext(t.Context(), want)); !ok || i != want {
		t.Errorf("%+v", i)
	}
}
