package world

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/permission"
)

// A Work is what is known of where an agent works when it makes a call. Its
// paths are absolute, or "" where nothing is known.
type Work struct {
	// Dir is the directory of the call, and Home that of the user.
	Dir, Home string
	// Named is the project as the agent says. It counts for calls made inside it.
	Named string
	// Transcript is the file in which the agent records the conversation. Claude
	// Code and Qwen Code keep it in a directory named after the one in which they
	// were started.
	Transcript string
	// Before is the project of earlier calls of the conversation.
	Before string
}

// Project returns the directory of the project in which the agent works: what
// the agent says if the call is made there, or else the directory in which the
// conversation was started, or else the repository around the directory of the
// call, or without one that directory itself. "" means that there is none: the
// home directory, those above it and the root are no project, and neither is a
// directory of the root without a repository.
//
// It looks for repositories and links on the real file system.
func (w *Work) Project() string {
	dir := clean(w.Dir)
	if named := clean(w.Named); named != "" && permission.IsWithin(dir, named) && w.mayBe(named) {
		return named
	}
	if at := w.started(); at != "" {
		return at
	}
	if w.Before != "" {
		return w.Before
	}
	return w.around(dir)
}

// started returns the directory after which that of the transcript is named: the
// one that the agent says, or one above the call.
func (w *Work) started() string {
	if w.Transcript == "" {
		return ""
	}
	folders := strings.FieldsFunc(filepath.Dir(w.Transcript), func(r rune) bool { return r == '/' || r == filepath.Separator })
	for _, from := range []string{w.Named, w.Before, w.Dir} {
		for at := clean(from); at != filepath.Dir(at) && at != ""; at = filepath.Dir(at) {
			if slices.Contains(folders, folderOf(at)) && w.mayBe(at) {
				return at
			}
		}
	}
	return ""
}

// folderOf returns how agents call the directory of the transcripts of a project:
// whatever is no letter or digit of ASCII becomes a dash.
func folderOf(project string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, project)
}

// around returns the repository around a directory, or the directory.
func (w *Work) around(dir string) string {
	if dir == "" || !w.mayBe(dir) {
		return ""
	}
	for at := dir; w.mayBe(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
	}
	if above := filepath.Dir(dir); above == filepath.Dir(above) {
		return ""
	}
	return dir
}

// mayBe reports whether a directory is not the root, the home directory or above
// it, as it is written and once its links are followed.
func (w *Work) mayBe(dir string) bool {
	if dir == filepath.Dir(dir) {
		return false
	}
	home := clean(w.Home)
	return home == "" || !permission.IsWithin(home, dir) && !permission.IsWithin(followed(home), followed(dir))
}

// clean returns an absolute path without dots, "" for any other.
func clean(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}

// followed returns where the links of a path lead, or the path itself.
func followed(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}
