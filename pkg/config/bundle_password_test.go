package config_test

import (
	"strings"
	"testing"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An address of a bundle with a password in it is refused, whichever of its addresses it is.
func TestBundlePassword(t *testing.T) {
	for _, row := range []struct {
		key, address string
		bad          bool
	}{
		{"url", "https://me:hunter2@example.org/b.tar.gz", true}, {"url", "https://token@example.org/b.tar.gz", true},
		{"status_url", "https://me:hunter2@example.org/s", true}, {"decision_log_url", "https://me:hunter2@example.org/s", true},
		{"url", "https://example.org/a@b.tar.gz", false}, {"url", "/srv/a:b@c.tar.gz", false},
	} {
		text := "version: 1\nbundles: {b: {" + row.key + ": \"" + row.address + "\""
		if row.key != "url" {
			text += ", url: https://example.org/b"
		}
		_, err := config.Load(policy.Defaults(), config.File{Layer: config.User, Name: "p.yaml", Admit: config.Everything, Data: []byte(text + "}}\n")})
		if (err != nil) != row.bad || err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s %s: %v", row.key, row.address, err)
		}
	}
}
