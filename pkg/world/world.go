// Package world tells what a decision must know of the machine: which programs
// git would run for a repository, which directories it reads there, and where
// a path really leads once its symbolic links are followed.
//
// A [World] looks at files only when it is asked, and remembers an answer for
// as long as no file that it rests on has changed. What cannot be read with
// certainty is unknown. The package runs nothing, writes nothing, and does
// not decide: what an answer is worth is the affair of who asks.
package world

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A World looks at the real file system. It is safe for concurrent use.
type World struct {
	home, xdg string
	system    []string // where git's system configuration may lie
	blind     bool     // the environment makes git read what nobody can see
	now       func() time.Time
	entries   int // how many a walk may see

	mu     sync.Mutex
	looked map[string]*look // by real directory
}

// New returns a World for commands that run with an environment as
// [os.Environ] gives it: HOME and XDG_CONFIG_HOME say where the user's
// configuration of git lies, and variables that turn git to another
// repository, configuration or program make every answer about git unknown.
func New(env []string) *World {
	w := &World{
		system: []string{
			"/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig",
			"/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig",
			"/Applications/Xcode.app/Contents/Developer/usr/share/git-core/gitconfig",
		},
		blind:   runtime.GOOS == "windows",
		now:     time.Now,
		entries: maxEntries,
		looked:  make(map[string]*look),
	}
	made := make(madeSettings)
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "HOME":
			w.home = value
		case name == "XDG_CONFIG_HOME":
			w.xdg = value
		case made.keep(name, value): // judged together
		case misleads(name, value):
			w.blind = true
		}
	}
	w.blind = w.blind || !made.harmless()
	if w.xdg == "" {
		w.xdg = w.home + "/.config"
	}
	return w
}

// GitPrograms returns the settings that make git run programs in the
// repository that it would find from an absolute directory, such as
// "filter.*.clean"; none where there is no repository. Programs that only the
// user's own or the system's configuration names are the person's choice and
// do not count, unless their path begins in the repository. ok is false where
// something could not be read with certainty.
func (w *World) GitPrograms(dir string) (programs []string, ok bool) {
	l := w.look(dir)
	if l == nil {
		return nil, false
	}
	return slices.Clip(l.programs), true
}

// GitDirs returns the directories that git reads for a command in an absolute
// directory: the work tree, the repository itself and those from which it
// borrows; none where there is no repository. ok is as in [World.GitPrograms].
func (w *World) GitDirs(dir string) (dirs []string, ok bool) {
	l := w.look(dir)
	if l == nil {
		return nil, false
	}
	return slices.Clip(l.dirs), true
}

// look returns what git would find from a directory, nil where that is not
// known.
func (w *World) look(dir string) *look {
	if w.blind || !strings.HasPrefix(w.home, "/") || !strings.HasPrefix(w.xdg, "/") {
		return nil
	}
	real, ok := w.RealPath(dir)
	if !ok {
		return nil
	}
	w.mu.Lock()
	l := w.looked[real]
	w.mu.Unlock()
	if l != nil && l.current() {
		return l
	}
	l = w.probe(real)
	w.remember(real, l)
	if l.unknown {
		return nil
	}
	return l
}

// maxLooked bounds how many answers are remembered.
const maxLooked = 256

// settled is how long ago a file must have changed for its identity to be
// trusted: within the steps of a file system's clock, a second change may
// leave it as it was.
const settled = 2 * time.Second

func (w *World) remember(dir string, l *look) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if l.unknown || l.newest.After(w.now().Add(-settled)) {
		delete(w.looked, dir)
		return
	}
	if len(w.looked) >= maxLooked {
		clear(w.looked)
	}
	w.looked[dir] = l
}
