package command

import (
	"strings"
)

// MakesNothing reports whether a program that makes file systems is only to
// show what it would do: -n asks ext and NTFS for a dry run and names the
// volume in others, -N asks XFS and BSD for one and counts inodes in ext.
func (c *Command) MakesNothing() bool {
	switch name := strings.TrimPrefix(c.Name, "mkfs."); name {
	case "mke2fs", "ext2", "ext3", "ext4", "ext4dev", "ntfs", "mkntfs", "nilfs2", "ocfs2":
		return c.Args.Has("n", "no-action", "dry-run")
	case "mkfs":
		t := c.Args.Option("t")
		return c.Args.Has("n") && (t == nil || t.Arg.Has("ext2") || t.Arg.Has("ext3") || t.Arg.Has("ext4") || t.Arg.Has("ntfs"))
	case "xfs", "newfs", "newfs_hfs", "newfs_apfs", "newfs_msdos":
		return c.hasWord("-N")
	}
	return false
}

func (c *Command) hasWord(word string) bool {
	for i := range c.Words {
		if c.Words[i].Has(word) {
			return true
		}
	}
	return false
}
