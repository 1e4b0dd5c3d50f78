package requests

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/cli/console/consoletest"
)

func echoes(t *testing.T, f *os.File) bool {
	t.Helper()
	modes, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Error(err)
		return false
	}
	return modes.Lflag&unix.ECHO != 0
}

// waitFor waits until a terminal shows what is typed, or does not.
func waitFor(t *testing.T, f *os.File, shows bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); echoes(t, f) != shows; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Errorf("what is typed shows: %v", !shows)
			return
		}
	}
}

// onScreen returns what a terminal shows, as soon as it is so long or nothing
// more comes.
func onScreen(person *os.File, size int) string {
	var got bytes.Buffer
	more := make(chan []byte)
	go func() {
		for {
			part := make([]byte, 999)
			n, err := person.Read(part)
			if err != nil {
				return
			}
			more <- part[:n]
		}
	}()
	for got.Len() < size {
		select {
		case part := <-more:
			got.Write(part)
		case <-time.After(5 * time.Second):
			return got.String()
		}
	}
	return got.String()
}

// A login URL that is typed is not shown; the lines behind it are left, and are
// shown again.
func TestAskLogin(t *testing.T) {
	person, program := consoletest.Terminal(t)
	var said bytes.Buffer
	v := &visitor{Process: &console.Process{Stdin: program, Stderr: &said}, asks: true}
	go func() {
		waitFor(t, program, false)
		_, _ = person.WriteString("http://h/login#polo_x\n")
		waitFor(t, program, true)
		_, _ = person.WriteString("once\n")
	}()
	text, err := v.loginURL(t.Context())
	if err != nil || text != "http://h/login#polo_x" || said.String() != "login URL, which is not shown: \n" {
		t.Fatalf("%q %v %q", text, err, said.String())
	}
	if next, err := firstLine(program); next != "once" || err != nil {
		t.Errorf("%q %v", next, err)
	}
	if !echoes(t, program) {
		t.Error("what is typed stays hidden")
	}
}

// Who breaks off is shown again what is typed.
func TestAskLoginEnds(t *testing.T) {
	_, program := consoletest.Terminal(t)
	v := &visitor{Process: &console.Process{Stdin: program, Stderr: &bytes.Buffer{}}, asks: true}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		waitFor(t, program, false)
		cancel()
	}()
	if text, err := v.loginURL(ctx); err == nil || !strings.Contains(err.Error(), "--login: no URL was read: interrupted") {
		t.Errorf("%q %v", text, err)
	}
	if !echoes(t, program) {
		t.Error("what is typed stays hidden")
	}
}

// The width is that of the terminal, 80 where it does not tell, and none
// without a terminal.
func TestWidth(t *testing.T) {
	_, program := consoletest.Terminal(t)
	p := &console.Process{Stdout: program}
	if got := p.Width(); got != 80 {
		t.Errorf("%d where it does not tell", got)
	}
	if err := unix.IoctlSetWinsize(int(program.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 9, Col: 47}); err != nil {
		t.Fatal(err)
	}
	if got := p.Width(); got != 47 {
		t.Error(got)
	}
	if got := (&console.Process{Stdout: &bytes.Buffer{}}).Width(); got != 0 {
		t.Errorf("%d without a terminal", got)
	}
	for _, r := range []struct {
		said     string
		terminal bool
		want     int
	}{{"60", true, 47}, {"30", true, 30}, {"0", true, 47}, {"x", true, 47}, {"60", false, 60}, {"", false, 0}, {"-1", false, 0}} {
		p := &console.Process{Stdout: &bytes.Buffer{}, Getenv: func(string) string { return r.said }}
		if r.terminal {
			p.Stdout = program
		}
		if got := p.Width(); got != r.want {
			t.Errorf("COLUMNS=%s, a terminal of 47 columns: %v: %d, want %d", r.said, r.terminal, got, r.want)
		}
	}
}

// A line and a table are folded at a terminal, behind a sign.
func TestWriteLine(t *testing.T) {
	person, program := consoletest.Terminal(t)
	if err := unix.IoctlSetWinsize(int(program.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 9, Col: 20}); err != nil {
		t.Fatal(err)
	}
	p := &console.Process{Stdout: program}
	if err := p.WriteLine("req_1  shell: ls" + strings.Repeat(" ", 9) + "req_2"); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteTable([][]string{{"ID", "WHAT"}, {"req_1", "shell: ls" + strings.Repeat(" ", 9) + "req_2"}}); err != nil {
		t.Fatal(err)
	}
	want := "req_1  shell: ls\r\n  ¦          req_2\r\nID     WHAT\r\nreq_1  shell: ls\r\n  ¦          req_2\r\n"
	if got := onScreen(person, len(want)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
