// Package ruledb keeps rules in the table approval_rules, and answers calls
// from them: a change counts from the next call on.
//
// What a rule means is decided in pattern, and what a row means in exchange;
// the package opens no database.
package ruledb

import (
	"context"
	"time"

	"github.com/policyctl/policyctl/pkg/audit"
)

// A Row is one row of approval_rules. Its JSON has the names of the columns.
type Row struct {
	ID                 string    `json:"id"`
	Label              *string   `json:"label"`
	ScopePluginID      *string   `json:"scope_plugin_id"`
	ScopeProfileID     *string   `json:"scope_profile_id"`
	ScopeIntegrationID *string   `json:"scope_integration_id"`
	Priority           int64     `json:"priority"`
	Enabled            int       `json:"enabled"` // 0 or 1
	Dialect            string    `json:"dialect"`
	Source             string    `json:"source"` // the JSON of the condition
	Compiled           *string   `json:"compiled"`
	Decision           string    `json:"decision"`
	Reason             *string   `json:"reason"`
	ApproverPluginID   *string   `json:"approver_plugin_id"`
	ApproverProfileID  *string   `json:"approver_profile_id"`
	LLMPrompt          *string   `json:"llm_prompt"`
	LLMModel           *string   `json:"llm_model"`
	LLMCacheTTLS       *int64    `json:"llm_cache_ttl_s"`
	LLMFailClosed      *int      `json:"llm_fail_closed"`
	TimeoutMS          *int64    `json:"timeout_ms"`
	OnTimeout          *string   `json:"on_timeout"`
	CreatedBy          *string   `json:"created_by"`
	CreatedAt          time.Time `json:"created_at"`
	UpdatedAt          time.Time `json:"updated_at"`
}

// A Tombstone is what stays of a rule that was deleted.
type Tombstone struct {
	Row       Row       `json:"row"`
	DeletedBy string    `json:"deleted_by"`
	DeletedAt time.Time `json:"deleted_at"`
}

// A Table keeps rows. Each change is stored with its records of the audit
// log, all or nothing. It is safe for concurrent use.
type Table interface {
	// Rules returns all rows, by priority descending, then by id.
	Rules(ctx context.Context) ([]Row, error)
	// PutRule stores a row in place of the one with its id, if there is one,
	// whose created_by and created_at stay.
	PutRule(ctx context.Context, r Row, log ...audit.Entry) error
	// DeleteRule removes a row and keeps a tombstone. It reports whether there was
	// one; log is recorded if so.
	DeleteRule(ctx context.Context, id, by string, at time.Time, log ...audit.Entry) (removed bool, err error)
	// Seals returns the hash of each rule as PutRule or Seal knew it last, "" for
	// one that was there before there were seals. PutRule and DeleteRule keep it.
	Seals(ctx context.Context) (map[string]string, error)
	// Seal sets the hash of a rule, and forgets it for "".
	Seal(ctx context.Context, id, hash string, log ...audit.Entry) error
	// Tombstones returns what was deleted, the newest first.
	Tombstones(ctx context.Context, limit int) ([]Tombstone, error)
}
