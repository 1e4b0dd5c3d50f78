package webguard_test

import (
	"net/url"
	"testing"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

func TestQuery(t *testing.T) {
	known := []string{"state", "limit"}
	for _, row := range []struct{ want, query string }{
		{"", ""},
		{"", "state=a&state=b&limit=1"},
		{"the parameter limit is given more than once; give it once", "limit=1&limit=1"},
		{`the parameter "stat" is unknown; did you mean state?`, "stat=a"},
		{`the parameter "x" is unknown; there are state, limit`, "x=1"},
		{`the parameter "State" is unknown; did you mean state?`, "State=a"},
		{"the query of the URL is not well-formed; encode it as a form is", "limit=%zz"},
		{"the query of the URL is not well-formed; encode it as a form is", "limit=1;state=a"},
	} {
		got := ""
		query, err := webguard.Query(&url.URL{RawQuery: row.query}, known, "state")
		if err != nil {
			got = err.Error()
		}
		if got != row.want || (err != nil) != (query == nil) {
			t.Errorf("%s: %v, %q, want %q", row.query, query, got, row.want)
		}
	}
	if _, err := webguard.Query(&url.URL{RawQuery: "x=1"}, nil); err == nil || err.Error() != `the parameter "x" is unknown; there are none here` {
		t.Error(err)
	}
}
