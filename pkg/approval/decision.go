package approval

import (
	"fmt"
	"time"

	"github.com/policyctl/policyctl/internal/support/redact"
)

// A Word is what was decided, in the words of the approval protocol.
type Word string

// The words. A decision that is no approval denies.
const (
	ApprovedOnce     Word = "approved_once"
	ApprovedRemember Word = "approved_remember"
	AutoApproved     Word = "auto_approved"
	Rejected         Word = "rejected"
	RejectedContract Word = "rejected_contract"
	RequestMore      Word = "request_more"
)

// Words lists the words.
func Words() []Word {
	return []Word{ApprovedOnce, ApprovedRemember, AutoApproved, Rejected, RejectedContract, RequestMore}
}

// Approves reports whether the word lets the call run.
func (w Word) Approves() bool {
	return w == ApprovedOnce || w == ApprovedRemember || w == AutoApproved
}

// A Scope is how long an approval or a denial stands.
type Scope string

// The scopes: this call, this session, in the directory, everywhere.
const (
	Once     Scope = "once"
	ForChat  Scope = "session"
	Here     Scope = "here"
	Anywhere Scope = "anywhere"
)

// The sources of decisions.
const (
	Human   = "human"   // a person, or a program in their name
	LLM     = "llm"     // a language model
	Static  = "static"  // the policy itself
	Default = "default" // nobody may decide
	Timeout = "timeout" // nobody did in time
)

// A Decision ends a request.
type Decision struct {
	Word  Word  `json:"decision"`
	Scope Scope `json:"scope,omitempty"`
	// For is how long what it stores holds, zero for good; Uses for how many calls, 0 for
	// any number.
	For  Life `json:"for,omitzero"`
	Uses int  `json:"uses,omitempty"`
	// By is the identity that decided, Source what kind of it.
	By     string `json:"decided_by"`
	Source string `json:"source"`
	// Approvers are the identities whose votes approved, in the order of their votes, By
	// among them; nil where one was enough.
	Approvers []string  `json:"approvers,omitempty"`
	At        time.Time `json:"decided_at"`
	// Reason is for the agent: why not, or what to mind.
	Reason string `json:"reason,omitempty"`
	// Saved are the entries that the decision stores, one line each.
	Saved []string `json:"saved,omitempty"`
	// Notice is what the approver should know of them, such as why they are
	// not stored yet; "" where all is well.
	Notice string `json:"notice,omitempty"`
}

// Who names who decided: all whose votes approved, or the one.
func (d *Decision) Who() string {
	if len(d.Approvers) > 0 {
		return enumerate(d.Approvers)
	}
	return d.By
}

// same reports whether a decision repeats another one.
func (d *Decision) same(o *Decision) bool {
	return d.Word == o.Word && d.Scope == o.Scope && d.For == o.For && d.Uses == o.Uses && d.By == o.By && d.Reason == o.Reason
}

// stores reports whether a decision with a word and a scope stores something.
func (w Word) stores(s Scope) bool {
	return w == ApprovedRemember || w == Rejected && s != "" && s != Once
}

// An Answer is what somebody says to a request.
type Answer struct {
	Word  Word  `json:"decision"`
	Scope Scope `json:"scope"`
	// For is how long what the answer stores holds, zero for good; Uses for how many
	// calls, 0 for any number.
	For    Life   `json:"for,omitzero"`
	Uses   int    `json:"uses,omitempty"`
	Reason string `json:"reason"`
	// Revision is that of the request that was shown, or of the policy under which it was;
	// "" where the approver does not say.
	Revision string `json:"revision,omitempty"`
	// Review is what a language model said, for approvers that are one. An answer
	// without a word only tells it, and decides nothing.
	Review *Review `json:"-"`
}

// maxReason bounds the reason of an answer, in bytes.
const maxReason = 4096

// settle fills in what an answer leaves open, and refuses what it cannot mean.
func (a Answer) settle() (Answer, error) {
	if len(a.Reason) > maxReason {
		return a, &Invalid{fmt.Sprintf("reason: %d bytes are more than %d", len(a.Reason), maxReason)}
	}
	a.Reason, _ = redact.Text(a.Reason) // what a person pastes into it goes to an agent and into the log
	if err := a.checkLife(); err != nil {
		return a, err
	}
	if err := a.checkUses(); err != nil {
		return a, err
	}
	switch a.Word {
	case ApprovedOnce:
		if a.Scope != "" && a.Scope != Once {
			return a, &Invalid{fmt.Sprintf("scope: %s is not for approved_once: use approved_remember", a.Scope)}
		}
		a.Scope = Once
	case ApprovedRemember:
		switch a.Scope {
		case ForChat, Here, Anywhere:
		default:
			return a, &Invalid{`scope: approved_remember needs "session", "here" or "anywhere"`}
		}
	case Rejected:
		switch a.Scope {
		case "", ForChat, Here, Anywhere:
		default:
			return a, &Invalid{`scope: a refusal has none, or "session", "here" or "anywhere"`}
		}
	case RejectedContract, RequestMore:
		if a.Scope != "" {
			return a, &Invalid{"scope: a refusal has none that is not rejected"}
		}
	case AutoApproved:
		return a, &Invalid{"decision: auto_approved is the word of rules: use approved_once"}
	default:
		return a, &Invalid{fmt.Sprintf("decision: %q is not one of approved_once, approved_remember, rejected, rejected_contract, request_more", a.Word)}
	}
	return a, nil
}
