package judge

import (
	"bytes"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/authoring/replay"
)

// TestProgress shows that a long replay tells how far it is, not too often,
// and leaves nothing behind.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.show(replay.Progress{Pass: 1})
	if p.clear(); out.Len() > 0 {
		t.Errorf("not a terminal: %q", out.String())
	}
	p.out = &out
	p.show(replay.Progress{Pass: 1})
	if p.clear(); out.Len() > 0 {
		t.Errorf("short work: %q", out.String())
	}
	p.begin = time.Now().Add(-time.Minute)
	p.show(replay.Progress{Pass: 1, Files: 2, Total: 9, Calls: 30, Read: 520, Size: 1000})
	p.show(replay.Progress{Pass: 2, Files: 3, Total: 9, Calls: 40})
	p.last = time.Time{}
	p.show(replay.Progress{Pass: 2, Total: 9, Read: 1, Size: 0}) // a stream
	p.clear()
	if got, want := out.String(), "\r\x1b[Kreading: [##########..........] 52 %, 2 of 9 files, 30 calls\r\x1b[Ktrying permissions: 0 of 9 files, 0 calls\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
