package desk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A waiting is one call that waits, however often it was asked about.
type waiting struct {
	*approval.Request
	// IDs are those of all requests of the call that one answer may decide.
	IDs  []string
	Risk string
	// Command is the text of a command, nil for a call of another kind.
	Command []piece
	Dangers []danger
	// Policy is the revision of the policy that judges answers.
	Policy string
	// Beside are the other arguments, where a list shows them, and Cut says that they
	// are too long for it.
	Beside []part
	Cut    bool
}

// A danger is a pattern that a call matches.
type danger struct{ Rule, Why, Part string }

// A group are the calls of one session.
type group struct {
	Agent, Session, Dir string
	Waiting             []*waiting
	// More counts the calls that are not shown: a session that asks without end
	// does not hide the others.
	More int
}

// maxShown bounds the calls of one session that are shown, and maxRead the requests
// that are read for a page.
const (
	maxShown = 20
	maxRead  = 200
)

// A pendingPage is what is pending.
type pendingPage struct {
	Query  string
	Groups []*group
	// All counts the pending requests, Found those that have the text of the query, of
	// which the page has no more than it can show: Full says that there may be others.
	All, Found int
	Full       bool
	// Sessions counts those of which nothing is shown.
	Sessions int
	// Channels is what is wrong with those that tell people.
	Channels []string
	// Programs are the newest proved programs, and Fresh says that nothing was ever asked.
	Programs []program
	Fresh    bool
}

func (d *Desk) pending(x *route.Exchange) (string, *frame, error) {
	page := &pendingPage{Query: x.Query.Get("q"), Channels: x.ChannelProblems()}
	revision := x.Decider.Engine().Revision()
	known := d.large.under(revision)
	list, err := x.Service.List(x.Context(), approval.Filter{
		States: []approval.State{approval.Pending}, Text: beginnings(page.Query), Fair: true, Limit: maxRead, Known: known.versions(),
	})
	if err != nil {
		return "", nil, err
	}
	sessions, err := x.Data.PendingSessions(x.Context())
	if err != nil {
		return "", nil, err
	}
	for _, n := range sessions {
		page.All += n
	}
	page.Found, page.Full = len(list), len(list) == maxRead
	for _, r := range list {
		w := d.large.row(known, r, revision)
		if seen, ok := backend.Views(x.Who, w.Request); ok {
			w.Request = seen
			page.add(w)
			sessions[w.Session]--
		}
	}
	if page.Query == "" {
		page.count(sessions)
		if page.Programs, err = d.programs.list(x); err != nil {
			return "", nil, err
		}
	}
	if page.All == 0 {
		all, err := x.Service.List(x.Context(), approval.Filter{Limit: 1})
		if err != nil {
			return "", nil, err
		}
		page.Fresh = len(all) == 0
	}
	return "pending.html", &frame{Title: "Pending", At: "pending", Content: page}, nil
}

// beginnings has each word of a filter stand for all that begin like it, since people
// see the list grow shorter as they type. What has no letter or digit chooses nothing.
func beginnings(query string) string {
	var words []string
	for w := range strings.FieldsSeq(query) {
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			words = append(words, strings.TrimSuffix(w, "*")+"*")
		}
	}
	return strings.Join(words, " ")
}

// count adds how many requests were not read of each session.
func (p *pendingPage) count(unread map[string]int) {
	for _, g := range p.Groups {
		g.More += unread[g.Session]
		delete(unread, g.Session) // which another agent may share
	}
	p.Sessions = len(unread)
}

// add puts a request with those of its session, and with those that one answer may
// decide.
func (p *pendingPage) add(w *waiting) {
	i := slices.IndexFunc(p.Groups, func(g *group) bool { return g.Agent == w.Agent && g.Session == w.Session })
	if i < 0 {
		i = len(p.Groups)
		p.Groups = append(p.Groups, &group{Agent: w.Agent, Session: w.Session, Dir: w.Dir})
	}
	g := p.Groups[i]
	for _, other := range g.Waiting {
		if other.alike(w) {
			other.IDs = append(other.IDs, w.ID)
			return
		}
	}
	if len(g.Waiting) == maxShown {
		g.More++
		return
	}
	g.Waiting = append(g.Waiting, w)
}

// VotesText says how many of several people have approved and whom it waits for, ""
// where one person decides.
func (w *waiting) VotesText() string {
	if w.Tally == nil {
		return ""
	}
	return w.Tally.Text() + "; waiting for " + w.Tally.Wants()
}

// SecondAct returns the words that confirm that the call is approved, "" where that takes
// none.
func (w *waiting) SecondAct() string { return view.SecondAct(w.Request) }

// Shown is the revision with which an answer says what it is about.
func (w *waiting) Shown() string { return cmp.Or(w.Revision, w.Policy) }

