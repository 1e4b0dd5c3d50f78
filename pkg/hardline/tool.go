package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// A tool is a program that writes to a device in its own way: where stands
// the word that names the device.
type tool struct {
	names string
	// need is a word without which it does not write, "" if there is none.
	need string
	// at is an option such as -o, a prefix that ends with = or :, the number of
	// an operand from 1, "last" for the last one, or "any".
	at string
	// own begins the names of devices that the tool is there to write, "" if
	// there are none.
	own string
}

// tools holds none that internal/command reads as writing already.
var tools = []tool{
	{names: "dcfldd sdd dc3dd sg_dd sgp_dd sgm_dd ddpt", at: "of="},
	{names: "sg_raw", need: "04", at: "any"}, // to format it
	{names: "sg_raw", need: "2a", at: "any"}, // to write
	{names: "sg_raw", need: "8a", at: "any"},
	{names: "sg_raw", need: "41", at: "any"}, // to write the same everywhere
	{names: "sg_raw", need: "93", at: "any"},
	{names: "sg_raw", need: "42", at: "any"}, // to unmap
	{names: "dc3dd", at: "hof="},
	{names: "dc3dd", at: "wipe="},
	{names: "dc3dd", at: "hwipe="},
	{names: "ddrescue dd_rescue xfs_copy rpi-imager usbimager", at: "2"},
	{names: "bmaptool", need: "copy", at: "last"},
	{names: "qemu-img", need: "convert", at: "last"},
	{names: "qemu-img", need: "dd", at: "of="},
	{names: "qemu-img", need: "create", at: "any"},
	{names: "qemu-img", need: "resize", at: "any"},
	{names: "scrub nwipe wipe", at: "any"},
	{names: "partclone.ext4 partclone.xfs partclone.ntfs partclone.dd", at: "-O"},
	{names: "xorriso", at: "-outdev"},
	{names: "wodim cdrecord", at: "dev=", own: "/dev/sr"},
	{names: "growisofs", at: "-Z", own: "/dev/sr"},
	{names: "growisofs", at: "-M", own: "/dev/sr"},
	{names: "balena", need: "flash", at: "--drive"},
	{names: "blkzone", need: "reset", at: "any"},
	{names: "mmc", need: "erase", at: "any"},
	{names: "debugfs", need: "-w", at: "any"},
	{names: "btrfs", need: "add", at: "any"},
	{names: "ntfswipe", at: "any"},
	{names: "xfs_db", need: "-x", at: "any"},
	{names: "ventoy", at: "any"},
	{names: "ntfsclone", at: "--overwrite"},
	{names: "ntfsclone", at: "-O"},
	{names: "partimage", need: "restore", at: "2"},
	{names: "fsarchiver", at: "dest="},
	{names: "fio", need: "--rw=write", at: "--filename="},
	{names: "fio", need: "--rw=randwrite", at: "--filename="},
	{names: "fio", need: "--rw=randrw", at: "--filename="},
	{names: "fio", need: "--rw=rw", at: "--filename="},
	{names: "fio", need: "--rw=readwrite", at: "--filename="},
	{names: "fio", need: "--rw=trim", at: "--filename="},
	{names: "flashcp nandwrite flash_erase flash_eraseall ubiformat", at: "any"},
	{names: "socat", at: "OPEN:"},
	{names: "socat", at: "FILE:"},
	{names: "socat", at: "CREATE:"},
	{names: "socat", at: "last"},
	{names: "ceph-volume ceph-disk", need: "zap", at: "any"},
	{names: "stratis ssm", need: "create", at: "any"},
	{names: "virt-format", at: "-a"},
	{names: "guestfish", need: "--rw", at: "-a"},
	{names: "mformat mdeltree", at: "-i"},
	{names: "sswap", at: "any"},
	{names: "copy", at: "last"},
}

// toolNames returns the names of all tools.
func toolNames() string {
	var out []string
	for _, t := range tools {
		out = append(out, t.names)
	}
	return strings.Join(out, " ")
}

// toolWritesDevice matches a tool that writes to a raw device.
func toolWritesDevice(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !onMachine(s, c) || hasWord(c, "--help", "--version") {
		return shell.Span{}, false
	}
	for i := range tools {
		t := &tools[i]
		if program.HasWord(t.names, c.Name) && (t.need == "" || hasWord(c, t.need)) && t.writes(s, c) {
			return c.Span, true
		}
	}
	return shell.Span{}, false
}

func (t *tool) writes(s *hazard.Scene, c *command.Command) bool {
	words := c.Words[1:]
	switch last := t.at[len(t.at)-1]; {
	case t.at == "any" || t.at == "last" || t.at == "2":
		return t.writesOperand(s, c, operands(words))
	case last == '=' || last == ':':
		return anyWord(words, func(v string) bool {
			v, ok := strings.CutPrefix(strings.TrimLeft(v, "-"), strings.TrimLeft(t.at, "-"))
			if !ok && t.at == "dest=" {
				_, v, ok = strings.Cut(v, ","+t.at)
			}
			v, _, _ = strings.Cut(v, ",")
			return ok && t.harms(s, c, v)
		})
	}
	for i := range words {
		if words[i].Has(t.at) && i+1 < len(words) && (mayBeDevice(s, c, words[i+1].Set) && t.own == "" || anyWord(words[i+1:i+2], func(v string) bool { return t.harms(s, c, v) })) {
			return true
		}
	}
	return len(t.at) == 2 && anyWord(words, func(v string) bool {
		v, ok := strings.CutPrefix(v, t.at)
		return ok && t.harms(s, c, v)
	})
}

func (t *tool) writesOperand(s *hazard.Scene, c *command.Command, paths []shell.Word) bool {
	for i := range paths {
		here := t.at == "any" || t.at == "last" && i == len(paths)-1 || t.at == "2" && i == 1
		if here && mayBeDevice(s, c, paths[i].Set) {
			return true
		}
	}
	return false
}

func anyWord(words []shell.Word, match func(string) bool) bool {
	for i := range words {
		for _, v := range words[i].Values {
			if match(v) {
				return true
			}
		}
	}
	return false
}

// harms reports whether a path is that of a device which the tool is not there to
// write. What stands behind = is what is written to it.
func (t *tool) harms(s *hazard.Scene, c *command.Command, path string) bool {
	path, _, _ = strings.Cut(path, "=")
	return path != "" && (t.own == "" || !strings.HasPrefix(path, t.own)) && mayBeDevice(s, c, shell.Set{Values: []string{path}})
}
