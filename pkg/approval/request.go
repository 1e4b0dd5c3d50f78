// Package approval brings what a policy answers with ask to somebody who may
// decide, and back as something that an executor can trust.
//
// A [Request] asks whether a call may run. A [Service] keeps requests in a
// [Store], moves them through their states, and gives a receipt for what is
// approved: a signed statement of [Claims] about exactly one call, good for one
// use. A [Gate] is the executor's side: it decides a call, asks if it must,
// verifies the receipt offline against what is about to run, and consumes it.
//
// The package has no store of its own: who embeds a Service brings one. It
// shows nothing to people and speaks no agent's protocol; who is who was found
// out before it is called.
package approval

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A State is where a request stands.
type State string

// The states. A request begins as Pending; Approved goes on to Executed,
// Failed or Revoked, and every other state is final.
const (
	Pending   State = "PENDING"
	Approved  State = "APPROVED"
	Executed  State = "EXECUTED"
	Failed    State = "FAILED"
	Revoked   State = "REVOKED"
	Denied    State = "DENIED"
	TimedOut  State = "TIMED_OUT"
	Cancelled State = "CANCELLED"
)

// States lists the states, in the order of a request's life.
func States() []State {
	return []State{Pending, Approved, Executed, Failed, Revoked, Denied, TimedOut, Cancelled}
}

// next are the transitions.
var next = map[State][]State{
	Pending:  {Approved, Denied, TimedOut, Cancelled},
	Approved: {Executed, Failed, Revoked},
}

// The kinds of requests.
const (
	KindCall     = "call"       // a call of a tool
	KindContract = "clauz3.run" // a proved program with its guarantees
	KindTest     = "test"       // nothing: whether an approver is reached
)

// A Request asks whether a call may run, or a program. It is a value: a
// service hands out copies. Its JSON is that of the HTTP API.
type Request struct {
	ID string `json:"id"`
	// Version counts the changes of the request, from 1.
	Version int64  `json:"version"`
	State   State  `json:"state"`
	Kind    string `json:"kind"`
	// Key is the submitter's own name for the request, "" for none; Digest is
	// that of the submission: the same key with another digest is an error.
	Key    string `json:"key,omitempty"`
	Digest string `json:"digest"`
	// Name is what the submitter calls what it asks for, "" for nothing. Every
	// attempt has the same one, and other submitters may use it too.
	Name string `json:"name,omitempty"`
	// Submitter is the identity that asks. It can never decide.
	Submitter string `json:"submitter"`
	// Call is the call in the form that policy.DecodeCall reads; Contract the
	// submission of a program. One of the two is set.
	Call     json.RawMessage `json:"call,omitempty"`
	Contract json.RawMessage `json:"contract,omitempty"`
	// Hash is what a receipt is bound to.
	Hash string `json:"hash"`
	// Alike is the same for requests of the same call, whoever asks and in
	// whatever session: the hash without agent, session and its directory, or
	// that of a program. It is "" for requests of before.
	Alike string `json:"alike,omitempty"`
	// Tool, Session, Agent and Dir are those of the call. Title is one line
	// that says what is asked.
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Agent   string `json:"agent"`
	Dir     string `json:"dir"`
	Title   string `json:"title"`
	// Said is what the user said that led to the call, as the submitter tells.
	Said string `json:"said,omitempty"`
	// Asked says which part of the policy asks, and why. Where the submitter's
	// own policy asked these are the submitter's words, and Judged is what the
	// policy of the service says.
	Asked  Asked   `json:"asked"`
	Judged *Judged `json:"judged,omitempty"`
	// Own is what the policy of the service says, with what an answer is held against; nil
	// where nobody needs it any more. The service keeps it to itself.
	Own *ownAnswer `json:"own,omitempty"`
	// Revision is what an approval must name of a request that was asked again, so that
	// nobody approves what they were not shown; "" where it was asked once.
	Revision string `json:"revision,omitempty"`
	// Offers are the ways to approve, each with exactly what it stores.
	Offers []Offer `json:"offers"`
	// Denials are the ways to deny for longer than this call, each with exactly what it
	// stores; nil for none.
	Denials []Offer `json:"denials,omitempty"`
	// OnTimeout is Approved or TimedOut: what becomes of the request when
	// nobody decides.
	OnTimeout State     `json:"on_timeout"`
	Created   time.Time `json:"created"`
	Expires   time.Time `json:"expires"`
	// Votes are what people have said of whom several must approve, one vote a person,
	// in the order of their first votes. Tally counts them while the request waits, as
	// of when it was read: it is not stored.
	Votes []Vote `json:"votes,omitempty"`
	Tally *Tally `json:"tally,omitempty"`
	// Latest is when the submitter stops waiting, nil where it has not said so. No
	// extension goes beyond it.
	Latest *time.Time `json:"latest,omitempty"`

	// Reviews are what language models said about it, the oldest first.
	Reviews  []Review  `json:"reviews,omitempty"`
	Decision *Decision `json:"decision"`
	// Owed are the entries that the decision stores and that are not known to
	// be stored yet, in the form of [Plan.Entries]; nil for none. The service
	// keeps it to itself.
	Owed    json.RawMessage `json:"owed,omitempty"`
	Receipt *Issued         `json:"receipt"`
	// Revocation says who took the approval back, nil where nobody did.
	Revocation *Revocation `json:"revocation,omitempty"`
	Execution  *Execution  `json:"execution"`
	// Closed is when the secrets were taken out of the request, since it was
	// over, nil before that; Redacted says what was replaced, a JSON pointer, a
	// space and a kind each. Pruned is when all went that the audit log has
	// anyway, nil before that.
	Closed   *time.Time `json:"closed,omitempty"`
	Redacted []string   `json:"redacted,omitempty"`
	Pruned   *time.Time `json:"pruned,omitempty"`
	// Late are decisions that came when the request was over. They changed
	// nothing.
	Late []Decision `json:"late,omitempty"`
}

