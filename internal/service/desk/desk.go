// Package desk is the pages on which people see what waits for them, and decide.
//
//	families := []route.Family{desk.New().Family()}
//
// The pages only read: they are rendered for the cookie of a login, which may do no
// more. What decides is the script of a page, which calls the routes below /v1 with
// the secret of the login. That secret lives in the tabs of one origin alone, while a
// browser sends the cookie to every port of the host.
//
// Everything that a page shows of a request is the submitter's text: templates escape
// it, and characters that a reader would not see are written out.
package desk

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

//go:embed pages assets
var files embed.FS

// contentPolicy lets a page use what this origin serves, and nothing else.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// A Desk serves the pages. It is safe for concurrent use.
type Desk struct {
	pages  map[string]*template.Template
	lesson lesson
	// large are the rows of the list of which reading costs.
	large large
	// programs are the rows of the list of programs.
	programs programs
}

// New returns the pages of a service.
func New() *Desk {
	d := &Desk{pages: make(map[string]*template.Template)}
	names, err := fs.Glob(files, "pages/*.html")
	if err != nil { // the pattern is right
		panic(err)
	}
	for _, name := range names {
		if base := path.Base(name); base != "layout.html" {
			d.pages[base] = template.Must(template.New("layout.html").Funcs(functions).ParseFS(files, "pages/layout.html", name))
		}
	}
	return d
}

// Family returns the routes. They are open, since who is not logged in is led to the
// login, and each page asks who sees it.
func (d *Desk) Family() route.Family {
	open := func(path, summary string, query []string, handle func(*route.Exchange) error) route.Route {
		return route.Route{Method: http.MethodGet, Path: path, Open: true, Query: query, Summary: summary, Handle: handle}
	}
	asset := open("/ui/assets/{name}", "Serve what pages need", nil, d.asset)
	asset.Free = true
	return route.Family{
		Prefixes: []string{"/ui"},
		Routes: []route.Route{
			open("/{$}", "Go to the desk", nil, func(x *route.Exchange) error { return lead(x, "/ui") }),
			open("/ui", "Show what is pending", []string{"q"}, d.page(d.pending)),
			open("/ui/rows", "Show the rows of the list of programs alone", nil, d.guarded(d.rows)),
			open("/ui/requests/{id}", "Show a request", nil, d.page(d.request)),
			open("/ui/history", "Show what was decided", route.RequestQuery, d.page(d.history)),
			open("/ui/audit", "Show the audit log", route.AuditQuery, d.page(d.audit)),
			open("/ui/audit/{id}", "Show a record of the audit log", nil, d.page(d.record)),
			open("/ui/grants", "Show the grants", []string{"q"}, d.page(d.grants)),
			open("/ui/rules", "Show the rules", []string{"q", "after"}, d.page(d.rules)),
			open("/ui/rules/new", "Write a rule", nil, d.page(d.newRule)),
			open("/ui/rules/changes", "Show what was changed of rules", []string{"before"}, d.page(d.ruleChanges)),
			open("/ui/rules/{id}", "Show a rule, and edit it", []string{"before"}, d.page(d.rule)),
			open("/ui/policy", "Show the policy, and what it says to a call", []string{"tool", "command", "input", "dir", "agent", "session"}, d.page(d.policy)),
			open("/ui/insights", "Show what was asked and answered", []string{"days"}, d.page(d.insights)),
			open("/ui/tokens", "Show the tokens and the logins", nil, d.page(d.tokens)),
			open("/ui/you", "Show who is logged in, with passkeys and notifications", nil, d.page(d.you)),
			asset,
		},
	}
}

// lead sends a browser elsewhere.
func lead(x *route.Exchange, to string) error {
	http.Redirect(x.W, x.R, to, http.StatusSeeOther)
	return nil
}

// A frame is what every page has around its own content.
type frame struct {
	Title   string
	At      string // of the navigation
	Who     string
	Now     time.Time
	Content any
}

// page answers with a page for who may read, and leads others to the login.
func (d *Desk) page(content func(*route.Exchange) (name string, f *frame, err error)) func(*route.Exchange) error {
	return d.guarded(func(x *route.Exchange) error {
		name, f, err := content(x)
		if err != nil {
			return err
		}
		return d.show(x, http.StatusOK, name, f)
	})
}

// guarded has something shown to who may read, and leads others to the login.
func (d *Desk) guarded(show func(*route.Exchange) error) func(*route.Exchange) error {
	return func(x *route.Exchange) error {
		x.W.Header().Set("Content-Security-Policy", contentPolicy)
		switch err := x.Authenticate(); {
		case err != nil && x.Context().Err() == nil && loggedOut(err):
			return lead(x, loginPath(x))
		case err != nil:
			return d.failed(x, err)
		case !x.Who.Scopes.HasAny(auth.Read | auth.Approve):
			return d.failed(x, route.Refuse(http.StatusForbidden, "scope", x.Who.Name+" may not read", "log in with the URL that policyctl serve prints"))
		}
		if err := show(x); err != nil {
			return d.failed(x, err)
		}
		return nil
	}
}

// loginPath is where who is not logged in goes: to the login, and on to the request
// that they wanted to see.
func loginPath(x *route.Exchange) string {
	if x.ID != "" && x.R.URL.Path == "/ui/requests/"+x.ID {
		return "/login?request=" + url.QueryEscape(x.ID)
	}
	return "/login"
}

// loggedOut reports whether an error means that somebody has to log in first.
func loggedOut(err error) bool {
	r, ok := errors.AsType[*webguard.Refusal](err)
	return ok && r.Status == http.StatusUnauthorized
}

// failed answers with a page that says what is wrong.
func (d *Desk) failed(x *route.Exchange, err error) error {
	r := x.RefusalOf(err)
	return d.show(x, r.Status, "error.html", &frame{Title: http.StatusText(r.Status), Content: r})
}

// show writes a page. Nothing is sent of one that cannot be rendered.
func (d *Desk) show(x *route.Exchange, status int, name string, f *frame) error {
	f.Who, f.Now = x.Who.Name, x.Now()
	var out bytes.Buffer
	if err := d.pages[name].Execute(&out, f); err != nil {
		return err
	}
	return send(x, status, "text/html; charset=utf-8", legible(out.Bytes()))
}

// send writes a text, compressed for who takes that. No page has a secret beside what
// others say, which the length of the whole could tell.
func send(x *route.Exchange, status int, media string, text []byte) error {
	x.W.Header().Add("Vary", "Accept-Encoding")
	if !strings.Contains(x.R.Header.Get("Accept-Encoding"), "gzip") {
		return x.Write(status, media, text)
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	x.W.Header().Set("Content-Encoding", "gzip")
	return x.Write(status, media, out.Bytes())
}

// asset answers with a file that pages need. They are the same for everybody.
func (d *Desk) asset(x *route.Exchange) error {
	name := x.R.PathValue("name")
	text, err := fs.ReadFile(files, "assets/"+name)
	if err != nil {
		return route.Refuse(http.StatusNotFound, "no-route", "there is nothing at this path", "the desk is at /ui")
	}
	media := mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".webmanifest" {
		media = "application/manifest+json"
	}
	x.W.Header().Set("Cache-Control", "no-cache")
	if name == "worker.js" { // which is to serve the pages, not what lies beside it
		x.W.Header().Set("Service-Worker-Allowed", "/ui")
	}
	return send(x, http.StatusOK, media, text)
}
