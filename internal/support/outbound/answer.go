package outbound

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"
)

// maxRest bounds what a host may ask for.
const maxRest = time.Hour

// RetryAfter reads the header of that name: how long to wait, in seconds or until a
// time. 0 stands for neither; more than an hour is an hour.
func RetryAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return min(time.Duration(min(n, int(maxRest/time.Second)))*time.Second, maxRest)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(0, at.Sub(now)), maxRest)
	}
	return 0
}

// Cause returns what is wrong of an error of a client, without the URL: there may be a
// secret in it.
func Cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// IsHere reports whether a host is this machine, where nobody else reads what it is sent.
func IsHere(host string) bool {
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}