// An Asked says which part of a policy asks.
type Asked struct {
	Stage string `json:"stage"`
	Rule  string `json:"rule"`
	Why   string `json:"why"`
	// Span is the part of the command that decided, as byte offsets; nil where
	// there is none.
	Span *[2]int `json:"span"`
	// Risk is how much harm the call can do, "" where it is allowed; Dangerous
	// are the dangerous patterns that it matches, whatever asks.
	Risk      string          `json:"risk,omitempty"`
	Dangerous []policy.Danger `json:"dangerous,omitempty"`
	// Parts say what allowed each command of a line, where that was not the same
	// for all.
	Parts []policy.Part `json:"parts,omitempty"`
	// Files are what a call of a file tool writes, as far as the submitter says
	// whether they exist; nil where nobody looked.
	Files []File `json:"files,omitempty"`
	// Repository is the state of the git repository in which the call runs, as the
	// submitter sees it; nil where there is none or nobody looked.
	Repository *Repository `json:"repository,omitempty"`
	// Origin is where the rule was written, Revision that of the policy.
	Origin   string            `json:"origin"`
	Revision string            `json:"revision"`
	Bundles  map[string]string `json:"bundles,omitempty"`
	// Approver is who must decide, or several separated by commas of whom one
	// must, "" for anybody who may; Model and Prompt are
	// those of a rule that asks a language model.
	Approver string `json:"approver,omitempty"`
	// Quorum is how many of the names in Approver must approve, each a person; 0 and 1
	// stand for one.
	Quorum int `json:"quorum,omitempty"`
	// Also are further groups, of whom each must approve too, since several parts of the
	// policy ask. A person who is in several approves once for all.
	Also []policy.Group `json:"also,omitempty"`
	// Rules are all rules that ask, or stages without a rule; nil for one.
	Rules  []string `json:"rules,omitempty"`
	Model  string   `json:"model,omitempty"`
	Prompt string   `json:"prompt,omitempty"`
	// Review says that a language model may answer, nil where people do. In a request
	// the policy of the service says so, never the submitter.
	Review *ReviewTerms `json:"review,omitempty"`
	// EveryTime says that no stored answer may stand for the next one.
	EveryTime bool `json:"every_time,omitempty"`
	// Message is what the agent's model would be told.
	Message string `json:"message,omitempty"`
}

// A Judged is what the policy of a service says to a call about which another
// policy asked.
type Judged struct {
	// Decision is "ask" or "allow".
	Decision string `json:"decision"`
	Stage    string `json:"stage"`
	Rule     string `json:"rule"`
	Why      string `json:"why"`
	// Risk and Dangerous are those of [Asked], as this policy sees them.
	Risk      string          `json:"risk,omitempty"`
	Dangerous []policy.Danger `json:"dangerous,omitempty"`
}

// An Offer is one way to approve, or to deny for longer than once.
type Offer struct {
	// Deny says that the offer is a denial, where a judge returns both.
	Deny  bool  `json:"-"`
	Scope Scope `json:"scope"`
	// Stores are the entries that it stores, one line each; empty for Once.
	Stores []string `json:"stores"`
	// Why says in a clause why nothing longer is offered, "" where something is.
	Why string `json:"why,omitempty"`
}

// A File is a file that a call writes, as its submitter sees it.
type File struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
}

// A Repository is the state of a git repository.
type Repository struct {
	// Branch is the one that is checked out, "" for none; Commit is what is checked
	// out instead of a branch.
	Branch string `json:"branch,omitempty"`
	Commit string `json:"commit,omitempty"`
	// Remote is the URL of origin, or of the only remote, without a password.
	Remote string `json:"remote,omitempty"`
	// Changed counts the tracked files that changed since they were added to the
	// index, nil where that is unknown.
	Changed *int `json:"changed,omitempty"`
}

// An Execution is what the executor reports.
type Execution struct {
	At time.Time `json:"at"`
	// Outcome is Executed or Failed.
	Outcome  State  `json:"outcome"`
	ExitCode *int   `json:"exit_code"`
	Detail   string `json:"detail"`
}

// offersFor returns the ways to give an answer with a word for longer than once.
func (r *Request) offersFor(w Word) []Offer {
	if w == Rejected {
		return r.Denials
	}
	return r.Offers
}

// hasOffer reports whether an answer with a word is offered for a scope.
func (r *Request) hasOffer(w Word, s Scope) bool {
	return slices.ContainsFunc(r.offersFor(w), func(o Offer) bool { return o.Scope == s })
}

// move goes to a state, or panics: the callers know where they may go.
func (r *Request) move(to State) {
	if !slices.Contains(next[r.State], to) {
		panic("approval: no way from " + string(r.State) + " to " + string(to))
	}
	r.State = to
}

// due reports whether the time to decide is over.
func (r *Request) due(now time.Time) bool { return r.State == Pending && !now.Before(r.Expires) }
