package activation_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/machine/activation"
	"github.com/policyctl/policyctl/pkg/bundle"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

const (
	denying  = "version: 1\nrules:\n  - {id: no-make, reason: builds run elsewhere, when: {shell.program: make}, decision: deny}\n"
	allowing = "version: 1\npermissions: {\"shell *\": allow}\n"
	tested   = "cases:\n  - {name: make is refused, command: make, decision: deny, rule: no-make}\n"
	compiled = "package policyctl.rules\n\nverdict := {\"decision\": \"allow\"}\n"
	teams    = "package policyctl.teams\n\nhosts := {\"git.example.com\"}\n"
	asking   = "package policyctl.admission\n\nask contains {\"id\": \"curl\", \"reason\": \"somebody should look\", \"command\": c.index} if {\n\tsome c in input.commands\n\tc.program in data.acme.programs\n}\n"
	open     = "package policyctl.admission\n\nallow contains {\"id\": \"all\", \"reason\": \"an experiment\"}\n"
)

// holding is a bundle of files: Rego by .rego, tests by _test.yaml, otherwise
// policies.
func holding(files ...string) *bundle.Bundle {
	b := &bundle.Bundle{Revision: "r7", Sequence: 7, Digest: "d7", Data: map[string]any{"acme": map[string]any{"programs": []any{"curl"}}}}
	for i := 0; i < len(files); i += 2 {
		f := bundle.File{Name: files[i], Text: files[i+1]}
		switch {
		case strings.HasSuffix(f.Name, ".rego"):
			b.Modules = append(b.Modules, f)
		case strings.HasSuffix(f.Name, "_test.yaml"):
			b.Tests = append(b.Tests, f)
		default:
			b.Policies = append(b.Policies, f)
		}
	}
	return b
}

