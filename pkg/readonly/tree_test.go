package readonly

import (
	"path"
	"testing"

	"github.com/policyctl/policyctl/pkg/sensitive"
)

// TestOrdinary shows that the quick answer about a directory is never another
// than that of the table, for every directory on the way to a secret.
func TestOrdinary(t *testing.T) {
	v := &attempt{p: &Prover{Home: testHome}}
	quick := 0
	for _, e := range sensitive.Entries() {
		for _, hit := range e.Hit {
			if hit[0] != '/' {
				hit = testHome + "/project/" + hit
			}
			for dir := path.Dir(hit); dir != "/"; dir = path.Dir(dir) {
				for _, d := range []string{dir, testHome + "/project" + dir} {
					if _, found := sensitive.MayFind(d+"/**", testHome, sensitive.Secret); found && v.ordinary(d) {
						t.Errorf("%s is taken for ordinary", d)
					}
				}
			}
		}
	}
	for _, dir := range []string{"/home/dev/project", "/home/dev/project/internal/service/server", "/home/dev/src/app"} {
		if v.ordinary(dir) {
			quick++
		}
	}
	if quick != 3 {
		t.Errorf("%d of 3 projects are ordinary", quick)
	}
}
