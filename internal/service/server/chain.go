package server

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/telemetry"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// maxBody bounds the body of a request, in bytes.
const maxBody = 1 << 20

// handler returns what answers requests: the router, and around each of its
// rows the checks that the row asks for.
func (s *Server) handler(c *Config, hosts []string) http.Handler {
	router := route.NewRouter(c.Backend, append([]route.Family{s.api.Family()}, c.More...)...)
	meter := webguard.NewMeter(c.Identities.Or(webguard.Bucket{PerSecond: 50, Burst: 200}), c.Backend.Now)
	chains := make(map[*route.Route]http.Handler)
	for _, row := range router.Rows() {
		chains[row] = chain(router, row, c.Backend, hosts, meter)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { chains[router.Row(r)].ServeHTTP(w, r) })
}

// chain puts the checks around a row, the outermost first. What every answer
// needs comes before what may refuse; where a request comes from before what it
// says; and who asks before how often.
func chain(router http.Handler, row *route.Route, b *backend.Backend, hosts []string, meter *webguard.Meter) http.Handler {
	h := webguard.Chain(router, identify(b.Auth), reached(b, row), rated(meter, row))
	if row.MaxBody > 0 {
		h = webguard.Limit(row.MaxBody)(h)
	}
	h = webguard.Limit(maxBody)(h)
	if !row.Proved {
		h = webguard.JSONWrites(h)
	}
	return webguard.Chain(h,
		webguard.Forms(row.Form),
		webguard.RequestID,
		telemetry.Traceparent,
		webguard.Recover(b.Log),
		webguard.Headers,
		webguard.Hosts(hosts),
		webguard.CrossOrigin,
	)
}

// identify notes who asks. Whom it does not know the routes refuse: some are
// open, and some find out by other means. Where nobody can say who it is, it notes that.
func identify(a *auth.Authenticator) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch who, err := a.Identify(r); {
			case err == nil:
				r = r.WithContext(auth.NewContext(r.Context(), who))
			case !auth.Refused(err):
				r = r.WithContext(context.WithValue(r.Context(), unsureKey{}, true))
			}
			next.ServeHTTP(w, r)
		})
	}
}

// unsureKey is the key under which a context says that who asks could not be looked up.
type unsureKey struct{}

// rated bounds how often a credential is used. Those that say nothing of who they
// are share a rate, and so do those that say it by the socket alone. What is free has none:
// who looks whether the service runs, or brings a code, is never kept waiting.
func rated(meter *webguard.Meter, row *route.Route) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !row.Free {
				if e := meter.Take(rateKey(row, r)); e != nil {
					webguard.Write(w, e)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// rateKey returns what a request shares a rate by: its credential. The cookie of a login,
// which a browser sends to other programs of the host too, is another one than its secret.
func rateKey(row *route.Route, r *http.Request) string {
	who, known := auth.FromContext(r.Context())
	if !known {
		return row.RateKey(r.URL.Path, from(r))
	}
	key := who.Name + "\x00" + who.TokenID + "\x00" + auth.Current(r)
	if r.Header.Get("Authorization") == "" {
		key += "\x00cookie"
	}
	return key
}

// from says from where a request comes: the host, of which one has as many
// addresses of IPv6 as a network of 64 bits, "" for the socket.
func from(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	address := at.Addr().Unmap()
	if network, err := address.Prefix(64); address.Is6() && err == nil {
		return network.String()
	}
	return address.String()
}
