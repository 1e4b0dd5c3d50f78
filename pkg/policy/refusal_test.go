package policy_test

import (
	"context"
	"errors"
	"testing"

	"github.com/policyctl/policyctl/pkg/policy"
)

// failing is a source that cannot judge.
type failing struct{ err error }

func (f failing) Judge(context.Context, *policy.Input) (policy.Answer, error) {
	return policy.Answer{}, f.err
}

// An error of a source asks, and a refusal denies, whatever else allows; the
// floor is named first.
func TestSourceErrors(t *testing.T) {
	broken := errors.New("no answer")
	for _, tc := range []struct {
		want, command string
		err           error
		yolo          bool
	}{
		{"ask rules error none", "ls", broken, false},
		{"deny permission_deny uncertain error", "ls", broken, true},
		{"deny permission_deny error error", "ls", &policy.Refusal{Err: broken}, false},
		{"deny permission_deny error error", "ls", &policy.Refusal{Err: broken}, true},
		{"deny hardline root-delete hardline", "rm -rf /", &policy.Refusal{Err: broken}, true},
	} {
		s := policy.Defaults()
		s.Yolo = tc.yolo
		e, err := policy.New(s, policy.Options{Sources: []policy.Source{failing{tc.err}}})
		if err != nil {
			t.Fatal(err)
		}
		v, err := e.Decide(context.Background(), nil, policy.Shell(tc.command, "/w"))
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Decision.String() + " " + v.Stage.String() + " " + v.Rule + " " + v.Reason.String(); got != tc.want {
			t.Errorf("%s, yolo %t: %s, want %s", tc.command, tc.yolo, got, tc.want)
		}
	}
}
