package api

import (
	"fmt"
	"io"
	"iter"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/pkg/audit"
)

// formats are those of the export of the audit log.
var formats = map[string]format[*audit.Record]{
	"jsonl": {"application/jsonl", audit.WriteJSONL},
	"csv":   {"text/csv; charset=utf-8", audit.WriteCSV},
}

func (a *API) exportAudit(x *route.Exchange) error {
	format, err := formatOf(x, formats, "audit-log")
	if err != nil {
		return err
	}
	f, err := x.AuditFilter()
	if err != nil {
		return err
	}
	return export(x, func(w io.Writer) error { return format.write(w, records(x, f)) })
}

// A format is how something is exported.
type format[T any] struct {
	media string
	write func(io.Writer, iter.Seq2[T, error]) error
}

// formatOf returns the format that is asked for, and says so of the answer, which
// browsers keep as a file of a name.
func formatOf[T any](x *route.Exchange, known map[string]format[T], file string) (format[T], error) {
	name := "jsonl"
	if x.Query.Has("format") {
		name = x.Query.Get("format")
	}
	f, ok := known[name]
	if !ok {
		return f, webguard.BadQuery(fmt.Sprintf("format: %.64q", name), "give jsonl or csv")
	}
	x.W.Header().Set("Content-Type", f.media)
	x.W.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%s-%s.%s", file, x.Now().UTC().Format("20060102T150405Z"), name))
	return f, nil
}

// export writes an answer. One that cannot be ended breaks off.
func export(x *route.Exchange, write func(io.Writer) error) error {
	sent := &byteCounter{w: x.W}
	err := write(sent)
	if err != nil && sent.n > 0 {
		x.Log.ErrorContext(x.Context(), "an export broke off", "route", x.R.Pattern, "error", err)
		panic(http.ErrAbortHandler) // else the part would pass for the whole
	}
	if err != nil {
		x.W.Header().Del("Content-Disposition")
	}
	return err
}

// A byteCounter counts what was written.
type byteCounter struct {
	w io.Writer
	n int
}

func (c *byteCounter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += n
	return n, err
}
