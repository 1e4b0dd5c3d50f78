package workspace

import (
	"cmp"
	"path"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// started returns the word that names the program which a runner of packages starts, 0
// where the command is no runner of packages. It is negative where an option of the runner
// is none that only says whether it may look elsewhere, or where no word is there.
func (a *attempt) started() int {
	c := a.c
	name, _ := c.Words[0].Literal()
	k := 1
	switch {
	case program.OfKind(name, "modules"):
	case c.Of("forges") && c.Args.Verb > 0 && program.HasWord("exec x", a.word(c.Args.Verb)):
		k = c.Args.Verb + 1
	default:
		return 0
	}
	for ; k < len(c.Words); k++ {
		v := a.word(k)
		switch {
		case program.HasWord(staying, v):
		case v == "" || v[0] == '-':
			return -1
		default:
			return k
		}
	}
	return -1
}

// startedWords returns the words of a program that a runner of packages starts, its name
// first; nil, and why, where the project has not installed it.
func (a *attempt) startedWords() []string {
	k := a.started()
	name := a.word(k)
	if !a.installed(name) {
		a.fail(a.c.Words[k].Span, name+" is no program that the project has installed, and would be fetched")
		return nil
	}
	out := []string{cmp.Or(program.PackageOf(name), name)}
	for ; k+1 < len(a.c.Words); k++ {
		if v := a.word(k + 1); !strings.HasPrefix(v, "-") {
			out = append(out, v)
		}
	}
	return out
}

// staying are the options of runners of packages with which they fetch nothing.
const staying = "-- --no --no-install --offline --bun --quiet -q --silent -s"

// word returns a word of the command, "" if it is not known.
func (a *attempt) word(k int) string {
	if k >= len(a.c.Words) {
		return ""
	}
	v, _ := a.c.Words[k].Literal()
	return v
}

// installed reports whether a runner of packages starts a program by its bare name that
// the project has installed, and so fetches none.
func (a *attempt) installed(name string) bool {
	bare := name
	if own := program.PackageOf(name); own != "" {
		bare = own
	}
	if bare == "" || strings.Trim(bare, plainName) != "" || strings.ContainsAny(bare[:1], "-.") {
		return false
	}
	return len(a.c.Dir.Values) > 0 && !a.c.Dir.Open && !a.anyDir(func(dir string) bool { return !a.holds(dir, bare) })
}

// plainName are the characters of the name of a program.
const plainName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

func (a *attempt) anyDir(found func(dir string) bool) bool {
	for _, dir := range a.c.Dir.Values {
		if found(dir) {
			return true
		}
	}
	return false
}

// holds reports whether a directory, or one of the project above it, has a program among
// those that its packages bring.
func (a *attempt) holds(dir, name string) bool {
	for at := shell.Clean(dir); ; at = path.Dir(at) {
		if _, ok := a.p.Inside(strings.TrimSuffix(at, "/") + "/x"); !ok || at == "/" {
			return false
		}
		bin := at + "/node_modules/.bin/" + name
		if f, ok := a.p.File(bin); ok && f.Kind != Absent {
			_, inside := a.p.Inside(bin)
			return inside
		}
	}
}
