package judge

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
