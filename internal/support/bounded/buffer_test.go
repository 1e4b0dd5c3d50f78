package bounded_test

import (
	"errors"
	"io"
	"os/exec"
	"testing"

	"github.com/policyctl/policyctl/internal/support/bounded"
)

func TestBuffer(t *testing.T) {
	tooMuch := errors.New("too much")
	rows := []struct {
		kept     string
		full     bool
		writes   []string
		overflow error
		want     error
	}{
		{"", false, nil, tooMuch, nil},
		{"abcd", false, []string{"ab", "cd"}, tooMuch, nil},
		{"abcd", true, []string{"ab", "cde"}, nil, nil},
		{"abcd", true, []string{"ab", "cde"}, tooMuch, tooMuch},
		{"abcd", true, []string{"abcd", "e", "f"}, nil, nil},
	}
	for _, row := range rows {
		b := &bounded.Buffer{Max: 4, Overflow: row.overflow}
		var err error
		for _, text := range row.writes {
			_, err = io.WriteString(b, text)
		}
		if string(b.Bytes()) != row.kept || b.Full() != row.full || err != row.want {
			t.Errorf("%q: kept %q, full %v, %v", row.writes, b.Bytes(), b.Full(), err)
		}
	}
}

// With Overflow a program that would never stop printing does; without, one
// comes to its end.
func TestPrograms(t *testing.T) {
	endless := exec.Command("/bin/sh", "-c", "while :; do echo 0123456789; done")
	endless.Stdout = &bounded.Buffer{Max: 100, Overflow: io.ErrShortWrite}
	if err := endless.Run(); err == nil {
		t.Error("it ended by itself")
	}
	long := exec.Command("/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do echo 0123456789; done; exit 7")
	long.Stdout = &bounded.Buffer{Max: 10}
	if err := long.Run(); long.ProcessState.ExitCode() != 7 {
		t.Errorf("%v", err)
	}
}