// alike reports whether one answer may decide two requests: they are the same call,
// the same rule asks, and they can be answered in the same ways.
func (w *waiting) alike(o *waiting) bool {
	return w.Alike != "" && w.Alike == o.Alike && w.Shown() == o.Shown() && w.VotesText() == o.VotesText() && w.Asked.Stage == o.Asked.Stage && w.Asked.Rule == o.Asked.Rule &&
		slices.EqualFunc(w.Offers, o.Offers, sameOffer) && slices.EqualFunc(w.Denials, o.Denials, sameOffer)
}

func sameOffer(a, b approval.Offer) bool {
	return a.Scope == b.Scope && slices.Equal(a.Stores, b.Stores)
}

func waitingOf(r *approval.Request, revision string) *waiting {
	w := &waiting{Request: r, IDs: []string{r.ID}, Policy: revision}
	command := commandOf(r)
	if command != "" {
		w.Command = pieces(command, span(r, command))
	}
	var dangers []policy.Danger
	w.Risk, dangers = r.Harm()
	for _, d := range dangers {
		one := danger{Rule: d.Rule, Why: d.Why}
		if d.Span.From >= 0 && d.Span.From < d.Span.To && d.Span.To <= len(command) {
			one.Part = command[d.Span.From:d.Span.To]
		}
		w.Dangers = append(w.Dangers, one)
	}
	return w
}

// commandOf is the command of a call, "" where it has none as text. A program has none,
// whatever is in its body.
func commandOf(r *approval.Request) string {
	if r.Kind != approval.KindCall {
		return ""
	}
	command, _ := view.Input(r)["command"].(string)
	return command
}

// maxBeside bounds what the list shows of a call beside its command, in characters.
const maxBeside = 2000

// besides adds the arguments that the list shows with the command. It has no buttons
// that approve where any part of the call is too long.
func (w *waiting) besides() *waiting {
	w.shorten()
	if w.Contract != nil {
		w.Cut = strings.HasSuffix(w.Title, "…") // of what it guarantees
		return w
	}
	input, left := view.Input(w.Request), maxBeside
	for _, name := range view.Names(input) {
		if name == "command" && w.Command != nil {
			continue
		}
		text := view.Text(input[name])
		if left -= len(name) + len(text); left < 0 {
			w.Cut = true
			break
		}
		w.Beside = append(w.Beside, part{name, pieces(text, nil)})
	}
	return w
}

// span returns the part of a command that decided, nil where that is not known.
func span(r *approval.Request, command string) *[2]int {
	s := r.Asked.Span
	if s == nil || s[0] < 0 || s[1] > len(command) || s[0] >= s[1] {
		return nil
	}
	return s
}

// A requestPage is one request with all that helps to decide it.
type requestPage struct {
	*waiting
	Detail  *approval.Detail
	Lacking string
	// Inputs are the parts of the input beside the command, Changes those that put
	// a text in place of another.
	Inputs  []part
	Changes []changed
	Record  string
	Choices []choice
	// Commands are those of a shell line, with what each does.
	Commands []commandPart
	// Before sums up what was decided about the same call.
	Before string
	// Contract says that the request is of a proved program.
	Contract *contract
}

// A commandPart is a simple command.
type commandPart struct {
	Text    string
	Effects []approval.Effect
}

// A part is one argument.
type part struct {
	Name string
	Text []piece
}

// A changed is a text that another one replaces, in rows.
type changed struct {
	Name string
	Rows []row
}

// A row of a change goes, comes, or stays.
type row struct {
	Sign string
	Text []piece
}

// A voteLine is what somebody has voted.
type voteLine struct {
	At   time.Time
	Text string
}

// Approver says who must decide.
func (p *requestPage) Approver() string { return view.Approver(p.Request) }

// Askers names the rules that ask, "" for one.
func (p *requestPage) Askers() string { return view.Askers(p.Request) }

// VoteLines are the votes of several people.
func (p *requestPage) VoteLines() (lines []voteLine) {
	for i := range p.Votes {
		lines = append(lines, voteLine{p.Votes[i].At, view.Vote(&p.Votes[i])})
	}
	return lines
}

// A choice is one way to approve.
type choice struct {
	approval.Offer
	Gain *approval.Gain
}

// A contract is what a proved program promises.
type contract struct {
	Source, Target string
	Guarantees     []string
	Roots          []string
	Proofs         []proof
	Program        string
	// Hash is that of a program that the submission does not have, and Coverage what its
	// prover says of domains.
	Hash     string
	Coverage []covered
}

type proof struct{ Name, Conclusion, Description string }

func (d *Desk) request(x *route.Exchange) (string, *frame, error) {
	r, err := x.Service.Get(x.Context(), x.ID)
	if errors.Is(err, approval.ErrNotFound) {
		r, err = named(x)
	}
	if err != nil {
		return "", nil, err
	}
	detail, err := x.Detail(x.Context(), x.Who, r)
	if err != nil {
		return "", nil, err
	}
	page := requestPageOf(detail, x.Decider.Engine().Revision())
	page.Before = before(detail.Earlier, x.Now())
	return "request.html", &frame{Title: detail.Title, At: "request", Content: page}, nil
}

