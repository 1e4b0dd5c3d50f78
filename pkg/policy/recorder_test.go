package policy_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A notebook is a recorder with a clock that goes a second a look.
type notebook struct {
	at  time.Time
	all []policy.Outcome
}

func (n *notebook) Now() time.Time          { n.at = n.at.Add(time.Second); return n.at }
func (n *notebook) Record(o policy.Outcome) { n.all = append(n.all, o) }

// Denials and asks are on record, also of calls that cannot be judged, and what is
// only looked at is not.
func TestRecorder(t *testing.T) {
	n := &notebook{}
	e, err := policy.New(policy.Defaults(), policy.Options{Recorder: n})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*policy.Call{policy.Shell("rm -rf /", "/w"), policy.Shell("make", "/w"), policy.Shell("ls", "/w"), policy.Shell("ls", "w")} {
		v, err := e.Decide(t.Context(), nil, c)
		if w, again := e.Review(t.Context(), nil, c); w.Decision != v.Decision || fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("%v: %s and %s", c.Input, v.Decision, w.Decision)
		}
		if _, again := e.Explain(t.Context(), nil, c); fmt.Sprint(again) != fmt.Sprint(err) {
			t.Error(again)
		}
	}
	var got []string
	for _, o := range n.all {
		got = append(got, fmt.Sprint(o.Verdict.Decision, " ", o.Verdict.Reason, " ", o.Call.Input["command"], " ", o.Took))
	}
	if want := []string{"deny hardline rm -rf / 1s", "ask none make 1s", "deny error ls 1s"}; !slices.Equal(got, want) {
		t.Errorf("on record are %q, want %q", got, want)
	}
}

// Of allows as many are on record as the policy says.
func TestRecordAllows(t *testing.T) {
	for percent, within := range map[int][2]int{0: {0, 0}, 50: {300, 700}, 100: {1000, 1000}} {
		s := policy.Defaults()
		s.RecordAllows = percent
		e, err := policy.New(s, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for range 1000 {
			if e.Records(policy.Allow) {
				n++
			}
			if !e.Records(policy.Deny) || !e.Records(policy.Ask) {
				t.Fatal("a denial or an ask is not on record")
			}
		}
		if n < within[0] || n > within[1] {
			t.Errorf("%d percent: %d of 1000", percent, n)
		}
	}
}
