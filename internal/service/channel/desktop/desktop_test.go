//go:build unix

package desktop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A desktop is a directory with stand-ins of its programs, which keep how they are run.
type desktop struct {
	t   *testing.T
	dir string
}

func newDesktop(t *testing.T, programs map[string]string) *desktop {
	d := &desktop{t, t.TempDir()}
	for name, script := range programs {
		// Each argument ends with a zero, and each run with two.
		script = "#!/bin/sh\ncd '" + d.dir + "'\nprintf '%s\\0' \"$@\" >> " + name + ".log; printf '\\0' >> " + name + ".log\n" + script
		if err := os.WriteFile(filepath.Join(d.dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", d.dir+":/usr/bin:/bin")
	return d
}

// runs are the arguments of each run of a program.
func (d *desktop) runs(name string) [][]string {
	data, err := os.ReadFile(filepath.Join(d.dir, name+".log"))
	if err != nil {
		return nil
	}
	runs := strings.Split(string(data), "\x00\x00")
	var all [][]string
	for _, one := range runs[:len(runs)-1] { // what follows the last end is still being written
		if args := strings.Split(one, "\x00"); args[0] != "--help" {
			all = append(all, args)
		}
	}
	return all
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 500 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(what)
}

// modern is notify-send 0.8: it prints a number, waits, and prints what is pressed.
const modern = `case "$*" in
*--help*) echo '  -A, --action=[NAME=]Text...  -p, --print-id  -r, --replace-id=ID';;
*--print-id*) echo 7; while ! [ -e pressed ]; do sleep 0.02; done; cat pressed;;
esac`

// hostile is a command that a shell, an option or a desktop would take for more than text.
const hostile = "--action=default=$(touch hacked)`touch hacked`; touch hacked <b>b</b> <a href='https://evil.example'>x</a> &amp; \\n \"q\" ' \x00"

func message() *channel.Message {
	return &channel.Message{
		ID: "dlv_1", Request: "req_1", Link: "https://desk.example/ui/requests/req_1", Head: "-- [APPROVAL REQUIRED]", Command: hostile, Risk: "high",
		Fields: []channel.Field{{Name: "tool", Value: "shell"}}, Buttons: []channel.Button{{Label: "Approve", Token: "tok-a"}},
	}
}

const shown = "│ --action=default=$(touch hacked)`touch hacked`; touch hacked &lt;b&gt;b&lt;/b&gt; &lt;a href='https://evil.example'&gt;x&lt;/a&gt; &amp;amp; \\\\n \"q\" ' ␀\n\ntool: shell"

// A notification shows what is asked as text; its button opens the page and decides
// nothing; then it says how the request ended.
func TestLinux(t *testing.T) {
	at := newDesktop(t, map[string]string{"notify-send": modern, "xdg-open": ""})
	d, err := New(Options{System: "linux"})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := d.Post(t.Context(), message())
	if err != nil || ref != "7" || d.Repeats() || d.Webhook(nil) != nil {
		t.Fatal(ref, err)
	}
	want := []string{"--app-name=policyctl", "--urgency=critical", "--print-id", "--action=default=Open", "--action=open=Open the page", "--", "-- [APPROVAL REQUIRED]", shown}
	if got := at.runs("notify-send"); len(got) != 1 || !slices.Equal(got[0], want) {
		t.Errorf("it is run as %q", got)
	}
	if len(at.runs("xdg-open")) > 0 {
		t.Error("the page opens by itself")
	}
	if err := os.WriteFile(filepath.Join(at.dir, "half"), []byte("open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(at.dir, "half"), filepath.Join(at.dir, "pressed")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page does not open", func() bool { return len(at.runs("xdg-open")) == 1 })
	if got := at.runs("xdg-open")[0]; !slices.Equal(got, []string{message().Link}) {
		t.Errorf("it opens %q", got)
	}
	ended := &channel.Message{Head: "[DENIED]", Outcome: "denied by <b>bob</b>", Command: "ls"}
	if err := d.Amend(t.Context(), ref, ended); err != nil {
		t.Fatal(err)
	}
	if got := at.runs("notify-send"); !slices.Equal(got[len(got)-1], []string{"--app-name=policyctl", "--urgency=low", "--replace-id=7", "--", "[DENIED]", "denied by &lt;b&gt;bob&lt;/b&gt;\n\n│ ls"}) {
		t.Errorf("it is run as %q", got)
	}
	if err := d.Amend(t.Context(), "--action=x", ended); err != nil || len(at.runs("notify-send")) != 2 {
		t.Errorf("a reference that is none is run: %v", err)
	}
	if _, err := os.Stat(filepath.Join(at.dir, "hacked")); err == nil {
		t.Error("a shell has read the command")
	}
	d.work.Wait()
	if len(d.shown) != 0 {
		t.Errorf("%d wait", len(d.shown))
	}
}

// What waits for a press ends when its request is decided, and when the service ends.
func TestEnd(t *testing.T) {
	at := newDesktop(t, map[string]string{"notify-send": modern, "xdg-open": ""})
	d, err := New(Options{System: "linux"})
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []func(){
		func() {
			if err := d.Amend(t.Context(), "7", &channel.Message{Head: "[DENIED]"}); err != nil {
				t.Error(err)
			}
		},
		func() {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := d.Listen(ctx, nil); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		},
	} {
		if _, err := d.Post(t.Context(), message()); err != nil {
			t.Fatal(err)
		}
		end()
		done := make(chan struct{})
		go func() { d.work.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatal("it still waits")
		}
	}
	if got := at.runs("xdg-open"); len(got) != 0 {
		t.Errorf("it opens %q", got)
	}
}

// Without buttons, and on macOS, the text has the link.
func TestWithoutButtons(t *testing.T) {
	link := message().Link
	for name, row := range map[string]struct {
		system, program, script string
		change                  func(*channel.Message)
		want                    []string
	}{
		"old":         {"linux", "notify-send", `[ "$1" != --help ] || echo '  -u, --urgency=LEVEL'`, nil, []string{"--app-name=policyctl", "--urgency=critical", "--", "-- [APPROVAL REQUIRED]", shown + "\n" + link}},
		"no page":     {"linux", "notify-send", modern, func(m *channel.Message) { m.Link, m.Risk = "", "low" }, []string{"--app-name=policyctl", "--urgency=normal", "--", "-- [APPROVAL REQUIRED]", shown}},
		"no web page": {"linux", "notify-send", modern, func(m *channel.Message) { m.Link = "file:///etc/passwd" }, []string{"--app-name=policyctl", "--urgency=critical", "--", "-- [APPROVAL REQUIRED]", shown}},
		"macOS": {"darwin", "osascript", "", nil, []string{"-e", "on run argv", "-e", "display notification (item 3 of argv) with title (item 1 of argv) subtitle (item 2 of argv)", "-e", "end run",
			"policyctl", "-- [APPROVAL REQUIRED]", "│ " + strings.ReplaceAll(hostile, "\x00", "␀") + "\n\ntool: shell\n" + link}},
	} {
		at := newDesktop(t, map[string]string{row.program: row.script})
		d, err := New(Options{System: row.system})
		if err != nil {
			t.Fatal(err)
		}
		m := message()
		if row.change != nil {
			row.change(m)
		}
		ref, err := d.Post(t.Context(), m)
		if got := at.runs(row.program); err != nil || ref != "" || len(got) != 1 || !slices.Equal(got[0], row.want) {
			t.Errorf("%s: %v, run as %q\nwant %q", name, err, got, row.want)
		}
		if err := d.Amend(t.Context(), ref, m); err != nil || len(at.runs(row.program)) != 1 {
			t.Errorf("%s: what cannot be changed is: %v", name, err)
		}
	}
	long := message()
	long.Command = strings.Repeat("\\", 9000)
	if got := text(long); len(got) > maxText || !strings.Contains(got, channel.Cut) {
		t.Errorf("%d bytes", len(got))
	}
}

// A desktop that is not there, fails or hangs is an error of the right kind.
func TestFailures(t *testing.T) {
	for name, row := range map[string]struct {
		system, script string
		want           string
		lasts          bool
	}{
		"another system":   {"plan9", "", "there are no notifications on plan9", true},
		"no notify-send":   {"linux", "", "there is no notify-send in the PATH of the service; install libnotify-bin", true},
		"no desktop":       {"linux", `[ "$1" = --help ] && exit; printf 'Cannot autolaunch D-Bus\nlevel=ERROR' >&2; exit 1`, "notify-send: Cannot autolaunch D-Bus level=ERROR", false},
		"it only fails":    {"linux", `[ "$1" = --help ] || exit 3`, "notify-send: exit status 3", false},
		"no number":        {"linux", `echo "--action --print-id"`, "prints no number", false},
		"endless printing": {"linux", `[ "$1" = --help ] && { echo "--action --print-id"; exit; }; yes`, "prints no number", false},
	} {
		programs := map[string]string{}
		if row.script != "" {
			programs["notify-send"] = row.script
		}
		at := newDesktop(t, programs)
		if row.script == "" {
			t.Setenv("PATH", at.dir)
		}
		d, err := New(Options{System: row.system})
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Post(t.Context(), message())
		if _, lasts := errors.AsType[*channel.Refusal](err); err == nil || !strings.Contains(err.Error(), row.want) || lasts != row.lasts || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	newDesktop(t, map[string]string{"notify-send": `[ "$1" = --help ] && { echo "--action --print-id"; exit; }; exec sleep 60`})
	d, err := New(Options{System: "linux"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := d.Post(ctx, message()); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 4*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
}
