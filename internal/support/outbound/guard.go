// Package outbound asks hosts over HTTP that somebody else has named, so that they
// lead nowhere else.
//
//	client := outbound.Guard{Hosts: own}.Client(nil)
//
// A client goes through no proxy and follows no redirect. The package says nothing of
// what a host answers.
package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A Guard says which hosts may be asked. The zero value lets only addresses of the
// internet be.
type Guard struct {
	// Hosts may lead anywhere. They are names or addresses, with a port if it is not
	// 443.
	Hosts []string
	// Private lets every host lead anywhere.
	Private bool
	// Advice ends the refusal of an address: what to do if it is meant.
	Advice string
}

// The times that a host has: to connect, to answer, and in all.
const (
	dialTime   = 5 * time.Second
	answerTime = 10 * time.Second
	wholeTime  = 15 * time.Second
)

// Client returns a client that goes where the guard lets it: through no proxy, and no
// further where a host sends it elsewhere. nil stands for the authorities of the system.
func (g Guard) Client(roots *x509.CertPool) *http.Client {
	return &http.Client{
		Timeout:       wholeTime,
		CheckRedirect: Stay,
		Transport: &http.Transport{
			DialContext: g.dial, TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout: dialTime, ResponseHeaderTimeout: answerTime, MaxIdleConns: 4, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: 16 << 10, ForceAttemptHTTP2: true,
		},
	}
}

// Stay is how a client follows no redirect: the answer that asks for it is the last.
func Stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Check says why a host may not be asked, as far as its address says.
func (g Guard) Check(u *url.URL) error {
	if g.names(u.Host) {
		return nil
	}
	if address, err := netip.ParseAddr(u.Hostname()); err == nil {
		return g.public(address)
	}
	return nil
}

// dial connects to a host. What its name leads to is checked when it is known, so that
// a name which leads elsewhere the next time passes no check of before.
func (g Guard) dial(ctx context.Context, network, host string) (net.Conn, error) {
	d := net.Dialer{Timeout: dialTime}
	if !g.names(host) {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			return g.public(at.Addr())
		}
	}
	return d.DialContext(ctx, network, host)
}

func (g Guard) names(host string) bool {
	return g.Private || slices.ContainsFunc(g.Hosts, func(name string) bool {
		return strings.EqualFold(strings.TrimSuffix(name, ":443"), strings.TrimSuffix(host, ":443"))
	})
}

// reserved are the networks of no public host that [netip.Addr] does not tell, and those
// in which an address of IPv4 is hidden.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("::/96"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("2001::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// An Inside is the error for an address that is not one of the internet.
type Inside struct {
	Address netip.Addr
	Advice  string
}

func (i *Inside) Error() string {
	return fmt.Sprintf("%s is not an address of the internet; %s", i.Address, i.Advice)
}

// public refuses an address that is not one of the internet.
func (g Guard) public(a netip.Addr) error {
	a = a.Unmap().WithZone("")
	inside := func(p netip.Prefix) bool { return p.Contains(a) }
	if !a.IsGlobalUnicast() || a.IsPrivate() || slices.ContainsFunc(reserved, inside) {
		return &Inside{a, g.Advice}
	}
	return nil
}
