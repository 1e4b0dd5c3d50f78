package effective

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/pkg/config"
)

// delimiter parts the sections of a key for viper. With the dot, which is its
// default, it would split what a user writes.
const delimiter = "::"

// flagKeys are the keys that a flag of its own sets.
var flagKeys = map[string]string{"approvals.yolo": "yolo", "security.approval.passkey_above": "passkey-above"}

// fromSurroundings returns the keys that variables and flags assign. viper
// binds both, of keys with one value only: of sections with names it would
// change the case. Hooks have [layers.FromEnvironment] instead, without what
// viper takes to start.
func fromSurroundings(flags *pflag.FlagSet, environment bool) (variables, flagged []config.File, err error) {
	v := viper.NewWithOptions(viper.KeyDelimiter(delimiter))
	for _, k := range config.Keys() {
		if !k.Scalar {
			continue
		}
		key := strings.ReplaceAll(k.Path, ".", delimiter)
		flag := flags.Lookup(flagKeys[k.Path])
		if environment {
			err = errors.Join(err, v.BindEnv(key, layers.Variable(k.Path)))
		}
		if flag != nil {
			err = errors.Join(err, v.BindPFlag(key, flag))
		}
		switch assignment := k.Path + "=" + v.GetString(key); {
		case !v.IsSet(key):
		case flag != nil && flag.Changed:
			flagged = append(flagged, config.Assign(config.Flag, "--"+flag.Name, assignment, config.Everything))
		default:
			variables = append(variables, config.Assign(config.Environment, layers.Variable(k.Path), assignment, config.Everything))
		}
	}
	return variables, flagged, err
}
