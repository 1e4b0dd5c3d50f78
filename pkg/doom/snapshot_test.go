package doom

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// savedText is a snapshot with every kind of call.
var savedText = `{"version":1,"turn":3,"calls":[` +
	`{"key":"` + text(1) + `","result":"` + text(2) + `","id":"12638214688346347271"},` +
	`{"key":"` + text(1) + `"},` +
	`{"key":"` + text(1) + `","period":1,"count":2},` +
	`{"key":"` + text(3) + `","forgiven":true}]}`

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

// text returns the key that begins with b as a snapshot writes it.
func text(b byte) string {
	k := Key{b}
	return base64.StdEncoding.EncodeToString(k[:])
}

func TestSnapshotOfUnknownSession(t *testing.T) {
	got, err := New(0).Snapshot("s")
	if want := `{"version":1,"turn":0,"calls":[]}`; err != nil || string(got) != want {
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
	if err != nil || len(data) > maxSnapshot/4 {
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

// savedCallText is one call of a snapshot.
var savedCallText = `{"key":"` + text(1) + `"}`

// refusedTests are snapshots that Restore refuses, with a part of the reason.
var refusedTests = []struct{ why, data string }{
	{"ends too early", ``},
	{"ends too early", `{"version":1,"turn":0,"calls":[]`},
	{"something follows", `{"version":1,"turn":0,"calls":[]}x`},
	{"cannot unmarshal", `[]`},
	{"version 0", `null`},
	{"version 0", `{}`},
	{"version 2", `{"version":2,"windows":[]}`},
	{"version -1", `{"version":-1}`},
	{"unknown field", `{"version":1,"turn":0,"calls":[],"more":1}`},
	{"calls are missing", `{"version":1,"turn":0}`},
	{"1 calls, 2 in the turn", `{"version":1,"turn":2,"calls":[` + savedCallText + `]}`},
	{"1 calls, -1 in the turn", `{"version":1,"turn":-1,"calls":[` + savedCallText + `]}`},
	{"65 calls", `{"version":1,"turn":0,"calls":[` + strings.Repeat(savedCallText+",", 64) + savedCallText + `]}`},
	{"call 1: key of 0 bytes", `{"version":1,"turn":0,"calls":[` + savedCallText + `,{}]}`},
	{"key of 33 bytes", `{"version":1,"turn":0,"calls":[{"key":"` + strings.Repeat("A", 44) + `"}]}`},
	{"result of 3 bytes", `{"version":1,"turn":0,"calls":[{"key":"` + text(1) + `","result":"AAAA"}]}`},
	{"result of 0 bytes", `{"version":1,"turn":0,"calls":[{"key":"` + text(1) + `","result":""}]}`},
	{"period 5", `{"version":1,"turn":0,"calls":[{"key":"` + text(1) + `","period":5,"count":4}]}`},
	{"count 65", `{"version":1,"turn":0,"calls":[{"key":"` + text(1) + `","period":1,"count":65}]}`},
	{"period 0, count 1", `{"version":1,"turn":0,"calls":[{"key":"` + text(1) + `","count":1}]}`},
	{"period 1, count 0", `{"version":1,"turn":0,"calls":[{"key":"` + text(1) + `","period":1}]}`},
	{"65537 bytes", `{"version":1,"turn":0,"calls":[]}` + strings.Repeat(" ", 65537-33)},
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
