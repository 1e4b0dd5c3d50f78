package siblings_test

import (
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// gnu are the programs of GNU that touch files or run others: where the system has
// its own, as macOS has, theirs are installed with a g before the name. The table is
// not asked, so that it cannot forget one.
const gnu = "awk base64 basename cat chgrp chmod chown cp cut date dd df dirname du env expand find fold grep head install join ln ls make md5sum mkdir mkfifo mknod mktemp mv nice nl nohup od paste " +
	"readlink rm rmdir sed sha1sum sha256sum shred shuf sort split stat stdbuf tac tail tar tee timeout touch truncate uniq unlink wc xargs"

// synonyms are the names of one program, blanks between them: a row may have several
// programs that read their arguments alike and do different things.
var synonyms = []string{
	"fd fdfind", "bat batcat", "python3 python3.12 python", "perl perl5.36", "ruby ruby3.2", "php php8.3", "node nodejs", "lua lua5.4", "7z 7za 7zz", "gzcat zcat", "make gmake",
	"mkfs.vfat mkfs.fat mkfs.msdos", "mkfs.ext4 mkfs.ext3", "awk gawk mawk nawk", "nc netcat", "pip pip3", "eza exa", "docker podman",
	"vi vim", "mc mcli", "gpg gpg2", "sqlite sqlite3", "vim nvim",
}

// synonymOf returns the further names of the program of a name, as far as the table
// knows the name itself.
func synonymOf(name string) (out []string) {
	if program.Find(name) == nil {
		return nil
	}
	for _, list := range synonyms {
		if program.HasWord(list, name) {
			for other := range strings.FieldsSeq(list) {
				if other != name && !program.HasWord(gnu, strings.TrimPrefix(other, "g")) && !program.HasWord(gnu, name) {
					out = append(out, other)
				}
			}
		}
	}
	return out
}

// gnuName returns the name with g of a program of GNU: it is denied alike, but proves
// nothing where nobody has installed it.
func gnuName(name string) []string {
	if program.HasWord(gnu, name) {
		return []string{"g" + name}
	}
	return nil
}
