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
	return program.OfKind(name, "formats") || program.OfKind(name, "wipes") || program.OfKind(name, "drops") || program.OfKind(name, "erases") || program.KindOf(name, "alias") == "mount"
}

func makesFilesystem(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !c.Does("formats") || c.Does("looks") {
		return shell.Span{}, false
	}
	return anyDevice(s, c)
}

// anyDevice matches a command one of whose words is a raw device.
func anyDevice(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	help := c.Args.Has("help", "version", "V") && !c.Of("loud")
	if !onMachine(s, c) || help || hasWord(c, "--help", "--version") {
		return shell.Span{}, false
	}
	if listedDevice(s, c) {
		return c.Span, true
	}
	short := c.Of("bare")
	for i := range c.Words[1:] {
		w := &c.Words[i+1]
		if mayBeDevice(s, c, w.Set) || short && anyWord(c.Words[i+1:i+2], func(v string) bool { return isDevice("/dev/" + v) }) {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

func wipesDisk(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if c.Does("erases") { // what is no device of /dev
		return c.Span, onMachine(s, c)
	}
	if !c.Does("wipes") {
		return shell.Span{}, false
	}
	if to := attached(c.Words[1:], "-target", "--target"); to != nil && worst(s, c, to.Set) == root {
		return c.Span, onMachine(s, c)
	}
	return anyDevice(s, c)
}

func removesVolume(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	a := &c.Args
	if !onMachine(s, c) || a.Has("help", "version") {
		return shell.Span{}, false
	}
	hit := false
	switch c.How("drops") {
	case "datasets":
		hit = a.Sub == "destroy" && !a.Has("n") && zfsDestroys(s, c)
	case "disks":
		hit = diskutilErases(c)
	case "subvolumes":
		hit = btrfsDeletes(s, c)
	default:
		hit = c.Does("drops")
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
		if w.How("drops") != "datasets" || w.Args.Sub != "list" {
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
