package install

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// maxLinks bounds how many links a path may lead through.
const maxLinks = 40

// checkBinary returns an error unless a binary can be started and nobody but
// its user and root can exchange it: neither the file, nor a directory or a
// link on the way to it.
func checkBinary(path string) error {
	at, rest := "/", steps(path)
	for links := 0; links <= maxLinks; {
		if err := checkDirectory(at, len(rest) == 1); err != nil {
			return err
		}
		next := filepath.Join(at, rest[0])
		info, err := os.Lstat(next)
		rest = rest[1:]
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w: build or install policyctl there, or name its path with --command", path, plainfile.Bare(err))
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := follow(next)
			if err != nil {
				return err
			}
			at, rest, links = "/", append(steps(target), rest...), links+1
		case len(rest) == 0:
			return checkFile(next, info)
		default:
			at = next
		}
	}
	return fmt.Errorf("%s leads through too many links: name the binary itself", path)
}

// steps returns the names in an absolute path.
func steps(path string) []string {
	return strings.Split(strings.TrimPrefix(filepath.Clean(path), "/"), "/")
}

// follow returns the absolute path that a link names.
func follow(link string) (string, error) {
	target, err := os.Readlink(link)
	if err != nil {
		return "", fmt.Errorf("%s: %w: name the binary itself", link, plainfile.Bare(err))
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(link), target)
	}
	return target, nil
}

// checkDirectory returns an error if others can exchange what stands in a
// directory. On the way to the binary a sticky one is accepted, such as /tmp.
func checkDirectory(dir string, last bool) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, plainfile.Bare(err))
	}
	sticky := info.Mode()&fs.ModeSticky != 0
	if info.Mode().Perm()&0o002 != 0 && (last || !sticky) {
		return fmt.Errorf("anyone may write to the directory %s: move policyctl to one that only you or root may write to", dir)
	}
	return checkOwner(dir, info)
}

func checkFile(path string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file: name the binary of policyctl", path)
	case info.Mode().Perm()&0o002 != 0:
		return fmt.Errorf("anyone may write to %s: run chmod o-w on it", path)
	case info.Mode().Perm()&0o111 == 0:
		return fmt.Errorf("%s is not executable: run chmod +x on it", path)
	}
	return checkOwner(path, info)
}

// checkOwner returns an error if a file belongs to another user than root.
func checkOwner(path string, info fs.FileInfo) error {
	uid, known := ownerOf(info)
	if known && uid != 0 && uid != os.Getuid() {
		return fmt.Errorf("%s belongs to another user (uid %d): move policyctl to a directory of yours or of root", path, uid)
	}
	return nil
}
