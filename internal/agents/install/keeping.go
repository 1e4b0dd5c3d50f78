package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/support/atomicfile"
)

// A KeeperHost runs the commands of a job.
type KeeperHost struct {
	// Has reports whether a program can be run.
	Has func(name string) bool
	Run func(ctx context.Context, args []string) error
}

// Install writes the files of the job and starts it. It returns the commands
// that are left to run, where their program is not there. A file that somebody
// else wrote is an error, before anything is written.
func (k *Keeper) Install(ctx context.Context, host KeeperHost) (left []Step, err error) {
	if err := k.foreign(); err != nil {
		return nil, err
	}
	if err := k.directories(); err != nil {
		return nil, err
	}
	var written []string
	for _, f := range k.Files() {
		if err := f.write(k.System); err != nil {
			return nil, halfway(written, err)
		}
		written = append(written, f.Path)
	}
	steps := k.Start()
	if !host.Has(steps[0].Args[0]) {
		return steps, nil
	}
	return nil, halfway(written, run(ctx, host, steps))
}

// halfway says of an error what was written before, and how to go back.
func halfway(written []string, err error) error {
	if err == nil || len(written) == 0 {
		return err
	}
	return fmt.Errorf("%w; written: %s; to go back: policyctl bundle sync --uninstall", err, strings.Join(written, ", "))
}

// Uninstall stops the job and removes its files. It returns what it removed.
func (k *Keeper) Uninstall(ctx context.Context, host KeeperHost) (removed []string, err error) {
	if err := k.foreign(); err != nil {
		return nil, err
	}
	if !k.Installed() {
		return nil, nil
	}
	before, after := k.Stop()
	has := host.Has(before[0].Args[0])
	if has {
		// What was never enabled cannot be disabled, and is removed all the same.
		for i := range before {
			before[i].MayFail = before[i].MayFail || !k.whole()
		}
		if err := run(ctx, host, before); err != nil {
			return nil, fmt.Errorf("%w; nothing was removed", err)
		}
	}
	for _, f := range k.Files() {
		switch err := os.Remove(f.Path); {
		case err == nil:
			removed = append(removed, f.Path)
		case !errors.Is(err, fs.ErrNotExist):
			return removed, err
		}
	}
	if has {
		err = run(ctx, host, after)
	}
	return removed, err
}

// Installed reports whether a file of the job is there, whoever wrote it.
func (k *Keeper) Installed() bool { return slices.ContainsFunc(k.Files(), KeeperFile.there) }

func (k *Keeper) whole() bool {
	return !slices.ContainsFunc(k.Files(), func(f KeeperFile) bool { return !f.there() })
}

func (f KeeperFile) there() bool {
	_, err := os.Lstat(f.Path)
	return err == nil
}

// foreign is an error where somebody else wrote a file of the job.
func (k *Keeper) foreign() error {
	for _, f := range k.Files() {
		info, err := os.Lstat(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var data []byte
		if err == nil && info.Mode().IsRegular() {
			data, err = os.ReadFile(f.Path)
		}
		if err != nil {
			return err
		}
		if !bytes.Contains(data, encoded(k.System, keeperMark)) {
			return fmt.Errorf("%s was not written by policyctl: move it away first", f.Path)
		}
	}
	return nil
}

// directories makes those into which the job writes: a unit cannot be given one
// that is not there.
func (k *Keeper) directories() error {
	err := os.MkdirAll(k.State, 0o700)
	if k.Forms != "" {
		err = errors.Join(err, os.MkdirAll(k.Forms, 0o755))
	}
	return err
}

func (f KeeperFile) write(system string) error {
	text := encoded(system, f.Text)
	if system == "windows" {
		text = append([]byte{0xff, 0xfe}, text...)
	}
	if old, err := os.ReadFile(f.Path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
		return err
	}
	if err := atomicfile.Write(f.Path, ".policyctl-", text); err != nil {
		return err
	}
	return os.Chmod(f.Path, 0o644)
}

// encoded returns a text as the system reads it: schtasks wants UTF-16.
func encoded(system, text string) []byte {
	if system != "windows" {
		return []byte(text)
	}
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

func run(ctx context.Context, host KeeperHost, steps []Step) error {
	for _, s := range steps {
		if err := host.Run(ctx, s.Args); err != nil && !s.MayFail {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// TrustedProgram returns the path of a program without links. It is an error if
// somebody other than root and the user could replace it: the job runs it
// unasked.
func TrustedProgram(program string, uid int) (string, error) {
	if !filepath.IsAbs(program) {
		return "", fmt.Errorf("%s: the path of the program must be absolute", program)
	}
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return "", err
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", os.TempDir()} {
		if strings.HasPrefix(real, filepath.Clean(dir)+string(filepath.Separator)) {
			return "", fmt.Errorf("%s lies in a directory for temporary files: install policyctl first, for example in /usr/local/bin", real)
		}
	}
	if runtime.GOOS == "windows" {
		return real, nil
	}
	for p := real; ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		if err != nil {
			return "", err
		}
		owner, known := ownerOf(info)
		switch {
		case info.Mode().Perm()&0o022 != 0:
			return "", fmt.Errorf("%s can be written by others: the job would run whatever they put there", p)
		case known && owner != 0 && owner != uid:
			return "", fmt.Errorf("%s belongs to another user: the job would run whatever they put there", p)
		case p == filepath.Dir(p):
			return real, nil
		}
	}
}
