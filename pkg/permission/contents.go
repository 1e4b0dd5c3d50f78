package permission

import (
	"io/fs"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/readonly"
)

// A content is a file that a call means with all that lies in a directory.
type content struct {
	Place
	at   *shell.Span // the command, nil where that is code or a tool
	look string      // the path, or both, in lower case where case does not count; "" for any
}

// The contents of directories are found once for all permissions of a call.
type contents struct {
	read, changed contentList            // by the commands of the line and the code on it
	held          map[string]contentList // by directory that a tool takes away
}

// A contentList is nil until it is looked for.
type contentList []content

// maxContents bounds how many files are looked at below the directories of a call.
const maxContents = 20_000

// hitsContents reports whether a permission means a file that a command reads, or
// changes, with all that lies in a directory, and where that command is.
func (in *View) hitsContents(p *Pattern) (at *shell.Span, ok bool) {
	if in.World == nil {
		return nil, false
	}
	list := &in.contents.read
	if p.tool.Kind == Writes {
		list = &in.contents.changed
	}
	if *list == nil {
		*list = contentList{}
		if in.Search != nil {
			in.gatherContents(in.Search, p.tool.Kind, list, false)
		} else {
			in.gatherContents(in.Line, p.tool.Kind, list, true)
			for _, line := range in.lines() {
				in.gatherContents(line, p.tool.Kind, list, false)
			}
		}
	}
	return in.among(p, *list)
}

// maxAmong bounds the files that Among returns.
const maxAmong = 100

// Among returns the files because of which the permission hits a call that reads, or
// changes, all that lies in a directory.
func (p *Pattern) Among(in *View) (out []string) {
	list := in.contents.read
	if p.tool.Kind == Writes {
		list = in.contents.changed
	}
	for i := range list {
		if len(out) < maxAmong && p.HitsPath(in, &list[i].Place) {
			out = append(out, list[i].Text)
		}
	}
	return out
}

// add adds a file, and reports whether there may be more.
func (l *contentList) add(in *View, path, real string, at *shell.Span) (more bool) {
	look := path
	if real != path {
		look += "\n" + real
	}
	switch {
	case !in.foldsCase():
	case strings.ContainsFunc(look, isWide):
		look = ""
	default:
		look = strings.ToLower(look)
	}
	*l = append(*l, content{Place{Text: path, Real: real, Sure: true}, at, look})
	return len(*l) < maxContents
}

// Holds reports whether a directory that a tool moves or removes has a file in it that a
// deny or an ask means. There is none below a file.
func (in *View) Holds(p *Pattern, dir *Place) bool {
	if in.World == nil || !strings.HasPrefix(dir.Real, "/") {
		return false
	}
	list, found := in.contents.held[dir.Text]
	if !found {
		in.World.Below(dir.Real, func(path string, _ fs.FileMode) error {
			if !list.add(in, dir.Text+path[len(dir.Real):], path, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if in.contents.held == nil {
			in.contents.held = make(map[string]contentList)
		}
		in.contents.held[dir.Text] = list
	}
	_, ok := in.among(p, list)
	return ok
}

// among finds a file that a permission means.
func (in *View) among(p *Pattern, list contentList) (at *shell.Span, ok bool) {
	if len(list) == 0 {
		return nil, false
	}
	need := p.glob.in(in.Home).required()
	if in.foldsCase() {
		need = strings.ToLower(need)
		if strings.ContainsFunc(need, isWide) {
			need = "" // cases of other scripts do not come in pairs
		}
	}
	for i := range list {
		c := &list[i]
		if (c.look == "" || strings.Contains(c.look, need)) && p.HitsPath(in, &c.Place) {
			in.Among = c.Text
			return c.at, true
		}
	}
	return nil, false
}

// isWide reports whether a character may be another one without its case in a way that
// lower case does not show, as ſ is s.
func isWide(c rune) bool { return c > unicode.MaxASCII }

// Does returns what a permission about files is about, as a verb: read or change.
func (p *Pattern) Does() string {
	if p.tool.Kind == Writes {
		return "change"
	}
	return "read"
}

func (in *View) gatherContents(line *eval.Line, kind Kind, list *contentList, placed bool) {
	var real string // where the path leads that is visited
	below := func(dir string, visit func(path string, typ fs.FileMode) error) bool {
		base := strings.TrimSuffix(in.Place("", dir).Real, "/")
		return in.World.Below(dir, func(path string, typ fs.FileMode) error {
			if real = base + strings.TrimPrefix(path, strings.TrimSuffix(dir, "/")); typ&fs.ModeSymlink != 0 {
				real = in.Place("", path).Real
			}
			return visit(path, typ)
		})
	}
	tool := Tool{Kind: kind}
	does := func(k command.EffectKind) bool { return k != command.Runs && tool.touches(k) }
	for i := range line.Commands {
		var at *shell.Span
		if placed {
			at = &line.Commands[i].Span
		}
		readonly.Contents(line, i, does, in.Home, below, func(path string) bool {
			if kind == Reads && in.Spares != nil && path == real && in.Spares(line, i, path) {
				return true
			}
			return list.add(in, path, real, at)
		})
	}
}
