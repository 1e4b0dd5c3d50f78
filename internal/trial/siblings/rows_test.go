package siblings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/dangerous"
	"github.com/policyctl/policyctl/pkg/hardline"
	"github.com/policyctl/policyctl/pkg/policy"
)

// linesOfName is how many lines are tried for each name.
const linesOfName = 12

// apart are names of rows under which the first name's lines are decided about otherwise, because
// they are programs of their own that only read their arguments alike.
var apart = []struct{ of, names, why string }{
	{"python", "python2", "scripts of Python 3 alone are followed"},
	{"python", "pypy ipython jython micropython", "the scripts of python alone are followed, and its --version is known to run nothing"},
	{"node", "tsx ts-node zx qjs", "the scripts of node alone are followed"},
	{"ruby", "jruby irb", "ruby alone has -c, with which it runs nothing"},
	{"wait", "integer float nameref shift", "they set variables of a shell"},
	{"pushd", "popd", "popd goes where the line has been before"},
	{"top", "htop", "htop prints no numbers of processes"},
	{"mkfs", "mke2fs mkswap newfs mkdosfs mkntfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.ext4dev mkfs.xfs mkfs.btrfs mkfs.bcachefs mkfs.vfat mkfs.fat mkfs.msdos mkfs.ntfs mkfs.f2fs mkfs.exfat mkfs.minix " +
		"mkfs.cramfs mkfs.jfs mkfs.reiserfs mkfs.bfs mkfs.udf mkfs.nilfs2 mkfs.hfs mkfs.hfsplus mkfs.apfs mkfs.zonefs mkfs.gfs2 mkfs.ocfs2 mkfs.erofs", "-V makes mkfs alone print what it would run"},
	{"sgdisk", "gdisk fdisk cfdisk parted", "they are told by commands on their input, and by no option"},
	{"zpool", "zfs", "zfs create makes a data set, and no pool of a device"},
	{"lerna", "nx", "the words of nx exec are a script of the project"},
	{"tmux", "byobu", "byobu runs tmux by scripts of its own"},
	{"paste", "comm rev", "they print other lines"},
	{"test", "[", "[ needs its ]"},
	{"base64", "base32", "they decode other texts"},
	{"sudo", "dzdo", "its --help is not known to run nothing"},
	{"kitty", "foot ghostty", "kitty alone is told by @ to type into a window"},
	{"robocopy", "xcopy", "xcopy mirrors nothing"},
	{"aws", "awslocal", "which service it asks is up to who installed it"},
	{"alias", "unalias export declare typeset local readonly unset shopt setopt enable bind history getopts select coproc", "alias alone gives a name to a text that is run"},
	{"launchctl", "service forever npm-run-all run-s run-p", "they start and stop other things"},
	{"basenc", "uuencode", "uuencode decodes nothing"},
	{"ninja", "meson", "meson has no file behind -f"},
	{"turbo", "flutter jupyter", "the pack names what the project runs"},
	{"terraform", "tofu", "the pack names what the project runs"},
	{"newfs_hfs", "newfs_exfat newfs_udf mkexfatfs mkreiserfs mkudffs mkf2fs jfs_mkfs", "-N makes newfs_hfs, newfs_apfs and newfs_msdos alone only print"},
	{"make_f2fs", "scrub", "the rule's name: what it leaves"},
	{"pvcreate", "bcachefs", "bcachefs has sub-commands"},
	{"hdparm", "nvme badblocks gpart gpt asr sedutil-cli flashrom mtd", "each erases by words of its own"},
	{"storcli", "megacli megacli64 nwipe nvram", "each erases by words of its own"},
	{"qemu-img", "ddrescue", "ddrescue has no sub-commands"},
}

// because returns why a name is decided about otherwise than the first one of its row, "" if
// nothing says that it is.
func because(of, name string) string {
	for _, a := range apart {
		if a.of == of && program.HasWord(a.names, name) {
			return a.why
		}
	}
	return ""
}

// TestNames decides about the lines of the first name of each row under its other names,
// alike but for those that are listed as apart, and these otherwise.
func TestNames(t *testing.T) {
	engines, lines := newEngines(t), linesByName(bases(t))
	rows := program.All()
	each(len(rows), func(i int) {
		names := strings.Fields(rows[i].Names)
		for _, other := range names[1:] {
			line, is := differs(&engines, lines[names[0]], other, alike)
			switch why := because(names[0], other); {
			case line != "" && why == "":
				t.Errorf("%s is decided about otherwise than %s, the first name of its row: %s\n\t%s", other, names[0], line, is)
			case line == "" && why != "":
				t.Errorf("%s is decided about like %s: take it out of the list", other, names[0])
			}
		}
	})
}

// differs returns the first of some lines about which another name of their program
// makes an engine decide otherwise, and how; "" if none does.
func differs(engines *[len(names)]*policy.Engine, lines []*site, name string, same func(base, got rulings) bool) (line, is string) {
	for _, s := range lines {
		line := s.with(replaced(s.words, 0, name))
		if base, got := judge(engines, s.with(s.words)), judge(engines, line); !same(base, got) {
			return line, fmt.Sprintf("is %v, and not %v", got, base)
		}
	}
	return "", ""
}

// TestSpelledNames decides about the lines of the first name of each row under spellings of
// that name: what is denied stays so, and nothing becomes more permissive.
func TestSpelledNames(t *testing.T) {
	engines, lines := newEngines(t), linesByName(bases(t))
	rows := program.All()
	each(len(rows), func(i int) {
		name, _, _ := strings.Cut(rows[i].Names, " ")
		if program.HasWord(builtins, name) || len(name) < 2 {
			return // with another name, it is none of the shell's own
		}
		for _, other := range []string{name + ".exe", strings.ToUpper(name), "/opt/bin/" + name, name + "-9.1", name + "9", name + "-static", "x86_64-linux-gnu-" + name} {
			if program.Listed(strings.ToLower(other)) != program.Listed(name) && !strings.Contains(other, "/") && name[len(name)-1] > '9' {
				t.Errorf("%s is not known as %s", other, name)
			}
			if line, is := differs(&engines, lines[name], other, stricter); line != "" {
				t.Errorf("%s\n\t%s", line, is)
			}
		}
	})
}

// stricter reports whether nothing is more permissive, and what is denied is denied by
// the same rule.
func stricter(base, got rulings) bool {
	for k := range base {
		if tighter.broken(base[k], got[k]) || base[k].decision == policy.Deny && (base[k].stage != got[k].stage || equal.broken(base[k], got[k])) {
			return false
		}
	}
	return true
}

// TestRuleNames shows that rules name programs as they are known: under another name, none
// would be found.
func TestRuleNames(t *testing.T) {
	for _, r := range slices.Concat(hardline.Rules(), dangerous.Rules()) {
		for _, name := range r.Names() {
			if known := program.Listed(name); known != name {
				t.Errorf("%s names %s, which is known as %s", r.ID, name, known)
			}
		}
	}
}

// linesByName returns for each program the first lines that begin with its name.
func linesByName(all []string) map[string][]*site {
	out := map[string][]*site{}
	for _, line := range all {
		name, _, _ := strings.Cut(line, " ")
		if len(out[name]) >= linesOfName {
			continue
		}
		if s := sites(line); len(s) > 0 && s[0].before == "" && s[0].name == name {
			out[name] = append(out[name], s[0])
		}
	}
	return out
}

// alike reports whether decisions and stages are the same, and the rules of denials.
func alike(base, got rulings) bool {
	for k := range base {
		if base[k].stage != got[k].stage || equal.broken(base[k], got[k]) {
			return false
		}
	}
	return true
}