func loaded(t *testing.T, files ...string) *activation.Policy {
	t.Helper()
	p, err := activation.Load(t.Context(), "acme", holding(files...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is not right is refused whole: the error names the place and what to do.
func TestRefused(t *testing.T) {
	for name, row := range map[string]struct {
		want  string
		files []string
	}{
		"nothing":                    {"the bundle contains no policy", nil},
		"tests alone":                {"the bundle contains no policy", []string{"a_test.yaml", tested}},
		"compiled rules alone":       {"compiled rules without the policies that they come from: build it with policyctl bundle build", []string{"policyctl/rules/rules.rego", compiled}},
		"compiled rules and Rego":    {"compiled rules without the policies", []string{"policyctl/rules/rules.rego", compiled, "a.rego", asking}},
		"Rego that answers nothing":  {"no document deny, ask or allow of the package policyctl.admission", []string{"teams.rego", teams}},
		"a policy and other Rego":    {"no document deny, ask or allow", []string{"rules.yaml", denying, "teams.rego", teams}},
		"Rego that does not parse":   {"a.rego:3:1: ", []string{"a.rego", "package policyctl.admission\n\n]\n"}},
		"Rego without a package":     {"a.rego:", []string{"a.rego", "deny := []\n"}},
		"an empty module":            {"a.rego:0:0: empty module", []string{"rules.yaml", denying, "a.rego", ""}},
		"a typo of the input":        {"undefined ref: input.call.tol", []string{"a.rego", "package policyctl.admission\n\ndeny contains {\"id\": \"x\", \"reason\": \"y\"} if input.call.tol == \"shell\"\n"}},
		"http.send":                  {"a.rego:3:45: undefined function http.send: policies have no network, environment, clock or chance", []string{"a.rego", "package policyctl.admission\n\ndeny contains {\"id\": \"x\", \"reason\": \"y\"} if http.send({\"method\": \"GET\", \"url\": \"http://127.0.0.1\"}).status_code == 200\n"}},
		"opa.runtime":                {"undefined function opa.runtime", []string{"a.rego", "package policyctl.admission\n\ndeny contains {\"id\": \"x\", \"reason\": \"y\"} if opa.runtime().env.HOME\n"}},
		"the clock":                  {"undefined function time.now_ns", []string{"rules.yaml", denying, "a.rego", "package policyctl.admission\n\ndeny contains {\"id\": \"x\", \"reason\": \"y\"} if time.now_ns() > 1\n"}},
		"a policy that is no YAML":   {"bundle acme: rules.yaml:1:", []string{"rules.yaml", "version: [1\n"}},
		"an unknown key":             {"did you mean permissions?", []string{"rules.yaml", "version: 1\npermission: {}\n"}},
		"a second policy is invalid": {"bundle acme: b.yaml:3:", []string{"a.yaml", denying, "b.yaml", "version: 1\nrules:\n  - {id: x, when: {shell.programme: make}, decision: deny}\n"}},
		"a bundle that subscribes":   {"a bundle cannot subscribe to other bundles", []string{"rules.yaml", "version: 1\nbundles: {other: {url: https://example.com/b.tar.gz}}\n"}},
		"a key of the organisation":  {"locked is a key of the managed policy", []string{"rules.yaml", "version: 1\nlocked: [approvals.mode]\n"}},
		"a test that fails":          {"bundle acme: rules_test.yaml:2: make is allowed: expected allow, got deny", []string{"rules.yaml", denying, "rules_test.yaml", "cases:\n  - {name: make is allowed, command: make, decision: allow}\n"}},
		"a test that is no YAML":     {"the tests of the bundle are refused", []string{"rules.yaml", denying, "rules_test.yaml", "cases: 7\n"}},
		"an example that fails":      {"1 of 1 tests of the bundle fail", []string{"rules.yaml", strings.Replace(denying, "decision: deny", "decision: deny, examples: {match: [{facets: {shell: {program: ls}}}]}", 1)}},
		"a test that Rego refutes":   {"curl goes through: expected allow, got ask", []string{"a.rego", asking, "a_test.yaml", "cases:\n  - {name: curl goes through, command: curl example.com, decision: allow}\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := activation.Load(t.Context(), "acme", holding(row.files...))
			if p != nil {
				t.Error("something of it counts")
			}
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error %q does not say %q", err, row.want)
			}
		})
	}
}

// Who builds bundles tells an empty one apart.
func TestEmpty(t *testing.T) {
	if _, err := activation.Load(t.Context(), "acme", holding()); !errors.Is(err, activation.ErrEmpty) {
		t.Error(err)
	}
}

// An error names the first failures and says that there are more.
func TestManyFailures(t *testing.T) {
	cases := "cases:\n"
	for i := range 9 {
		cases += fmt.Sprintf("  - {name: case %d, command: make %[1]d, decision: allow}\n", i)
	}
	_, err := activation.Load(t.Context(), "acme", holding("rules.yaml", denying, "rules_test.yaml", cases))
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 5 || lines[0] != "9 of 9 tests of the bundle fail" || lines[4] != "…" {
		t.Errorf("%d lines: %v", len(lines), err)
	}
}

// deny and so on: the verdict on a command, first.
func TestEngine(t *testing.T) {
	for _, row := range []struct {
		want, command string
		files         []string
	}{
		{"deny acme/no-make bundle acme: rules.yaml:3", "make all", []string{"rules.yaml", denying, "rules_test.yaml", tested}},
		{"deny acme/no-make bundle acme: rules.yaml:3", "cd web && make all", []string{"rules.yaml", denying, "policyctl/rules/rules.rego", compiled}},
		{"deny acme/no-make bundle acme: rules.yaml:3", "make all", []string{"all.yaml", allowing, "rules.yaml", denying}},
		{"deny acme/no-make bundle acme: rules.yaml:3", "make all", []string{"rules.yaml", denying, "open.rego", open}},
		{"ask curl bundle acme", "curl example.com", []string{"asking.rego", asking}},
		{"ask curl bundle acme", "curl example.com", []string{"all.yaml", allowing, "asking.rego", asking}},
		{"allow all bundle acme", "make all", []string{"open.rego", open}},
		{"ask  ", "make all", []string{"asking.rego", asking}},
		{"ask  ", "$UNKNOWN all", []string{"rules.yaml", strings.Replace(denying, "decision: deny", "decision: allow", 1)}},
		{"deny root-delete ", "rm -rf /", []string{"all.yaml", allowing, "open.rego", open}},
		{"deny root-delete ", "sudo sh -c 'rm -rf /'", []string{"all.yaml", allowing + "security: {confirm_policy: dangerous_only}\n", "open.rego", open}},
	} {
		e, err := loaded(t, row.files...).Engine(policy.Defaults(), policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := e.Decide(t.Context(), policy.NewSession("s"), policy.Shell(row.command, "/w"))
		if got := v.Decision.String() + " " + v.Rule + " " + v.Origin.String(); got != row.want || err != nil {
			t.Errorf("%s: got %s, want %s (%v)", row.command, got, row.want, err)
		}
		if len(v.Bundles) != 1 || v.Bundles[0] != (policy.Bundle{Name: "acme", Revision: "r7"}) {
			t.Errorf("%s: the verdict names the bundles %v", row.command, v.Bundles)
		}
		if v.Revision != "d7" || e.Revision() != "d7" {
			t.Errorf("%s: the verdict names the policy %s", row.command, v.Revision)
		}
	}
}

// Yolo lifts neither the floor nor what a bundle denies or asks.
func TestYolo(t *testing.T) {
	settings := policy.Defaults()
	settings.Yolo = true
	e, err := loaded(t, "rules.yaml", denying, "asking.rego", asking, "open.rego", open).Engine(settings, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"rm -rf /":         "deny hardline",
		"make all":         "deny permission_deny",
		"curl example.com": "ask rules",
		"npm ci":           "allow yolo",
	} {
		v, err := e.Decide(t.Context(), policy.NewSession("s"), policy.Shell(command, "/w"))
		if got := v.Decision.String() + " " + v.Stage.String(); got != want || err != nil {
			t.Errorf("%s: got %s, want %s (%v)", command, got, want, err)
		}
	}
}

// A person's file stands above the bundle, and loosens no deny of it.
func TestMore(t *testing.T) {
	mine := config.File{Layer: config.User, Name: "mine.yaml", Data: []byte(allowing), Admit: config.Everything}
	e, err := loaded(t, "rules.yaml", denying).Engine(policy.Defaults(), policy.Options{Revision: "mine"}, mine)
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{"make all": "deny", "npm ci": "allow"} {
		v, err := e.Decide(t.Context(), policy.NewSession("s"), policy.Shell(command, "/w"))
		if v.Decision.String() != want || v.Revision != "mine" || err != nil {
			t.Errorf("%s: got %s by %s, want %s (%v)", command, v.Decision, v.Revision, want, err)
		}
	}
	mine.Data = []byte("version: 1\npermission: {}\n")
	if _, err := loaded(t, "rules.yaml", denying).Engine(policy.Defaults(), policy.Options{}, mine); err == nil || !strings.Contains(err.Error(), "mine.yaml:2") {
		t.Errorf("a file with a mistake: %v", err)
	}
}

// Two engines of one policy share nothing that the caller gave.
func TestOptionsAreTheCallers(t *testing.T) {
	p := loaded(t, "rules.yaml", denying, "asking.rego", asking)
	sources, bundles := make([]policy.Source, 0, 8), make([]policy.Bundle, 0, 8)
	o := policy.Options{Sources: sources, Bundles: bundles}
	if _, err := p.Engine(policy.Defaults(), o); err != nil {
		t.Fatal(err)
	}
	if sources[:1][0] != nil || bundles[:1][0] != (policy.Bundle{}) {
		t.Error("the lists of the options were written to")
	}
}
