package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/policyctl/policyctl/internal/layers"
)

// process returns a process whose answers and complaints go to out.
func process(in io.Reader, out io.Writer, args ...string) Process {
	return Process{
		Args: args, Stdin: in, Stdout: out, Stderr: out,
		Getenv: func(string) string { return "" },
		Getwd:  func() (string, error) { return "/w", nil },
		Place: func() (layers.Place, error) {
			return layers.Place{Home: "/none", Config: "/none/config", State: "/none/state"}, nil
		},
	}
}

// A program that waits for an answer before it asks again must get it.
func TestBulkAnswersAtOnce(t *testing.T) {
	in, calls := io.Pipe()
	answers, out := io.Pipe()
	code := make(chan int)
	go func() {
		code <- Run(context.Background(), process(in, out, "eval", "--jsonl"))
		out.Close()
	}()
	lines := bufio.NewScanner(answers)
	for i := range 3 {
		// The beginning of the next call must not keep the answer back.
		fmt.Fprintf(calls, "%s\"id\":\"%d\",\"command\":\"ls\"}\n{", strings.Repeat("{", 1-min(i, 1)), i)
		if !lines.Scan() || !strings.HasPrefix(lines.Text(), fmt.Sprintf(`{"id":"%d"`, i)) {
			t.Fatalf("answer %d: %s", i, lines.Text())
		}
	}
	fmt.Fprint(calls, `"id":"3"`)
	calls.Close()
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), `{"id":"3","error":`) {
		t.Error(lines.Text())
	}
	go io.Copy(io.Discard, answers)
	if got := <-code; got != exitFailure {
		t.Errorf("exit code %d", got)
	}
}

func TestCallID(t *testing.T) {
	for line, want := range map[string]any{
		`{"id":"1","command":`:        "1",
		`{"command":["a"],"id":"1" x`: "1",
		`{"id":"1","id":"1"}`:         "1",
		`{"id":"1","id":"2"}`:         nil,
		`{"id":8}`:                    json.Number("8"),
		`{"id":null}`:                 nil,
		`{"id":{"a":1}}`:              nil,
		`{"ID":"1"}`:                  nil,
		`{"input":{"id":"1"}}`:        nil,
		`["id","1"]`:                  nil,
		`"id"`:                        nil,
		``:                            nil,
	} {
		if diff := cmp.Diff(want, callID([]byte(line))); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	in := bufio.NewReaderSize(strings.NewReader("a\n\nb\r\n"+long+"\n"+long+"x\nlast"), 16)
	for i, want := range []struct {
		line string
		err  error
	}{{"a", nil}, {"", nil}, {"b\r", nil}, {long, nil}, {long + "x", errLong}, {"last", nil}, {"", io.EOF}} {
		got, err := readLine(in)
		if err != want.err || !strings.HasPrefix(string(got), want.line) {
			t.Errorf("line %d: %.20q, %v", i, got, err)
		}
	}
}

// FuzzBulk checks that every line gets one answer, which is JSON.
func FuzzBulk(f *testing.F) {
	f.Add(`{"id":"1","command":"ls"}` + "\n" + `{"id":"2",`)
	f.Add(`{"id":8,"tool":"read","input":{"file_path":".env"}}`)
	f.Add("\n \n\x00\xff\n[]")
	f.Fuzz(func(t *testing.T, in string) {
		var out strings.Builder
		Run(context.Background(), process(strings.NewReader(in), &out, "eval", "--jsonl"))
		want := 0
		for line := range strings.SplitSeq(in, "\n") {
			if strings.TrimSpace(line) != "" {
				want++
			}
		}
		got := 0
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "policyctl: ") {
				continue
			}
			got++
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %q", line)
			}
		}
		if got != want {
			t.Errorf("%d answers to %d lines", got, want)
		}
	})
}
