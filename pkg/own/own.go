// Package own knows what is policyctl's own on a machine: the paths that hold
// its keys, tokens and records, and the addresses of its approval service. It
// says which commands read the one and which reach the other.
//
// Where those lie is handed in; the package looks at no file, opens no
// connection, and decides nothing.
package own

import (
	"github.com/policyctl/policyctl/internal/lang/shell"
	"io/fs"
	"strings"
)

// A State is what policyctl keeps on a machine and where its service listens.
// Nil stands for nothing of either. It is not changed after [New].
type State struct {
	paths     []string
	named     []string // paths, and the logs
	addresses []address
}

// A Place is where policyctl keeps what is its own.
type Place struct {
	// Private are directories and files, Logs files of which only reading by
	// name counts: they may lie among the files of a project. All are absolute
	// and cleaned.
	Private, Logs []string
	// Services are URLs, or "unix:" and the path of a socket.
	Services []string
}

// New returns the state at a place, nil where there is nothing. An address that
// cannot be read is left out.
func New(at Place) *State {
	s := &State{}
	for _, p := range at.Private {
		if p = strings.TrimSuffix(p, "/"); strings.Count(p, "/") > 1 { // no directory of the root is policyctl's alone
			s.paths = append(s.paths, p)
		}
	}
	s.named = append(append(s.named, s.paths...), at.Logs...)
	for _, text := range at.Services {
		if a, ok := parseAddress(text); ok {
			s.addresses = append(s.addresses, a)
		}
	}
	if len(s.named) == 0 && len(s.addresses) == 0 {
		return nil
	}
	return s
}

// Holds reports whether a cleaned absolute path is one of the state or below
// one. Names that differ in case alone are the same: on some systems they are.
func (s *State) Holds(name string) bool {
	if s == nil {
		return false
	}
	for _, p := range s.named {
		if len(name) >= len(p) && strings.EqualFold(name[:len(p)], p) && (len(name) == len(p) || name[len(p)] == '/') {
			return true
		}
	}
	return false
}

// LiesBelow reports whether some path of the state lies below a cleaned
// absolute directory.
func (s *State) LiesBelow(dir string) bool {
	found := false
	if s != nil {
		s.below(dir, func(string, fs.FileMode) error {
			found = true
			return fs.SkipAll
		})
	}
	return found
}

// mayHold reports whether a pattern of the shell can match a path of the state,
// or one below it. A log lies among other files: a pattern that spells nothing
// of its name does not mean it.
func (s *State) mayHold(pattern string) bool {
	elems := strings.Split(pattern, "/")
	for i, p := range s.named {
		isLog := i >= len(s.paths)
		if matchesUnder(elems, strings.Split(p, "/")) && (!isLog || strings.Trim(elems[len(elems)-1], "*?.") != "") {
			return true
		}
	}
	return false
}

// matchesUnder reports whether the elements of a pattern match those of a path
// as far as the path goes; what more the pattern has lies below it.
func matchesUnder(pattern, name []string) bool {
	if len(pattern) < len(name) {
		return false
	}
	for i := range name {
		if strings.HasPrefix(name[i], ".") && !strings.HasPrefix(pattern[i], ".") {
			return false
		}
		if !shell.Matches(pattern[i], name[i]) {
			return false
		}
	}
	return true
}

// mentions reports whether a text names a path of the state: as it is, or from
// a home directory on.
func (s *State) mentions(text, home string) bool {
	for _, p := range s.named {
		if named(text, p) {
			return true
		}
		if rest, ok := strings.CutPrefix(p, strings.TrimSuffix(home, "/")+"/"); ok && home != "" && strings.Contains(rest, "/") && named(text, rest) {
			return true
		}
	}
	return false
}

// named reports whether a path stands in a text on its own.
func named(text, name string) bool {
	before := isNameByte
	if name[0] != '/' {
		before = func(byte) bool { return false }
	}
	return alone(text, name, before, isNameByte)
}

// alone reports whether a part stands in a text with no byte before and behind it
// of which it would be more.
func alone(text, part string, before, behind func(byte) bool) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return false
		}
		at, end := from+i, from+i+len(part)
		if (at == 0 || !before(text[at-1])) && (end == len(text) || !behind(text[end])) {
			return true
		}
		from = at + 1
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// files are the names under which the state lies in its directories.
var files = []string{
	"approval.db", "approval.db-wal", "approval.db-shm", "approval.db.key", "approval.db.push.key", "service.json", "submit-token", "approval.sock",
	"grants.json", "trust.json", "serve.lock",
}
