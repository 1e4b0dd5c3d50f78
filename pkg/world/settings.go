package world

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// harmlessSettings are settings of git that agents make by the environment,
// with the values that change nothing about what a reading command reads or
// runs, or that let it read and run less (git-config(1)). Names are in lower
// case.
var harmlessSettings = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"safe.barerepository":    {"explicit", "all"}, // Copilot CLI: explicit
		"core.fsmonitor":         {"false"},
		"core.hookspath":         {"/dev/null"},
		"core.pager":             {"cat"},
		"core.askpass":           {""},
		"core.quotepath":         {"false", "off", "true", "on"},
		"color.ui":               {"false", "never", "auto", "always"},
		"advice.detachedhead":    {"false"},
		"credential.helper":      {""},
		"credential.interactive": {"false", "never"},
		"gc.auto":                {"0"},
		"maintenance.auto":       {"false"},
		"commit.gpgsign":         {"false"},
		"tag.gpgsign":            {"false"},
	}
})

// settingStarts begin the names of the variables that make settings of git.
var settingStarts = []string{"GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"}

// madeSettings are the variables of an environment that make settings of git.
type madeSettings map[string]string

// keep takes a variable, and reports whether it is one of them. One that
// stands twice becomes none that is harmless.
func (m madeSettings) keep(name, value string) bool {
	if !slices.ContainsFunc(settingStarts, func(start string) bool { return strings.HasPrefix(name, start) }) {
		return false
	}
	if _, twice := m[name]; twice {
		name = "twice"
	}
	m[name] = value
	return true
}

// harmless reports whether the variables make nothing but harmless settings,
// and none is left over that a command could bring into play.
func (m madeSettings) harmless() bool {
	if len(m) == 0 {
		return true
	}
	count, err := strconv.Atoi(m["GIT_CONFIG_COUNT"])
	if err != nil || count < 0 || len(m) != 1+2*count {
		return false
	}
	for i := range count {
		key, ok := m["GIT_CONFIG_KEY_"+strconv.Itoa(i)]
		value, valued := m["GIT_CONFIG_VALUE_"+strconv.Itoa(i)]
		if !ok || !valued || !slices.Contains(harmlessSettings()[strings.ToLower(key)], value) {
			return false
		}
	}
	return true
}
