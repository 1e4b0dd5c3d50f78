package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// sysrq is where writing a letter acts on the kernel at once.
const sysrq = "/proc/sysrq-trigger"

// devices are prefixes of the names of raw devices below /dev. What the kernel
// makes of a file or of memory is none: package dangerous knows loop and ram.
var devices = []string{
	"sd", "hd", "vd", "xvd", "dasd", "sg", "bsg/", "ng", "nvme", "mmcblk", "md", "md/", "dm-", "mapper/", "nbd", "disk/", "disk", "rdisk",
	"mem", "kmem", "port", "zd", "zvol/", "block/", "cciss/", "sr", "fd", "st", "nst", "pmem", "mtd", "mtdblock", "ubi", "bcache",
	"drbd", "rbd", "ada", "ad", "da", "nvd", "nda", "vtbd", "wd",
}

// isDevice reports whether a path is a raw disk or the memory.
func isDevice(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	if !ok {
		return strings.Contains(strings.ToLower(path), `\\.\physicaldrive`)
	}
	for _, d := range devices {
		if rest, ok := strings.CutPrefix(name, d); ok && isUnit(d, rest) {
			return true
		}
	}
	group, volume, ok := strings.Cut(name, "/")
	return ok && volume != "" && strings.Contains(group, "vg") // a logical volume: /dev/vg0/root
}

// isUnit reports whether rest may follow the name of a device: /dev/sda1, but
// not /dev/sd-notes.
func isUnit(device, rest string) bool {
	switch device {
	case "bsg/", "mapper/", "disk/", "dm-", "md/", "zvol/", "block/", "cciss/":
		return rest != "" && rest != "control"
	case "mem", "kmem", "port":
		return rest == ""
	case "sd", "hd", "vd", "xvd", "dasd":
		return rest != "" && rest[0] >= 'a' && rest[0] <= 'z' && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
	}
	return rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// samples are devices that a pattern may match.
var samples = []string{"/dev/sda", "/dev/sda1", "/dev/sdb", "/dev/hda", "/dev/vda", "/dev/xvda", "/dev/nvme0n1", "/dev/nvme0n1p1", "/dev/mmcblk0", "/dev/md0", "/dev/dm-0", "/dev/disk0", "/dev/mem"}

// mayBeDevice reports whether one of the values of a path is a raw device.
func mayBeDevice(s *hazard.Scene, c *command.Command, target shell.Set) bool {
	for _, v := range target.Values {
		if strings.HasPrefix(strings.ToLower(v), `\\.\physicaldrive`) {
			return true
		}
	}
	for _, p := range s.Line.FollowAll(hostPaths(s, c, target), c) {
		if caseless(s) {
			p = strings.ToLower(p)
		}
		if !target.Glob {
			if isDevice(p) {
				return true
			}
			continue
		}
		for _, sample := range samples {
			if matchesPath(p, sample) {
				return true
			}
		}
	}
	if target.Open && onMachine(s, c) && strings.HasPrefix(target.Prefix, "/dev/") {
		return isDevice(target.Prefix) || isDevice(target.Prefix+"a") || isDevice(target.Prefix+"0")
	}
	return false
}
