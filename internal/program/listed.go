package program

import "strings"

// Listed returns the name in the table of the program that a base name starts: without
// case, without what Windows adds, without a version, an edition or the machine that it is
// built for, and without what stands before the name of GNU's where the system has its
// own. A name of which nothing is known stays as it is, but for what Windows adds.
//
// A file of such a name may be another program: a name that is not listed itself denies
// like the listed one, and allows only as [Means] says.
func Listed(name string) string {
	if row(name) != nil {
		return name
	}
	bare := WithoutSuffix(lower(name))
	if row(bare) != nil {
		return bare
	}
	for _, other := range [...]func(string) string{unprefixed, edition, target, unversioned} {
		if found := other(bare); found != "" {
			return found
		}
	}
	if strings.HasPrefix(bare, "mkfs.") {
		return "mkfs"
	}
	return bare
}

// Resolve returns the one name by which judges know the program that a base name starts:
// where it is listed under several, the first one.
func Resolve(name string) string {
	name = Listed(name)
	if p := row(name); p != nil && p.Same != "" && HasWord(p.Same, name) {
		name, _, _ = strings.Cut(p.Names, " ")
	}
	return name
}

// Means reports whether a base name identifies for allowing the program that is known by
// a name: it is listed itself, that of an interpreter with a version, or that of a wrapper
// of GNU's beside the system's own, which does nothing but start what is judged by itself.
func Means(name, known string) bool {
	if name == known {
		return name != ""
	}
	return (row(name) != nil || interpreter(Bare(name)) != nil || gnuWrapper(name) == known) && Resolve(name) == known
}

// gnuWrapper returns the name of the transparent wrapper that a name with a g before it
// means, "" if it means none.
func gnuWrapper(name string) string {
	rest, ok := strings.CutPrefix(name, "g")
	if p := row(rest); ok && p != nil && p.Transparent && !p.InShell {
		return rest
	}
	return ""
}

// lower returns a name with small letters of ASCII, all that names in the table have.
func lower(name string) string {
	for i := range len(name) {
		if name[i] >= 'A' && name[i] <= 'Z' {
			return strings.ToLower(name)
		}
	}
	return name
}

// WithoutSuffix returns a name without what Windows adds to it.
func WithoutSuffix(name string) string {
	for _, suffix := range [...]string{".exe", ".cmd", ".bat", ".com"} {
		if bare, ok := strings.CutSuffix(name, suffix); ok && bare != "" {
			return bare
		}
	}
	return name
}

// unversioned returns the longest listed name behind which a version stands, with whatever
// that has behind it: python3 for python3.12, perl for perl5.36-x86_64-linux-gnu; "" if there is none.
func unversioned(name string) string {
	for end := len(name) - 1; end > 1; end-- {
		if !isVersion(name[end:]) {
			continue
		}
		if found := listedPart(strings.TrimRight(name[:end], "-._")); found != "" {
			return found
		}
	}
	return ""
}

// isVersion reports whether a text is a version: numbers, one letter or the number of what comes
// before a release, and behind another sign anything, as in 3.13t, 1.22rc1 and 5.36-x86_64.
func isVersion(text string) bool {
	rest := strings.TrimLeft(text, "0123456789.")
	if rest == text || text[0] == '.' {
		return false
	}
	for _, stage := range [...]string{"rc", "beta", "alpha"} {
		if after, ok := strings.CutPrefix(rest, stage); ok {
			rest = strings.TrimLeft(after, "0123456789")
		}
	}
	if rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
		rest = rest[1:]
	}
	return rest == "" || strings.IndexByte("-_.+~", rest[0]) >= 0
}

// listedPart returns the listed name that a name of two letters or more is, where nothing
// but what stands before it or the edition must be left out; "" if it is none.
func listedPart(name string) string {
	switch {
	case len(name) < 2:
		return ""
	case row(name) != nil:
		return name
	}
	for _, other := range [...]func(string) string{unprefixed, edition, target} {
		if found := other(name); found != "" {
			return found
		}
	}
	return ""
}

// gnu are further programs of GNU: they print, or make, what others are given.
const gnu = "base32 base64 basename basenc cmp comm csplit cut date df diff diff3 dirname echo expand expr factor fmt fold id join kill link ls m4 mkfifo " +
	"mknod mktemp nl nproc numfmt od paste pr printenv printf ptx pwd readlink realpath rev sdiff sed seq sleep sort split stty sum sync tac test " +
	"tr tsort tty uname unexpand uniq unlink who whoami yes"

// unprefixed returns the name that a program for files, or one that runs another, has
// where it is the system's own: GNU's have a g before it elsewhere, as on macOS, or gnu, and
// those in Rust have a u. What touches no files, such as w and ps, says nothing of gw and gps.
func unprefixed(name string) string {
	for _, prefix := range [...]string{"gnu", "g", "uu-", "uu_", "u"} {
		rest, ok := strings.CutPrefix(name, prefix)
		if p := row(rest); ok && p != nil && (HasWord(gnu, rest) || strings.HasSuffix(p.Operands, "payload") || p.Touches != Anything || p.Style == Pairs) {
			return rest
		}
	}
	return ""
}

// editions are what packages put behind the name of a program that they build in some way.
const editions = "aarch64 amd64 arm64 armhf athena basic cgi cli darwin dbg debug distrib fpm gtk gtk2 gtk3 huge i686 io lima linux linux64 lts lucid macos " +
	"mailutils motif multiarch musl netkit nox openbsd original orig pgtk preview real remote riscv64 static tiny traditional windows ws x86_64"

// edition returns the listed name behind which editions stand, as in vim.tiny and
// yq_linux_amd64; "" if there is none.
func edition(name string) string {
	for end := len(name); ; {
		at := end - 1
		for at > 0 && (strings.IndexByte("-._", name[at]) < 0 || strings.HasSuffix(name[:at], "x86")) {
			at--
		}
		switch {
		case at < 2 || !HasWord(editions, name[at+1:end]):
			return ""
		case row(name[:at]) != nil:
			return name[:at]
		}
		end = at
	}
}

// systems are the last parts of the machine for which a program builds, or is built.
const systems = "android androideabi eabi eabihf elf gnu gnueabi gnueabihf mingw32 musl musleabihf"

// target returns the listed name of a program before which a machine stands, as in
// x86_64-linux-gnu-gdb; "" if there is none.
func target(name string) string {
	before, rest, found := strings.Cut(name, "-")
	for found {
		if HasWord(systems, before) && row(rest) != nil {
			return rest
		}
		before, rest, found = strings.Cut(rest, "-")
	}
	return ""
}
