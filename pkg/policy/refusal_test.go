package policy_test

import (
	"context"
	"errors"
	"strings"
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

// Beside a part that could not be read, what denies still does, and what asks
// keeps its terms; nothing allows, and no silence is a yes.
func TestBrokenPart(t *testing.T) {
	for _, tc := range []struct {
		want, command, permissions string
		edit                       func(*policy.Settings)
	}{
		{"ask rules policy", "ls", "", nil},
		{"ask rules policy", "make", "allow shell make *", nil},
		{"ask rules policy", "make", "", yolo},
		{"ask rules policy", "make", "", skip},
		{"ask rules shell make *", "make x", "ask shell make *", nil},
		{"deny permission_deny shell make *", "make x", "deny shell make *", yolo},
		{"deny permission_deny uncertain", "git $X", "deny shell git push *", skip},
		{"deny permission_deny default", "make", "", func(s *policy.Settings) { s.DenyWrites = true }},
		{"deny hardline root-delete", "rm -rf /", "", yolo},
	} {
		s := policy.Defaults()
		s.Approval.OnTimeout = policy.Allow
		if action, match, ok := strings.Cut(tc.permissions, " "); ok {
			p := policy.Permission{Match: match}
			if err := p.Action.UnmarshalText([]byte(action)); err != nil {
				t.Fatal(err)
			}
			s.Permissions = append(s.Permissions, p)
		}
		if tc.edit != nil {
			tc.edit(&s)
		}
		e, err := policy.New(s, policy.Options{Broken: errors.New("policy.yaml:1:1: unknown key")})
		if err != nil {
			t.Fatal(err)
		}
		v := decide(t, e, nil, call(tc.command))
		if got := v.Decision.String() + " " + v.Stage.String() + " " + v.Rule; got != tc.want {
			t.Errorf("%s: %s, want %s", tc.command, got, tc.want)
		}
		if v.Rule == "policy" && (v.Ask.OnTimeout != policy.Deny || !v.Ask.EveryTime) {
			t.Errorf("%s: the terms %+v", tc.command, v.Ask)
		}
	}
}
