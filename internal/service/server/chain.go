package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// maxBody bounds the body of a request, in bytes.
const maxBody = 1 << 20

// chain puts the checks around the routes, the outermost first. What every
// answer needs comes before what may refuse; where a request comes from before
// what it says; and who asks before how often.
func (s *Server) chain(c *Config, hosts []string) http.Handler {
	return webguard.Chain(routes(c, s.api.Register),
		webguard.Forms(formOf),
		webguard.RequestID,
		webguard.Recover(c.Backend.Log),
		webguard.Headers,
		webguard.Hosts(hosts),
		webguard.CrossOrigin,
		unlessProved(webguard.JSONWrites),
		webguard.Limit(maxBody),
		shortLogin,
		identify(c.Backend.Auth),
		reached(c.Backend),
		unlessFree(webguard.Rate(identities(c.Identities))),
		plainPath,
	)
}

// identify notes who asks. Whom it does not know the routes refuse: some are
// open, and some find out by other means.
func identify(a *auth.Authenticator) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if who, err := a.Identify(r); err == nil {
				r = r.WithContext(auth.NewContext(r.Context(), who))
			}
			next.ServeHTTP(w, r)
		})
	}
}

// maxToken bounds what is remembered of a token that nobody has checked.
const maxToken = 128

// forms are the forms of errors, by what the path begins with; the first that
// fits counts.
var forms = []struct {
	prefix string
	form   webguard.Form
}{
	{"/v1/", webguard.ProblemForm}, {"/health", webguard.ProblemForm}, {"/login", webguard.ProblemForm},
	{"/requests", webguard.DetailForm}, {"/api/requests", webguard.DetailForm}, {submitting, webguard.DetailForm},
	{"/", webguard.ErrorForm},
}

func formOf(r *http.Request) webguard.Form {
	for _, f := range forms {
		if strings.HasPrefix(r.URL.Path, f.prefix) {
			return f.form
		}
	}
	return webguard.ProblemForm
}

// free are open routes whose answers cost as little as to refuse them. The
// login bounds wrong codes itself: the right one is never kept waiting.
var free = []string{"/health", "/login", loginPath}

// loginPath is where a code is exchanged, and maxLogin bounds what is sent
// there, in bytes.
const (
	loginPath = "/v1/login"
	maxLogin  = 4 << 10
)

// identities returns the rate of identities. Those that say nothing of who
// they are share one by where they are, and each webhook has its own.
func identities(b webguard.Bucket) webguard.Bucket {
	if b.Burst == 0 {
		b = webguard.Bucket{PerSecond: 50, Burst: 200}
	}
	b.Key = func(r *http.Request) string {
		if who, ok := auth.FromContext(r.Context()); ok {
			return who.Name
		}
		// Clients that only know a URL have their token in it.
		if rest, ok := strings.CutPrefix(r.URL.Path, submitting); ok {
			if token, _, _ := strings.Cut(rest, "/"); len(token) <= maxToken {
				return "path:" + token
			}
		}
		if hook, ok := strings.CutPrefix(r.URL.Path, webhooks); ok {
			plugin, _, _ := strings.Cut(hook, "/")
			return "hook:" + plugin[:min(len(plugin), maxToken)] + "@" + from(r)
		}
		return "from:" + from(r)
	}
	return b
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

// unlessFree has a check look at all requests but those for the free routes
// that nobody known sends.
func unlessFree(m func(http.Handler) http.Handler) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		checked := m(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, known := auth.FromContext(r.Context()); !known && slices.Contains(free, r.URL.Path) {
				next.ServeHTTP(w, r)
				return
			}
			checked.ServeHTTP(w, r)
		})
	}
}

// shortLogin bounds what somebody sends who is not known yet.
func shortLogin(next http.Handler) http.Handler {
	short := webguard.Limit(maxLogin)(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == loginPath {
			short.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// webhooks is where approvers are called, such as by a chat. They prove who
// sends, and some are sent forms.
const webhooks = "/api/approvers/"

// submitting is what the paths of clients begin with that only know a URL. No
// page of another site knows the token in it.
const submitting = "/s/"

// unlessProved has a check look at all requests but those of which something
// that no browser sends by itself says who sends them.
func unlessProved(m func(http.Handler) http.Handler) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		checked := m(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if path := r.URL.EscapedPath(); strings.HasPrefix(path, webhooks) || strings.HasPrefix(path, submitting) {
				next.ServeHTTP(w, r)
				return
			}
			checked.ServeHTTP(w, r)
		})
	}
}
