package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/policyctl/policyctl/pkg/policy"
)

// What is exactly as long as it may be is taken.
func TestLongestTaken(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for name, take := range map[string]func(r *rig, q *Request) error{
		"key":     func(r *rig, _ *Request) error { return r.submits(Submission{Key: x(MaxKey)}) },
		"name":    func(r *rig, _ *Request) error { return r.submits(Submission{Name: x(MaxKey)}) },
		"id":      func(r *rig, _ *Request) error { return r.submits(Submission{ID: x(MaxKey)}) },
		"said":    func(r *rig, _ *Request) error { return r.submits(Submission{Said: x(maxSaid)}) },
		"timeout": func(r *rig, _ *Request) error { return r.submits(Submission{Timeout: MaxTimeout}) },
		"waits":   func(r *rig, _ *Request) error { return r.submits(Submission{Waits: MaxTimeout}) },
		"groups": func(r *rig, _ *Request) error {
			return r.submits(Submission{Asked: &Asked{Also: slices.Repeat(also(policy.Group{Approver: "ann"}), policy.MaxApprovers)}})
		},
		"extension": func(r *rig, q *Request) error {
			_, err := r.Extend(r.t.Context(), q.ID, "token:ann", maxPending)
			return err
		},
		"list": func(r *rig, _ *Request) error { _, err := r.List(r.t.Context(), Filter{Limit: MaxLimit}); return err },
		"session": func(r *rig, _ *Request) error {
			_, err := r.DenySession(r.t.Context(), x(maxName), "token:ann", x(maxReason/2), r.Now().Add(maxSessionDenial))
			return err
		},
		"revocation": func(r *rig, q *Request) error {
			_, err := r.Decide(r.t.Context(), q.ID, "token:ann", Answer{Word: ApprovedOnce, Reason: x(maxReason)})
			if err == nil {
				_, err = r.Revoke(r.t.Context(), q.ID, "token:ann", x(maxReason))
			}
			return err
		},
		"life": func(r *rig, q *Request) error {
			_, err := r.Decide(r.t.Context(), q.ID, "token:ann", remember(Here, MaxLife))
			return err
		},
		"report": func(r *rig, q *Request) error {
			q, err := r.Decide(r.t.Context(), q.ID, "token:ann", once)
			if err == nil {
				_, err = r.Consume(r.t.Context(), "token:agent", q.Receipt.Text)
			}
			if err == nil {
				_, err = r.Report(r.t.Context(), q.ID, "token:agent", Execution{Outcome: Executed, Detail: x(maxDetail)})
			}
			return err
		},
		"short test": func(r *rig, _ *Request) error {
			_, err := r.Try(r.t.Context(), "token:ben", Queue, MinTimeout)
			return err
		},
		"long test": func(r *rig, _ *Request) error {
			_, err := r.Try(r.t.Context(), "token:ben", Queue, MaxTimeout)
			return err
		},
		"options": func(r *rig, _ *Request) error {
			_, err := NewService(r.t.Context(), Options{Store: newMemory(), Judge: &judge{}, Now: time.Now, Keep: minKeep, ReceiptTime: maxReceiptTime})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.judge.terms.Timeout = time.Minute
			r.judge.offers = []Offer{{Scope: Here, Stores: []string{"make"}}}
			if err := take(r, r.submit("make")); err != nil {
				t.Error(err)
			}
		})
	}
}

// submits submits a call, and returns the error alone.
func (r *rig) submits(in Submission) error {
	in.Call = call("make it")
	_, err := r.Submit(r.t.Context(), "token:agent", in)
	return err
}

// A receipt may be valid from one nanosecond to an hour.
func TestReceiptTimes(t *testing.T) {
	for life, fine := range map[time.Duration]bool{0: true, maxReceiptTime: true, maxReceiptTime + 1: false, -1: false} {
		_, err := NewService(t.Context(), Options{Store: newMemory(), Judge: &judge{}, Now: time.Now, ReceiptTime: life})
		if fine != (err == nil) {
			t.Errorf("%s: %v", life, err)
		}
	}
}

