// Package backend is what the routes of the approval service work with:
// the service itself, the data beside it, and what an identity may see.
//
// It speaks no HTTP.
package backend

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/policyctl/policyctl/internal/service/auth"
	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/grantbook"
	"github.com/policyctl/policyctl/internal/service/push"
	"github.com/policyctl/policyctl/internal/service/ruledb"
	"github.com/policyctl/policyctl/internal/support/shelf"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
)

// A Backend is what routes work with. All fields but Health, Reach, Granted, Policy,
// Channels, PolicyProblem, Beside and Metrics must be set. It is safe for concurrent use.
type Backend struct {
	Service *approval.Service
	Data    Data
	Rules   *ruledb.Rules
	Decider Decider
	Auth    *auth.Authenticator
	Logins  *auth.Logins
	Now     func() time.Time
	Log     *slog.Logger
	// Health is what was found wrong; its zero value is nothing.
	Health Health
	// Reach is told who cannot decide; nil tells nobody.
	Reach *Reach
	// Granted are the stored approvals; nil where none are stored.
	Granted *Granted
	// Policy says of what the policy in force is made; nil where nobody knows.
	Policy func() *InForce
	// Passkeys proves who is at a browser; Push tells browsers what waits.
	Passkeys *auth.Passkeys
	Push     *push.Pusher
	// Channels tells people where they are; nil where no channels are configured.
	Channels *channel.Dispatcher
	// PolicyProblem says why the files of the policy are not the policy in force, nil where
	// they are. It is nil where nobody knows.
	PolicyProblem func() error
	// Beside are further parts, by name, with what reports whether one is out of order.
	// The service is then degraded.
	Beside map[string]func() bool
	// Metrics writes what is counted, in the text format of Prometheus; nil where nothing
	// is.
	Metrics func(ctx context.Context, w io.Writer) error
}

// A Decider decides calls under the policy of the service.
type Decider interface {
	// Decide answers a call and records it for previews of rules.
	Decide(ctx context.Context, c *policy.Call) (policy.Verdict, error)
	// Engine returns the engine in force, and Tried one as it would be with what an
	// offer for a call stores; nil where nothing is stored.
	Engine() *policy.Engine
	Tried(ctx context.Context, c *policy.Call, s approval.Scope) *policy.Engine
	// ResetTurn has the loop guard count a session anew, because its user has
	// said something new.
	ResetTurn(session string)
}

// Data is what the service keeps beside its requests.
type Data interface {
	approval.Store
	auth.Store
	ruledb.Table
	grantbook.Table

	// Check returns why nothing can be stored or read any more, nil where it
	// can. Damaged returns how many rows were found that lists leave out.
	Check() error
	Damaged() int

	// Tokens returns all tokens, the newest first.
	Tokens(ctx context.Context) ([]auth.Token, error)
	AddToken(ctx context.Context, t auth.Token, log ...audit.Entry) error
	// RevokeToken reports whether there was such a token, not revoked yet.
	RevokeToken(ctx context.Context, id string, at time.Time, log ...audit.Entry) (bool, error)

	// AddPasskey stores a passkey; RemovePasskey reports whether there was one.
	auth.PasskeyStore
	AddPasskey(ctx context.Context, k auth.Passkey, log ...audit.Entry) error
	RemovePasskey(ctx context.Context, id string, log ...audit.Entry) (bool, error)
	channel.Store
	push.Store
	AddSubscription(ctx context.Context, s push.Subscription) error

	// Record stores records of the audit log that stand for themselves.
	Record(ctx context.Context, log ...audit.Entry) error
	// Collect records the decisions of a batch that lie behind what the log has of
	// its source by a shipper, all or none of them, and returns how far it has it.
	Collect(ctx context.Context, shipper string, b trail.Batch) (position int64, err error)
	// Audit returns records behind a sequence number, the oldest first; beside
	// an error, those before it.
	Audit(ctx context.Context, after int64, limit int) ([]*audit.Record, error)
	// AuditBase returns the checkpoint behind which the log begins since its beginning
	// was cut off, nil for a whole log.
	AuditBase(ctx context.Context) (*audit.Checkpoint, error)
	// AuditHead returns the last record, nil if there is none, and AuditRecord the
	// one with a number, and whether there is one.
	AuditHead(ctx context.Context) (*audit.Record, error)
	AuditRecord(ctx context.Context, seq int64) (*audit.Record, bool, error)
	// SearchAudit returns the records that a filter chooses.
	SearchAudit(ctx context.Context, f audit.Filter) ([]*audit.Record, error)

	// Shelf returns the place of a document that the instances of the service share.
	Shelf(name string) shelf.Shelf
	// Lead has run do something that one instance of the service does for all, as
	// often as this one may, and as long: its context ends when it may not any more.
	// It returns when ctx is done.
	Lead(ctx context.Context, what string, run func(context.Context))

	// PendingSessions returns how many requests are pending in each session.
	PendingSessions(ctx context.Context) (map[string]int, error)
	// Index reads some of what was stored into what searches use, and reports
	// whether there is more; Behind returns how much.
	Index(ctx context.Context) (more bool, err error)
	Behind(ctx context.Context) (int64, error)
	// Facts returns what statistics need of the requests since a time, the newest
	// first, at most limit.
	Facts(ctx context.Context, since time.Time, limit int) ([]approval.Fact, error)

	// EventsAfter returns events behind an id, the oldest first. EventBounds
	// returns the ids of the first and the last one kept, 0 and 0 for none.
	EventsAfter(ctx context.Context, id int64, limit int) ([]approval.Event, error)
	EventBounds(ctx context.Context) (first, last int64, err error)

	// RecordCalls keeps calls, without their secrets, for previews. Calls returns the newest first.
	RecordCalls(ctx context.Context, all ...ruledb.Recorded) error
	Calls(ctx context.Context, limit int) ([]ruledb.Recorded, error)
}

// Views returns a request as an identity may see it, and whether it may. Who
// only submits sees what it submitted; the receipt is for the submitter alone.
func Views(i auth.Identity, r *approval.Request) (*approval.Request, bool) {
	own := i.Name == r.Submitter && i.Scopes.Has(auth.Submit)
	if !own && !i.Scopes.Has(auth.Read) && !i.Scopes.Has(auth.Approve) {
		return nil, false
	}
	out := *r
	out.Owed = nil // the lines of the decision say it
	out.Own = nil
	if !i.Scopes.Has(auth.Read) && !i.Scopes.Has(auth.Approve) {
		out.Reviews = nil // an agent would learn what its reviewer lets pass
	}
	if own || r.Receipt == nil {
		return &out, true
	}
	issued := *r.Receipt
	issued.Text = ""
	out.Receipt = &issued
	return &out, true
}
