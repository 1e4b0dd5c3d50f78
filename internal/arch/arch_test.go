// Package arch holds the test of which package may import which.
package arch

import (
	"errors"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/policyctl/policyctl/"

// allowed lists the packages of the module with those that they import.
var allowed = map[string]string{
	"cmd/policyctl":                    "internal/cli internal/cli/console internal/guard",
	"cmd/policyctl-hook":               "internal/forms internal/guard internal/hook internal/layers internal/lifeline",
	"internal/arch":                    "",
	"internal/atomicfile":              "",
	"internal/plainfile":               "",
	"internal/cputime":                 "",
	"internal/cli":                     "internal/cli/agents internal/cli/audit internal/cli/bundle internal/cli/console internal/cli/judge internal/cli/requests internal/cli/rules internal/cli/serve internal/cli/settings internal/cli/tables internal/cli/trust internal/mockservice internal/render",
	"internal/auth":                    "internal/spelling",
	"internal/webguard":                "internal/spelling pkg/strictjson",
	"internal/stream":                  "internal/webguard",
	"internal/ruledb":                  "internal/exchange internal/preview internal/replay internal/webguard pkg/audit pkg/pattern pkg/policy",
	"internal/backend":                 "internal/auth internal/redact internal/ruledb pkg/approval pkg/audit pkg/doom pkg/grant pkg/policy pkg/shell",
	"internal/api":                     "internal/auth internal/backend internal/preview internal/render internal/ruledb internal/stream internal/webguard pkg/approval pkg/audit pkg/pattern pkg/policy",
	"internal/compat":                  "internal/auth internal/backend internal/preview internal/render internal/ruledb internal/schemas internal/stream internal/webguard pkg/approval pkg/pattern pkg/policy",
	"internal/schemas":                 "internal/atomicfile internal/webguard",
	"internal/discovery":               "internal/webguard",
	"internal/mockservice":             "internal/spelling internal/webguard pkg/approval",
	"internal/referral":                "internal/guard internal/hook internal/plainfile internal/rendezvous pkg/approval pkg/config pkg/policy",
	"internal/rendezvous":              "internal/atomicfile internal/plainfile pkg/strictjson",
	"internal/server":                  "internal/api internal/auth internal/backend internal/stream internal/webguard",
	"internal/server/servertest":       "internal/api internal/auth internal/backend internal/ruledb internal/server internal/sqlite internal/stream internal/webguard pkg/approval pkg/policy",
	"internal/receiptkey":              "internal/atomicfile internal/plainfile pkg/approval",
	"internal/sqlite":                  "internal/atomicfile internal/auth internal/ruledb pkg/approval pkg/audit pkg/strictjson",
	"internal/storetest":               "internal/auth internal/backend internal/ruledb pkg/approval pkg/audit pkg/policy",
	"internal/reference":               "internal/render pkg/config pkg/dangerous pkg/hardline pkg/hazard pkg/policy pkg/program pkg/readonly pkg/rego pkg/sensitive pkg/shell",
	"internal/reference/gen":           "internal/reference",
	"internal/guard":                   "internal/hook internal/layers internal/rendezvous internal/spool internal/state pkg/config pkg/grant pkg/policy pkg/world",
	"internal/state":                   "internal/plainfile pkg/doom pkg/policy",
	"internal/hook":                    "internal/clip pkg/policy pkg/program pkg/shell pkg/strictjson",
	"internal/claude":                  "internal/spelling pkg/policy pkg/strictjson",
	"internal/replay":                  "internal/clip internal/plainfile pkg/dangerous pkg/doom pkg/policy pkg/program pkg/sensitive pkg/shell pkg/strictjson",
	"internal/install":                 "internal/atomicfile internal/plainfile pkg/strictjson",
	"internal/kernel":                  "",
	"internal/lifeline":                "",
	"internal/sandbox":                 "",
	"internal/seed":                    "",
	"internal/shells":                  "",
	"internal/spelling":                "",
	"internal/verdicts":                "",
	"internal/differ":                  "internal/replay pkg/dangerous pkg/hardline pkg/hazard pkg/pattern pkg/policy pkg/sensitive",
	"internal/exchange":                "internal/spelling pkg/config pkg/pattern pkg/policy pkg/strictjson",
	"internal/preview":                 "internal/replay pkg/pattern pkg/policy",
	"internal/suite":                   "internal/spelling pkg/config pkg/pattern pkg/policy",
	"internal/render":                  "internal/differ internal/null internal/preview internal/replay internal/suite pkg/hazard pkg/policy pkg/program pkg/shell",
	"internal/forms":                   "internal/atomicfile internal/layers internal/plainfile pkg/config",
	"internal/bundles":                 "internal/activation internal/decisionlog internal/forms internal/layers internal/plainfile internal/spool internal/subscription pkg/bundle pkg/config pkg/policy pkg/rego",
	"internal/layers":                  "internal/atomicfile internal/plainfile internal/rendezvous pkg/config pkg/own pkg/pattern pkg/policy pkg/strictjson",
	"pkg/approval":                     "internal/redact pkg/audit pkg/policy pkg/strictjson",
	"pkg/audit":                        "internal/redact pkg/strictjson",
	"internal/activation":              "internal/suite pkg/bundle pkg/config pkg/pattern pkg/policy pkg/rego",
	"pkg/bundle":                       "pkg/strictjson",
	"internal/clip":                    "",
	"internal/null":                    "",
	"internal/netclaw":                 "pkg/strictjson",
	"internal/decisionlog":             "internal/redact internal/spool",
	"internal/spool":                   "internal/atomicfile internal/plainfile internal/redact pkg/policy pkg/strictjson",
	"internal/redact":                  "pkg/strictjson",
	"pkg/rego":                         "internal/cputime pkg/pattern pkg/policy pkg/program pkg/shell",
	"internal/subscription":            "internal/atomicfile internal/plainfile pkg/bundle",
	"pkg/config":                       "internal/spelling pkg/pattern pkg/policy",
	"pkg/pattern":                      "internal/spelling pkg/dangerous pkg/policy pkg/program pkg/shell pkg/strictjson",
	"pkg/permission":                   "internal/weburl pkg/program pkg/readonly pkg/shell",
	"pkg/policy":                       "internal/clip internal/null pkg/dangerous pkg/doom pkg/hardline pkg/hazard pkg/own pkg/permission pkg/program pkg/readonly pkg/sensitive pkg/shell pkg/strictjson",
	"pkg/dangerous":                    "pkg/hazard pkg/program pkg/sensitive pkg/shell",
	"pkg/hardline":                     "pkg/hazard pkg/own pkg/program pkg/shell",
	"pkg/readonly":                     "pkg/program pkg/sensitive pkg/shell",
	"pkg/grant":                        "internal/atomicfile internal/plainfile pkg/dangerous pkg/hazard pkg/policy pkg/program pkg/sensitive pkg/shell pkg/strictjson",
	"pkg/hazard":                       "pkg/own pkg/program pkg/shell",
	"pkg/own":                          "internal/weburl pkg/program pkg/shell",
	"pkg/doom":                         "pkg/strictjson",
	"pkg/sensitive":                    "",
	"pkg/shell":                        "pkg/program",
	"internal/weburl":                  "",
	"pkg/world":                        "pkg/program",
	"policies":                         "",
	"pkg/program":                      "",
	"pkg/strictjson":                   "",
	"internal/cli/agents":              "internal/bundles internal/cli/bundle internal/cli/console internal/forms internal/guard internal/hook internal/install internal/layers internal/lifeline internal/referral internal/render",
	"internal/cli/audit":               "internal/cli/console internal/cli/serve internal/render internal/sqlite pkg/approval pkg/audit",
	"internal/cli/bundle":              "internal/activation internal/bundles internal/cli/console internal/cli/effective internal/cli/rules internal/forms internal/install internal/layers internal/render internal/suite pkg/bundle pkg/config pkg/pattern pkg/policy pkg/rego pkg/strictjson",
	"internal/cli/console":             "internal/bundles internal/guard internal/layers internal/render internal/spelling pkg/approval pkg/config pkg/policy",
	"internal/cli/console/consoletest": "",
	"internal/cli/effective":           "internal/bundles internal/cli/console internal/layers internal/render pkg/config pkg/grant pkg/pattern pkg/policy pkg/rego policies",
	"internal/cli/judge":               "internal/bundles internal/cli/console internal/cli/effective internal/render internal/replay pkg/doom pkg/pattern pkg/policy pkg/program pkg/rego pkg/shell pkg/strictjson pkg/world",
	"internal/cli/requests":            "internal/cli/console internal/discovery internal/layers internal/render internal/rendezvous internal/webguard pkg/approval pkg/policy",
	"internal/cli/rules":               "internal/claude internal/cli/console internal/cli/effective internal/cli/judge internal/cli/trust internal/differ internal/exchange internal/layers internal/netclaw internal/preview internal/render internal/replay internal/suite pkg/grant pkg/pattern pkg/policy",
	"internal/cli/serve":               "internal/api internal/auth internal/backend internal/bundles internal/cli/console internal/cli/effective internal/compat internal/install internal/layers internal/receiptkey internal/render internal/rendezvous internal/ruledb internal/schemas internal/server internal/sqlite internal/stream pkg/approval pkg/policy pkg/world",
	"internal/cli/settings":            "internal/bundles internal/cli/bundle internal/cli/console internal/cli/effective internal/cli/trust internal/layers internal/render internal/state pkg/config pkg/grant pkg/pattern pkg/policy pkg/rego policies",
	"internal/cli/tables":              "internal/cli/console internal/render pkg/dangerous pkg/hardline pkg/hazard pkg/policy pkg/program pkg/readonly pkg/sensitive",
	"internal/cli/trust":               "internal/cli/console internal/cli/effective internal/layers internal/render pkg/config pkg/grant pkg/policy pkg/world",
}

// owners lists the other modules with the packages that may import them.
var owners = map[string]string{
	"github.com/go-json-experiment/json/jsontext":       "pkg/strictjson",
	"github.com/gofrs/flock":                            "internal/cli/serve internal/plainfile internal/server internal/spool internal/sqlite pkg/grant",
	"github.com/google/uuid":                            "internal/ruledb",
	"github.com/hashicorp/golang-lru/v2":                "internal/auth internal/backend internal/compat internal/webguard pkg/doom",
	"github.com/ncruces/go-sqlite3":                     "internal/sqlite",
	"github.com/ncruces/go-sqlite3/driver":              "internal/sqlite",
	"github.com/open-policy-agent/opa/v1/ast":           "pkg/bundle pkg/rego",
	"github.com/open-policy-agent/opa/v1/bundle":        "pkg/bundle",
	"github.com/open-policy-agent/opa/v1/rego":          "pkg/rego",
	"github.com/open-policy-agent/opa/v1/storage":       "pkg/rego",
	"github.com/open-policy-agent/opa/v1/storage/inmem": "pkg/rego",
	"github.com/open-policy-agent/opa/v1/topdown":       "pkg/rego",
	"github.com/open-policy-agent/opa/v1/topdown/cache": "pkg/rego",
	"github.com/open-policy-agent/opa/v1/topdown/print": "pkg/rego",
	"github.com/open-policy-agent/opa/v1/types":         "pkg/rego",
	"github.com/open-policy-agent/opa/v1/util":          "pkg/bundle",
	"github.com/pressly/goose/v3":                       "internal/sqlite",
	"github.com/spf13/cobra":                            "internal/cli internal/cli/agents internal/cli/audit internal/cli/bundle internal/cli/console internal/cli/effective internal/cli/judge internal/cli/requests internal/cli/rules internal/cli/serve internal/cli/settings internal/cli/tables internal/cli/trust",
	"github.com/spf13/pflag":                            "internal/cli/console internal/cli/effective internal/cli/requests internal/cli/serve",
	"github.com/spf13/viper":                            "internal/cli/effective",
	"github.com/tailscale/hujson":                       "internal/install",
	"go.yaml.in/yaml/v3":                                "internal/api pkg/config",
	"golang.org/x/sys/unix":                             "internal/auth internal/cli/console internal/cli/console/consoletest internal/lifeline",
	"golang.org/x/time/rate":                            "internal/webguard",
	"mvdan.cc/sh/v3/expand":                             "pkg/shell",
	"mvdan.cc/sh/v3/syntax":                             "pkg/shell",
}

func TestArrows(t *testing.T) {
	imports := readImports(t)
	for pkg, paths := range imports {
		check(t, pkg, paths)
	}
	for pkg, may := range allowed {
		for _, own := range strings.Fields(may) {
			if !slices.Contains(imports[pkg], module+own) {
				t.Errorf("%s does not import %s: take it from the table of this test", pkg, own)
			}
		}
		if _, found := imports[pkg]; !found {
			t.Errorf("%s is in the table of this test and not in the module", pkg)
		}
	}
	for path, may := range owners {
		for _, pkg := range strings.Fields(may) {
			if !slices.Contains(imports[pkg], path) {
				t.Errorf("%s does not import %s: take it from the table of this test", pkg, path)
			}
		}
	}
}

// readImports returns what each package of the module imports, on all systems.
func readImports(t *testing.T) map[string][]string {
	t.Helper()
	all := build.Default
	all.UseAllFiles = true
	imports := map[string][]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); path != root && (name[0] == '.' || name == "testdata") {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != root {
			return filepath.SkipDir // a module of its own
		}
		p, err := all.ImportDir(path, 0)
		if _, none := errors.AsType[*build.NoGoError](err); none {
			return nil
		}
		if err != nil {
			return err
		}
		imports[filepath.ToSlash(path[len(root)+1:])] = p.Imports
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

func check(t *testing.T, pkg string, imports []string) {
	t.Helper()
	may, listed := allowed[pkg]
	if !listed {
		t.Errorf("%s is not in the table of this test: add it, with what it may import", pkg)
	}
	for _, path := range imports {
		own, inside := strings.CutPrefix(path, module)
		first, _, _ := strings.Cut(path, "/")
		switch {
		case inside && !slices.Contains(strings.Fields(may), own):
			t.Errorf("%s may not import %s", pkg, own)
		case inside && !down(pkg, own):
			t.Errorf("%s imports %s: that arrow runs up", pkg, own)
		case !inside && strings.Contains(first, ".") && !slices.Contains(strings.Fields(owners[path]), pkg):
			t.Errorf("%s may not import %s", pkg, path)
		}
	}
}

// down reports whether an import runs down the house: cmd, internal, pkg. All may
// import what stands at the bottom.
func down(from, to string) bool {
	floors := []string{"pkg", "internal", "cmd"}
	floor := func(pkg string) int {
		top, _, _ := strings.Cut(pkg, "/")
		return slices.Index(floors, top) // policies is below all
	}
	return floor(to) <= floor(from) || bottom(to)
}

// bottom reports whether a package of internal imports nothing of the module, or
// only packages of which that is so.
func bottom(pkg string) bool {
	return !slices.ContainsFunc(strings.Fields(allowed[pkg]), func(p string) bool { return !bottom(p) })
}
