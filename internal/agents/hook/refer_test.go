package hook_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

func askAll(context.Context, *hook.Event) (policy.Verdict, error) {
	return policy.Verdict{Decision: policy.Ask, Reason: policy.ReasonNone, Why: "somebody said so"}, nil
}

// Whatever goes wrong while somebody is asked denies, in time.
func TestReferFailures(t *testing.T) {
	rows := map[string]func(context.Context, hook.Ask) (hook.Outcome, error){
		"panics": func(context.Context, hook.Ask) (hook.Outcome, error) { panic("boom") },
		"fails": func(context.Context, hook.Ask) (hook.Outcome, error) {
			return hook.Outcome{Verdict: policy.Verdict{Decision: policy.Allow}}, errors.New("x")
		},
		"says zero": func(context.Context, hook.Ask) (hook.Outcome, error) { return hook.Outcome{}, nil },
		"still asks": func(_ context.Context, in hook.Ask) (hook.Outcome, error) {
			return hook.Outcome{Verdict: in.Verdict}, nil
		},
		"hangs": func(context.Context, hook.Ask) (hook.Outcome, error) {
			time.Sleep(time.Minute)
			return hook.Outcome{Verdict: policy.Verdict{Decision: policy.Allow}}, nil
		},
		"heeds its time": func(ctx context.Context, _ hook.Ask) (hook.Outcome, error) {
			<-ctx.Done()
			return hook.Outcome{Verdict: policy.Verdict{Decision: policy.Allow}}, ctx.Err()
		},
	}
	codex, _ := hook.Lookup("codex")
	for name, refer := range rows {
		var got ran
		var took time.Duration
		synctest.Test(t, func(*testing.T) { // where the machine is slow, nothing else takes 50 ms
			begin := time.Now()
			got = run(codex, []byte(event(`{"command":"ls"}`)), hook.Host{Decide: askAll, Refer: refer, Timeout: 50 * time.Millisecond})
			took = time.Since(begin)
			time.Sleep(time.Minute) // until what hangs ends
		})
		if word := said(t, "codex", got); word != "deny" || took > 50*time.Millisecond {
			t.Errorf("%s: %q after %s: %s", name, word, took, got.out)
		}
	}
}

// A hook that is told to wait decides no slower, and has the time that it was
// told for whom it asks.
func TestWait(t *testing.T) {
	for _, wait := range []time.Duration{0, time.Second, 10 * time.Minute} {
		a, _ := hook.Lookup("codex")
		begin := time.Now()
		run(a, []byte(event(`{"command":"ls"}`)), hook.Host{
			Wait: wait,
			Decide: func(ctx context.Context, e *hook.Event) (policy.Verdict, error) {
				if end, ok := ctx.Deadline(); !ok || end.Sub(begin) > hook.DefaultWait+hook.Margin+time.Second {
					t.Errorf("wait %s: %s to decide", wait, end.Sub(begin))
				}
				return askAll(ctx, e)
			},
			Refer: func(ctx context.Context, in hook.Ask) (hook.Outcome, error) {
				want := wait
				if wait == 0 {
					want = hook.DefaultWait
				}
				end, ok := ctx.Deadline()
				if left := in.Until.Sub(begin); !ok || left < want || left > want+time.Second || end.Sub(in.Until) < hook.Margin-time.Second {
					t.Errorf("wait %s: until %s, end %s", wait, left, end.Sub(begin))
				}
				if string(in.Raw) != event(`{"command":"ls"}`) {
					t.Errorf("%s", in.Raw)
				}
				return hook.Outcome{Verdict: in.Verdict}, nil
			},
		})
	}
}

// What another program answered is passed on, and refused where it cannot be.
func TestAnswered(t *testing.T) {
	a, _ := hook.Lookup("codex")
	refer := func(context.Context, hook.Ask) (hook.Outcome, error) {
		return hook.Outcome{Answered: true, Printed: []byte("{}\n"), Code: 0}, nil
	}
	if got := run(a, []byte(event(`{"command":"ls"}`)), hook.Host{Decide: askAll, Refer: refer}); got.out != "{}\n" || got.code != 0 {
		t.Errorf("%+v", got)
	}
	var notes strings.Builder
	h := hook.Host{Stdin: strings.NewReader(event(`{"command":"ls"}`)), Stdout: broken{}, Stderr: &notes, Decide: askAll, Refer: refer}
	if code := hook.Run(context.Background(), a, h); code != 2 || notes.Len() == 0 {
		t.Errorf("exit code %d, %q", code, notes.String())
	}
}
