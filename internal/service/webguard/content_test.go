package webguard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/service/webguard"
)

func TestJSONWrites(t *testing.T) {
	h := webguard.JSONWrites(fine)
	for _, tc := range []struct{ want, method, media, body string }{
		{"200 POST", "POST", "application/json", `{}`},
		{"200 POST", "POST", "application/json; charset=utf-8", `{}`},
		{"200 PATCH", "PATCH", "Application/JSON;charset=UTF-8", `{}`},
		{"200 POST", "POST", "", ""},
		{"200 DELETE", "DELETE", "", ""},
		{"200 GET", "GET", "text/plain", ""},
		{"415 not-json", "POST", "", `{}`},
		{"415 not-json", "PUT", "text/plain", `{}`}, // a form can send this
		{"415 not-json", "POST", "text/plain;application/json", `{}`},
		{"415 not-json", "POST", "text/plain; charset=application/json", `{}`},
		{"415 not-json", "POST", "application/x-www-form-urlencoded", `a=b`},
		{"415 not-json", "POST", "application/x-www-form-urlencoded", ``}, // an empty form
		{"415 not-json", "DELETE", "multipart/form-data; boundary=x", `{}`},
		{"415 not-json", "POST", "application/json, text/plain", `{}`},
		{"415 not-json", "POST", "application/json; charset=utf-16", `{}`},
		{"415 not-json", "POST", "application/json; charset=utf-8; charset=utf-16", `{}`},
		{"415 not-json", "POST", "application/json; boundary=x", `{}`},
		{"415 not-json", "POST", "application/json; charset=utf-8; boundary=x", `{}`},
		{"415 not-json", "POST", "application/jsonp", `{}`},
		{"415 not-json", "POST", "application/merge-patch+json", `{}`},
		{"415 not-json", "POST", "json", `{}`},
		{"415 not-json", "approve", "text/plain", `{}`}, // a method that nobody knows
	} {
		r := httptest.NewRequest(tc.method, "/", strings.NewReader(tc.body))
		if tc.media != "" {
			r.Header.Set("Content-Type", tc.media)
		}
		if got := answer(h, r); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}

// What hides a body, or says something else of it, is refused.
func TestJSONWritesHidden(t *testing.T) {
	h := webguard.JSONWrites(fine)
	post := func(edit func(*http.Request)) *http.Request {
		r := httptest.NewRequest("POST", "/", strings.NewReader(`{}`))
		r.Header.Set("Content-Type", "application/json")
		edit(r)
		return r
	}
	for name, r := range map[string]*http.Request{
		"length unknown": post(func(r *http.Request) { r.ContentLength = -1; r.Header.Del("Content-Type") }),
		"two types":      post(func(r *http.Request) { r.Header.Add("Content-Type", "application/json") }),
		"compressed":     post(func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }),
	} {
		if got := answer(h, r); got != "415 not-json" {
			t.Errorf("%s: %s", name, got)
		}
	}
	override := post(func(r *http.Request) {
		for _, name := range []string{"X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"} {
			r.Header.Set(name, "DELETE")
		}
	})
	if got := answer(h, override); got != "200 POST" {
		t.Errorf("another method: %s", got)
	}
}

func TestLimit(t *testing.T) {
	h := webguard.Limit(10)(fine)
	for _, tc := range []struct {
		want, body string
		length     int64
	}{
		{"200 POST", `[1,2,3,45]`, 10},
		{"200 POST", `[1,2,3,45]`, -1},
		{"200 POST", ``, 0},
		{"413 body-too-long", `[1,2,3,456]`, 11},
		{"413 body-too-long", `[1,2,3,456]`, -1},
		{"413 body-too-long", `[]`, 1 << 40}, // it says so and sends nothing
		{"413 body-too-long", strings.Repeat(" ", 1<<20) + `[]`, -1},
	} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(tc.body))
		r.ContentLength = tc.length
		if got := answer(h, r); got != tc.want {
			t.Errorf("%.20q: %s, want %s", tc.body, got, tc.want)
		}
	}
}
