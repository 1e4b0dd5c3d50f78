package exchange

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/policyctl/policyctl/pkg/document"
)

// readCSV reads rows as sqlite3 -header -csv prints them: an empty field is
// NULL.
func readCSV(name string, data []byte) ([]entry, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if err != nil {
		return nil, csvError(name, err)
	}
	columns, err := csvHead(name, r, head)
	if err != nil {
		return nil, err
	}
	var all []entry
	var errs problems
	for {
		row, err := r.Read()
		if err == io.EOF {
			return all, errs.err()
		}
		if err != nil {
			return nil, csvError(name, err)
		}
		e, err := csvEntry(name, r, columns, row)
		errs.add(err)
		all = append(all, e)
	}
}

func csvError(name string, err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf("%s:%d:%d: not CSV: %w", name, p.Line, p.Column, p.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// csvHead reads the names of the columns.
func csvHead(name string, r *csv.Reader, head []string) ([]document.Node, error) {
	var columns []document.Node
	var errs problems
	seen := make(map[string]bool)
	for i, column := range head {
		n := csvNode(r, i, column)
		columns = append(columns, n)
		if _, ok := fieldOf(column); !ok {
			errs.add(failAt(name, n, "unknown column %q of approval_rules%s", column, nearest(column, keysLike("_"))))
		}
		if seen[column] {
			errs.add(failAt(name, n, "the column %q appears twice: remove one", column))
		}
		seen[column] = true
	}
	return columns, errs.err()
}

func csvNode(r *csv.Reader, i int, value string) document.Node {
	line, column := r.FieldPos(i)
	return document.Node{Kind: document.Text, Text: value, Line: line, Column: column}
}

func csvEntry(name string, r *csv.Reader, columns []document.Node, row []string) (entry, error) {
	n := document.Node{Kind: document.Map, Keys: columns}
	n.Line, n.Column = r.FieldPos(0)
	if len(row) != len(columns) {
		return entry{}, failAt(name, n, "the row has %d fields and the header %d: print them with sqlite3 -header -csv", len(row), len(columns))
	}
	for i, value := range row {
		item := csvNode(r, i, value)
		f, _ := fieldOf(columns[i].Text)
		switch {
		case value == "":
			item.Kind = document.Null
		case f.kind == number || f.kind == flag:
			item.Kind = document.Number
		}
		n.Items = append(n.Items, item)
	}
	return newEntry(name, n)
}
