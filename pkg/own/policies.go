package own

import (
	"path"
	"slices"
)

// Unversioned is the name of the settings of an agent that hold its policy,
// which need not say of which version they are.
const Unversioned = "config.toml"

// PolicyNames returns the names under which a policy lies in its directory,
// which holds one of them at most. The first is what people are told to write.
func PolicyNames() []string {
	return []string{"policy.yaml", "policy.toml", "policy.json", Unversioned}
}

// IsFormat reports whether a name ends as those of policies do.
func IsFormat(name string) bool {
	return slices.ContainsFunc(PolicyNames(), func(p string) bool { return path.Ext(p) == path.Ext(name) })
}
