package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/internal/trial/seed"
)

// slowly reads a line as encoding/json does, and only one that is spelled as it
// was written.
func slowly(line []byte) (*Record, error) {
	if _, err := decode(line); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	r := &Record{}
	if err := d.Decode(r); err != nil {
		return nil, err
	}
	written, err := r.line()
	if err == nil && !bytes.Equal(line, written) {
		err = fmt.Errorf("it was written as %s", written)
	}
	return r, err
}

// agrees checks that what is read quickly is what is read slowly.
func agrees(t *testing.T, line []byte) bool {
	t.Helper()
	got, ok := Spelled(line)
	want, err := slowly(line)
	switch {
	case !ok:
		return false
	case err != nil:
		t.Errorf("%s is read, and %v", line, err)
	case !reflect.DeepEqual(got, want):
		t.Errorf("%s is read as %+v, not as %+v", line, got, want)
	}
	return true
}

func lineOf(t testing.TB, edit func(*Entry)) []byte {
	t.Helper()
	e := full()
	edit(&e)
	line, err := next(t, nil, e).line()
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// What is usual is read quickly.
func TestSpelled(t *testing.T) {
	for name, edit := range map[string]func(*Entry){
		"full":     func(*Entry) {},
		"bare":     func(e *Entry) { *e = Entry{Time: noon, Kind: KindLogin, Actor: "login:1"} },
		"escapes":  func(e *Entry) { e.Reason = "a\"b\\c\nd\te\r<&>é😀" },
		"redacted": func(e *Entry) { e.Reason = "token ghp_16C7e42F292c6912E7710c838347Ae178B4a" },
		"whole":    func(e *Entry) { e.Time = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
		"arguments": func(e *Entry) {
			e.Arguments = json.RawMessage(`{"b":[1,-0.5e+10,{"x":{}},[],true,false,null,""],"a":"x\ny","n":12345678901234567890}`)
		},
		"scalar": func(e *Entry) { e.Arguments = json.RawMessage(`"x"`) },
	} {
		if !agrees(t, lineOf(t, edit)) {
			t.Errorf("%s: it is not read", name)
		}
	}
}

// Whatever is changed in a line, it is read quickly only if it is read slowly,
// and in the same way.
func TestSpelledEdits(t *testing.T) {
	seed.Slow(t)
	lines := [][]byte{lineOf(t, func(*Entry) {}), lineOf(t, func(e *Entry) {
		e.Arguments = json.RawMessage(`{"a":{"b":[1,2.5e3,null]},"c":"\n"}`)
		e.Reason = "GITHUB_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	})}
	read := 0
	for _, line := range lines {
		for i := range line {
			for _, with := range []string{"", " ", "0", "\"", "\\", "\\u0041", ",", "}", "]", "\x00", "\xff", "\u2028", "\x7f", "é", "-", "e", ":1"} {
				for _, cut := range []int{0, 1, len(line) - i} {
					edited := append(append(append([]byte{}, line[:i]...), with...), line[i+cut:]...)
					if agrees(t, edited) {
						read++
					}
				}
			}
		}
	}
	if read < 1000 {
		t.Errorf("only %d were read", read)
	}
}

func TestSpelledNever(t *testing.T) {
	good := string(lineOf(t, func(*Entry) {}))
	for name, pair := range map[string][2]string{
		"key twice":       {`"command":"git push && echo <ok>"`, `"command":"ls","command":"git push && echo <ok>"`},
		"keys unsorted":   {`"command":"git push && echo <ok>","timeout":120`, `"timeout":120,"command":"git push && echo <ok>"`},
		"blank":           {`"timeout":120`, `"timeout": 120`},
		"leading zero":    {`"timeout":120`, `"timeout":0120`},
		"plus":            {`"timeout":120`, `"timeout":+120`},
		"dot":             {`"timeout":120`, `"timeout":120.`},
		"comma at end":    {`"timeout":120}`, `"timeout":120,}`},
		"another zone":    {`11:00:00.123456Z`, `12:00:00.123456+01:00`},
		"zeros":           {`11:00:00.123456Z`, `11:00:00.123456000Z`},
		"empty member":    {`"tool":"shell"`, `"tool":""`},
		"empty detail":    {`"detail":{"channel":"telegram","uses":"1"}`, `"detail":{}`},
		"detail unsorted": {`{"channel":"telegram","uses":"1"}`, `{"uses":"1","channel":"telegram"}`},
		"unknown member":  {`"tool":"shell"`, `"tool":"shell","x":"y"`},
		"case":            {`"tool":`, `"Tool":`},
		"seq":             {`{"seq":1,`, `{"seq":01,`},
		"seq 0":           {`{"seq":1,`, `{"seq":0,`},
		"control":         {"by hand", "by\x01hand"},
		"deep":            {`120`, strings.Repeat("[", 300) + strings.Repeat("]", 300)},
	} {
		line := strings.Replace(good, pair[0], pair[1], 1)
		if line == good {
			t.Fatal(name)
		}
		if r, ok := Spelled([]byte(line)); ok {
			t.Errorf("%s is read as %+v", name, r)
		}
	}
}

func FuzzSpelled(f *testing.F) {
	f.Add(lineOf(f, func(*Entry) {}))
	f.Add([]byte(`{"seq":1,"prev":"","time":"2026-03-01T11:00:00Z","kind":"","actor":"","hash":""}`))
	f.Fuzz(func(t *testing.T, line []byte) { agrees(t, line) })
}

// Arguments in another spelling than that of [Next] are made plain before they
// are hashed, whatever the record says.
func TestPlainOnlyWhereNeeded(t *testing.T) {
	for _, args := range []string{`{"b":1,"a":2}`, `{"a": 1}`, `{"a":1,"a":2}`, `"\u0041"`, `1 `} {
		if isSpelled([]byte(args)) {
			t.Errorf("%s", args)
		}
	}
	r := next(t, nil, full())
	r.Arguments = json.RawMessage(`{"timeout":120,"command":"x","command":"git push && echo <ok>"}`)
	r.Hash, _ = r.plainDigest()
	if err := new(Verifier).Check(r); err == nil {
		t.Error("a key that appears twice is in the chain")
	}
}

// A million records take about twelve seconds of processor time. The bound is twice
// that, which another way to check passes and a slow machine does not.
func TestVerifyCost(t *testing.T) {
	const records, bound = 20_000, 25 * time.Microsecond
	var lines [][]byte
	var last *Record
	for range records {
		last = next(t, last, full())
		line, err := last.line()
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	best := time.Hour
	for range 3 {
		best = min(best, cputime.Of(func() {
			var v Verifier
			for _, line := range lines {
				r, ok := Spelled(line)
				if !ok || v.Check(r) != nil {
					t.Fatal("the log does not hold")
				}
			}
		}))
	}
	t.Logf("%s for each record", best/records)
	if !raceEnabled && best/records > bound {
		t.Errorf("%s for each record, more than %s", best/records, bound)
	}
}
