package learn

import (
	"maps"
	"path/filepath"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/replay"
	"github.com/policyctl/policyctl/pkg/policy"
)

// An asked is a recorded call that asks under the policy.
type asked struct {
	replay.Recorded
	replay.Asking
	// alone says that one thing asks in the call, which Asking is.
	alone bool
	// parts are what a permission can name of that, from left to right: the words of a
	// command, or the directories of a path. whole says that they are all of it.
	parts []string
	whole bool
	// key is the argument whose parts these are, "" for a command.
	key string
}

func (a *asked) split() {
	if a.Words != nil {
		a.parts, a.whole = a.Words, a.Whole
		return
	}
	for _, key := range []string{"file_path", "path", "notebook_path", "url"} {
		text, _ := a.Call.Input[key].(string)
		if text == "" || strings.ContainsAny(text, "*?[\\ ") {
			continue
		}
		if below, err := filepath.Rel(a.Call.Dir, text); err == nil && filepath.IsAbs(text) && filepath.IsLocal(below) {
			text = filepath.ToSlash(below)
		}
		a.key, a.whole = key, true
		if scheme, rest, ok := strings.Cut(text, "://"); ok {
			host, path, _ := strings.Cut(rest, "/")
			a.parts, text = append(a.parts, scheme+"://"+host+"/"), path
		}
		for part := range strings.SplitAfterSeq(text, "/") {
			if part != "" {
				a.parts = append(a.parts, part)
			}
		}
		return
	}
}

// least returns how many parts a permission must name: a program with its
// sub-command, a host.
func (a *asked) least() int {
	switch {
	case a.Words == nil && len(a.parts) > 0 && strings.Contains(a.parts[0], "://"):
		return 1
	case a.Words == nil:
		return 0
	case a.Match == "":
		return 2
	}
	return len(strings.Fields(a.Name))
}

// permission returns what permits the calls that begin with the same parts, or are
// the same. The reason says why there is none.
func (a *asked) permission(same int, exact bool) (match, why string) {
	switch {
	case !exact && (same < a.least() || a.Runs):
		match, why = a.Name, "they have too little in common"
		if a.Why != "" {
			why = a.Why
		}
		return match, why
	case a.Words != nil:
		match = "shell " + strings.Join(a.parts[:same], " ")
		if !exact {
			match += " *"
		}
	case a.Match == "":
		return a.Name, a.Why
	default:
		match = strings.TrimSuffix(a.Match, "*") + strings.Join(a.parts[:same], "")
		if !exact {
			match += "*"
		}
	}
	return match, ""
}

// another returns a call that differs from this one in the last of so many parts.
func (a *asked) another(same int) (text string, c *policy.Call) {
	if same == 0 || same > len(a.parts) {
		return "", nil
	}
	first := strings.Join(a.parts[:same-1], " ")
	if a.Words != nil {
		text = strings.TrimSpace(first + " another")
		c = policy.Shell(text, a.Call.Dir)
		c.Home = a.Call.Home
		return text, c
	}
	path := strings.Join(a.parts[:same-1], "") + "another"
	if strings.Contains(a.parts[same-1], "://") {
		path = "https://another.example/"
	}
	like := *a.Call
	like.Input = maps.Clone(a.Call.Input)
	like.Input[a.key] = path
	tool, _, _ := strings.Cut(a.Match, " ")
	return tool + " " + path, &like
}
