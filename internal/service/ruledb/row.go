// Package ruledb keeps rules in the table approval_rules, and answers calls
// from them: a change counts from the next call on.
//
// What a rule means is decided in pattern, and what a row means in exchange;
// the package opens no database.
package ruledb

import (
	"context"
	"errors"
	"fmt"
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
	// ApproverAny is how many of the names in ApproverPluginID must approve, nil for one.
	ApproverAny *int64 `json:"approver_any,omitempty"`
	// Cases are the rule's own test cases, the JSON of a list as [suite.ParseCases]
	// reads it, and UpdatedBy is who changed it last. Only this service has these three.
	Cases     *string `json:"cases,omitempty"`
	UpdatedBy *string `json:"updated_by,omitempty"`
}

// A Change is one change of one rule.
type Change struct {
	// ID counts changes up from 1.
	ID   int64     `json:"id"`
	Rule string    `json:"rule"`
	At   time.Time `json:"at"`
	By   string    `json:"by"`
	// Before and After are the rule as it was and is, nil where there was or is none.
	Before *Row `json:"before"`
	After  *Row `json:"after"`
}

// A Tombstone is what stays of a rule that was deleted.
type Tombstone struct {
	Row       Row       `json:"row"`
	DeletedBy string    `json:"deleted_by"`
	DeletedAt time.Time `json:"deleted_at"`
}

// A Search is for rows.
type Search struct {
	// Text must stand in what a row says or in who wrote it, in any case of ASCII;
	// "" stands in all.
	Text string
	// After is the id of the row behind which those that are returned begin, "" for none;
	// Limit bounds them.
	After string
	Limit int
}

// A Table keeps rows. Each change is stored with its records of the audit
// log, all or nothing. It is safe for concurrent use.
type Table interface {
	// Rules returns all rows, by priority descending, then by id.
	Rules(ctx context.Context) ([]Row, error)
	// Rule returns the row of an id, and whether there is one.
	Rule(ctx context.Context, id string) (Row, bool, error)
	// Search returns some rows in that order, how many it finds, and how many there are.
	Search(ctx context.Context, s Search) (rows []Row, found, all int, err error)
	// ChangeRules stores changes and sets their ids, all or none. The error is a
	// [*Stale] where a rule is not as Before says.
	ChangeRules(ctx context.Context, list []Change, log ...audit.Entry) error
	// Changes returns the changes of a rule, or of all rules for "", the newest
	// first; those before an id where it is not 0.
	Changes(ctx context.Context, rule string, before int64, limit int) ([]Change, error)
	// Change returns one change. Without one the error is [ErrNoChange].
	Change(ctx context.Context, id int64) (Change, error)
	// Seals returns the hash of each rule as ChangeRules or Seal knew it last, "" for
	// one that was there before there were seals.
	Seals(ctx context.Context) (map[string]string, error)
	// Seal sets the hash of a rule, and forgets it for "". by is the change of another
	// program that made it so, nil for none.
	Seal(ctx context.Context, id, hash string, by *Change, log ...audit.Entry) error
	// Tombstones returns what was deleted, the newest first.
	Tombstones(ctx context.Context, limit int) ([]Tombstone, error)
}

// ErrNoChange is the error where there is no change of an id.
var ErrNoChange = errors.New("there is no change of a rule with this number")

// A Stale is the error where a rule is not as somebody saw it who changes it.
type Stale struct {
	// ID is that of the rule, "" for all of them.
	ID string
	// Now is the rule as it is, nil where there is none.
	Now *Row
}

// Error says what has become of the rule.
func (e *Stale) Error() string {
	switch r := e.Now; {
	case e.ID == "":
		return "the rules were changed since the import was shown"
	case r == nil:
		return fmt.Sprintf("the rule %s was deleted since you opened it", e.ID)
	case r.UpdatedBy == nil:
		return fmt.Sprintf("the rule %s was changed since you opened it", e.ID)
	default:
		return fmt.Sprintf("the rule %s was changed by %s at %s, since you opened it", e.ID, *r.UpdatedBy, r.UpdatedAt.UTC().Format(time.DateTime))
	}
}
