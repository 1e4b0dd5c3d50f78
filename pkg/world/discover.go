package world

import (
	"path"
	"strings"
)

// A repository is one that git found.
type repository struct {
	git    string // its directory
	common string // the one that it shares with other work trees, or git
	top    string // the work tree, "" for a bare repository
}

// maxSmall bounds the files of a repository that hold a line.
const maxSmall = 64 << 10

// discover finds the repository as git does: in each directory upwards .git
// counts first, a directory or a file that names one, and then the directory
// itself, which may be a bare repository (gitrepository-layout(5), git(1)).
func (l *look) discover(dir string) (repository, bool) {
	for at := dir; !l.unknown; at = parent(at) {
		if r, ok := l.tree(at); ok {
			return r, true
		}
		if l.unknown {
			break
		}
		if common, ok := l.isRepository(at); ok {
			r := repository{git: at, common: common}
			if path.Base(at) == ".git" {
				r.top = path.Dir(at)
			}
			return r, true
		}
		if at == "" {
			break
		}
	}
	return repository{}, false
}

// tree returns the repository to which .git in a directory leads.
func (l *look) tree(dir string) (repository, bool) {
	r := repository{git: dir + "/.git", top: dir}
	switch l.kind(r.git, true) {
	case nothing:
		return r, false
	case directory:
		var ok bool
		r.common, ok = l.isRepository(r.git)
		return r, ok
	case file:
		to, ok := strings.CutPrefix(string(l.read(r.git, maxSmall)), "gitdir: ")
		r.git = join(dir, strings.TrimRight(to, "\r\n"))
		if common, found := l.isRepository(r.git); ok && found {
			r.common = common
			return r, true
		}
	}
	l.unknown = true
	return r, false
}

// isRepository reports whether a directory is one of git, and which directory
// holds what it shares. What git might take for one and might not is unknown.
func (l *look) isRepository(dir string) (common string, ok bool) {
	switch l.kind(dir+"/HEAD", false) {
	case nothing:
		return "", false
	case file:
		if !isHead(string(l.read(dir+"/HEAD", maxSmall))) {
			l.unknown = l.unknown || l.kind(dir+"/objects", true) == directory
			return "", false
		}
	default:
		l.unknown = true
		return "", false
	}
	common = dir
	if to := l.read(dir+"/commondir", maxSmall); to != nil {
		common = join(dir, strings.TrimRight(string(to), "\r\n"))
	}
	objects, refs := l.kind(common+"/objects", true), l.kind(common+"/refs", true)
	if objects == nothing || refs == nothing {
		return "", false
	}
	l.unknown = l.unknown || objects != directory || refs != directory
	return common, !l.unknown
}

// isHead reports whether git certainly takes a text for that of HEAD.
func isHead(text string) bool {
	text = strings.TrimRight(text, "\n")
	if strings.HasPrefix(text, "ref: refs/") {
		return true
	}
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// join returns the path p as seen from dir. It is not cleaned: behind a link
// the parent is another.
func join(dir, p string) string {
	if strings.HasPrefix(p, "/") {
		return p
	}
	return dir + "/" + p
}
