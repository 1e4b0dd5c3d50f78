// Package audit has the command that reads, verifies, exports and cuts the audit log of
// the service, from its database. It adds nothing to the log but the record of a cut.
package audit

import (
	"github.com/spf13/cobra"

	"github.com/policyctl/policyctl/internal/cli/console"
)

// Command returns the command audit.
func Command(p *console.Process) *cobra.Command {
	return console.Family(&cobra.Command{
		Use:   "audit COMMAND",
		Short: "Read, verify, export and cut the audit log of the approval service",
		Long: `Read, verify, export and cut the audit log of the approval service, from its database.
The service may keep running. Each record holds the hash of the one before it, so
any change shows. A checkpoint, kept elsewhere, also shows whether the end of the
log was cut off.`,
		Example: `  policyctl audit list --last 50
  policyctl audit list --kind verdict --decision deny --since 24h
  policyctl audit show 1207
  policyctl audit verify
  policyctl audit export --format csv -o audit.csv
  policyctl audit checkpoint -o monday.json
  policyctl audit verify --checkpoint monday.json
  policyctl audit prune --before 365d --to audit-old.jsonl`,
	}, newAuditList(p), newAuditApprovals(p), newAuditShow(p), newAuditVerify(p), newAuditExport(p), newAuditCheckpoint(p), newAuditPrune(p))
}
