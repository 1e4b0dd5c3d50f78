// Package arch holds the test of which package may import which.
package arch_test

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
	"cmd/policyctl":                        "internal/agents/guard internal/cli internal/cli/console",
	"cmd/policyctl-hook":                   "internal/agents/guard internal/agents/hook internal/agents/lifeline internal/machine/forms internal/machine/layers internal/support/bounded internal/support/release",
	"internal/trial/arch":                  "",
	"test/agents/run":                      "test/agents/standin",
	"test/agents/standin":                  "",
	"internal/agents/install/plugins":      "",
	"internal/trial/pages":                 "",
	"internal/cli/picture":                 "",
	"internal/cli/picture/gen":             "internal/cli/picture",
	"internal/support/atomicfile":          "",
	"internal/support/outbound":            "",
	"internal/support/place":               "",
	"internal/support/plainfile":           "",
	"internal/support/cputime":             "",
	"internal/cli":                         "internal/agents/guard internal/cli/agents internal/cli/audit internal/cli/bundle internal/cli/console internal/cli/judge internal/cli/observe internal/cli/requests internal/cli/review internal/cli/rules internal/cli/serve internal/cli/settings internal/cli/tables internal/cli/trust internal/machine/layers internal/render internal/service/mockservice",
	"internal/service/auth":                "internal/support/clip internal/support/shelf internal/support/spelling",
	"internal/service/webguard":            "internal/support/spelling pkg/strictjson",
	"internal/service/stream":              "internal/service/webguard",
	"internal/service/ruledb":              "internal/authoring/exchange internal/authoring/lint internal/authoring/preview internal/authoring/replay internal/authoring/suite internal/service/webguard pkg/audit pkg/config pkg/document pkg/pattern pkg/policy pkg/record pkg/strictjson",
	"internal/service/backend":             "internal/command internal/eval internal/lang/shell internal/service/auth internal/service/channel internal/service/grantbook internal/service/push internal/service/reviewer internal/service/ruledb internal/support/redact internal/support/shelf pkg/approval pkg/audit pkg/doom pkg/grant pkg/policy pkg/record pkg/trail",
	"internal/service/route":               "internal/render internal/service/auth internal/service/backend internal/service/ruledb internal/service/stream internal/service/webguard pkg/approval pkg/audit",
	"internal/service/api":                 "internal/authoring/preview internal/render internal/service/auth internal/service/backend internal/service/channel internal/service/push internal/service/route internal/service/ruledb internal/service/stream internal/service/webguard internal/support/newid internal/support/spelling pkg/approval pkg/audit pkg/policy pkg/record pkg/trail",
	"internal/service/desk":                "internal/authoring/learn internal/authoring/replay internal/service/auth internal/service/backend internal/service/push internal/service/route internal/service/ruledb internal/service/view internal/service/webguard internal/support/clip pkg/approval pkg/audit pkg/pattern pkg/policy pkg/record",
	"internal/service/desk/icon":           "",
	"internal/service/desk/icon/gen":       "internal/service/desk/icon",
	"internal/service/auth/authtest":       "internal/service/auth",
	"internal/service/keyfile":             "internal/support/atomicfile internal/support/plainfile",
	"internal/service/push":                "internal/service/keyfile internal/support/outbound internal/support/shelf internal/support/sleep",
	"internal/service/channel":             "internal/service/view internal/support/clip internal/support/redact internal/support/sleep internal/support/spelling pkg/approval pkg/audit",
	"internal/service/channel/desktop":     "internal/service/channel internal/support/bounded",
	"internal/service/channel/email":       "internal/service/channel",
	"internal/service/channel/discord":     "internal/service/channel internal/service/channel/callback internal/service/channel/rest internal/service/webguard pkg/strictjson",
	"internal/service/channel/ntfy":        "internal/service/channel internal/service/channel/callback internal/service/channel/rest internal/service/webguard internal/support/outbound",
	"internal/service/channel/callback":    "internal/service/channel internal/service/webguard",
	"internal/service/channel/webhook":     "internal/service/channel internal/service/channel/callback internal/service/channel/rest internal/service/webguard internal/support/outbound",
	"internal/service/channel/rest":        "internal/service/channel internal/support/outbound",
	"internal/service/channel/slack":       "internal/service/channel internal/service/channel/rest internal/service/webguard internal/support/outbound",
	"internal/service/channel/telegram":    "internal/service/channel internal/service/channel/rest",
	"internal/service/view":                "internal/support/clip pkg/approval pkg/policy",
	"internal/service/compat":              "internal/authoring/preview internal/service/auth internal/service/backend internal/service/route internal/service/ruledb internal/service/schemas internal/service/stream internal/service/webguard internal/support/clip pkg/approval pkg/policy pkg/record",
	"internal/service/grantbook":           "pkg/audit",
	"internal/service/schemas":             "internal/service/webguard internal/support/atomicfile internal/support/clip internal/support/plainfile",
	"internal/service/discovery":           "internal/service/webguard internal/support/plainfile",
	"internal/service/mockservice":         "internal/service/webguard internal/support/spelling pkg/approval",
	"internal/agents/referral":             "internal/agents/guard internal/agents/hook internal/support/plainfile internal/support/rendezvous pkg/approval pkg/config pkg/policy pkg/world",
	"internal/support/rendezvous":          "internal/support/atomicfile internal/support/plainfile pkg/strictjson",
	"internal/service/server":              "internal/service/api internal/service/auth internal/service/backend internal/service/route internal/service/stream internal/service/telemetry internal/service/webguard internal/support/plainfile",
	"internal/service/telemetry":           "internal/service/backend internal/service/channel internal/support/redact pkg/approval pkg/audit pkg/policy",
	"internal/service/server/servertest":   "internal/service/api internal/service/auth internal/service/backend internal/service/channel internal/service/push internal/service/route internal/service/ruledb internal/service/server internal/service/sqlite internal/service/stream internal/service/telemetry internal/service/webguard pkg/approval pkg/grant pkg/policy",
	"internal/service/receiptkey":          "internal/service/keyfile internal/support/bounded pkg/approval",
	"internal/service/sqlstore":            "internal/service/auth internal/service/channel internal/service/grantbook internal/service/push internal/service/ruledb internal/support/shelf pkg/approval pkg/audit pkg/strictjson pkg/trail",
	"internal/service/postgres":            "internal/service/sqlstore internal/support/sleep pkg/approval pkg/audit",
	"internal/service/postgres/pgtest":     "",
	"internal/service/sqlite":              "internal/service/sqlstore internal/support/atomicfile internal/support/plainfile pkg/approval",
	"internal/service/storetest":           "internal/service/auth internal/service/backend internal/service/channel internal/service/grantbook internal/service/push internal/service/ruledb internal/support/cputime pkg/approval pkg/audit pkg/grant pkg/policy pkg/trail",
	"internal/cli/reference":               "internal/agents/hook internal/agents/install internal/lang/shell internal/program internal/render pkg/config pkg/dangerous pkg/hardline pkg/hazard pkg/policy pkg/readonly pkg/rego pkg/sensitive",
	"internal/cli/reference/gen":           "internal/cli/reference",
	"internal/agents/guard":                "internal/agents/hook internal/agents/state internal/machine/collector internal/machine/layers internal/machine/spool internal/support/rendezvous internal/support/uuid pkg/config pkg/grant pkg/policy pkg/trail pkg/world",
	"internal/agents/state":                "internal/support/plainfile pkg/doom pkg/policy",
	"internal/agents/hook":                 "internal/command internal/eval internal/program internal/support/clip pkg/policy pkg/strictjson",
	"internal/authoring/claude":            "internal/authoring/draft internal/support/jsonc internal/support/spelling pkg/policy pkg/strictjson",
	"internal/authoring/draft":             "pkg/policy",
	"internal/authoring/foreign":           "internal/authoring/claude internal/authoring/draft internal/support/jsonc internal/support/plainfile pkg/config pkg/document pkg/policy pkg/strictjson",
	"internal/authoring/replay":            "internal/command internal/eval internal/lang/shell internal/program internal/support/clip internal/support/plainfile pkg/approval pkg/audit pkg/dangerous pkg/doom pkg/hazard pkg/policy pkg/sensitive pkg/strictjson pkg/trail",
	"internal/agents/install":              "internal/agents/hook internal/support/atomicfile internal/support/bounded internal/support/jsonc internal/support/plainfile pkg/strictjson",
	"internal/trial/kernel":                "",
	"internal/agents/lifeline":             "",
	"internal/trial/sandbox":               "",
	"internal/trial/scripts":               "",
	"internal/trial/seed":                  "",
	"internal/trial/shells":                "",
	"internal/support/spelling":            "",
	"internal/trial/calm":                  "pkg/policy pkg/workspace",
	"internal/trial/corpus":                "",
	"internal/trial/options":               "",
	"internal/trial/siblings":              "",
	"internal/trial/verdicts":              "",
	"internal/authoring/differ":            "internal/authoring/lint internal/authoring/replay pkg/dangerous pkg/document pkg/hardline pkg/hazard pkg/pattern pkg/policy pkg/record pkg/sensitive",
	"internal/authoring/exchange":          "internal/support/null internal/support/spelling pkg/config pkg/document pkg/pattern pkg/policy pkg/record pkg/strictjson",
	"internal/authoring/preview":           "internal/authoring/replay pkg/pattern pkg/policy pkg/record",
	"internal/authoring/suite":             "internal/support/spelling pkg/config pkg/document pkg/pattern pkg/policy pkg/record",
	"internal/render":                      "internal/authoring/differ internal/authoring/learn internal/authoring/preview internal/authoring/replay internal/authoring/suite internal/command internal/eval internal/lang/shell internal/program internal/support/clip internal/support/null pkg/hazard pkg/policy",
	"internal/machine/collector":           "internal/machine/spool pkg/audit pkg/trail",
	"internal/machine/forms":               "internal/machine/layers internal/support/atomicfile internal/support/plainfile pkg/config",
	"internal/machine/bundles":             "internal/machine/activation internal/machine/decisionlog internal/machine/forms internal/machine/layers internal/machine/spool internal/machine/subscription internal/support/plainfile pkg/bundle pkg/config pkg/policy pkg/rego",
	"internal/machine/layers":              "internal/support/atomicfile internal/support/plainfile internal/support/rendezvous pkg/config pkg/own pkg/pattern pkg/policy pkg/strictjson",
	"pkg/approval":                         "internal/support/clip internal/support/newid internal/support/redact pkg/audit pkg/policy pkg/strictjson",
	"pkg/audit":                            "internal/support/redact pkg/strictjson",
	"pkg/trail":                            "internal/support/clip internal/support/excerpt internal/support/uuid pkg/audit pkg/policy pkg/strictjson",
	"internal/support/excerpt":             "pkg/strictjson",
	"internal/machine/activation":          "internal/authoring/suite pkg/bundle pkg/config pkg/pattern pkg/policy pkg/rego",
	"pkg/bundle":                           "pkg/strictjson",
	"internal/support/clip":                "",
	"internal/support/newid":               "",
	"internal/support/null":                "",
	"internal/authoring/netclaw":           "pkg/strictjson",
	"internal/machine/decisionlog":         "internal/machine/spool internal/support/redact",
	"internal/machine/spool":               "internal/support/atomicfile internal/support/excerpt internal/support/plainfile internal/support/redact internal/support/uuid pkg/policy",
	"internal/support/redact":              "internal/program pkg/strictjson",
	"internal/support/release":             "",
	"packaging":                            "",
	"pkg/rego":                             "internal/command internal/eval internal/lang/shell internal/program internal/support/clip internal/support/cputime internal/support/null pkg/pattern pkg/policy pkg/record",
	"internal/machine/subscription":        "internal/support/atomicfile internal/support/plainfile pkg/bundle",
	"pkg/config":                           "internal/support/clip internal/support/place internal/support/spelling pkg/document pkg/own pkg/pattern pkg/permission pkg/policy pkg/record pkg/strictjson",
	"pkg/pattern":                          "internal/support/clip internal/support/spelling pkg/dangerous pkg/document pkg/policy pkg/record",
	"pkg/permission":                       "internal/command internal/eval internal/lang/shell internal/program internal/support/weburl pkg/readonly pkg/strictjson",
	"pkg/policy":                           "internal/command internal/eval internal/lang/shell internal/program internal/support/clip internal/support/null internal/support/redact internal/support/sql internal/support/weburl pkg/dangerous pkg/doom pkg/hardline pkg/hazard pkg/own pkg/permission pkg/readonly pkg/remote pkg/sensitive pkg/strictjson pkg/workspace",
	"pkg/dangerous":                        "internal/command internal/lang/script internal/lang/shell internal/program internal/support/sed internal/support/sql internal/support/weburl pkg/hazard pkg/sensitive",
	"pkg/hardline":                         "internal/command internal/eval internal/lang/script internal/lang/shell internal/program internal/support/sed pkg/hazard pkg/own pkg/sensitive",
	"internal/support/backtrack":           "",
	"pkg/readonly":                         "internal/command internal/eval internal/lang/shell internal/program internal/support/backtrack pkg/sensitive",
	"pkg/grant":                            "internal/command internal/eval internal/lang/shell internal/program internal/support/atomicfile internal/support/plainfile internal/support/shelf internal/support/weburl pkg/dangerous pkg/hazard pkg/policy pkg/remote pkg/sensitive pkg/strictjson",
	"pkg/hazard":                           "internal/command internal/eval internal/lang/shell internal/program pkg/own",
	"pkg/own":                              "internal/command internal/eval internal/lang/shell internal/program internal/support/weburl pkg/readonly",
	"pkg/doom":                             "pkg/strictjson",
	"pkg/sensitive":                        "",
	"internal/support/weburl":              "",
	"pkg/remote":                           "internal/command internal/lang/shell internal/program internal/support/weburl",
	"pkg/workspace":                        "internal/command internal/eval internal/lang/shell internal/program internal/support/weburl internal/lang/confine pkg/sensitive",
	"internal/lang/confine":                "internal/program internal/support/backtrack",
	"pkg/world":                            "internal/program pkg/permission pkg/workspace",
	"policies":                             "",
	"pkg/strictjson":                       "internal/support/place",
	"examples/embed":                       "pkg/policy pkg/world",
	"internal/cli/agents":                  "internal/agents/guard internal/agents/hook internal/agents/install internal/agents/lifeline internal/agents/referral internal/authoring/draft internal/authoring/foreign internal/cli/bundle internal/cli/console internal/cli/observe internal/cli/settings internal/machine/bundles internal/machine/forms internal/machine/layers internal/machine/spool internal/render pkg/policy policies",
	"internal/cli/audit":                   "internal/agents/hook internal/cli/console internal/cli/decisions internal/cli/judge internal/cli/serve internal/cli/tables internal/render internal/service/backend internal/support/atomicfile internal/support/clip internal/support/plainfile pkg/approval pkg/audit pkg/policy pkg/trail",
	"internal/cli/decisions":               "internal/agents/install internal/cli/console internal/cli/serve internal/machine/spool internal/support/plainfile pkg/audit pkg/permission pkg/policy pkg/trail pkg/world",
	"internal/cli/bundle":                  "internal/agents/install internal/authoring/suite internal/cli/console internal/cli/effective internal/cli/rules internal/machine/activation internal/machine/bundles internal/machine/forms internal/machine/layers internal/render internal/support/plainfile pkg/bundle pkg/config pkg/pattern pkg/policy pkg/rego pkg/strictjson",
	"internal/cli/console":                 "internal/agents/guard internal/machine/bundles internal/machine/layers internal/render internal/support/plainfile internal/support/release internal/support/spelling pkg/approval pkg/config pkg/policy",
	"internal/cli/console/consoletest":     "",
	"internal/cli/effective":               "internal/cli/console internal/machine/bundles internal/machine/layers internal/render pkg/config pkg/grant pkg/own pkg/pattern pkg/permission pkg/policy pkg/record pkg/rego policies",
	"internal/cli/judge":                   "internal/agents/hook internal/authoring/extent internal/authoring/replay internal/cli/console internal/cli/effective internal/cli/tables internal/command internal/lang/shell internal/machine/bundles internal/machine/collector internal/machine/spool internal/program internal/render pkg/doom pkg/policy pkg/record pkg/rego pkg/strictjson pkg/trail pkg/world",
	"internal/cli/observe":                 "internal/agents/install internal/cli/console internal/cli/decisions internal/cli/serve internal/machine/layers internal/render pkg/audit pkg/config pkg/policy pkg/world policies",
	"internal/cli/requests":                "internal/cli/console internal/machine/collector internal/machine/layers internal/machine/spool internal/render internal/service/channel internal/service/discovery internal/service/view internal/service/webguard internal/support/plainfile internal/support/rendezvous pkg/approval pkg/policy pkg/trail",
	"internal/cli/rules":                   "internal/authoring/differ internal/authoring/draft internal/authoring/exchange internal/authoring/foreign internal/authoring/netclaw internal/authoring/preview internal/authoring/replay internal/authoring/suite internal/cli/console internal/cli/effective internal/cli/judge internal/cli/trust internal/machine/layers internal/render internal/support/plainfile pkg/grant pkg/pattern pkg/policy",
	"internal/cli/serve":                   "internal/agents/install internal/cli/console internal/cli/effective internal/cli/inforce internal/machine/bundles internal/machine/collector internal/machine/layers internal/machine/spool internal/render internal/service/api internal/service/auth internal/service/backend internal/service/channel internal/service/channel/settings internal/service/compat internal/service/desk internal/service/postgres internal/service/push internal/service/receiptkey internal/service/reviewer internal/service/reviewer/wire internal/service/ruledb internal/service/schemas internal/service/server internal/service/sqlite internal/service/sqlstore internal/service/stream internal/service/telemetry internal/support/atomicfile internal/support/plainfile internal/support/release internal/support/rendezvous internal/support/shelf pkg/approval pkg/audit pkg/config pkg/grant pkg/policy pkg/trail pkg/world",
	"internal/cli/settings":                "internal/agents/install internal/agents/state internal/authoring/extent internal/authoring/learn internal/authoring/lint internal/authoring/replay internal/authoring/suite internal/cli/bundle internal/cli/console internal/cli/decisions internal/cli/effective internal/cli/inforce internal/cli/judge internal/cli/serve internal/machine/bundles internal/machine/layers internal/machine/spool internal/render internal/service/channel internal/service/channel/settings internal/service/reviewer internal/support/atomicfile internal/support/clip internal/support/plainfile internal/support/rendezvous pkg/approval pkg/audit pkg/config pkg/grant pkg/pattern pkg/policy pkg/record pkg/rego policies",
	"internal/cli/inforce":                 "internal/cli/console internal/cli/trust internal/machine/layers pkg/config pkg/policy",
	"internal/cli/tables":                  "internal/cli/console internal/program internal/render pkg/dangerous pkg/hardline pkg/hazard pkg/policy pkg/readonly pkg/sensitive pkg/workspace",
	"internal/cli/trust":                   "internal/cli/console internal/cli/effective internal/cli/tables internal/machine/layers internal/render pkg/config pkg/grant pkg/policy pkg/world",
	"internal/support/jsonc":               "",
	"internal/support/bounded":             "",
	"internal/authoring/learn":             "internal/authoring/extent internal/authoring/replay pkg/policy",
	"internal/authoring/extent":            "internal/program pkg/policy",
	"internal/authoring/lint":              "internal/eval internal/lang/shell internal/program internal/support/clip internal/support/spelling pkg/document pkg/pattern pkg/record",
	"pkg/document":                         "internal/support/clip pkg/strictjson",
	"pkg/record":                           "internal/command internal/lang/shell internal/program internal/support/clip internal/support/spelling internal/support/sql pkg/document pkg/policy pkg/strictjson",
	"internal/support/sed":                 "",
	"internal/support/sql":                 "",
	"internal/trial/ratios":                "",
	"internal/trial/cost":                  "",
	"internal/trial/repository":            "",
	"internal/service/channel/channeltest": "internal/service/channel",
	"internal/service/channel/settings":    "internal/service/channel internal/service/channel/desktop internal/service/channel/discord internal/service/channel/email internal/service/channel/ntfy internal/service/channel/slack internal/service/channel/telegram internal/service/channel/webhook internal/support/clip internal/support/plainfile internal/support/spelling pkg/config pkg/document",
	"internal/service/reviewer":            "internal/service/reviewer/wire internal/service/view internal/support/plainfile internal/support/redact internal/support/spelling pkg/approval pkg/config pkg/document pkg/policy pkg/strictjson",
	"internal/service/reviewer/wire":       "internal/support/outbound internal/support/redact pkg/strictjson",
	"internal/cli/review":                  "internal/cli/console internal/cli/effective internal/cli/serve internal/render internal/service/backend internal/service/reviewer pkg/approval pkg/policy",
	"internal/support/shelf/shelftest":     "",
	"internal/support/shelf":               "",
	"internal/trial/deploy":                "",
	"internal/support/uuid":                "",
	"internal/support/sleep":               "",
	"internal/lang/shell":                  "internal/program",
	"internal/command":                     "internal/lang/script internal/lang/shell internal/program internal/support/sed internal/support/weburl",
	"internal/eval":                        "internal/command internal/lang/script internal/lang/shell internal/program internal/support/sed",
	"internal/program":                     "",
	"internal/lang/script":                 "internal/lang/glean internal/program",
	"internal/lang/glean":                  "internal/program",
}