// Clocks may differ by a minute, in both directions and no more.
func TestSkewedClocks(t *testing.T) {
	r, q := approved(t)
	end := q.Receipt.Expires.Unix()
	for at, want := range map[int64]string{start - 61: "not valid before", start - 60: "", end + 59: "", end + 60: "expired"} {
		if _, err := r.Keys().Verify(q.Receipt.Text, time.Unix(at, 0)); want == "" && err != nil || want != "" && !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%d seconds from the start: %v, want %q", at-start, err, want)
		}
	}
}

// A receipt says which part of it is wrong, and is not read at any length.
func TestSpoiltReceipts(t *testing.T) {
	r := newRig(t)
	for text, want := range map[string]string{
		"a b.YQ.YQ": "part 1: ", "YQ.a b.YQ": "part 2: ", "YQ.YQ.a b": "part 3: ",
		strings.Repeat("a", maxReceipt):   "it has 1 parts",
		strings.Repeat("a", maxReceipt+1): "longer than",
	} {
		if _, err := r.Keys().Verify(text, time.Unix(start, 0)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.10q: %v, want %q", text, err, want)
		}
	}
}

// A title of the longest length stands as it is.
func TestLongestTitle(t *testing.T) {
	r := newRig(t)
	const begin = "shell: "
	for n, want := range map[int]string{200 - len(begin): "é", 201 - len(begin): "…"} {
		if got := r.submit(strings.Repeat("é", n)).Title; len([]rune(got)) != 200 || !strings.HasSuffix(got, want) {
			t.Errorf("%d letters: %q", n, got)
		}
	}
}

// A text of a review is cut where it is too long, and only there.
func TestLongestReview(t *testing.T) {
	for n, want := range map[int]string{maxReviewText: "a", maxReviewText + 1: "…"} {
		if got := (Review{Why: strings.Repeat("a", n)}).clean().Why; !strings.HasSuffix(got, want) {
			t.Errorf("%d bytes: it ends with %q", n, got[len(got)-3:])
		}
	}
}

// The words of a request end behind a whole word, and the longest ones stand as they are.
func TestCutWords(t *testing.T) {
	whole := strings.Repeat("word ", maxWords/5) + "ab"
	for text, want := range map[string]string{
		whole[:maxWords]:                  whole[:maxWords],
		whole[:maxWords-2] + "end others": whole[:maxWords-2],
	} {
		if got := cut(text); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%d bytes: %d bytes, which end with %q", len(text), len(got), got[len(got)-8:])
		}
	}
	r := &Request{Contract: json.RawMessage(`{"title":"nightly build"}`)}
	if !strings.Contains(r.Words(), "nightly build") {
		t.Errorf("a program is not found: %q", r.Words())
	}
}

// What all people said, and is exactly as long as a reason may be, is not cut.
func TestLongestReasonOfVotes(t *testing.T) {
	for extra, want := range []string{"b", "…"} {
		r := several(t)
		id := r.submit("make").ID
		r.voted(id, "token:alice", Answer{Word: ApprovedOnce, Reason: strings.Repeat("a", 2000)})
		rest := maxReason - len("alice: ; bob: ") - 2000
		got := r.voted(id, "token:bob", Answer{Word: ApprovedOnce, Reason: strings.Repeat("b", rest+extra)}).Decision.Reason
		if len(got) > maxReason || !strings.HasSuffix(got, want) {
			t.Errorf("%d bytes, which end with %q", len(got), got[len(got)-3:])
		}
	}
}

// A refusal of what is too long says so.
func TestTooLong(t *testing.T) {
	r := newRig(t)
	x := strings.Repeat("x", maxReason+1)
	for name, err := range map[string]error{
		"key":     r.submits(Submission{Key: x[:MaxKey+1]}),
		"name":    r.submits(Submission{Name: x[:MaxKey+1]}),
		"said":    r.submits(Submission{Said: x[:maxSaid] + "x"}),
		"timeout": r.submits(Submission{Timeout: MaxTimeout + 1}),
		"waits":   r.submits(Submission{Waits: MaxTimeout + 1}),
		"too few": r.submits(Submission{Waits: -1}),
	} {
		var invalid *Invalid
		if !errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
