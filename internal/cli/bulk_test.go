package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/cli"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
)

// process returns a process whose answers and complaints go to out.
func process(in io.Reader, out io.Writer, args ...string) console.Process {
	return console.Process{
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
		code <- cli.Run(context.Background(), process(in, out, "eval", "--jsonl"))
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
	if got := <-code; got != console.ExitFailure {
		t.Errorf("exit code %d", got)
	}
}

// A line that is too much to read takes nobody else's answer with it.
func TestBulkOutlivesLines(t *testing.T) {
	odd := []string{
		`printf '` + strings.Repeat(`\x72`, 9000) + `' | sh`,
		"echo " + strings.Repeat("r", 60<<10) + " | sh",
		"x=ab; " + strings.Repeat("x=$x$x; ", 28) + "rm $x",
		"x=(a b); " + strings.Repeat(`x+=("${x[@]}"); `, 25) + "echo $x",
		strings.Repeat("$(", 40<<10),
		"python3 -c '" + strings.Repeat("(", 100<<10) + "'",
	}
	var in strings.Builder
	for i, line := range odd {
		fmt.Fprintf(&in, "{\"id\":\"before %d\",\"command\":\"ls\"}\n", i)
		text, err := json.Marshal(map[string]string{"id": fmt.Sprint("odd ", i), "command": line})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(text, '\n'))
		fmt.Fprintf(&in, "{\"id\":\"behind %d\",\"command\":\"rm -rf /\"}\n", i)
	}
	var out strings.Builder
	if code := cli.Run(context.Background(), process(strings.NewReader(in.String()), &out, "eval", "--jsonl")); code != console.ExitAllow {
		t.Errorf("exit code %d", code)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(answers) != 3*len(odd) {
		t.Fatalf("%d answers to %d lines", len(answers), 3*len(odd))
	}
	for i, answer := range answers {
		var v struct{ ID, Decision string }
		if err := json.Unmarshal([]byte(answer), &v); err != nil {
			t.Fatal(err)
		}
		n, what := i/3, i%3
		if want := []string{"before", "odd", "behind"}[what]; v.ID != fmt.Sprintf("%s %d", want, n) {
			t.Errorf("answer %d is to %q", i, v.ID)
		}
		if want := []string{"allow", "ask", "deny"}[what]; v.Decision != want {
			t.Errorf("%q: %s", v.ID, v.Decision)
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
		cli.Run(context.Background(), process(strings.NewReader(in), &out, "eval", "--jsonl"))
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
