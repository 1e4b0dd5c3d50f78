//go:build linux

package shells_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/trial/sandbox"
)

// A record is one start of a program.
type record struct {
	file  string   // what the shell executed
	dir   string   // where
	open  []string // files of the playground that it had open
	words []string
}

// name returns the program as the line must have named it.
func (r *record) name() string {
	for _, dir := range []string{"/bin/", "/lbin/", "/usr/bin/", "/sbin/", "/usr/sbin/"} {
		if base, ok := strings.CutPrefix(r.file, dir); ok && !strings.Contains(base, "/") {
			return base
		}
	}
	return r.file
}

func (r *record) String() string { return fmt.Sprintf("%q in %s", r.all(), r.dir) }

func (r *record) all() []string { return append([]string{r.name()}, r.words[1:]...) }

// An outcome is what a line did in one shell.
type outcome struct {
	late    bool // it did not end
	records []record
	changed []string // files that the line created or opened for writing
	opened  []string // files that it opened
}

// A driver runs lines in a throw-away root of its own.
type driver struct {
	cmd  *exec.Cmd
	to   io.WriteCloser
	from *bufio.Reader
}

// enter makes a throw-away root of a copy in memory of a directory. What runs
// in it sees nothing else.
const enter = `set -e
mount --make-rprivate /
mount -t tmpfs -o mode=755,nosuid,size=128m tmpfs "$1"
cp -a "$0"/. "$1"
mknod -m 666 "$1/dev/null" c 1 3
mknod -m 666 "$1/dev/zero" c 1 5
echo playground >/proc/sys/kernel/hostname
exec "$1/driver" "$@"`

// start starts the driver with a number, whose user no other has.
func start(t testing.TB, number int, names []string) *driver {
	t.Helper()
	uid := sandbox.Nobody - 1000 - number
	root, staged := t.TempDir(), stage(t, names, uid)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := sandbox.Command(ctx, enter, append([]string{staged, root, fmt.Sprint(uid)}, watched...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.Stderr = os.Stderr
	to, err := cmd.StdinPipe()
	must(t, err)
	from, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		to.Close()
		cancel()
		cmd.Wait()
	})
	return &driver{cmd, to, bufio.NewReaderSize(from, 64<<10)}
}

// run runs a line in some of the shells.
func (d *driver) run(line string, in []judgeShell) ([]outcome, error) {
	job := []byte{byte(len(in))}
	for _, sh := range in {
		job = append(job, sh.number)
	}
	for _, text := range []string{line, strings.Join(possible(line), "")} {
		job = binary.NativeEndian.AppendUint32(job, uint32(len(text)))
		job = append(job, text...)
	}
	if _, err := d.to.Write(job); err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	out := make([]outcome, len(in))
	for i := range out {
		if err := d.outcome(&out[i]); err != nil {
			return nil, fmt.Errorf("driver: %q in %s: %w", line, in[i].name, err)
		}
	}
	return out, nil
}

func (d *driver) outcome(o *outcome) error {
	late, err := d.from.ReadByte()
	if err != nil {
		return err
	}
	o.late = late != 0
	records, err := d.text()
	if err != nil {
		return err
	}
	events, err := d.text()
	if err != nil {
		return err
	}
	for len(records) >= 4 {
		size := binary.NativeEndian.Uint32(records)
		if int(size) > len(records)-4 {
			break // the rest of a shell that was killed
		}
		if r, ok := decode(string(records[4 : 4+size])); ok {
			o.records = append(o.records, r)
		}
		records = records[4+size:]
	}
	for event := range strings.SplitSeq(string(events), "\x00") {
		if path, ok := strings.CutPrefix(event, "changed "); ok {
			o.changed = append(o.changed, path)
		} else if path, ok := strings.CutPrefix(event, "opened "); ok {
			o.opened = append(o.opened, path)
		}
	}
	return nil
}

func decode(text string) (record, bool) {
	text = strings.ReplaceAll(text, "/proc/self/fd/", "/dev/fd/") // they are the same
	fields := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	if len(fields) < 4 {
		return record{}, false
	}
	r := record{file: fields[0], dir: fields[1], words: fields[3:]}
	if fields[2] != "" {
		r.open = strings.Split(strings.TrimSuffix(fields[2], "\n"), "\n")
	}
	return r, true
}

func (d *driver) text() ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(d.from, size[:]); err != nil {
		return nil, err
	}
	text := make([]byte, binary.NativeEndian.Uint32(size[:]))
	_, err := io.ReadFull(d.from, text)
	return text, err
}

// possible returns the pieces of a line that some reading of it could take for
// a program, each with a line end: for these, too, there is a recorder.
func possible(line string) []string {
	var list []string
	for _, separators := range []string{" \t\n\r\v\f;&|<>()`$\"'\\{}#\u00a0\u2003\u3000\u0085", " \t\n;&|<>()"} {
		for piece := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
			if len(list) < 200 && len(piece) < 100 && !strings.Contains(piece, "/") && filepath.Base(piece) == piece && piece != ".." && piece != "." {
				list = append(list, piece+"\n")
			}
		}
	}
	return list
}
