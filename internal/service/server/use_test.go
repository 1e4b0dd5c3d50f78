package server_test

import (
	"regexp"
	"strings"
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
	all := new(api.API).Family().Routes
	for _, f := range new(compat.Handler).Families() {
		all = append(all, f.Routes...)
	}
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	for _, r := range all {
		want := own.Ordinary
		switch {
		case r.Path == "/v1/logout", r.Path == "/v1/sessions/{id}/turn":
			want = own.Unclear // it undoes what a person did
		case r.Path == "/v1/channels/{id}/test":
			want = own.Unclear // it rings people for nothing
		case r.Open && !strings.HasPrefix(r.Path, "/health"), !r.Open && r.Scopes&(auth.Submit|auth.Read) == 0:
			want = own.Decides
		}
		path := parameter.ReplaceAllString(r.Path, "x1")
		for _, spelled := range []string{path, "/" + path, path + "/", path + "?a=b", "/x/.." + path, "/%2e" + path} {
			if got := own.UseOf(r.Method, spelled); got != want {
				t.Errorf("%s %s: %d, want %d", r.Method, spelled, got, want)
			}
		}
		if want == own.Decides && own.UseOf("", path) < own.Unclear {
			t.Errorf("%s with a method that is unknown is ordinary", path)
		}
	}
}
