package desk

import (
	"html/template"
	"net/http"
	"strconv"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/audit"
)

// An auditPage is a part of the audit log, the newest record first.
type auditPage struct {
	filter
	Records []*audit.Record
	Kinds   []string
	// Head is the last record of the log, nil for an empty one.
	Head *audit.Record
	// Base is the number of the last record that was cut off, 0 for none.
	Base     int64
	Verified backend.Verified
	// Older is the query of older records, "" for none.
	Older template.URL
}

// auditLimit is how many records a page of the log shows.
const auditLimit = 100

func (d *Desk) audit(x *route.Exchange) (string, *frame, error) {
	f, err := x.AuditFilter()
	if err != nil {
		return "", nil, err
	}
	f.Limit = auditLimit
	page := &auditPage{Kinds: audit.Kinds(), Verified: x.Verified()}
	if page.Head, err = x.Data.AuditHead(x.Context()); err != nil {
		return "", nil, err
	}
	base, err := x.Data.AuditBase(x.Context())
	if err != nil {
		return "", nil, err
	}
	page.Base = backend.SeqOf(base)
	if page.Records, err = x.Data.SearchAudit(x.Context(), f); err != nil {
		return "", nil, err
	}
	if page.filter, err = filterOf(x); err != nil {
		return "", nil, err
	}
	if n := len(page.Records); n == auditLimit && page.Records[n-1].Seq > page.Base+1 {
		page.Older = page.With("before", strconv.FormatInt(page.Records[n-1].Seq, 10))
	}
	return "audit.html", &frame{Title: "Audit", At: "audit", Content: page}, nil
}

// A recordPage is one record with its place in the chain.
type recordPage struct {
	*audit.Record
	// Before and After are the records beside it, nil where there is none. First says that
	// those before it were cut off.
	Before, After *audit.Record
	First         bool
	// Holds says that its hash is that of its content, Follows that it holds the
	// hash of the record before.
	Holds, Follows bool
	Verified       backend.Verified
	// Same are the records of the same request, the oldest first.
	Same []*audit.Record
}

// maxSame is how many records of the same request are shown.
const maxSame = 50

func (d *Desk) record(x *route.Exchange) (string, *frame, error) {
	seq, err := strconv.ParseInt(x.ID, 10, 64)
	if err != nil {
		return "", nil, route.Refuse(http.StatusBadRequest, "bad-id", x.ID+" is not the number of a record", "the audit log has them at /ui/audit")
	}
	page := &recordPage{Verified: x.Verified()}
	for into, n := range map[**audit.Record]int64{&page.Before: seq - 1, &page.Record: seq, &page.After: seq + 1} {
		if r, ok, err := x.Data.AuditRecord(x.Context(), n); err != nil {
			return "", nil, err
		} else if ok {
			*into = r
		}
	}
	base, err := x.Data.AuditBase(x.Context())
	if err != nil {
		return "", nil, err
	}
	if page.Record == nil && seq > 0 && seq <= backend.SeqOf(base) {
		return "", nil, route.Refuse(http.StatusNotFound, "not-found", "record "+x.ID+" was cut off from the audit log", "the file that policyctl audit prune wrote has it")
	}
	if page.Record == nil {
		return "", nil, route.Refuse(http.StatusNotFound, "not-found", "there is no record "+x.ID, "the audit log has them at /ui/audit")
	}
	page.Holds = page.HashHolds()
	page.Follows = backend.Follows(page.Record, page.Before, base)
	page.First = base != nil && page.Before == nil
	if page.RequestID != "" {
		if page.Same, err = x.Data.SearchAudit(x.Context(), audit.Filter{RequestID: page.RequestID, OldestFirst: true, Limit: maxSame}); err != nil {
			return "", nil, err
		}
	}
	return "record.html", &frame{Title: "Record " + x.ID, At: "record", Content: page}, nil
}
