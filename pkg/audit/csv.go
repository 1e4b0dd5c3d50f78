package audit

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// columns are the header of the CSV file.
var columns = []string{
	"seq", "time", "kind", "actor", "request_id", "tool", "arguments", "session", "agent", "dir", "decision",
	"decided_by", "decided_at", "reason", "rule", "stage", "revision", "request_hash", "execution_result", "detail",
	"redacted", "prev", "hash",
}

// WriteCSV writes a header and the records as CSV (RFC 4180), every cell in
// quotes. Arguments, detail and redacted are JSON.
//
// A spreadsheet runs a cell that begins with = + - or @. Such a cell, also one
// that begins with their full-width forms, blanks before them, a tab, a line
// end or an apostrophe, gets an apostrophe in front: without the first
// apostrophe a cell is what was recorded. The file is for people; a chain is
// verified from JSON Lines.
func WriteCSV(w io.Writer, records iter.Seq2[*Record, error]) error {
	out := bufio.NewWriter(w)
	writeRow(out, columns)
	return write(out, records, func(out *bufio.Writer, r *Record) error {
		row, err := r.row()
		if err == nil {
			writeRow(out, row)
		}
		return err
	})
}

// row returns the cells in the order of [columns].
func (r *Record) row() ([]string, error) {
	p, err := r.plain()
	if err != nil {
		return nil, err
	}
	detail, errDetail := listCell(p.Detail, len(p.Detail))
	redacted, errRedacted := listCell(p.Redacted, len(p.Redacted))
	if err := errors.Join(errDetail, errRedacted); err != nil {
		return nil, err
	}
	decided := ""
	if p.DecidedAt != nil {
		decided = p.DecidedAt.Format(time.RFC3339Nano)
	}
	return []string{
		strconv.FormatInt(p.Seq, 10), p.Time.Format(time.RFC3339Nano), p.Kind, p.Actor, p.RequestID, p.Tool,
		string(p.Arguments), p.Session, p.Agent, p.Dir, p.Decision, p.DecidedBy, decided, p.Reason, p.Rule, p.Stage,
		p.Revision, p.RequestHash, p.ExecutionResult, detail, redacted, p.Prev, p.Hash,
	}, nil
}

// listCell returns the JSON of a value of that many members, "" for none.
func listCell(v any, members int) (string, error) {
	if members == 0 {
		return "", nil
	}
	data, err := strictjson.Marshal(v)
	return string(data), err
}

// WriteCells writes one line of a CSV file as [WriteCSV] does. An error stays in the
// writer until it is flushed.
func WriteCells(out *bufio.Writer, cells []string) { writeRow(out, cells) }

// writeRow writes one line. The writer of encoding/csv ends lines as RFC 4180
// says only where it also rewrites the line ends inside of cells. An error
// stays in the writer until it is flushed.
func writeRow(out *bufio.Writer, cells []string) {
	for i, cell := range cells {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('"')
		out.WriteString(strings.ReplaceAll(harmless(cell), `"`, `""`))
		out.WriteByte('"')
	}
	out.WriteString("\r\n")
}

// dangerousStarts are what a formula begins with, and the apostrophe that
// says that there is none.
var dangerousStarts = []string{"=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n", "'"}

// harmless returns a cell that no spreadsheet takes for a formula. Some of them
// pass over blanks and over what cannot be seen.
func harmless(cell string) string {
	seen := strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) })
	for _, start := range dangerousStarts {
		if strings.HasPrefix(cell, start) || strings.HasPrefix(seen, start) {
			return "'" + cell
		}
	}
	return cell
}
