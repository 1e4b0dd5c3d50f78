package layers

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/config"
)

// envPrefix begins the names of the variables that assign keys.
const envPrefix = "POLICYCTL_"

// Variable returns the name of the variable that assigns a key:
// POLICYCTL_APPROVALS_MODE for approvals.mode.
func Variable(path string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(path, ".", "_"))
}

// Token is the variable with a person's token for the approval service, which
// is no key of a policy.
const Token = envPrefix + "TOKEN"

// FromEnvironment returns the keys that the variables of an environment, each
// "NAME=VALUE", assign: those with one value, in the order of the reference.
// An empty variable assigns nothing. unknown are the variables with our prefix
// that name no key.
func FromEnvironment(environ []string, admit config.Admission) (files []config.File, unknown []string) {
	values := make(map[string]string)
	for _, v := range environ {
		if name, value, ok := strings.Cut(v, "="); ok && value != "" && strings.HasPrefix(name, envPrefix) && name != Token {
			values[name] = value
		}
	}
	if len(values) == 0 {
		return nil, nil // most often, and hooks look at each call
	}
	for _, k := range config.Keys() {
		name := Variable(k.Path)
		if value, ok := values[name]; ok && k.Scalar {
			files = append(files, config.Assign(config.Environment, name, k.Path+"="+value, admit))
			delete(values, name)
		}
	}
	for name := range values {
		unknown = append(unknown, name)
	}
	slices.Sort(unknown)
	return files, unknown
}
