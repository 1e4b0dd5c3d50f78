package outbound

import (
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// Only addresses of the internet are asked, however they are written.
func TestPublic(t *testing.T) {
	for address, ok := range map[string]bool{
		"93.184.215.14": true, "2606:2800:21f:cb07:6820:80da:af6b:8b2c": true, "127.0.0.1": false, "::1": false, "10.1.2.3": false, "172.16.0.1": false,
		"192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "::": false, "224.0.0.1": false, "255.255.255.255": false,
		"198.18.0.1": false, "192.0.0.1": false, "fe80::1": false, "fe80::1%eth0": false, "fd00::1": false, "ff02::1": false, "::ffff:127.0.0.1": false,
		"::ffff:10.0.0.1": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "2001::1": false, "::127.0.0.1": false, "fec0::1": false, "240.0.0.1": false,
	} {
		if err := (Guard{}).public(netip.MustParseAddr(address)); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// What a host asks for is read in both forms, and bounded.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "5": 5 * time.Second, "-1": 0, "x": 0, "99999999999": time.Hour, "999999999999999999999": 0,
		"Sun, 01 Mar 2026 12:00:30 GMT": 30 * time.Second, "Sun, 01 Mar 2026 11:00:30 GMT": 0, "Mon, 02 Mar 2026 12:00:30 GMT": time.Hour,
	} {
		if got := RetryAfter(text, now); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// A host is asked where the guard lets it be, whatever its name leads to, and nobody
// that it sends to.
func TestClient(t *testing.T) {
	asked := 0
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	host := strings.TrimPrefix(s.URL, "https://")
	_, port, _ := strings.Cut(host, ":")
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	for name, row := range map[string]struct {
		guard Guard
		url   string
		want  string
	}{
		"an address":            {Guard{Advice: "say so"}, s.URL, "127.0.0.1 is not an address of the internet; say so"},
		"a name":                {Guard{}, "https://localhost:" + port, "is not an address of the internet"},
		"another port is named": {Guard{Hosts: []string{"127.0.0.1:1"}}, s.URL, "is not an address of the internet"},
		"it is named":           {Guard{Hosts: []string{host}}, s.URL, ""},
		"all may be asked":      {Guard{Private: true}, s.URL, ""},
	} {
		asked = 0
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, row.url+"/secret", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := row.guard.Client(roots).Do(r)
		if row.want == "" {
			if err != nil || answer.StatusCode != http.StatusFound || asked != 1 {
				t.Errorf("%s: %v, asked %d times", name, err, asked)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(Cause(err).Error(), "secret") || asked != 0 {
			t.Errorf("%s: %v, asked %d times", name, err, asked)
		}
		if checked := row.guard.Check(r.URL); name != "a name" && checked == nil {
			t.Errorf("%s: the address is not checked", name)
		}
	}
}
