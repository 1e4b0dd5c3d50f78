package world

import (
	"bytes"
	"encoding/binary"
)

// maxIndex bounds the index that is read: a million files have about 100 MiB.
const maxIndex = 128 << 20

// gitlink is the mode of the entry of a submodule.
const gitlink = 0o160000

// gitlinks returns the paths of the submodules that an index lists
// (gitformat-index(5)). ok is false where the index is not whole, is split, or
// leaves directories out. wide says that names of objects are those of
// SHA-256.
func gitlinks(data []byte, wide bool) (paths []string, ok bool) {
	if data == nil {
		return nil, true
	}
	x, count, ok := openIndex(data, wide)
	if !ok {
		return nil, false
	}
	for range count {
		mode, name, ok := x.entry()
		if !ok {
			return nil, false
		}
		if mode == gitlink {
			paths = append(paths, string(name))
		}
	}
	if !x.extensions() {
		return nil, false
	}
	return paths, true
}

// openIndex reads the head of an index of a known version, and returns it before its
// first entry.
func openIndex(data []byte, wide bool) (x index, count uint32, ok bool) {
	x = index{at: 12, hash: 20}
	if wide {
		x.hash = 32
	}
	if len(data) < 12+x.hash || string(data[:4]) != "DIRC" {
		return x, 0, false
	}
	x.data = data[:len(data)-x.hash]
	version := binary.BigEndian.Uint32(data[4:])
	x.packed = version == 4
	return x, binary.BigEndian.Uint32(data[8:]), version >= 2 && version <= 4
}

// An index is one that is being read.
type index struct {
	data   []byte
	at     int
	hash   int    // the length of the name of an object
	packed bool   // names leave out what they share with the one before
	last   []byte // the last name of a packed index
}

// entry reads one entry: what is known of the file, the name of its object,
// flags, and its name.
func (x *index) entry() (mode uint32, name []byte, ok bool) {
	from := x.at
	flags := from + 40 + x.hash
	if flags+2 > len(x.data) {
		return 0, nil, false
	}
	mode = binary.BigEndian.Uint32(x.data[from+24:])
	x.at = flags + 2
	if x.data[flags]&0x40 != 0 {
		x.at += 2
	}
	if x.packed && !x.prefix() {
		return 0, nil, false
	}
	name, ok = x.text()
	if x.packed {
		x.last = append(x.last, name...)
		return mode, x.last, ok
	}
	x.at = from + (x.at-1-from+8)&^7
	return mode, name, ok && len(name) > 0
}

// text reads up to a zero byte.
func (x *index) text() ([]byte, bool) {
	if x.at > len(x.data) {
		return nil, false
	}
	text, _, ok := bytes.Cut(x.data[x.at:], []byte{0})
	x.at += len(text) + 1
	return text, ok
}

// prefix cuts the last name to what the next one shares with it.
func (x *index) prefix() bool {
	cut := 0
	for first := true; ; first = false {
		if x.at >= len(x.data) || cut > 1<<20 {
			return false
		}
		c := int(x.data[x.at])
		x.at++
		if !first {
			cut++
		}
		cut = cut<<7 | c&0x7f
		if c&0x80 == 0 {
			break
		}
	}
	if cut > len(x.last) {
		return false
	}
	x.last = x.last[:len(x.last)-cut]
	return true
}

// extensions reports whether those that follow the entries only speed git up:
// their names begin with a capital. The others change what the entries mean.
func (x *index) extensions() bool {
	for len(x.data)-x.at >= 8 {
		if c := x.data[x.at]; c < 'A' || c > 'Z' {
			return false
		}
		size := binary.BigEndian.Uint32(x.data[x.at+4:])
		if int64(size) > int64(len(x.data)-x.at-8) {
			return false
		}
		x.at += 8 + int(size)
	}
	return x.at == len(x.data)
}
