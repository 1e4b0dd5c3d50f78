package dangerous_test

import (
	"testing"

	"github.com/policyctl/policyctl/pkg/dangerous"
)

func TestRemade(t *testing.T) {
	for line, want := range map[string]bool{
		"rm -rf node_modules":                      true,
		"rm -rf web/dist ./build":                  true,
		"rm -rf dist/*":                            true,
		"cd web && rm -rf .next":                   true,
		"npx -y rimraf dist coverage":              true,
		"rm -rf node_modules src":                  false,
		"rm -rf src dist":                          false,
		"rm -rf dist/../src":                       false,
		"rm -rf ../dist":                           false,
		"rm -rf ~/.cache":                          false,
		"cd && rm -rf .cache":                      false,
		"cd /usr/lib && rm -rf node_modules":       false,
		"rm -rf /usr/lib/node_modules":             false,
		`rm -rf "$X/dist"`:                         false,
		`rm -rf dist $X`:                           false,
		"rm -rf */dist":                            false,
		"rm -rf dist-backup":                       false,
		"rm -rf":                                   false,
		"npx rimraf dist src":                      false,
		"npx --yes rimraf@5 dist":                  false,
		"ls | xargs rm -rf dist":                   false,
		"env -C /usr/lib rm -rf node_modules":      false,
		"find . -name dist -exec rm -rf dist {} +": false,
	} {
		s := scene(line)
		got, found := true, false
		for i := range s.Line.Commands {
			for _, f := range dangerous.All(s, i) {
				found = true
				got = got && dangerous.Remade(s, i, f.Rule)
			}
		}
		if got = got && found; got != want {
			t.Errorf("%s: %t, want %t", line, got, want)
		}
	}
}
