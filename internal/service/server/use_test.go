package server_test

import (
	"regexp"
	"testing"

	"github.com/policyctl/policyctl/internal/service/api"
	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/compat"
	"github.com/policyctl/policyctl/pkg/own"
)

// TestUseOfRoutes compares what the floor knows of the routes with the tables of
// the service: what needs a right to approve or to manage, logs in, or decides
// by a proof of its own, is denied to agents by any path; all else that a person
// may leave to them is not.
func TestUseOfRoutes(t *testing.T) {
	type route struct {
		method, path string
		scopes       auth.Scope
		open         bool
	}
	var all []route
	for _, r := range api.Routes() {
		all = append(all, route{r.Method, r.Path, r.Scopes, r.Open})
	}
	for _, r := range compat.Routes() {
		all = append(all, route{r.Method, r.Path, r.Scopes, r.Open})
	}
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	for _, r := range all {
		want := own.Ordinary
		switch {
		case r.path == "/v1/logout", r.path == "/v1/sessions/{id}/turn":
			want = own.Unclear // it undoes what a person did
		case r.open && r.path != "/health", !r.open && r.scopes&(auth.Submit|auth.Read) == 0:
			want = own.Decides
		}
		path := parameter.ReplaceAllString(r.path, "x1")
		for _, spelled := range []string{path, "/" + path, path + "/", path + "?a=b", "/x/.." + path, "/%2e" + path} {
			if got := own.UseOf(r.method, spelled); got != want {
				t.Errorf("%s %s: %d, want %d", r.method, spelled, got, want)
			}
		}
		if want == own.Decides && own.UseOf("", path) < own.Unclear {
			t.Errorf("%s with a method that is not known is ordinary", path)
		}
	}
}
