package route_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
)

// A made-up table: what its rows say is all that the router knows of them.
func table() []route.Family {
	say := func(x *route.Exchange) error {
		return x.Answer(http.StatusOK, []string{x.Who.Name, x.Query.Get("a"), x.R.PathValue("id")})
	}
	none := func(*route.Exchange) error { return route.Refuse(http.StatusConflict, "zz", "no <b>", "wait") }
	return []route.Family{
		{Prefixes: []string{"/n/"}, Routes: []route.Route{
			{Method: "GET", Path: "/n/open", Open: true, Query: []string{"a"}, MaxBody: 7, Handle: say},
			{Method: "GET", Path: "/n/{id}", Scopes: auth.Read, Handle: say},
			{Method: "DELETE", Path: "/n/{id}", Scopes: auth.Admin, Handle: none},
		}},
		{Prefixes: []string{"/n/sub"}, Form: webguard.ErrorForm, Words: map[string]route.Words{"zz": {Hint: "go"}}, Routes: []route.Route{
			{Method: "POST", Path: "/n/sub/x", Scopes: auth.Submit, Handle: none},
		}},
		{Prefixes: []string{"/t/"}, Form: webguard.DetailForm, Proved: true, Key: func(part, _ string) string { return part }, Routes: []route.Route{
			{Method: "GET", Path: "/t/{token}/{id}", Scopes: auth.Submit, Handle: say},
			{Path: "/t/hook", Open: true, Handle: none},
		}},
	}
}

// rig returns the router of the table, and the header of a token with scopes.
func rig(t *testing.T) (*route.Router, func(scopes auth.Scope) string) {
	store := tokens{}
	a := auth.New(store, auth.NewLogins(time.Now, nil), os.Geteuid(), time.Now)
	b := &backend.Backend{Auth: a, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	return route.NewRouter(b, table()...), func(scopes auth.Scope) string {
		secret, token := auth.NewToken("t", scopes, time.Time{}, time.Now())
		store[token.ID] = token
		return secret
	}
}

// Each family refuses in its form, and each row admits whom it says.
func TestRouter(t *testing.T) {
	router, token := rig(t)
	read, submit, both := token(auth.Read), token(auth.Submit), token(auth.Submit|auth.Read)
	for _, row := range []struct {
		status                    int
		method, path, token, text string
	}{
		{200, "GET", "/n/open?a=b", "", `["","b",""]`},
		{200, "HEAD", "/n/open", "", ``},
		{400, "GET", "/n/open?b=1", "", `"code":"bad-query"`},
		{405, "POST", "/n/open", "", `"hint":"use GET or HEAD or DELETE"`}, // which DELETE /n/{id} is
		{401, "GET", "/n/1", "", `"code":"no-credentials"`},
		{401, "GET", "/n/1", "pol_x", `"code":"bad-credentials"`},
		{403, "GET", "/n/1", submit, `"code":"scope"`},
		{200, "GET", "/n/1", read, `["token:t","","1"]`},
		{404, "GET", "/n/", read, `"code":"no-route"`},
		{404, "GET", "/n//open", "", `"code":"no-route"`},
		{404, "GET", "/n/./open", "", `"code":"no-route"`},
		{405, "GET", "/n/sub/x", read, `{"error":"this method is not for this path; use POST"}`},
		{409, "POST", "/n/sub/x", submit, `{"error":"no <b>; go"}`},
		{404, "GET", "/n/sub/y", "", `{"error":"there is nothing`},
		{200, "GET", "/t/" + submit + "/1", "", `["token:t","","1"]`},
		{401, "GET", "/t/" + submit + "/1", submit, `{"error":"there is more than one`},
		{403, "GET", "/t/" + both + "/1", "", `"detail":"the token in the URL may do more than submit`},
		{409, "PATCH", "/t/hook?any=1", "", `{"error":"no <b>; wait","detail":"no <b>; wait"}`},
		{404, "GET", "/elsewhere", "", `{"error":"there is nothing`},
	} {
		r := httptest.NewRequest(row.method, "http://x/", nil)
		r.URL.Path, r.URL.RawQuery, _ = strings.Cut(row.path, "?")
		if row.token != "" {
			r.Header.Set("Authorization", "Bearer "+row.token)
		}
		w := httptest.NewRecorder()
		webguard.Forms(router.Row(r).Form)(router).ServeHTTP(w, r)
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.text) && row.method != "HEAD" {
			t.Errorf("%s %s: %d %s, want %d %s", row.method, row.path, w.Code, w.Body, row.status, row.text)
		}
		if got := w.Header().Get("Allow"); (got != "") != (row.status == 405) {
			t.Errorf("%s %s: Allow %q", row.method, row.path, got)
		}
	}
}

// What the checks before the router go by is known of what no row serves, too.
func TestRow(t *testing.T) {
	router, _ := rig(t)
	for _, row := range []struct{ method, path, want string }{
		{"GET", "/n/open", "/n/open 7 problem from:h"},
		{"PUT", "/n/open", "/n/open 7 problem from:h"},
		{"DELETE", "/n/open", "/n/{id} 0 problem from:h"},
		{"GET", "/n/a/b", " 0 problem from:h"},
		{"GET", "/n/subway", "/n/{id} 0 problem from:h"},
		{"POST", "/n/subway/x", " 0 error from:h"},
		{"GET", "/t/k/1", "/t/{token}/{id} 0 detail, proved k"},
		{"GET", "/t/k/1/2", " 0 detail, proved k"},
		{"GET", "/", " 0 error from:h"},
		{"OPTIONS", "*", " 0 problem from:h"},
	} {
		r := httptest.NewRequest(row.method, "http://x/", nil)
		r.URL.Path = row.path
		got := router.Row(r)
		text := fmt.Sprintf("%s %d %s", got.Path, got.MaxBody, []string{"problem", "error", "detail"}[got.Form])
		if got.Proved {
			text += ", proved"
		}
		if text += " " + got.RateKey(row.path, "h"); text != row.want {
			t.Errorf("%s %s: %s, want %s", row.method, row.path, text, row.want)
		}
	}
}

// tokens is a store in memory.
type tokens map[string]auth.Token

func (s tokens) TokenByID(_ context.Context, id string) (auth.Token, bool, error) {
	token, ok := s[id]
	return token, ok, nil
}
