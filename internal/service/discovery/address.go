package discovery

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// check returns the URL of a service without slashes at its end. No error
// shows the URL: its path may hold a token.
func check(address string) (string, error) {
	const next = "write the URL that the service printed"
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("this is no URL; " + next)
	}
	switch host := u.Hostname(); {
	case u.Scheme != "http" && u.Scheme != "https":
		return "", errors.New("the URL begins with neither http:// nor https://; " + next)
	case host == "" || u.Opaque != "":
		return "", errors.New("the URL has no host;  " + next)
	case u.User != nil:
		return "", errors.New("the URL contains a user name; leave out the part before the @")
	case u.Fragment != "" || strings.Contains(address, "#"):
		return "", errors.New("the URL has a fragment, which is never sent; leave out the # and what follows")
	case u.RawQuery != "" || u.ForceQuery:
		return "", errors.New("the URL has a query; leave out the ? and what follows")
	case u.Scheme == "http" && !loopback(host):
		return "", fmt.Errorf("what goes to %q over http can be read and changed on its way; use https", host)
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "", fmt.Errorf("%s is not a port; write a number from 1 to 65535", port)
		}
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
