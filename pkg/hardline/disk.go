package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// isFormatter reports whether a program makes what is on a device unreadable, or mounts
// it: their own rules tell dry runs apart.
func isFormatter(name string) bool {
	return program.OfKind(name, "formats") || program.OfKind(name, "wipes") || program.OfKind(name, "drops") || name == "mount"
}

func makesFilesystem(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	switch c.Name {
	case "bcachefs":
		if len(c.Words) < 2 || !c.Words[1].Has("format") {
			return shell.Span{}, false
		}
	case "zpool":
		if c.Args.Sub != "create" || c.Args.Has("n") {
			return shell.Span{}, false
		}
	case "pvcreate", "vgcreate":
		if hasWord(c, "-t", "--test") {
			return shell.Span{}, false
		}
	default:
		if c.MakesNothing() {
			return shell.Span{}, false
		}
	}
	return anyDevice(s, c)
}

// anyDevice matches a command one of whose words is a raw device.
func anyDevice(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	help := c.Args.Has("help", "version", "V") && c.Name != "mkfs" // where -V is verbose
	if !onMachine(s, c) || help || hasWord(c, "--help", "--version") {
		return shell.Span{}, false
	}
	if listedDevice(s, c) {
		return c.Span, true
	}
	short := c.Name == "zpool" || strings.HasPrefix(c.Name, "newfs") // they take names without /dev
	for i := range c.Words[1:] {
		w := &c.Words[i+1]
		if mayBeDevice(s, c, w.Set) || short && anyWord(c.Words[i+1:i+2], func(v string) bool { return isDevice("/dev/" + v) }) {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

func wipesDisk(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	switch c.Name {
	case "gpart", "gpt": // they take names without /dev
		if onMachine(s, c) && len(c.Words) > 2 && (c.Words[1].Has("destroy") || c.Words[1].Has("delete")) {
			return c.Span, true
		}
		return shell.Span{}, false
	case "flashrom", "mtd", "storcli", "storcli64", "perccli", "perccli64", "megacli", "megacli64", "wbadmin", "nwipe", "nvram", "ssacli", "hpacucli", "arcconf", "tw_cli", "sas2ircu", "sas3ircu":
		return c.Span, onMachine(s, c) && erasesHardware(c)
	case "fdisk", "gdisk", "cfdisk", "sfdisk", "parted", "sgdisk":
		if !changesTable(c) {
			return shell.Span{}, false
		}
	default:
		if !wipesDevice(c) {
			return shell.Span{}, false
		}
	}
	if to := attached(c.Words[1:], "-target", "--target"); to != nil && c.Name == "asr" && worst(s, c, to.Set) == root {
		return c.Span, onMachine(s, c)
	}
	return anyDevice(s, c)
}

// erasesHardware reports whether a program erases the firmware, the volumes of a
// controller or the backups of the machine: it takes no device of /dev.
func erasesHardware(c *command.Command) bool {
	switch strings.TrimRight(c.Name, "64") {
	case "flashrom":
		programmer := attached(c.Words[1:], "-p", "--programmer")
		own := programmer == nil || anyWord([]shell.Word{*programmer}, func(v string) bool { return strings.HasPrefix(v, "internal") })
		return own && hasWord(c, "-w", "--write", "-E", "--erase")
	case "nwipe": // all that it finds
		return hasWord(c, "--autonuke")
	case "nvram":
		return hasWord(c, "-c")
	case "mtd": // of OpenWrt
		return hasWord(c, "erase")
	case "wbadmin":
		return hasFold(c, "delete")
	case "megacli":
		return anyWord(c.Words[1:], func(v string) bool {
			v = strings.ToLower(v)
			return strings.HasPrefix(v, "-cfgclr") || strings.HasPrefix(v, "-cfglddel") || strings.HasPrefix(v, "-ldinit")
		})
	}
	return hasFold(c, "del", "delete") && !hasFold(c, "help")
}

// changesTable reports whether a program changes a partition table.
func changesTable(c *command.Command) bool {
	a := &c.Args
	switch c.Name {
	case "sgdisk":
		return !a.Has("P") && a.Has("Z", "z", "o", "d", "n", "g", "l", "load-backup", "R", "replicate")
	case "sfdisk":
		if a.Has("n", "V") {
			return false
		}
	case "parted":
		return anyWord(c.Words, func(v string) bool {
			verb, _, _ := strings.Cut(v, " ")
			return verb == "mklabel" || verb == "mktable" || verb == "rm" || verb == "mkpart" || verb == "resizepart"
		})
	}
	return !a.Has("l", "d", "D", "J", "s", "V", "F") && (c.In(command.Piped) || c.Input != nil || readsFile(c)) || hasWord(c, "--delete")
}

func readsFile(c *command.Command) bool {
	for i := range c.Redirects {
		if c.Redirects[i].Reads() {
			return true
		}
	}
	return false
}

// wipesDevice reports whether a program wipes the device that it is given.
func wipesDevice(c *command.Command) bool {
	a := &c.Args
	switch c.Name {
	case "wipefs":
		return a.Has("a", "o") && !a.Has("n")
	case "blkdiscard", "sg_format", "sg_sanitize", "sg_unmap", "sg_write_same":
		return true
	case "mdadm":
		return a.Has("zero-superblock", "C", "create")
	case "cryptsetup":
		return a.Sub == "luksFormat" || a.Sub == "luksErase" || a.Sub == "erase" || a.Sub == "reencrypt" || a.Sub == "luksHeaderRestore"
	case "hdparm":
		return hasWord(c, "--security-erase", "--security-erase-enhanced", "--trim-sector-ranges", "--make-bad-sector", "--write-sector", "--repair-sector", "--dco-restore", "--security-set-pass", "--fwdownload", "--sanitize-block-erase", "--sanitize-crypto-scramble", "--sanitize-overwrite")
	case "nvme":
		return hasWord(c, "format", "sanitize", "write-zeroes", "write-uncor", "delete-ns", "write")
	case "sedutil-cli":
		return hasFold(c, "--yesireallywanttoeraseallmydatausingthepsid", "--reverttper", "--psidrevert", "--revertnoerase")
	case "badblocks":
		return anyWord(c.Words[1:], testsByWriting)
	case "asr":
		return hasWord(c, "-erase", "--erase")
	}
	return false
}

// testsByWriting reports whether a word of badblocks has the letter w, and not
// in the argument of another letter.
func testsByWriting(v string) bool {
	if len(v) < 2 || v[0] != '-' {
		return false
	}
	v, _, _ = strings.Cut(v, "o")
	return strings.Contains(v, "w")
}

func removesVolume(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	a := &c.Args
	if !onMachine(s, c) || a.Has("help", "version") {
		return shell.Span{}, false
	}
	hit := false
	switch c.Name {
	case "lvremove", "vgremove", "pvremove":
		hit = !a.Has("t", "test") && len(a.Operands)+len(a.Options) > 0
	case "zpool":
		hit = (a.Sub == "destroy" || a.Sub == "labelclear") && len(a.Operands) > 0
	case "zfs":
		hit = a.Sub == "destroy" && !a.Has("n") && zfsDestroys(s, c)
	case "dmsetup":
		hit = hasWord(c, "remove_all", "wipe_table")
	case "diskutil":
		hit = diskutilErases(c)
	case "btrfs":
		hit = btrfsDeletes(s, c)
	}
	return c.Span, hit
}

// zfsDestroys reports whether zfs destroy removes more than some snapshots and
// bookmarks: a data set, all its snapshots, or what was cloned from them. What
// is unknown is taken for a snapshot unless the line lists data sets.
func zfsDestroys(s *hazard.Scene, c *command.Command) bool {
	for _, o := range c.Args.Operands {
		w := &c.Words[o.At]
		if anyWord(c.Words[o.At:o.At+1], isDataSet) || w.Open && (isDataSet(w.Partial) && w.Partial != "" && w.Partial != shell.UnknownText || listsDataSets(s)) {
			return true
		}
	}
	return len(c.Args.Operands) > 0 && c.Args.Has("R")
}

func isDataSet(name string) bool {
	i := strings.IndexAny(name, "@#")
	return i < 0 || strings.HasPrefix(name[i+1:], "%") || strings.HasSuffix(name, "%")
}

// listsDataSets reports whether a command of the line lists data sets other than
// snapshots and bookmarks.
func listsDataSets(s *hazard.Scene) bool {
	for i := range s.Line.Commands {
		w := &s.Line.Commands[i]
		if w.Name != "zfs" || w.Args.Sub != "list" {
			continue
		}
		if t := w.Args.Option("t"); t == nil || !anyWord([]shell.Word{t.Arg}, func(v string) bool { return program.HasWord("snapshot snap bookmark", v) }) {
			return true
		}
	}
	return false
}

// diskutilErases reads the verbs of diskutil, which have no case.
func diskutilErases(c *command.Command) bool {
	var verbs []string
	for _, w := range operands(c.Words[1:]) {
		if v, _ := w.Literal(); v != "quiet" {
			verbs = append(verbs, strings.ToLower(v))
		}
	}
	if len(verbs) < 2 {
		return false
	}
	switch verbs[0] {
	case "erasedisk", "erasevolume", "eraseoptical", "zerodisk", "randomdisk", "secureerase", "partitiondisk", "reformat":
		return true
	case "apfs", "ap", "corestorage", "cs", "appleraid", "ar", "raid":
		return strings.HasPrefix(verbs[1], "delete") || strings.HasPrefix(verbs[1], "erase")
	}
	return false
}

// btrfsDeletes reads the verbs of btrfs, which may be cut short.
func btrfsDeletes(s *hazard.Scene, c *command.Command) bool {
	words := operands(c.Words[1:])
	if len(words) < 3 {
		return false
	}
	group, _ := words[0].Literal()
	verb, _ := words[1].Literal()
	sub := strings.HasPrefix("subvolume", group) && strings.HasPrefix("delete", verb)
	dev := strings.HasPrefix("device", group) && (strings.HasPrefix("delete", verb) || strings.HasPrefix("remove", verb))
	if group == "" || verb == "" || !sub && !dev {
		return false
	}
	for i := range words[2:] {
		if w := words[i+2].Set; worst(s, c, w) != elsewhere || mayBeDevice(s, c, w) {
			return true
		}
	}
	return false
}
