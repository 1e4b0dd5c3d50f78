package webguard

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// LocalHosts returns what the Host header may say of a service that listens on
// a port of this machine: the loopback addresses and localhost, with the port,
// and other names. A name with a port is taken as it is; one without is taken
// with the port of the service and, for a proxy in front, without any.
func LocalHosts(port int, names ...string) ([]string, error) {
	hosts := []string{at("127.0.0.1", port), at("::1", port), at("localhost", port)}
	for _, name := range names {
		host, own, err := net.SplitHostPort(name)
		if err != nil {
			host, own = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"), strconv.Itoa(port)
			hosts = append(hosts, strings.TrimSuffix(at(host, 0), ":0"))
		}
		if err := checkHost(host, own); err != nil {
			return nil, fmt.Errorf("the host %q: %w", name, err)
		}
		hosts = append(hosts, net.JoinHostPort(host, own))
	}
	return hosts, nil
}

func at(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }

// checkHost refuses what no Host header says.
func checkHost(host, port string) error {
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return fmt.Errorf("%q is not a port; write a number from 1 to 65535", port)
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	odd := strings.IndexFunc(host, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '.' && r != '-' && r != '_'
	})
	if host == "" || odd >= 0 {
		return errors.New("write one name or address, such as policy.example.com or policy.example.com:443, without a scheme, a path or *")
	}
	return nil
}

// Hosts refuses requests over TCP whose Host header is not one of the hosts:
// a page of another site that has its name resolve to this machine would else
// speak to the service as its own page does (DNS rebinding). localhost and the
// addresses of the loopback are no names of others, so that they pass with any
// port: one that is forwarded has another than the service. What comes over a Unix
// socket has no such name and passes.
func Hosts(hosts []string) func(http.Handler) http.Handler {
	known := make(map[string]bool, len(hosts))
	for _, host := range hosts {
		known[strings.ToLower(host)] = true
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !known[strings.ToLower(r.Host)] && !isLoopback(r.Host) && !overSocket(r) {
				Write(w, &Refusal{Status: http.StatusMisdirectedRequest, Code: "unknown-host", Detail: fmt.Sprintf("this service does not answer to the host %q", r.Host), Hint: "use the address that the service printed, or add the host to its configuration"})
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// isLoopback reports whether a Host header says localhost or the address of the
// loopback, with any port or without one. 0.0.0.0 is none of them: pages of
// other sites reach this machine by it.
func isLoopback(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return loopback[strings.ToLower(host)]
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil && net.JoinHostPort(name, port) == host && port[0] != '0' && loopback[strings.ToLower(strings.TrimSuffix(at(name, 0), ":0"))]
}

// loopback are the names that nobody else can have resolve to this machine.
var loopback = map[string]bool{"localhost": true, "127.0.0.1": true, "[::1]": true}

// overSocket reports whether a request came over a Unix socket.
func overSocket(r *http.Request) bool {
	address, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && address.Network() == "unix"
}
