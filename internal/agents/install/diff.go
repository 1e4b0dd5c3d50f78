package install

import (
	"fmt"
	"strings"
)

// around is how many lines a difference shows around what changes.
const around = 3

// A diffLine is a line with what happens to it: ' ', '-' or '+'.
type diffLine struct {
	mark byte
	text string
}

// unified returns the difference of two texts in the unified format (POSIX
// diff -u, without times).
func unified(fromName, toName, from, to string) string {
	lines := compare(lines(from), lines(to))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", fromName, toName)
	for at := 0; at < len(lines); {
		start, end := hunk(lines, at)
		if start == end {
			break
		}
		writeHunk(&b, lines, start, end)
		at = end
	}
	return b.String()
}

// lines returns the lines of a text with what ends them.
func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, line)
	}
	return out
}

// hunk returns the next part from a line on that shows changes with their
// around; it is empty if there are none.
func hunk(lines []diffLine, at int) (start, end int) {
	first, last := -1, -1
	for i := at; i < len(lines); i++ {
		if lines[i].mark == ' ' {
			if last >= 0 && i-last > 2*around {
				break
			}
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	if first < 0 {
		return len(lines), len(lines)
	}
	return max(at, first-around), min(len(lines), last+around+1)
}

func writeHunk(b *strings.Builder, lines []diffLine, start, end int) {
	fromBefore, toBefore := count(lines[:start])
	from, to := count(lines[start:end])
	fmt.Fprintf(b, "@@ -%s +%s @@\n", position(fromBefore, from), position(toBefore, to))
	for _, l := range lines[start:end] {
		text, ended := strings.CutSuffix(l.text, "\n")
		fmt.Fprintf(b, "%c%s\n", l.mark, strings.TrimSuffix(text, "\r"))
		if !ended {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}

// count returns how many lines the old and the new text have in a part.
func count(lines []diffLine) (from, to int) {
	for _, l := range lines {
		if l.mark != '+' {
			from++
		}
		if l.mark != '-' {
			to++
		}
	}
	return from, to
}

func position(before, size int) string {
	if size > 0 {
		before++
	}
	return fmt.Sprintf("%d,%d", before, size)
}

// maxTable bounds the work of a comparison; beyond it the middle is shown as
// exchanged.
const maxTable = 4 << 20

// compare returns the lines of two texts, those that both have once.
func compare(from, to []string) (out []diffLine) {
	head, tail := 0, 0
	for head < len(from) && head < len(to) && from[head] == to[head] {
		head++
	}
	for tail < len(from)-head && tail < len(to)-head && from[len(from)-1-tail] == to[len(to)-1-tail] {
		tail++
	}
	mark := func(c byte, texts []string) {
		for _, t := range texts {
			out = append(out, diffLine{c, t})
		}
	}
	mark(' ', from[:head])
	out = append(out, middle(from[head:len(from)-tail], to[head:len(to)-tail])...)
	mark(' ', from[len(from)-tail:])
	return out
}

// middle compares by the longest common subsequence.
func middle(from, to []string) (out []diffLine) {
	common := subsequences(from, to)
	i, j := 0, 0
	for i < len(from) || j < len(to) {
		switch {
		case common != nil && i < len(from) && j < len(to) && from[i] == to[j]:
			out = append(out, diffLine{' ', from[i]})
			i, j = i+1, j+1
		case i < len(from) && (j == len(to) || common == nil || common[i+1][j] >= common[i][j+1]):
			out = append(out, diffLine{'-', from[i]})
			i++
		default:
			out = append(out, diffLine{'+', to[j]})
			j++
		}
	}
	return out
}

// subsequences returns how many lines the rests of two texts have in common,
// by where the rests begin; nil if the texts are too long.
func subsequences(from, to []string) [][]int {
	if (len(from)+1)*(len(to)+1) > maxTable {
		return nil
	}
	table := make([][]int, len(from)+1)
	for i := range table {
		table[i] = make([]int, len(to)+1)
	}
	for i := len(from) - 1; i >= 0; i-- {
		for j := len(to) - 1; j >= 0; j-- {
			table[i][j] = max(table[i+1][j], table[i][j+1])
			if from[i] == to[j] {
				table[i][j] = table[i+1][j+1] + 1
			}
		}
	}
	return table
}
