package subscription

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/bundle"
)

func TestNewRefuses(t *testing.T) {
	header := func() (http.Header, error) { return nil, nil }
	for _, row := range []struct {
		want string
		edit func(*Config)
	}{
		{"no name", func(c *Config) { c.Name = "" }},
		{"letters, digits", func(c *Config) { c.Name = "../org" }},
		{"letters, digits", func(c *Config) { c.Name = ".." }},
		{"letters, digits", func(c *Config) { c.Name = "a/b" }},
		{"letters, digits", func(c *Config) { c.Name = "-rf" }},
		{"letters, digits", func(c *Config) { c.Name = "a\n" }},
		{"letters, digits", func(c *Config) { c.Name = "é" }},
		{"longer than 64", func(c *Config) { c.Name = strings.Repeat("a", 65) }},
		{"no URL", func(c *Config) { c.URL = "" }},
		{"cannot be read", func(c *Config) { c.URL = "ftp://host/b" }},
		{"cannot be read", func(c *Config) { c.URL = "https:///b" }},
		{"cannot be read", func(c *Config) { c.URL = "https://:80/b" }},
		{"cannot be read", func(c *Config) { c.URL = "file://host/b" }},
		{"cannot be read", func(c *Config) { c.URL = "/a\x00b" }},
		{"# part", func(c *Config) { c.URL = "https://host/b#x" }},
		{"relative", func(c *Config) { c.URL = "bundle.tar.gz" }},
		{"relative", func(c *Config) { c.URL = "https:/host/b" }},
		{"Activate", func(c *Config) { c.Activate = nil }},
		{"no keys", func(c *Config) { c.Verification = &bundle.Verification{} }},
		{"over http://", func(c *Config) { c.URL, c.Verification = "http://host/b", nil }},
		{"over http://", func(c *Config) { c.URL, c.Verification = "HTTP://127.0.0.1.example.com/b", nil }},
		{"credentials over http://", func(c *Config) { c.URL, c.Header = "http://host/b", header }},
		{"credentials over http://", func(c *Config) { c.URL = "http://u:p@host/b" }},
		{"credentials over http://", func(c *Config) { c.URL = "http://host/b?token=1" }},
		{"negative", func(c *Config) { c.MinDelay = -1 }},
		{"negative", func(c *Config) { c.MaxAge = -1 }},
		{"negative", func(c *Config) { c.Limits.Files = -1 }},
		{"below 2m0s", func(c *Config) { c.MaxAge = 119 * time.Second }},
		{"below 1m0s", func(c *Config) { c.MaxAge, c.MaxDelay = 59*time.Second, time.Minute }},
		{"the key is private", func(c *Config) {
			c.Verification = &bundle.Verification{Keys: map[string]bundle.Key{"k": {PEM: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}}}
		}},
		{"below 5m0s", func(c *Config) { c.MaxAge, c.LongPoll = time.Minute, 5*time.Minute }},
		{"whole seconds", func(c *Config) { c.LongPoll = 1500 * time.Millisecond }},
		{"above the greatest", func(c *Config) { c.MinDelay, c.MaxDelay = 2*time.Minute, time.Minute }},
	} {
		c := sound()
		row.edit(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v does not say %q", err, row.want)
		}
	}
}

// All mistakes are reported at once.
func TestNewReportsAll(t *testing.T) {
	_, err := New(Config{Name: "a b", URL: "x", MinDelay: -1})
	for _, want := range []string{"rename it", "relative", "Activate", "negative"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestNewAccepts(t *testing.T) {
	for _, row := range []struct {
		shown string
		edit  func(*Config)
	}{
		{"https://host/b", func(*Config) {}},
		{"https://host/b", func(c *Config) { c.Verification = nil }},
		{"http://host/b", func(c *Config) { c.URL = "http://host/b" }},
		{"http://host/b", func(c *Config) { c.URL, c.Verification, c.AllowInsecure = "http://host/b", nil, true }},
		{"http://localhost:8080/b", func(c *Config) { c.URL, c.Verification = "http://localhost:8080/b", nil }},
		{"http://127.1.2.3/b", func(c *Config) { c.URL, c.Verification = "http://127.1.2.3/b", nil }},
		{"http://[::1]:1/b", func(c *Config) { c.URL, c.Verification = "http://[::1]:1/b", nil }},
		{"https://host/b%2Fc?…", func(c *Config) { c.URL = "https://user:pass@host/b%2Fc?token=abc" }},
		{"/srv/b.tar.gz", func(c *Config) { c.URL = "file:///srv/b.tar.gz" }},
		{"/srv/b.tar.gz", func(c *Config) { c.URL = "/srv/x/../b.tar.gz" }},
		{"/srv/a b", func(c *Config) { c.URL = "file://localhost/srv/a%20b" }},
		{"https://host/b", func(c *Config) { c.MaxAge, c.LongPoll = 45*time.Second, 30*time.Second }},
		{"https://host/b", func(c *Config) { c.Name = "Org-1_a.b" }},
	} {
		c := sound()
		row.edit(&c)
		s, err := New(c)
		if err != nil {
			t.Errorf("%s: %v", row.shown, err)
			continue
		}
		if h := s.Health(); h.URL != row.shown {
			t.Errorf("health shows %q, want %q", h.URL, row.shown)
		}
	}
}

func TestDelays(t *testing.T) {
	const s = time.Second
	for _, row := range []struct{ low, high, wantLow, wantHigh time.Duration }{
		{0, 0, 60 * s, 120 * s}, {10 * s, 0, 10 * s, 120 * s}, {300 * s, 0, 300 * s, 300 * s}, {0, 30 * s, 30 * s, 30 * s}, {5 * s, 6 * s, 5 * s, 6 * s},
	} {
		c := sound()
		c.MinDelay, c.MaxDelay = row.low, row.high
		if _, err := c.complete(); err != nil || c.MinDelay != row.wantLow || c.MaxDelay != row.wantHigh {
			t.Errorf("%v and %v: %v %v %v", row.low, row.high, c.MinDelay, c.MaxDelay, err)
		}
	}
}

// sound is a configuration that New accepts.
func sound() Config {
	return Config{Name: "org", URL: "https://host/b", Verification: testKeys,
		Activate: func(context.Context, *bundle.Bundle) error { return nil }}
}
