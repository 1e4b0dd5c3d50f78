package rego

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/policyctl/policyctl/internal/support/cputime"
	"github.com/policyctl/policyctl/pkg/policy"
)

const harmless = `package policyctl.admission
deny contains {"id": "x", "reason": "r"} if input.call.tool == "none"
deny contains {"id": "y", "reason": "r"} if { input.call.tool == "read"; count([1 | numbers.range(1, 3000)[_] > numbers.range(1, 3000)[_]]) < 0 }`

// lateAdmission is an admission of a deadline, of which an evaluation waits
// before it begins.
func lateAdmission(t *testing.T, deadline, waits time.Duration) *Admission {
	t.Helper()
	a, err := NewAdmission([]Module{{"p.rego", harmless}}, nil, Options{Deadline: deadline})
	if err != nil {
		t.Fatal(err)
	}
	a.evaluate = func(b *budget, input ast.Value) (ast.Value, error) {
		time.Sleep(waits)
		b.steps = 2 // the first look is at the context alone
		b.err = b.look()
		if b.err != nil {
			return nil, b.err
		}
		return a.eval(b, input)
	}
	return a
}

func inputOf(t testing.TB, s policy.Settings, c *policy.Call) *policy.Input {
	t.Helper()
	e, err := policy.New(s, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := e.Input(c)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// What waits for a processor is not late, but where it waits for very long.
func TestWaiting(t *testing.T) {
	ls := inputOf(t, policy.Defaults(), policy.Shell("ls", "/w"))
	a := lateAdmission(t, 50*time.Millisecond, 80*time.Millisecond)
	for range 3 {
		if _, err := a.Judge(t.Context(), ls); err != nil {
			t.Error(err)
		}
	}
	a = lateAdmission(t, 10*time.Millisecond, 120*time.Millisecond)
	for i, want := range []string{"the first and only one of this process: give the machine", "as did 2 of 2 of this process since 20"} {
		_, err := a.Judge(t.Context(), ls)
		if err == nil || !strings.Contains(err.Error(), "waited for a processor for more than 100ms and had ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: got %v, want %s", i, err, want)
		}
	}
}

// A machine that has no processor to spare denies nothing for that.
func TestBusyMachine(t *testing.T) {
	var stop atomic.Bool
	defer stop.Store(true)
	for range 8 * runtime.GOMAXPROCS(0) {
		go func() {
			for !stop.Load() {
			}
		}()
	}
	a, err := NewAdmission([]Module{{"p.rego", harmless}}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ls := inputOf(t, policy.Defaults(), policy.Shell("ls", "/w"))
	for range 30 {
		if _, err := a.Judge(t.Context(), ls); err != nil {
			t.Fatal(err)
		}
	}
}

// The policy says how long one call may take, and a denial how many did.
func TestDeadlineOfPolicy(t *testing.T) {
	a, err := NewAdmission([]Module{{"p.rego", harmless}}, nil, Options{Deadline: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	s := policy.Defaults()
	s.AdmissionDeadline = 20 * time.Millisecond
	ls, read := inputOf(t, s, policy.Shell("ls", "/w")), inputOf(t, s, &policy.Call{Tool: "read", Input: map[string]any{"path": "a"}, Dir: "/w"})
	for range 3 {
		if _, err := a.Judge(t.Context(), ls); err != nil {
			t.Fatal(err)
		}
	}
	took := cputime.Of(func() { _, err = a.Judge(t.Context(), read) })
	if took > 150*time.Millisecond {
		t.Errorf("stopped after %v of processor time", took)
	}
	if want := "took more than 20ms of processor time, as did 1 of 4 of this process since 20"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func BenchmarkBudget(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s := spend(context.Background(), time.Minute)
		for range 2 * stride {
			s.Cancelled()
		}
		s.done()
	}
}
