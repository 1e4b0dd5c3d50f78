package install

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func keeperOf(system string, root bool) Keeper {
	k := Keeper{System: system, Root: root, UID: 501, Program: "/opt/a & b/policyctl", Home: "/home/me", Config: "/home/me/.config",
		State: "/home/me/.local/state/policyctl", Every: 5 * time.Minute}
	if root {
		k.Forms = "/etc/policyctl/forms"
	}
	if system == "windows" {
		k.Program, k.State = `C:\a & b\policyctl.exe`, `C:\state`
	}
	return k
}

// What is written on each system, and what is run.
func TestKeeperFiles(t *testing.T) {
	for _, c := range []struct {
		golden, system string
		root           bool
	}{
		{"linux-root", "linux", true}, {"linux-person", "linux", false},
		{"darwin-root", "darwin", true}, {"darwin-person", "darwin", false}, {"windows", "windows", false},
	} {
		k := keeperOf(c.system, c.root)
		if err := k.Check(); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, f := range k.Files() {
			b.WriteString("== " + f.Path + "\n" + f.Text)
			if !strings.HasSuffix(f.Path, ".xml") && !strings.HasSuffix(f.Path, ".plist") {
				continue
			}
			d := xml.NewDecoder(strings.NewReader(f.Text))
			d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
			for err := error(nil); !errors.Is(err, io.EOF); {
				if _, err = d.Token(); err != nil && !errors.Is(err, io.EOF) {
					t.Fatalf("%s: %v", f.Path, err)
				}
			}
		}
		b.WriteString("== start\n")
		before, after := k.Stop()
		for _, s := range k.Start() {
			b.WriteString(s.String() + "\n")
		}
		b.WriteString("== stop\n")
		for _, s := range append(before, after...) {
			b.WriteString(s.String() + "\n")
		}
		path := filepath.Join("testdata", "keeper", c.golden+".txt")
		if *update {
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(b.String()), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		want, _ := os.ReadFile(path)
		if diff := cmp.Diff(string(want), b.String()); diff != "" {
			t.Errorf("%s (run with -update to accept):\n%s", path, diff)
		}
	}
}

// systemd understands the units.
func TestKeeperUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	for _, root := range []bool{true, false} {
		dir := t.TempDir()
		k := keeperOf("linux", root)
		k.Program = "/bin/true"
		args := []string{"verify", "--man=no"}
		for _, f := range k.Files() {
			path := filepath.Join(dir, filepath.Base(f.Path))
			if err := os.WriteFile(path, []byte(f.Text), 0o644); err != nil {
				t.Fatal(err)
			}
			args = append(args, path)
		}
		out, err := exec.Command(analyze, args...).CombinedOutput()
		if err != nil || strings.Contains(string(out), keeperName) {
			t.Errorf("root %v: %v\n%s", root, err, out)
		}
	}
}

// A job is made, made again, and taken away; a failure says how to go back, and
// a file of somebody else stays.
func TestKeeperInstall(t *testing.T) {
	home := t.TempDir()
	k := keeperOf("linux", false)
	k.Config, k.State = filepath.Join(home, "config"), filepath.Join(home, "state")
	var ran []string
	var fail string
	host := KeeperHost{Has: func(string) bool { return true }, Run: func(_ context.Context, args []string) error {
		ran = append(ran, strings.Join(args, " "))
		if fail != "" && strings.Contains(strings.Join(args, " "), fail) {
			return errors.New("no bus")
		}
		return nil
	}}
	files := k.Files()
	fail = "enable"
	_, err := k.Install(t.Context(), host)
	for _, want := range []string{"no bus", files[0].Path, files[1].Path, "bundle sync --uninstall"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	fail = ""
	for range 2 {
		if _, err := k.Install(t.Context(), host); err != nil || !k.whole() {
			t.Fatal(err, k.whole())
		}
	}
	ran = nil
	removed, err := k.Uninstall(t.Context(), host)
	if err != nil || len(removed) != 2 || k.Installed() || len(ran) != 2 {
		t.Errorf("%v, %v, ran %v", removed, err, ran)
	}
	if err := os.WriteFile(files[1].Path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Install(t.Context(), host); err == nil || files[0].there() {
		t.Errorf("%v: the timer of somebody else did not keep all from being written", err)
	}
	if _, err := k.Uninstall(t.Context(), host); err == nil || !files[1].there() {
		t.Errorf("%v: the timer of somebody else was removed", err)
	}
	os.Remove(files[1].Path)
	host.Has = func(string) bool { return false }
	if left, err := k.Install(t.Context(), host); err != nil || len(left) != 3 {
		t.Errorf("%v, %v: want the commands that start the job", left, err)
	}
}

// No job runs a program that others can replace, or at times that no calendar
// has.
func TestKeeperRefuses(t *testing.T) {
	program := filepath.Join(t.TempDir(), "policyctl")
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := TrustedProgram(program, os.Geteuid()); err == nil {
		t.Error("a program in a directory for temporary files is taken")
	}
	if _, err := TrustedProgram("policyctl", 0); err == nil {
		t.Error("a relative path is taken")
	}
	if _, err := os.Stat("/bin/sh"); err == nil {
		if _, err := TrustedProgram("/bin/sh", os.Geteuid()); err != nil {
			t.Error(err)
		}
	}
	for every, ok := range map[time.Duration]bool{time.Minute: true, time.Hour: true, 6 * time.Hour: true, 24 * time.Hour: true,
		0: false, time.Second: false, 90 * time.Second: false, 7 * time.Minute: false, 90 * time.Minute: false, 48 * time.Hour: false} {
		k := keeperOf("linux", false)
		if k.Every = every; (k.Check() == nil) != ok {
			t.Errorf("%s: %v", every, k.Check())
		}
	}
	k := keeperOf("linux", false)
	if k.Program = "/opt/%h/policyctl"; k.Check() == nil {
		t.Error("a specifier of systemd is taken")
	}
}
