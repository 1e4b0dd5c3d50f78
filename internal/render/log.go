package render

import (
	"slices"
	"strings"
	"time"
)

// A Logged is a decision as a log shows it, in one line.
type Logged struct {
	ID, Decision, Agent, Project, Call, Why string
	Time                                    time.Time
}

// LogOptions say how a log is shown.
type LogOptions struct {
	// Now is when it is shown: of what was decided on its day only the clock is.
	Now time.Time
	// Short returns a path for people.
	Short func(string) string
	// Bare is for a log that goes on: it has no head, and its columns are always as wide.
	Bare bool
}

// wideLog is from how many columns on a log leaves nothing out: it always has the ids, and
// the agent and the project of each decision also where all have the same.
const wideLog = 100

// identifiedLog is from how many columns on a log has the ids where all that it shows has
// the same agent and project.
const identifiedLog = 72

// Log writes a decision a line, none wider than the page: what does not fit is cut, with
// a sign. Without a width nothing is cut.
func (p *Page) Log(list []Logged, o LogOptions) {
	wide := p.Width <= 0 || p.Width >= wideLog
	whole := wide || o.Bare
	rows := make([][]string, len(list))
	for i, d := range list {
		rows[i] = []string{logTime(d.Time, o.Now), d.Decision, d.Agent, o.Short(d.Project), d.Call, d.Why, short8(d.ID)}
	}
	head := []string{"TIME", "SAID", "AGENT", "PROJECT", "CALL", "WHY", "ID"}
	same := shared(rows, 2, 3)
	if same != "" && !whole {
		p.line(Plain(same))
		head, rows = without(head, rows, 2, 3)
	}
	if !wide && (whole || same == "" || p.Width < identifiedLog) {
		last := len(head) - 1
		head, rows = without(head, rows, last, last)
	}
	if !o.Bare {
		rows = append([][]string{head}, rows...)
	}
	p.Table(p.fitted(head, rows, o.Bare))
}

// logTime returns the clock of a day, or the date of another one.
func logTime(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("Jan _2")
}

// short8 returns as much of an id as names it.
func short8(id string) string { return id[:min(len(id), 8)] }

// shared returns what the columns from one to another say, "" where they do not say the
// same in each row.
func shared(rows [][]string, from, to int) string {
	for _, row := range rows {
		for k := from; k <= to; k++ {
			if row[k] != rows[0][k] {
				return ""
			}
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return strings.TrimPrefix(strings.Join(rows[0][from:to+1], " in "), " in ")
}

// without returns a table without the columns from one to another.
func without(head []string, rows [][]string, from, to int) ([]string, [][]string) {
	cut := func(row []string) []string { return append(row[:from:from], row[to+1:]...) }
	out := make([][]string, len(rows))
	for i, row := range rows {
		out[i] = cut(row)
	}
	return cut(head), out
}

// How wide a column of a log becomes, and how narrow.
var logBounds = map[string]struct{ least, most int }{
	"TIME": {6, 6}, "SAID": {5, 5}, "AGENT": {6, 8}, "PROJECT": {7, 16}, "WHY": {12, 28}, "ID": {8, 8},
}

// leastCall is how narrow the column of the calls becomes.
const leastCall = 14

// fitted returns rows that fit into the page. The calls have what the other columns leave.
func (p *Page) fitted(head []string, rows [][]string, fixed bool) [][]string {
	if p.Width <= 0 {
		return rows
	}
	widths := logWidths(head, rows, p.Width, fixed)
	for _, row := range rows {
		for i := range row {
			if head[i] == "PROJECT" {
				row[i] = cutBefore(row[i], widths[i])
			} else {
				row[i] = Cut(row[i], widths[i])
			}
			if fixed && i < len(row)-1 {
				row[i] = pad(row[i], widths[i])
			}
		}
	}
	return rows
}

// logWidths returns how wide each column becomes. Those that are fixed do not depend on
// the rows.
func logWidths(head []string, rows [][]string, width int, fixed bool) []int {
	widths := make([]int, len(head))
	left := width - 2*(len(head)-1)
	for i, name := range head {
		widths[i] = logBounds[name].most
		if !fixed {
			widths[i] = min(widths[i], widest(rows, i))
		}
		left -= widths[i]
	}
	for _, name := range []string{"PROJECT", "WHY", "AGENT"} { // what gives way first
		if i := slices.Index(head, name); i >= 0 {
			less := min(max(0, widths[i]-logBounds[name].least), max(0, 2*leastCall-left))
			widths[i] -= less
			left += less
		}
	}
	widths[slices.Index(head, "CALL")] = max(leastCall, left)
	return widths
}

// widest returns how many columns the widest cell of a column takes.
func widest(rows [][]string, i int) (most int) {
	for _, row := range rows {
		most = max(most, columns(Plain(row[i])))
	}
	return most
}
