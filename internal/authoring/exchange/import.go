package exchange

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// Import reads rules of the service: JSON in the shape of rows, of the API or
// of compiled rules, JSON lines, or CSV with a header. The error names all
// that makes no sense.
func Import(name string, data []byte) (*Result, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%s: is not UTF-8 text: name rules as JSON or CSV", name)
	}
	all, err := readEntries(name, data)
	if err != nil {
		return nil, err
	}
	im := importer{ids: make(map[string]string)}
	for i := range all {
		im.entry(&all[i])
	}
	if err := im.errs.err(); err != nil {
		return nil, err
	}
	return &im.Result, nil
}

// readEntries finds out how rules are written, and reads them.
func readEntries(name string, data []byte) ([]entry, error) {
	start := bytes.TrimLeft(data, " \t\r\n")
	switch {
	case len(start) == 0:
		return nil, fmt.Errorf("%s: is empty: name rules as JSON or CSV", name)
	case start[0] != '{' && start[0] != '[':
		return readCSV(name, data)
	}
	var all []entry
	var errs problems
	for n, err := range strictjson.Sequence(data, strictjson.Options{}) {
		if err != nil {
			errs.add(placed(name, err))
			break
		}
		list, err := entries(name, nodeOf(n))
		errs.add(err)
		all = append(all, list...)
	}
	return all, errs.err()
}

// An importer makes rules of entries.
type importer struct {
	Result
	ids  map[string]string // with the place of each
	errs problems
}
