// Package repository tries what policyctl has for repositories with policies, by
// running its steps.
package repository_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/trial/seed"
)

const root = "../../.."

// A step is one of the action.
type step struct {
	Name string
	Run  string
	Env  map[string]string
}

// TestAction runs the steps of the action in a copy of the template, whose policy
// has changed since the commit before: all but those that talk to a server.
func TestAction(t *testing.T) {
	seed.Slow(t)
	for _, name := range []string{"bash", "git", "openssl", "tar"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("the steps run %s, which is not here", name)
			}
			t.Skipf("the steps run %s, which is not here", name)
		}
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []step }
	}
	read(t, "action.yml", &action)
	bin, dir, temp := t.TempDir(), t.TempDir(), t.TempDir()
	run(t, root, nil, "go", "build", "-o", filepath.Join(bin, "policyctl"), "./cmd/policyctl")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "examples/policy-repository"))); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+temp, "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary.md"),
		"GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@example.com", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@example.com")
	run(t, dir, env, "git", "init", "-q")
	run(t, dir, env, "git", "add", ".")
	run(t, dir, env, "git", "commit", "-qm", "before")
	policy := filepath.Join(dir, "policies/policy.yaml")
	text, err := os.ReadFile(policy)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(policy, bytes.Replace(text, []byte("shell npm test *, action: allow"), []byte("shell npm test *, action: deny"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	given := map[string]string{
		"base": "HEAD", "bundle": "dist/acme.tar.gz", "min-coverage": "100",
		"signing-key": run(t, dir, env, "openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout"),
	}
	ran := 0
	for _, s := range action.Runs.Steps {
		if s.Run == "" || s.Name == "comment" {
			continue
		}
		own := env
		for name, value := range s.Env {
			value = regexp.MustCompile(`\$\{\{ inputs\.([\w-]+) \}\}`).ReplaceAllStringFunc(value, func(found string) string {
				input := strings.TrimSuffix(strings.TrimPrefix(found, "${{ inputs."), " }}")
				if v, ok := given[input]; ok {
					return v
				}
				return action.Inputs[input].Default
			})
			own = append(own, name+"="+value)
		}
		run(t, dir, own, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		ran++
	}
	if ran != 6 {
		t.Errorf("%d steps ran", ran)
	}
	for name, want := range map[string]string{
		filepath.Join(temp, "policy-diff.md"):  "| stricter | allow rules shell npm test * | deny permission_deny shell npm test * |",
		filepath.Join(temp, "summary.md"):      "**policyctl:** of ",
		filepath.Join(dir, "policy-tests.xml"): "<testsuites",
	} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v: no %q in %s", name, err, want, text)
		}
	}
	if got := run(t, dir, env, filepath.Join(bin, "policyctl"), "bundle", "inspect", "dist/acme.tar.gz"); !strings.Contains(got, "release") {
		t.Errorf("the bundle is not signed: %s", got)
	}
	if _, err := os.Stat(filepath.Join(temp, "key.pem")); err == nil {
		t.Error("the key is still there")
	}
}

// TestRego has OPA check, format and test the Rego of the template.
func TestRego(t *testing.T) {
	if _, err := exec.LookPath("opa"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("opa is not here")
		}
		t.Skip("opa is not here")
	}
	dir := filepath.Join(root, "examples/policy-repository/policies")
	files := []string{"policyctl/admission/change_freeze.rego", "policyctl/admission/change_freeze_test.rego"}
	run(t, dir, nil, "opa", append([]string{"check", "--strict"}, files...)...)
	run(t, dir, nil, "opa", append([]string{"fmt", "--fail", "--diff"}, files...)...)
	run(t, dir, nil, "opa", append([]string{"test"}, files...)...)
}

// TestHooks checks that the hooks of pre-commit run commands that are there, and
// that the template names them.
func TestHooks(t *testing.T) {
	seed.Slow(t)
	var hooks []struct{ ID, Entry, Files string }
	read(t, ".pre-commit-hooks.yaml", &hooks)
	template, err := os.ReadFile(filepath.Join(root, "examples/policy-repository/.pre-commit-config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hooks {
		if _, err := regexp.Compile(h.Files); err != nil || !strings.Contains(string(template), "id: "+h.ID) {
			t.Errorf("%s: %v, or the template does not have it", h.ID, err)
		}
		args := append([]string{"run", "./cmd/policyctl"}, strings.Fields(h.Entry)[1:]...)
		run(t, root, nil, "go", append(args, "examples/policy-repository/policies/policy_test.yaml")...)
	}
	if len(hooks) == 0 {
		t.Error("there are no hooks")
	}
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
