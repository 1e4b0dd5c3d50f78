package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A program that runs is told by its name, wherever it runs; a file by where it is.
func TestWhereProgramsRun(t *testing.T) {
	e := engineOf(t, "version: 1\n")
	all, commands := effectsOf(t.Context(), e, requestOf(t, call("cd sub && deploy-it > log")))
	told := func(list []approval.Effect, kind command.EffectKind) string {
		for _, e := range list {
			if e.Kind == kind.String() {
				return strings.Join(e.Targets, " ")
			}
		}
		return ""
	}
	if got := told(all, command.Runs); !strings.HasSuffix(got, "deploy-it") || strings.Contains(got, "/") {
		t.Errorf("the call runs %q", got)
	}
	if len(commands) != 2 {
		t.Fatalf("%+v", commands)
	}
	if runs, writes := told(commands[1].Effects, command.Runs), told(commands[1].Effects, command.Writes); runs != "deploy-it" || !strings.HasSuffix(writes, "/sub/log") {
		t.Errorf("the command runs %q and writes %q", runs, writes)
	}
}

// A model on trial is asked about every call that is not denied and matches nothing
// dangerous.
func TestTrial(t *testing.T) {
	e := engineOf(t, fmt.Sprintf(reviewPolicy, ""))
	for command, want := range map[string]string{"make": "", "ls": "", "npm ci": "", "rm -rf build": "dangerous pattern", "rm -rf /": "says deny"} {
		b := &Brief{Engine: func() *policy.Engine { return e }, Now: clock, Trial: true}
		f, err := b.Facts(t.Context(), requestOf(t, call(command)))
		if err != nil || (f.People == "") != (want == "") || !strings.Contains(f.People, want) {
			t.Errorf("%s: %+v, %v, want %q", command, f, err, want)
		}
	}
}

// A forgetful keeper cannot store when grants were used.
type forgetful struct {
	keeper
	err error
}

func (f *forgetful) Flush(context.Context) error { return f.err }

// When grants were used is stored each minute and at the end, and what fails is told.
func TestFlushes(t *testing.T) {
	full := errors.New("the disk is full")
	for _, err := range []error{nil, full} {
		synctest.Test(t, func(t *testing.T) {
			var failed []error
			j := newJudge(t, &kept{}, plain, func(o *JudgeOptions) {
				o.Grants = &forgetful{err: err}
				o.Failed = func(err error) { failed = append(failed, err) }
			})
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute+time.Second)
			defer stop()
			j.flush(ctx)
			if err == nil && len(failed) > 0 || err != nil && (len(failed) != 3 || !errors.Is(failed[0], full)) {
				t.Errorf("%v: told %v", err, failed)
			}
		})
	}
}
