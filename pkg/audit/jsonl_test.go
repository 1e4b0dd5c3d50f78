package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// written returns a log as JSON Lines.
func written(t testing.TB, log []*Record) string {
	t.Helper()
	var b strings.Builder
	if err := WriteJSONL(&b, each(log)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// verifyFile reads and checks a file as "policyctl audit verify" does.
func verifyFile(file string) error {
	var v Verifier
	for r, err := range ReadJSONL(strings.NewReader(file)) {
		if err != nil {
			return err
		}
		if err := v.Check(r); err != nil {
			return err
		}
	}
	return v.End()
}

func TestFileComesBack(t *testing.T) {
	odd := full()
	odd.Arguments = json.RawMessage(`{"n":9007199254740993,"t":"\u2028<\u0000"}`)
	odd.Reason = "a\u2028b\n\t\"<é😀>\\ \x7f" + secret
	odd.ExecutionResult = "\xff\x00"
	least := Entry{Time: noon, Kind: KindLogin, Actor: "uid:0"}
	var log []*Record
	var last *Record
	for _, e := range []Entry{full(), odd, least} {
		last = next(t, last, e)
		log = append(log, last)
	}
	file := written(t, log)
	if err := verifyFile(file); err != nil {
		t.Error(err)
	}
	var back []*Record
	for r, err := range ReadJSONL(strings.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		back = append(back, r)
	}
	if diff := cmp.Diff(log, back); diff != "" {
		t.Error(diff)
	}
	if again := written(t, back); again != file {
		t.Error("written again, the file is another")
	}
	if err := verifyFile(""); err != nil {
		t.Errorf("an empty log: %v", err)
	}
}

// Whatever single byte of a file changes, goes or comes, it is found.
func TestEachByteOfAFile(t *testing.T) {
	e := full()
	e.Arguments = json.RawMessage(`{"n":[1.0,1e5,null,true],"text":"\u0001\u2028é<"}`)
	first := next(t, nil, e)
	file := written(t, []*Record{first, next(t, first, Entry{Time: noon, Kind: KindExpiry, Actor: "service"})})
	for i := range len(file) {
		for _, bit := range []byte{0x01, 0x02, 0x04, 0x10, 0x20, 0x80} {
			mutated := []byte(file)
			mutated[i] ^= bit
			if verifyFile(string(mutated)) == nil {
				t.Errorf("byte %d, bit %#x: %q became %q unseen", i, bit, file[max(0, i-9):i+1], mutated[max(0, i-9):i+1])
			}
		}
		for _, extra := range []string{"", " ", "0", "\n", `"`, `\`} {
			mutated := file[:i] + extra + file[i+1-min(1, len(extra)):]
			if verifyFile(mutated) == nil {
				t.Errorf("%q in place of byte %d unseen", extra, i)
			}
		}
	}
}

func TestReadingIsStrict(t *testing.T) {
	file := written(t, chain(t, "a", 2))
	first, second, _ := strings.Cut(strings.TrimSuffix(file, "\n"), "\n")
	edit := func(old, new string) string { return first + "\n" + strings.Replace(second, old, new, 1) + "\n" }
	rows := []struct{ want, file string }{
		{"line 2: not an audit record: json: unknown field \"note\"", edit(`{"seq"`, `{"note":1,"seq"`)},
		{"line 2: column 10: the key \"seq\" appears twice", edit(`{"seq":2`, `{"seq":1,"seq":2`)},
		{"line 2: column 290: the key \"timeout\" appears twice", edit(`"timeout":120`, `"timeout":120,"timeout":120`)},
		{"line 2: column 3: not as it was written", edit(`{"seq":2`, `{"Seq":2`)},
		{"line 2: column 2: not as it was written", edit(`{"seq"`, `{ "seq"`)},
		{"line 2: column ", edit(`&&`, `\u0026\u0026`)},
		{"line 2: column ", edit(`"timeout":120`, `"timeout": 120`)},
		{"line 2: column ", edit(`11:00:00.123456Z`, `12:00:00.123456+01:00`)},
		{"line 2: column ", edit(`,"hash"`, `,"redacted":null,"hash"`)},
		{"line 2: column ", edit(`"tool":"shell"`, `"tool":""`)},
		{"line 2: column 810: something follows the JSON", first + "\n" + second + second + "\n"},
		{"line 2: column 810: something follows the JSON", first + "\n" + second + "{}\n"},
		{"line 2: the file ends inside this line", first + "\n" + second},
		{"line 2: the file ends inside this line", first + "\n" + second[:40]},
		{"line 2: column ", first + "\n" + second + "\r\n"},
		{"line 2: empty", first + "\n\n" + second + "\n"},
		{"line 3: empty", file + "\n"},
		{"line 1: column 1: not JSON: invalid character '\\ufeff'", "\ufeff" + file},
		{"line 1: column 462: the JSON is not valid UTF-8", strings.Replace(file, "a 1", "\xff", 1)},
		{"line 1: seq is 0", "null\n"},
		{"line 1: not an audit record", "[]\n"},
		{"line 1: not an audit record", `{"seq":1.5}` + "\n"},
		{"line 1: not an audit record", `{"seq":"1"}` + "\n"},
		{"line 1: column 251: the JSON nests deeper", strings.Repeat("[", 300) + strings.Repeat("]", 300) + "\n"},
		{"line 2: column 316: half of a surrogate pair", edit(`"agent":"`, `"agent":"\ud83d`)},
		{"line 1: longer than", strings.Repeat(" ", maxLine+1)},
	}
	for _, row := range rows {
		if err := verifyFile(row.file); err == nil || !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%v, not an error that begins with %s", err, row.want)
		}
	}
}

// The largest record that is made can be read back.
func TestLargestRecord(t *testing.T) {
	e := full()
	size := 1600
	e.ExecutionResult = strings.Repeat("\u2028", (maxSize-size)/3)
	if err := verifyFile(written(t, []*Record{next(t, nil, e)})); err != nil {
		t.Error(err)
	}
}

var errStore = errors.New("the store is gone")

func TestWritingFails(t *testing.T) {
	log := chain(t, "a", 2)
	broken := func() iter.Seq2[*Record, error] {
		return func(yield func(*Record, error) bool) {
			_ = yield(log[0], nil) && yield(nil, errStore)
		}
	}
	bad := *log[1]
	bad.Reason = "\xff"
	for name, write := range map[string]func(io.Writer, iter.Seq2[*Record, error]) error{"JSON Lines": WriteJSONL, "CSV": WriteCSV} {
		var b bytes.Buffer
		if err := write(&b, broken()); !errors.Is(err, errStore) || !strings.Contains(b.String(), log[0].Hash) {
			t.Errorf("%s: %v after %q", name, err, b.String())
		}
		if err := write(io.Discard, each([]*Record{&bad})); err == nil || !strings.Contains(err.Error(), "record 2: /reason is not UTF-8 text") {
			t.Errorf("%s: %v", name, err)
		}
		if err := write(fullDisk{}, each(log)); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Who stops early gets no more, and no panic.
func TestReadingStopsEarly(t *testing.T) {
	for r, err := range ReadJSONL(strings.NewReader(written(t, chain(t, "a", 3)))) {
		if err != nil || r.Seq != 1 {
			t.Fatal(r, err)
		}
		break
	}
}

// What is read without an error is written back as it was.
func FuzzReadJSONL(f *testing.F) {
	file := written(f, chain(f, "a", 2))
	f.Add([]byte(file))
	f.Add([]byte(file[:len(file)-1]))
	f.Add([]byte("null\n{}\n[]\n\n"))
	f.Add([]byte(`{"seq":1,"prev":"","time":"2026-03-01T11:00:00Z","kind":"","actor":"\ud83d","arguments":[1e400,{"a":null}],"hash":""}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var log []*Record
		for r, err := range ReadJSONL(bytes.NewReader(data)) {
			if err != nil {
				return
			}
			log = append(log, r)
		}
		if again := written(t, log); again != string(data) {
			t.Errorf("%q became %q", data, again)
		}
	})
}

// Whatever an agent sends is recorded, verifies and comes back from a file.
func FuzzNext(f *testing.F) {
	f.Add(`{"a":[1,2.0,null],"a":1}`, "exit 0", "x")
	f.Add("\xff", "\x00", secret)
	f.Add(`{"token":"\ud83d\ude00","b":-0}`, `\xff`, "password=hunter2")
	f.Fuzz(func(t *testing.T, arguments, result, reason string) {
		e := full()
		e.Arguments, e.ExecutionResult, e.Reason, e.Detail["text"] = json.RawMessage(arguments), result, reason, reason
		r, err := Next(nil, e)
		if err != nil {
			t.Fatal(err)
		}
		if want, got := reference(t, r), string(r.canonical()); want != got {
			t.Errorf("%q, not %q", got, want)
		}
		if err := verifyFile(written(t, []*Record{r})); err != nil {
			t.Error(err)
		}
		var b strings.Builder
		if err := WriteCSV(&b, each([]*Record{r})); err != nil {
			t.Error(err)
		}
	})
}

// Keys of arguments and of details may differ in case alone.
func TestCaseOfKeys(t *testing.T) {
	r, err := Next(nil, Entry{Time: noon, Kind: "decision", Actor: "a", Arguments: json.RawMessage(`{"a":1,"A":"é\u2028"}`), Detail: map[string]string{"k": "1", "K": "2"}})
	if err != nil {
		t.Fatal(err)
	}
	line, err := r.line()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readLine(line); err != nil {
		t.Error(err)
	}
	var into Record
	if err := strictjson.Decode(line, &into); err != nil {
		t.Error(err)
	}
}
