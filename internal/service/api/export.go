package api

import (
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/policyctl/policyctl/pkg/audit"
)

// formats are those of the export.
var formats = map[string]struct {
	media string
	write func(io.Writer, iter.Seq2[*audit.Record, error]) error
}{
	"jsonl": {"application/jsonl", audit.WriteJSONL},
	"csv":   {"text/csv; charset=utf-8", audit.WriteCSV},
}

func (a *API) exportAudit(x *exchange) error {
	name := "jsonl"
	if x.query.Has("format") {
		name = x.query.Get("format")
	}
	format, ok := formats[name]
	if !ok {
		return badQuery(fmt.Sprintf("format: %.64q", name), "give jsonl or csv")
	}
	x.w.Header().Set("Content-Type", format.media)
	sent := &counted{w: x.w}
	err := format.write(sent, a.records(x))
	if err != nil && sent.n > 0 {
		a.b.Log.ErrorContext(x.context(), "an export of the audit log broke off", "error", err)
		panic(http.ErrAbortHandler) // else the part would pass for the whole
	}
	return err
}

// A counted counts what was written.
type counted struct {
	w io.Writer
	n int
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += n
	return n, err
}
