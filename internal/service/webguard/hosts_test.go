package webguard_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

func TestHosts(t *testing.T) {
	hosts, err := webguard.LocalHosts(8765, "policy.example.com", "proxy.example.com:443", "10.0.0.7", "fd00::1")
	if err != nil {
		t.Fatal(err)
	}
	h := webguard.Hosts(hosts)(fine)
	for _, tc := range []struct{ want, host string }{
		{"200 GET", "127.0.0.1:8765"},
		{"200 GET", "[::1]:8765"},
		{"200 GET", "localhost:8765"},
		{"200 GET", "LocalHost:8765"},
		{"200 GET", "policy.example.com:8765"},
		{"200 GET", "policy.example.com"},
		{"200 GET", "proxy.example.com:443"},
		{"200 GET", "10.0.0.7:8765"},
		{"200 GET", "[fd00::1]:8765"},
		{"200 GET", "[fd00::1]"},
		{"421 unknown-host", "evil.example:8765"}, // resolves to 127.0.0.1
		{"421 unknown-host", "127.0.0.1.evil.example:8765"},
		{"421 unknown-host", "localhost.evil.example:8765"},
		{"421 unknown-host", "a.localhost:8765"},
		{"200 GET", "127.0.0.1"}, // as some clients leave the port out
		{"200 GET", "localhost"},
		{"200 GET", "[::1]"},
		{"200 GET", "127.0.0.1:9000"}, // a port that is forwarded
		{"200 GET", "LOCALHOST:9000"},
		{"421 unknown-host", "localhost:0"},
		{"421 unknown-host", "localhost:65536"},
		{"421 unknown-host", "localhost:"},
		{"421 unknown-host", "localhost:+80"},
		{"421 unknown-host", "[localhost]:80"},
		{"421 unknown-host", "[::ffff:127.0.0.1]:8765"},
		{"421 unknown-host", "[::1%lo]:8765"},
		{"421 unknown-host", "policy.example.com:9000"},
		{"421 unknown-host", "::1"},
		{"421 unknown-host", "127.0.0.2:8765"},
		{"421 unknown-host", "127.1:8765"},
		{"421 unknown-host", "0.0.0.0:8765"},
		{"421 unknown-host", "localhost.:8765"},
		{"421 unknown-host", "localhost:08765"},
		{"421 unknown-host", "::1:8765"},
		{"421 unknown-host", "proxy.example.com"},
		{"421 unknown-host", ""},
		{"421 unknown-host", "evil@127.0.0.1:8765"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = tc.host
		r.Header.Set("X-Forwarded-Host", "127.0.0.1:8765")
		if got := answer(h, r); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.host, got, tc.want)
		}
		unix := r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.UnixAddr{Net: "unix"}))
		if got := answer(h, unix); got != "200 GET" {
			t.Errorf("%s over a socket: %s", tc.host, got)
		}
	}
	if got := answer(webguard.Hosts(nil)(fine), httptest.NewRequest("GET", "http://policy.example.com:8765/", nil)); got != "421 unknown-host" {
		t.Errorf("no hosts: %s", got)
	}
}

func TestLocalHosts(t *testing.T) {
	for _, tc := range []struct{ want, name string }{
		{`the host "*.example.com": write one name or address`, "*.example.com"},
		{`the host "http://x": `, "http://x"},
		{`the host "x/y": write one`, "x/y"},
		{`the host "": write one`, ""},
		{`the host "x:": "" is not a port`, "x:"},
		{`the host "x:http": "http" is not a port`, "x:http"},
		{`the host "x:0": "0" is not a port`, "x:0"},
		{`the host "x:65536": "65536" is not a port`, "x:65536"},
		{`the host "a b": write one`, "a b"},
		{`the host "x@y": write one`, "x@y"},
		{`the host "x[y": write one`, "x[y"},
		{"the host \"x`y\": write one", "x`y"},
		{`the host "x{y": write one`, "x{y"},
		{`the host "x;y": write one`, "x;y"},
		{`the host "0:9:0": write one`, "0:9:0"},
	} {
		if hosts, err := webguard.LocalHosts(8765, tc.name); err == nil || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: %v, %v, want %s", tc.name, hosts, err, tc.want)
		}
	}
	if hosts, err := webguard.LocalHosts(8765, "az-09_AZ.example"); err != nil || !slices.Contains(hosts, "az-09_AZ.example:8765") {
		t.Errorf("%v, %v", hosts, err)
	}
	if hosts, _ := webguard.LocalHosts(80); !slices.Contains(hosts, "localhost:80") || !slices.Contains(hosts, "[::1]:80") {
		t.Errorf("port 80 is not written: %v", hosts)
	}
}

// The request target names the host too; it is what counts.
func TestHostsAbsolute(t *testing.T) {
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = webguard.Hosts([]string{s.Listener.Addr().String()})(fine)
	s.Start()
	defer s.Close()
	own := s.Listener.Addr().String()
	for _, tc := range []struct{ want, target, host string }{
		{"200", "/", own},
		{"421", "http://evil.example/", own},
		{"200", "http://" + own + "/", "evil.example"},
		{"421", "/", "evil.example"},
	} {
		c, err := net.Dial("tcp", own)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", tc.target, tc.host)
		line, err := bufio.NewReader(c).ReadString('\n')
		c.Close()
		if err != nil || !strings.HasPrefix(line, "HTTP/1.1 "+tc.want) {
			t.Errorf("%s, %s: %q, %v", tc.target, tc.host, line, err)
		}
	}
}
