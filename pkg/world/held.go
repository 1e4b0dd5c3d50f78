package world

import "encoding/hex"

// Held calls visit for each file that the index of the git repository of a directory
// holds, by its path below the root of the work tree and the name of its object, until
// visit returns false, and returns that root, which is "" where there is no repository.
// It reads the index. ok is false where what it holds is not known.
func (w *World) Held(dir string, visit func(path, object string) bool) (root string, ok bool) {
	real, ok := w.RealPath(dir)
	if !ok || w.blind {
		return "", false
	}
	l := &look{}
	r, found := l.discover(real)
	if !found {
		return "", !l.unknown
	}
	wide, ok := l.wide(&r)
	data := l.read(r.git+"/index", maxIndex)
	if !ok || l.unknown || r.top == "" {
		return r.top, false
	}
	return r.top, data == nil || listed(data, wide, visit)
}

// wide reports whether the names of objects in a repository are those of SHA-256.
func (l *look) wide(r *repository) (wide, ok bool) {
	err := readConfig(l.read(r.common+"/config", maxConfig), func(s setting) {
		wide = wide || s.is("extensions.objectformat") && s.value == "sha256"
	})
	return wide, err == nil
}

// listed calls visit for the entries of an index. It is false where that is not whole,
// is split, or leaves directories out.
func listed(data []byte, wide bool, visit func(path, object string) bool) (ok bool) {
	x, count, ok := openIndex(data, wide)
	for i := uint32(0); ok && i < count; i++ {
		from := x.at
		var name []byte
		var mode uint32
		if mode, name, ok = x.entry(); ok && mode != gitlink && !visit(string(name), hex.EncodeToString(x.data[from+40:from+40+x.hash])) {
			return true
		}
	}
	return ok && x.extensions()
}
