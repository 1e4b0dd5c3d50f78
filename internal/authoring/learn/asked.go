package learn

import (
	"maps"
	"path/filepath"
	"slices"
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
	// host is the place of the part that names a host, for a command with a URL; 0 for none.
	// The part behind it is the rest of the URL.
	host int
	// key is the argument whose parts these are, "" for a command.
	key string
}

func (a *asked) split() {
	if a.Words != nil {
		a.parts, a.whole = a.Words, a.Whole
		a.atHost()
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

// atHost divides the first URL among the words behind its host, so that a permission can
// name the host.
func (a *asked) atHost() {
	for i, word := range a.parts {
		scheme, rest, ok := strings.Cut(word, "://")
		host, path, _ := strings.Cut(rest, "/")
		if ok && i > 0 && host != "" && path != "" {
			a.host = i
			a.parts = slices.Concat(a.parts[:i], []string{scheme + "://" + host + "/", path}, a.parts[i+1:])
			a.Says = slices.Insert(slices.Clone(a.Says), i, false)
			return
		}
	}
}

// joined returns so many parts of a command as a permission spells them, and what a star
// behind them is parted with.
func (a *asked) joined(same int) (text, gap string) {
	if a.host == 0 || same <= a.host {
		return strings.Join(a.parts[:same], " "), " "
	}
	text = strings.Join(a.parts[:a.host+1], " ")
	if same == a.host+1 {
		return text, ""
	}
	return text + strings.Join(a.parts[a.host+1:same], " "), " "
}

// reaches reports whether a URL is among the parts behind so many.
func (a *asked) reaches(same int) bool {
	return a.Words != nil && slices.ContainsFunc(a.parts[min(same, len(a.parts)):], func(part string) bool { return strings.Contains(part, "://") })
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

// names reports whether so many parts name what a program runs, and not only how.
func (a *asked) names(same int) bool {
	return same >= 2 && same <= len(a.parts) && !strings.HasPrefix(a.parts[1], "-")
}

// permission returns what permits the calls that begin with the same parts, or are
// the same. The reason says why there is none.
func (a *asked) permission(same int, exact bool) (match, why string) {
	switch {
	case !exact && (same < a.least() || a.Runs && !a.names(same)):
		match, why = a.Name, "they have too little in common"
		if a.Why != "" {
			why = a.Why
		}
		return match, why
	case !exact && a.reaches(same):
		text, _ := a.joined(same)
		return "shell " + text, "it would reach any host"
	case a.Words != nil:
		text, gap := a.joined(same)
		match = "shell " + text
		if !exact {
			match += gap + "*"
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

// isLike reports whether another call is of the same program or tool, or of a tool of the
// same server.
func (a *asked) isLike(b *asked) bool {
	if len(a.parts) > 0 && len(b.parts) > 0 && a.parts[0] == b.parts[0] || a.Name == b.Name {
		return true
	}
	server, _, ok := strings.Cut(strings.TrimPrefix(b.Name, "mcp__"), "__")
	return ok && strings.HasPrefix(a.Name, "mcp__"+server+"__")
}

// another returns a call that differs from this one in the last of so many parts.
func (a *asked) another(same int) (text string, c *policy.Call) {
	if same == 0 || same > len(a.parts) {
		return "", nil
	}
	if a.Words != nil {
		first, _ := a.joined(same - 1)
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
