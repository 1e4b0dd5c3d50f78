package world

import (
	"io/fs"
	"time"
)

// An identity tells one state of a file from another. The zero value is that
// of no file. For a directory it does not say what lies in it.
type identity struct {
	dev, inode, size, mtime, ctime int64
}

// changed returns when the file last changed.
func (d identity) changed() time.Time { return time.Unix(0, max(d.mtime, d.ctime)) }

// of returns the identity for a file of a mode.
func (d identity) of(mode fs.FileMode) identity {
	if mode.IsDir() {
		return identity{dev: d.dev, inode: d.inode}
	}
	return d
}
