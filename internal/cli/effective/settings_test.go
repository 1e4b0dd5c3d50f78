package effective

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// surroundings returns what viper makes of the environment and of flags.
func surroundings(t *testing.T, args ...string) (variables, flagged []config.File) {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	flags.Bool("yolo", false, "")
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	variables, flagged, err := fromSurroundings(flags, true)
	if err != nil {
		t.Fatal(err)
	}
	return variables, flagged
}

// What viper binds is what hooks read without it, key by key, and even for
// values that viper would read in its own way.
func TestVariablesAgree(t *testing.T) {
	for _, value := range []string{"", " ", "true", "010", "12345678901234567890123", "yes", "a,b", "#ops", "Manual", "a: b", "a.b::c", "[x]", "ünï", "$HOME", "null", "~"} {
		for _, k := range config.Keys() {
			if !k.Scalar {
				continue
			}
			name := layers.Variable(k.Path)
			t.Setenv(name, value)
			got, _ := surroundings(t)
			want, unknown := layers.FromEnvironment([]string{name + "=" + value}, config.Everything)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(config.File{})); diff != "" || len(unknown) > 0 {
				t.Errorf("%s=%q: %s %v", name, value, diff, unknown)
			}
			t.Setenv(name, "")
		}
	}
}

func TestFlagAboveVariable(t *testing.T) {
	t.Setenv("POLICYCTL_APPROVALS_YOLO", "true")
	for want, args := range map[bool][]string{false: {"--yolo=false"}, true: {"--yolo"}} {
		variables, flagged := surroundings(t, args...)
		l, err := config.Load(policy.Defaults(), append(variables, flagged...)...)
		if err != nil || len(variables) != 0 || len(flagged) != 1 || l.Settings.Yolo != want {
			t.Errorf("%v: %v, %v, %v", args, variables, flagged, err)
		}
	}
}

func TestStraying(t *testing.T) {
	for name, want := range map[string]string{
		"POLICYCTL_APPROVALS_MOD": "POLICYCTL_APPROVALS_MOD is not a policy key: did you mean POLICYCTL_APPROVALS_MODE?",
		"POLICYCTL_PERMISSIONS":   "POLICYCTL_PERMISSIONS assigns nothing: permissions has no single value; write it in a policy file",
		"POLICYCTL_X":             "POLICYCTL_X is not a policy key: see policyctl config show",
	} {
		if got := console.Straying(name); got != want {
			t.Error(got)
		}
	}
}
