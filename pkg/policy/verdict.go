package policy

import (
	"github.com/policyctl/policyctl/internal/eval"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"time"
)

// A Verdict is the answer to one call. The zero value denies with
// [ReasonError].
type Verdict struct {
	Decision Decision
	// Stage and Rule say what decided. Rule is the id of a table entry or the
	// text of a permission, "" if the stage itself decided.
	Stage  Stage
	Reason Reason
	Rule   string
	// Why is a clause for people.
	Why string
	// Span is the part of the command that decided; nil if there is none.
	Span *shell.Span
	// Origin is where the deciding rule was written.
	Origin Origin
	// Dir is the directory in which the call runs, if it differs from [Call.Dir]:
	// the arguments name it, or the call has none of its own.
	Dir string
	// Ask holds the terms of an ask; nil for other decisions. It may be shared
	// and must not be changed.
	Ask *AskTerms
	// Undecided says that an ask has no ground but that nothing allows the call, and
	// that the policy leaves such calls to an agent with permissions of its own;
	// UndecidedModes are those of [UnaskedModes] in which it does so as well. The list
	// is shared and must not be changed.
	Undecided      bool
	UndecidedModes []string
	// Observed is what the policy says of the call, where [Settings].Mode is [Observe]: the
	// decision is then to allow it, but for what the floor and held denials deny. It is nil
	// in any other mode. Stage, Rule, Why and Undecided are about what the policy says.
	Observed *Decision
	// Risk is how much harm the call can do, and Dangers are the dangerous
	// patterns that it matches, whichever stage decided; only asks and denials
	// have them. A call that could not be judged has high risk.
	Risk    Risk
	Dangers []Danger
	// Parts says what allowed each simple command of a line, in the order of
	// [eval.Line.Commands]; nil if the same thing allowed all of them.
	Parts []Part
	// Revision is the hash of the effective policy.
	Revision string
	// Bundles are the bundles that contribute to the effective policy. The list
	// is shared and must not be changed.
	Bundles []Bundle
	// Notes are problems that did not change the decision, such as a loop
	// history that could not be read.
	Notes []string

	// What the message needs.
	tool    string
	instead string
	fault   string   // what the model is told where policyctl itself failed
	counted []string // the grants with a number of uses on which an allow rests
}

// Denied returns an ask as the denial that it became, because somebody said no
// or nobody answered.
func (v Verdict) Denied(reason Reason, why string) Verdict {
	v.Decision, v.Reason, v.Why, v.Ask, v.Undecided = Deny, reason, why, nil, false
	return v
}

// A Bundle names a bundle of policies and the revision that its maker gave it.
type Bundle struct {
	Name, Revision string
	// Contact is when its server last confirmed it; zero if unknown.
	Contact time.Time
}

// AskTerms say who may answer an ask, and what happens if nobody does. Those of a
// verdict are the strictest of all asks that apply to the call: see [AskTerms.Join].
type AskTerms struct {
	// Approver names who decides, or several separated by commas of whom one does; ""
	// for anybody who may.
	Approver string
	// Quorum is how many people of those must approve, each by a vote of their own; 0
	// and 1 stand for one. Where it is more, silence denies.
	Quorum int
	// Also holds further groups, of whom each must approve too: those of other asks that
	// apply to the call. A person who is in several groups approves once for all.
	Also      []Group
	Profile   string
	Model     string
	Prompt    string
	Timeout   time.Duration
	OnTimeout Decision
	CacheTTL  time.Duration
	// Reviewer says that a language model may answer, as require_llm has it.
	Reviewer bool
	// FailClosed says that a failure of the approver means no.
	FailClosed bool
	// EveryTime says that no stored grant may answer.
	EveryTime bool
	// Rule is the id by which a grant answers the ask that comes first; "" if none can.
	Rule string
	// Rules are the rules, or the stages without a rule, whose asks apply to the call,
	// in the order of their names; nil for one.
	Rules []string
}

// An Explanation is a verdict with everything that led to it.
type Explanation struct {
	Verdict
	// Steps has one entry a stage, in the order of the chain.
	Steps []Step
	// Commands has one entry for each simple command of a shell line.
	Commands []CommandTrace
	// Line is the line as it was read; nil for other tools.
	Line *eval.Line
	// Asks are the asks of [StageRules] that nothing answers.
	Asks []OpenAsk
	// Input is the call as sources and grants see it.
	Input *Input
}

// An OpenAsk is an ask that nothing answers.
type OpenAsk struct {
	// Rule is the id by which a grant answers it; "" if none can.
	Rule string
	// Commands are the indexes of the commands that a grant must cover; empty
	// for a call of another tool.
	Commands []int
}

// A Step is what one stage had to say.
type Step struct {
	Stage Stage
	// Spoke says that the stage had an opinion; Decided that it was the one.
	Spoke, Decided bool
	Decision       Decision
	Why            string
	// Rules that matched, the deciding one first.
	Rules []Match
}

// A Match is one rule that matched.
type Match struct {
	Rule     string
	Decision Decision
	Origin   Origin
	// Lost says why the rule did not decide; "" for the one that did.
	Lost string
}

// A CommandTrace is what the chain found about one simple command.
type CommandTrace struct {
	// Index of the command in [eval.Line.Commands].
	Index int
	// Allowed is the stage that allowed the command on its own; StageNone if
	// none did. By is the rule.
	Allowed Stage
	By      string
	// NotProved says why the command may do more than read, "" if it only
	// reads. Span is the word that causes it, Instead a form that only reads.
	NotProved string
	Span      shell.Span
	Instead   string
	// Permissions are the allows whose words cover the command.
	Permissions []Match
	// Dangerous holds the dangerous patterns that match.
	Dangerous []string
}
