package dangerous

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// The programs of volumes, and those that repair or resize the file system of
// a device or of an image.
var (
	volumes = []use{
		{names: "lvreduce vgreduce", does: "*", unless: "-t --test"},
		{names: "lvconvert", does: "--merge, --repair, --uncache, --splitmirrors", unless: "-t --test"},
		{names: "lvchange vgchange", does: "-an, -aln, --activate", unless: "-t --test"},
		{names: "pvmove vgsplit vgmerge", does: "*", unless: "-t --test --abort"},
		{names: "dmsetup", does: "remove, remove_all, wipe_table, suspend, clear"},
		{names: "zfs", does: "rollback, promote, receive -F, recv -F"},
		{names: "zpool", does: "import -F, import -X, offline, detach, export, remove, split, replace, upgrade"},
		{names: "cryptsetup", does: "luksKillSlot, luksRemoveKey, luksChangeKey, luksAddKey"},
		{names: "btrfs", does: "filesystem resize, fi resize, balance, rescue, replace, check --repair, check --init-csum-tree, check --init-extent-tree, subvolume delete, subvolume del, sub delete, sub del, su del, su de, device remove, device delete, device replace"},
		{names: "btrfsck", does: "--repair"},
		{names: "mdadm", does: "--fail, -f, --remove, -r, --stop, -S, --assemble --force, -A --force, --grow, -G"},
		{names: "drbdadm", does: "invalidate, down, create-md, wipe-md, secondary --force"},
		{names: "bcachefs", does: "fsck -y, fsck -p, fsck -f, device remove"},
		{names: "diskutil", does: "repairVolume, repairDisk, repairvolume, repairdisk, resizeVolume, apfs resizeContainer"},
		{names: "chkdsk", does: "/f, /r, /x, /F, /R, /X"},
		{names: "growpart", does: "*", unless: "-N --dry-run"},
		{names: "hdiutil", does: "erase, resize"},
		{names: "wsl", does: "--unregister"},
		{names: "storcli storcli64 megacli ssacli", does: "del, delete, init, clear, _ del, _ delete, -CfgLdDel, -CfgClr, -CfgForeign, -LDInit"},
	}
	repairs = []use{
		{names: "fsck e2fsck fsck.ext2 fsck.ext3 fsck.ext4 fsck.xfs fsck.vfat fsck.fat fsck.msdos fsck.exfat fsck.f2fs fsck.btrfs fsck.jfs fsck.reiserfs fsck.minix fsck.hfsplus fsck_apfs fsck_hfs fsck_msdos fsck_exfat " +
			"dosfsck jfs_fsck reiserfsck xfs_repair ntfsfix ntfsresize resize2fs tune2fs", does: "*"},
	}
)

// onDevice holds if a program may be meant for a device: it is named, or not
// known, or all of them are meant.
func onDevice(c *cmd) bool {
	for i := 1; i < len(c.Words); i++ {
		w := &c.Words[i]
		if len(w.Values) == 0 || anyValue(w.Set, hasPrefix("/dev/", "UUID=", "LABEL=", "PARTUUID=", "PARTLABEL=", "-A")) || w.Has("/") {
			return true
		}
	}
	return false
}

// onlyChecks holds if a program is to repair nothing: -n or -N, alone or
// among others, or what lists and estimates.
func onlyChecks(c *cmd) bool {
	return argument(func(v string) bool {
		short := len(v) > 1 && v[0] == '-' && v[1] != '-' && strings.ContainsAny(v, "nN")
		return short || program.HasWord("-l -P -i --info --no-action --check", v)
	})(c)
}

// isVirtual reports whether a path is a loop device, or a disk in memory.
func isVirtual(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	if !ok {
		return false
	}
	for _, kind := range [...]string{"loop", "zram", "ram"} {
		if unit, ok := strings.CutPrefix(name, kind); ok && unit != "" && unit[0] >= '0' && unit[0] <= '9' {
			return true
		}
	}
	return false
}

func writesVirtual(_ *hazard.Scene, c *cmd) (span, bool) {
	if c.Context == program.Remote || !mentionsVirtual(c) || asksHelp(c) || dry(c) {
		return span{}, false
	}
	if c.Of("blocks") {
		return c.Span, says("create", "convert", "dd", "luksFormat", "erase", "--create", "-C", "format")(c) || named("pvcreate", "vgcreate", "ddrescue")(c)
	}
	if c.Does("looks") {
		return span{}, false
	}
	if c.Does("formats") {
		return c.Span, true
	}
	for e := range c.Effects {
		if (e.Kind == command.Writes || e.Kind == command.Deletes) && anyValue(e.Target, isVirtual) {
			return e.Span, true
		}
	}
	return span{}, false
}

// mentionsVirtual is a quick look before [command.Command.Effects].
func mentionsVirtual(c *cmd) bool {
	for i := range c.Redirects {
		if r := &c.Redirects[i]; r.Writes() && anyValue(r.Target.Set, isVirtual) {
			return true
		}
	}
	return argument(func(v string) bool { return isVirtual(strings.TrimPrefix(v, "of=")) })(c)
}
