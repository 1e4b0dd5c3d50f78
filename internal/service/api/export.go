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

// formats are those of the export.
var formats = map[string]struct {
	media string
	write func(io.Writer, iter.Seq2[*audit.Record, error]) error
}{
	"jsonl": {"application/jsonl", audit.WriteJSONL},
	"csv":   {"text/csv; charset=utf-8", audit.WriteCSV},
}

func (a *API) exportAudit(x *route.Exchange) error {
	name := "jsonl"
	if x.Query.Has("format") {
		name = x.Query.Get("format")
	}
	format, ok := formats[name]
	if !ok {
		return webguard.BadQuery(fmt.Sprintf("format: %.64q", name), "give jsonl or csv")
	}
	x.W.Header().Set("Content-Type", format.media)
	sent := &byteCounter{w: x.W}
	err := format.write(sent, records(x))
	if err != nil && sent.n > 0 {
		x.Log.ErrorContext(x.Context(), "an export of the audit log broke off", "error", err)
		panic(http.ErrAbortHandler) // else the part would pass for the whole
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
