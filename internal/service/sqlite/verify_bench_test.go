package sqlite_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/sqlite"
	"github.com/policyctl/policyctl/internal/service/storetest"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
)

// lived returns the entries of a request that was approved and ran.
func lived(id string) []audit.Entry {
	_, e := storetest.Typical(id)
	e.Agent, e.Dir, e.Stage, e.Rule, e.Revision, e.RequestHash = "claude", "/home/a/project", "dangerous", "git-force-push", "sha256:0123", "sha256:"+id
	var log []audit.Entry
	for i, kind := range []string{audit.KindRequest, audit.KindDecision, audit.KindReceipt, audit.KindConsumption, audit.KindExecution} {
		x := e
		x.Kind, x.Time = kind, e.Time.Add(time.Duration(i)*time.Second)
		switch kind {
		case audit.KindDecision:
			x.Actor, x.Arguments, x.Decision, x.DecidedBy, x.DecidedAt, x.Reason = "token:ann", nil, "approved_once", "token:ann", &x.Time, "checked"
			x.Detail = map[string]string{"token_id": "0dTr8fGmQyb"}
		case audit.KindReceipt, audit.KindConsumption:
			x.Arguments, x.Detail = nil, map[string]string{"receipt": "rcp_" + id}
		case audit.KindExecution:
			x.Arguments, x.ExecutionResult, x.Detail = nil, "EXECUTED", map[string]string{"exit_code": "0"}
		}
		log = append(log, x)
	}
	return log
}

// BenchmarkVerify reads and verifies records, as policyctl audit verify does.
func BenchmarkVerify(b *testing.B) {
	d := open(b, newPath(b), sqlite.Options{})
	defer d.Close()
	const records = 100_000
	for i := 0; i < records; i += 5000 {
		var log []audit.Entry
		for j := range 1000 {
			log = append(log, lived(fmt.Sprint("req_", i+j))...)
		}
		if err := d.Record(b.Context(), log...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		var v audit.Verifier
		var course approval.Course
		for at := int64(0); ; {
			page, err := d.Audit(b.Context(), at, 1000)
			if err != nil {
				b.Fatal(err)
			}
			for _, r := range page {
				if err := v.Check(r); err != nil {
					b.Fatal(err)
				}
				if err := course.Check(r); err != nil {
					b.Fatal(err)
				}
				at = r.Seq
			}
			if len(page) == 0 {
				break
			}
		}
		if n, _ := v.Head(); n != records {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/records, "µs/record")
}
