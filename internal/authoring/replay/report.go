package replay

import "github.com/policyctl/policyctl/pkg/policy"

// A Report is what a replay found. Its JSON is stable and has no times.
type Report struct {
	// Interrupted says that not all was read.
	Interrupted bool   `json:"interrupted"`
	Revision    string `json:"revision"`
	// World says that today's file system was looked at.
	World bool  `json:"world"`
	Files Files `json:"files"`
	// Calls is the number of calls that were decided, and the denominator of
	// all shares. Repeated calls stood in several files and count once.
	Calls    int `json:"calls"`
	Repeated int `json:"repeated"`
	// Unjudged calls are among the denied.
	Unjudged int `json:"unjudged"`
	// Undecided calls are among those that ask: an agent with permissions of its own is
	// left to answer them.
	Undecided int        `json:"undecided"`
	Decisions Decisions  `json:"decisions"`
	Stages    []StageRow `json:"stages"`
	// AsksPer100 is null where there is no call.
	AsksPer100  *float64  `json:"asks_per_100_calls"`
	Sessions    Sessions  `json:"sessions"`
	Heads       []Head    `json:"asked_most"`
	OtherHeads  int       `json:"other_heads"`
	Permissions []Saving  `json:"permissions"`
	Refused     []Refusal `json:"refused"`
	// Untried says why no permission was tried; "" if some were, or none had
	// to be.
	Untried  string       `json:"untried,omitempty"`
	Loops    []Loop       `json:"loops"`
	Against  []Comparison `json:"against"`
	Problems []Problem    `json:"problems"`
}

// Files counts the recordings.
type Files struct {
	Given   int            `json:"given"`
	Read    int            `json:"read"`
	Formats map[Format]int `json:"formats"`
}

// Decisions counts verdicts.
type Decisions struct {
	Allow int `json:"allow"`
	Ask   int `json:"ask"`
	Deny  int `json:"deny"`
}

// A StageRow counts the verdicts of one kind of one stage.
type StageRow struct {
	Stage    policy.Stage    `json:"stage"`
	Decision policy.Decision `json:"decision"`
	Count    int             `json:"count"`
}

// Sessions counts conversations. Median and P90 are asks a session by nearest
// rank, Mean is their mean, null where there is no session.
type Sessions struct {
	Count      int      `json:"count"`
	Median     *int     `json:"asks_median"`
	Mean       *float64 `json:"asks_mean"`
	P90        *int     `json:"asks_p90"`
	WithoutAsk int      `json:"without_ask"`
	// Nowhere counts the calls that name no session: no loop is looked for
	// among them.
	Nowhere int `json:"calls_without_session"`
}

// A Head is what asks in calls. Count is the number of calls, Alone that of
// calls in which nothing else asks.
type Head struct {
	Name      string `json:"name"`
	Count     int    `json:"count"`
	Alone     int    `json:"alone"`
	Dangerous int    `json:"dangerous"`
	Example   Sample `json:"example"`
}

// A Saving is a permission that was tried, with the calls that it allows.
type Saving struct {
	Match string `json:"match"`
	Saves int    `json:"saves"`
	// Forms are the words that follow the head in the calls it allows.
	Forms []Form `json:"forms"`
	// Beyond are the other calls it allows.
	Beyond []Beyond `json:"beyond"`
}

// A Form is a word with the number of calls in which it follows a head.
type Form struct {
	Word  string `json:"word"`
	Count int    `json:"count"`
}

// A Beyond is what a permission allows beside its head.
type Beyond struct {
	Name    string `json:"name"`
	Count   int    `json:"count"`
	Example Sample `json:"example"`
}

// A Refusal is a head for which no permission is proposed. Asks is how many
// calls ask only because of it.
type Refusal struct {
	Head  string `json:"head"`
	Match string `json:"match,omitempty"`
	Asks  int    `json:"asks"`
	Why   string `json:"why"`
}

// A Loop is a session in which calls were denied as a loop.
type Loop struct {
	Session string `json:"session"`
	Denied  int    `json:"denied"`
	Calls   int    `json:"calls"`
	First   Sample `json:"first"`
}

// A Comparison is what another policy decides otherwise.
type Comparison struct {
	Name       string    `json:"name"`
	Revision   string    `json:"revision"`
	Decisions  Decisions `json:"decisions"`
	AsksPer100 *float64  `json:"asks_per_100_calls"`
	Sessions   Sessions  `json:"sessions"`
	// Differ counts the calls with another decision, Moved those with the same
	// one at another stage or by another rule.
	Differ  int      `json:"differ"`
	Moved   int      `json:"moved"`
	Changes []Change `json:"changes"`
}

// A Change is one way in which verdicts differ.
type Change struct {
	From    Side   `json:"from"`
	To      Side   `json:"to"`
	Head    string `json:"head"`
	Count   int    `json:"count"`
	Example Sample `json:"example"`
}

// A Side is the part of a verdict that is compared.
type Side struct {
	Decision policy.Decision `json:"decision"`
	Stage    policy.Stage    `json:"stage"`
	Rule     string          `json:"rule"`
}
