package world

import (
	"encoding/binary"
	"net/url"
	"os"
	"path"
	"strings"
)

// A Repository is the state of a git repository, for people to read.
type Repository struct {
	// Branch is the one that is checked out, "" for none; Commit is what is checked
	// out instead of a branch.
	Branch, Commit string
	// Remote is the URL of origin, or of the only remote, without user and password;
	// "" for none.
	Remote string
	// Changed counts the tracked files whose size or time differ from those in the
	// index; -1 where that is unknown.
	Changed int
}

// maxTracked bounds the files of an index that are looked at.
const maxTracked = 20_000

// Repository returns the state of the repository to which a directory belongs. It
// runs nothing, so that no setting of the repository has a say: files that were
// added or never tracked do not count as changed. ok is false where there is no
// repository, or none that git certainly finds. Nothing is remembered.
func (w *World) Repository(dir string) (state Repository, ok bool) {
	if w.blind || !path.IsAbs(dir) {
		return state, false
	}
	l := &look{}
	r, ok := l.discover(strings.TrimSuffix(dir, "/"))
	if !ok || l.unknown {
		return state, false
	}
	head := strings.TrimRight(string(l.read(r.git+"/HEAD", maxSmall)), "\n")
	if branch, is := strings.CutPrefix(head, "ref: refs/heads/"); is {
		state.Branch = branch
	} else if !strings.HasPrefix(head, "ref: ") {
		state.Commit = head
	}
	var wide bool
	state.Remote, wide = remoteOf(l.read(r.common+"/config", maxSmall))
	state.Changed = changed(r.top, l.read(r.git+"/index", maxIndex), wide)
	return state, true
}

// remoteOf returns the URL of origin, or of the only remote, and whether names of
// objects are those of SHA-256.
func remoteOf(config []byte) (remote string, wide bool) {
	remotes := make(map[string]string)
	_ = readConfig(config, func(s setting) { // what is wrong in it git tells
		switch {
		case s.section == "remote" && s.name == "url":
			remotes[s.sub] = s.value
		case s.is("extensions.objectformat"):
			wide = s.value == "sha256"
		}
	})
	text, ok := remotes["origin"]
	if !ok && len(remotes) == 1 {
		for _, text = range remotes {
		}
	}
	if u, err := url.Parse(text); err == nil && u.User != nil {
		u.User = nil
		text = u.String()
	}
	return text, wide
}

// changed counts the files that are not as the index has them.
func changed(top string, data []byte, wide bool) int {
	x, count, ok := openIndex(data, wide)
	if !ok || top == "" || count > maxTracked {
		return -1
	}
	n := 0
	for range count {
		from := x.at
		mode, name, ok := x.entry()
		if !ok {
			return -1
		}
		if mode == gitlink {
			continue
		}
		if !asStored(top+"/"+string(name), data[from:]) {
			n++
		}
	}
	return n
}

// asStored reports whether a file has the time and the size that its entry says.
func asStored(path string, entry []byte) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(entry[at:]) }
	t := info.ModTime()
	return uint32(info.Size()) == word(36) && uint32(t.Unix()) == word(8) && (word(12) == 0 || uint32(t.Nanosecond()) == word(12))
}
