//go:build linux

package shells_test

import (
	"bufio"
	"os"
	"strconv"
	"testing"
)

// TestCases judges the lines that once made a difference.
func TestCases(t *testing.T) {
	need(t)
	f, err := os.Open("cases.txt")
	must(t, err)
	defer f.Close()
	var lines []string
	for scan := bufio.NewScanner(f); scan.Scan(); {
		text := scan.Text()
		if text == "" || text[0] == '#' {
			continue
		}
		line, err := strconv.Unquote(text)
		if err != nil {
			t.Fatalf("cases.txt: %s: %v", text, err)
		}
		lines = append(lines, line)
	}
	j := &judge{newBench(t), start(t, 0, recorders())}
	for _, line := range lines {
		g, err := j.judge(line)
		must(t, err)
		if n := len(g.Differences); n > 0 {
			t.Errorf("%q: %d differences, the first is\n\t%s", line, n, &g.Differences[0])
		}
	}
}
