package doom

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// saved is a snapshot of calls, the last turn of them since the last reset.
func saved(turn int, calls ...string) string {
	return fmt.Sprintf(`{"version":2,"turn":%d,"calls":"%s"}`, turn, base64.StdEncoding.EncodeToString([]byte(strings.Join(calls, ""))))
}

// call is a saved call: its marks, period and count, its id and what follows.
func call(head string, id uint64, keys ...byte) string {
	text := string(binary.BigEndian.AppendUint64([]byte(head), id))
	for _, b := range keys {
		k := Key{b}
		text += string(k[:])
	}
	return text
}

// savedText is a snapshot with every kind of call.
var savedText = saved(3, call("\x01\x00\x00", 12638214688346347271, 1, 2), call("\x00\x00\x00", 0, 1), call("\x00\x01\x02", 0, 1), call("\x02\x00\x00", 0, 3))

func TestSnapshotText(t *testing.T) {
	d := New(0)
	d.Observe("s", Call{ID: "x", Key: Key{1}}, Limits{})
	d.Report("s", "x", Key{2})
	d.ResetTurn("s")
	d.Observe("s", Call{Key: Key{1}}, Limits{})
	d.Observe("s", Call{Key: Key{1}}, Limits{Threshold: 2})
	d.Observe("s", Call{Key: Key{3}}, Limits{})
	d.Forgive("s", Key{3})
	got, err := d.Snapshot("s")
	if err != nil || string(got) != savedText {
		t.Errorf("error %v\n got %s\nwant %s", err, got, savedText)
	}
	restored := New(0)
	copyTo(t, restored, d)
	if again, _ := restored.Snapshot("s"); string(again) != savedText {
		t.Errorf("restored as %s", again)
	}
}

func TestSnapshotOfUnknownSession(t *testing.T) {
	got, err := New(0).Snapshot("s")
	if want := `{"version":2,"turn":0,"calls":""}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	d := full()
	if err := d.Restore("s", got); err != nil {
		t.Error(err)
	}
	if again, _ := d.Snapshot("s"); string(again) != string(got) {
		t.Errorf("an empty snapshot left %s", again)
	}
}

func TestFullSnapshotFits(t *testing.T) {
	d, restored := full(), New(0)
	data, err := d.Snapshot("s")
	if err != nil || len(data) > maxSnapshot/8 {
		t.Errorf("%d bytes, error %v", len(data), err)
	}
	copyTo(t, restored, d)
	if again, _ := restored.Snapshot("s"); string(again) != string(data) {
		t.Errorf("restored as %s", again)
	}
}

// full returns a detector whose session "s" takes as much room as one can.
func full() *Detector {
	d := New(0)
	for n := range 100 {
		id := fmt.Sprint("call", n)
		d.Observe("s", Call{ID: id, Key: key("A")}, Limits{})
		d.Report("s", id, key("1"))
	}
	return d
}

// copyTo carries the session "s" over as another process would.
func copyTo(t *testing.T, to, from *Detector) {
	t.Helper()
	data, err := from.Snapshot("s")
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Restore("s", data); err != nil {
		t.Fatal(err)
	}
}

// plain is a call of which nothing is known but its key.
var plain = call("\x00\x00\x00", 0, 1)

// refusedTests are snapshots that Restore refuses, with a part of the reason.
var refusedTests = []struct{ why, data string }{
	{"ends too early", ``},
	{"ends too early", `{"version":2,"turn":0,"calls":""`},
	{"something follows", saved(0) + `x`},
	{"cannot unmarshal", `[]`},
	{"version 0", `null`},
	{"version 0", `{}`},
	{"version 1", `{"version":1,"turn":0,"calls":[]}`},
	{"version 3", `{"version":3,"windows":[]}`},
	{"version -1", `{"version":-1}`},
	{"unknown field", `{"version":2,"turn":0,"calls":"","more":1}`},
	{"calls are missing", `{"version":2,"turn":0}`},
	{"illegal base64", `{"version":2,"turn":0,"calls":"A"}`},
	{"1 calls, 2 in the turn", saved(2, plain)},
	{"1 calls, -1 in the turn", saved(-1, plain)},
	{"more than 64 calls", saved(0, strings.Repeat(plain, 65))},
	{"call 1: it is cut short", saved(0, plain, "\x00")},
	{"call 0: it is cut short", saved(0, plain[1:])},
	{"call 0: it is cut short", saved(0, call("\x01\x00\x00", 0, 1))},
	{"marks 0x4", saved(0, call("\x04\x00\x00", 0, 1))},
	{"period 5", saved(0, call("\x00\x05\x04", 0, 1))},
	{"count 65", saved(0, call("\x00\x01\x41", 0, 1))},
	{"period 0, count 1", saved(0, call("\x00\x00\x01", 0, 1))},
	{"period 1, count 0", saved(0, call("\x00\x01\x00", 0, 1))},
	{"65537 bytes", saved(0) + strings.Repeat(" ", 65537-len(saved(0)))},
}

func TestRestoreRefuses(t *testing.T) {
	for _, tt := range refusedTests {
		d := full()
		before, _ := d.Snapshot("s")
		if err := d.Restore("s", []byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%.80s: error %v, want %q", tt.data, err, tt.why)
		}
		if after, _ := d.Snapshot("s"); string(after) != string(before) {
			t.Errorf("%.80s: refused, yet changed the session", tt.data)
		}
		if d.Restore("new", []byte(tt.data)); d.windows.Contains("new") {
			t.Errorf("%.80s: refused, yet made a session", tt.data)
		}
	}
}

// A snapshot has at most 64 KB, blanks included.
func TestRestoreSize(t *testing.T) {
	d := New(0)
	text := saved(1, call("\x00\x00\x00", 0, 1))
	most := text + strings.Repeat(" ", maxSnapshot-len(text))
	if err := d.Restore("s", []byte(most)); err != nil {
		t.Error(err)
	}
	if err := d.Restore("s", []byte(most+" ")); err == nil {
		t.Error("a snapshot of more than 64 KB is restored")
	}
}