// owners lists the other modules with the packages that may import them.
var owners = map[string]string{
	"github.com/coder/websocket":                                        "internal/service/channel/slack",
	"github.com/go-json-experiment/json/jsontext":                       "internal/agents/install pkg/strictjson",
	"github.com/go-webauthn/webauthn/protocol":                          "internal/service/auth",
	"github.com/go-webauthn/webauthn/webauthn":                          "internal/service/auth",
	"github.com/gofrs/flock":                                            "internal/machine/spool internal/support/plainfile pkg/grant",
	"github.com/google/uuid":                                            "internal/service/ruledb",
	"github.com/hashicorp/golang-lru/v2":                                "internal/service/auth internal/service/backend internal/service/compat internal/service/sqlstore internal/service/webguard pkg/doom",
	"github.com/hashicorp/golang-lru/v2/expirable":                      "internal/service/reviewer",
	"github.com/jackc/pgx/v5":                                           "internal/service/postgres",
	"github.com/jackc/pgx/v5/pgconn":                                    "internal/service/postgres",
	"github.com/jackc/pgx/v5/stdlib":                                    "internal/service/postgres",
	"github.com/ncruces/go-sqlite3":                                     "internal/service/sqlite",
	"github.com/ncruces/go-sqlite3/driver":                              "internal/service/sqlite",
	"github.com/ncruces/go-sqlite3/ext/fts5":                            "internal/service/sqlite",
	"github.com/open-policy-agent/opa/v1/ast":                           "pkg/bundle pkg/rego",
	"github.com/open-policy-agent/opa/v1/bundle":                        "pkg/bundle",
	"github.com/open-policy-agent/opa/v1/rego":                          "pkg/rego",
	"github.com/open-policy-agent/opa/v1/storage":                       "pkg/rego",
	"github.com/open-policy-agent/opa/v1/storage/inmem":                 "pkg/rego",
	"github.com/open-policy-agent/opa/v1/topdown":                       "pkg/rego",
	"github.com/open-policy-agent/opa/v1/topdown/cache":                 "pkg/rego",
	"github.com/open-policy-agent/opa/v1/topdown/print":                 "pkg/rego",
	"github.com/open-policy-agent/opa/v1/types":                         "pkg/rego",
	"github.com/open-policy-agent/opa/v1/util":                          "pkg/bundle",
	"github.com/pelletier/go-toml/v2/unstable":                          "internal/agents/install pkg/config",
	"github.com/pressly/goose/v3":                                       "internal/service/postgres internal/service/sqlite",
	"github.com/spf13/cobra":                                            "internal/cli internal/cli/agents internal/cli/audit internal/cli/bundle internal/cli/console internal/cli/effective internal/cli/judge internal/cli/observe internal/cli/requests internal/cli/review internal/cli/rules internal/cli/serve internal/cli/settings internal/cli/tables internal/cli/trust",
	"github.com/spf13/pflag":                                            "internal/cli internal/cli/console internal/cli/effective internal/cli/judge internal/cli/requests internal/cli/serve",
	"github.com/spf13/cobra/doc":                                        "internal/cli",
	"github.com/spf13/viper":                                            "internal/cli/effective",
	"github.com/tailscale/hujson":                                       "internal/support/jsonc",
	"go.starlark.net/syntax":                                            "internal/authoring/foreign",
	"go.yaml.in/yaml/v3":                                                "internal/cli/settings internal/service/api pkg/config",
	"golang.org/x/sys/unix":                                             "internal/agents/lifeline internal/cli/console internal/cli/console/consoletest internal/service/auth",
	"golang.org/x/text/unicode/norm":                                    "internal/service/postgres",
	"golang.org/x/time/rate":                                            "internal/service/webguard",
	"mvdan.cc/sh/v3/expand":                                             "internal/eval",
	"mvdan.cc/sh/v3/syntax":                                             "internal/command internal/eval internal/lang/shell",
	"github.com/go-logr/logr":                                           "internal/service/telemetry",
	"go.opentelemetry.io/otel":                                          "internal/service/telemetry",
	"go.opentelemetry.io/contrib/bridges/otelslog":                      "internal/service/telemetry",
	"go.opentelemetry.io/otel/attribute":                                "internal/service/telemetry",
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp":       "internal/service/telemetry",
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp": "internal/service/telemetry",
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp":   "internal/service/telemetry",
	"go.opentelemetry.io/otel/metric":                                   "internal/service/telemetry",
	"go.opentelemetry.io/otel/propagation":                              "internal/service/telemetry",
	"go.opentelemetry.io/otel/sdk/log":                                  "internal/service/telemetry",
	"go.opentelemetry.io/otel/sdk/metric":                               "internal/service/telemetry",
	"go.opentelemetry.io/otel/sdk/metric/metricdata":                    "internal/service/telemetry",
	"go.opentelemetry.io/otel/sdk/resource":                             "internal/service/telemetry",
	"go.opentelemetry.io/otel/sdk/trace":                                "internal/service/telemetry",
	"go.opentelemetry.io/otel/trace":                                    "internal/service/telemetry",
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
		imports[filepath.ToSlash(path[len(root):])] = p.Imports
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

// wings are those of internal, with the wings on which each may lean. support
// leans on none, and trial, which tries the whole house, may look anywhere.
var wings = map[string]string{
	"cli":       "agents authoring machine render service support",
	"service":   "authoring render support",
	"render":    "authoring support",
	"agents":    "machine support",
	"machine":   "authoring support",
	"authoring": "support",
	"support":   "",
}

// core are the packages of internal below pkg, with those on which each may lean beside
// support.
var core = map[string]string{
	"eval":    "command lang program",
	"command": "lang program",
	"lang":    "program",
	"program": "",
}

// TestWings shows that the wings of internal lean on one another as ARCHITECTURE
// draws them, and that there are no others.
func TestWings(t *testing.T) {
	leans := map[string]bool{}
	for pkg, may := range allowed {
		from, inside := strings.CutPrefix(pkg, "internal/")
		if from, _, _ = strings.Cut(from, "/"); !inside || from == "trial" {
			continue
		}
		others, known := wings[from]
		if below, isCore := core[from]; isCore {
			others, known = below+" support", true
		}
		if !known {
			t.Errorf("%s stands in no wing", pkg)
		}
		for _, own := range strings.Fields(may) {
			to, inside := strings.CutPrefix(own, "internal/")
			if to, _, _ = strings.Cut(to, "/"); !inside || to == from {
				continue
			}
			leans[from+" "+to] = true
			_, isCore := core[to]
			if _, fromCore := core[from]; isCore && !fromCore {
				continue // below all wings
			}
			if !slices.Contains(strings.Fields(others), to) {
				t.Errorf("%s imports %s: %s does not lean on %s", pkg, own, from, to)
			}
		}
	}
	for from, others := range wings {
		for _, to := range strings.Fields(others) {
			if !leans[from+" "+to] {
				t.Errorf("%s leans on %s no more: take it from the table", from, to)
			}
		}
	}
}

// down reports whether an import runs down the house: cmd, internal, pkg, and the core
// of internal. All may import what stands at the bottom.
func down(from, to string) bool {
	floors := []string{"core", "pkg", "internal", "cmd"}
	floor := func(pkg string) int {
		top, below, _ := strings.Cut(pkg, "/")
		below, _, _ = strings.Cut(below, "/")
		if _, isCore := core[below]; isCore && top == "internal" {
			top = "core"
		}
		return slices.Index(floors, top) // policies is below all
	}
	return floor(to) <= floor(from) || bottom(to)
}

// bottom reports whether a package of internal imports nothing of the module, or
// only packages of which that is so.
func bottom(pkg string) bool {
	return !slices.ContainsFunc(strings.Fields(allowed[pkg]), func(p string) bool { return !bottom(p) })
}