// named returns the request of an id that its submitter has given it. Several have it
// where several submitters do, or the same one asks again: then it is the one that waits,
// if only one does.
func named(x *route.Exchange) (*approval.Request, error) {
	f := approval.Filter{Name: x.ID, Limit: 2}
	for _, states := range [][]approval.State{nil, {approval.Pending}} {
		f.States = states
		switch all, err := x.Service.List(x.Context(), f); {
		case err != nil:
			return nil, err
		case len(all) == 1:
			return all[0], nil
		case len(all) == 0 && states == nil:
			return nil, approval.ErrNotFound
		}
	}
	return nil, route.Refuse(http.StatusConflict, "ambiguous", "several requests have the id "+x.ID, "look at them in the history, which has the id of each")
}

func requestPageOf(d *approval.Detail, revision string) *requestPage {
	r := d.Request
	p := &requestPage{waiting: waitingOf(r, revision), Detail: d, Lacking: view.Lacking(r), Record: view.Record(r)}
	input := view.Input(r)
	if r.Contract != nil && r.Pruned == nil {
		if p.Contract = contractOf(r.Contract); p.Contract != nil {
			input = nil
		}
	}
	for _, c := range view.TakeChanges(input) {
		p.Changes = append(p.Changes, changedOf(c))
	}
	for _, name := range view.Names(input) {
		if name != "command" || p.Command == nil {
			p.Inputs = append(p.Inputs, part{name, pieces(view.Text(input[name]), nil)})
		}
	}
	command := commandOf(r)
	for _, c := range d.Commands {
		if c.Span[0] >= 0 && c.Span[0] <= c.Span[1] && c.Span[1] <= len(command) {
			p.Commands = append(p.Commands, commandPart{command[c.Span[0]:c.Span[1]], c.Effects})
		}
	}
	for _, o := range r.Offers {
		c := choice{Offer: o}
		if i := slices.IndexFunc(d.Gains, func(g approval.Gain) bool { return g.Scope == o.Scope }); i >= 0 {
			c.Gain = &d.Gains[i]
		}
		p.Choices = append(p.Choices, c)
	}
	return p
}

// before sums up what was decided about the same call, such as "approved 3 times,
// denied once; last 2 h ago".
func before(earlier []approval.Earlier, now time.Time) string {
	approved := 0
	for _, e := range earlier {
		if e.Decision.Word.Approves() {
			approved++
		}
	}
	var parts []string
	for word, n := range map[string]int{"approved": approved, "denied": len(earlier) - approved} {
		switch n {
		case 0:
		case 1:
			parts = append(parts, word+" once")
		default:
			parts = append(parts, fmt.Sprintf("%s %d times", word, n))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	text := strings.Join(parts, ", ") + "; last " + ago(now.Sub(earlier[0].Decision.At))
	if len(earlier) == approval.MaxEarlier {
		text = fmt.Sprintf("of the last %d: %s", approval.MaxEarlier, text)
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// ago says how long something is past, in the largest whole unit.
func ago(d time.Duration) string {
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}} {
		if d >= u.of {
			return fmt.Sprintf("%d %s ago", d/u.of, u.name)
		}
	}
	return "just now"
}

// changedOf divides the rows of a change into their sign and their text.
func changedOf(c view.Change) changed {
	out := changed{Name: c.Name}
	for _, line := range c.Rows {
		sign, text := " ", line
		if len(line) >= 2 && line[1] == ' ' && strings.ContainsRune("+- ", rune(line[0])) {
			sign, text = line[:1], line[2:]
		}
		out.Rows = append(out.Rows, row{sign, pieces(text, nil)})
	}
	return out
}

// contractOf reads the submission of a proved program, nil if it is not one.
func contractOf(text json.RawMessage) *contract {
	var c struct {
		Source     string   `json:"source_name"`
		Target     string   `json:"target"`
		Guarantees []string `json:"guarantees"`
		Trusted    []string `json:"trusted_roots"`
		Imports    []string `json:"import_roots"`
		Proofs     []proof  `json:"proofs"`
		Program    string   `json:"program"`
		Hash       string   `json:"program_sha256"`

		Coverage json.RawMessage `json:"coverage"`
	}
	if json.Unmarshal(text, &c) != nil {
		return nil
	}
	return &contract{
		Source: c.Source, Target: c.Target, Guarantees: c.Guarantees, Proofs: c.Proofs, Program: c.Program,
		Hash: c.Hash, Coverage: coverageOf(c.Coverage),
		Roots: slices.Concat(c.Trusted, c.Imports),
	}
}
