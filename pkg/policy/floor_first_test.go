package policy_test

import (
	"context"
	"errors"
	"testing"

	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A witness is a source that counts how often it is asked.
type witness struct{ asked int }

func (w *witness) Judge(context.Context, *policy.Input) (policy.Answer, error) {
	w.asked++
	return policy.Answer{Decision: policy.Allow, Certain: true, Rule: "all"}, nil
}

// A panicking source has a bug.
type panicking struct{}

func (panicking) Judge(context.Context, *policy.Input) (policy.Answer, error) { panic("a bug") }

// torn is a set of grants that cannot be asked.
type torn struct{}

func (torn) Covers(*policy.Input, string) []policy.Covered { panic("no grants") }

func (torn) Denials() ([]policy.Denial, error) { panic("no denials") }

// TestFloorAnswersFirst shows that nothing else is consulted about what the
// floor denies, so that nothing that fails takes the place of its reason.
func TestFloorAnswersFirst(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	seen := &witness{}
	file := &policy.Call{Tool: "write", Input: map[string]any{"file_path": "/dev/sda", "content": ""}, OS: "linux"}
	for name, tc := range map[string]struct {
		ctx     context.Context
		options policy.Options
		session *policy.Session
		edit    func(*policy.Settings)
	}{
		"a cancelled context":    {ctx: cancelled, options: policy.Options{Sources: []policy.Source{cancelling{}}}},
		"a failing source":       {options: policy.Options{Sources: []policy.Source{failing{errors.New("down")}}}},
		"a refusing source":      {options: policy.Options{Sources: []policy.Source{failing{&policy.Refusal{Err: errors.New("down")}}}}},
		"a source out of step":   {options: policy.Options{Sources: []policy.Source{outOfStep{}}}},
		"a panicking source":     {options: policy.Options{Sources: []policy.Source{panicking{}}}},
		"grants that fail":       {options: policy.Options{Grants: torn{}}},
		"a broken policy":        {options: policy.Options{Broken: errors.New("line 3")}},
		"an unreadable session":  {session: &policy.Session{ID: "s", Doom: doom.New(1), Unreadable: errors.New("torn")}},
		"an id that comes twice": {session: spent(t)},
		"yolo":                   {edit: func(s *policy.Settings) { s.Yolo = true }},
		"denies of everything":   {edit: func(s *policy.Settings) { s.Permissions = []policy.Permission{{Match: "* *"}} }},
		"a source that allows":   {options: policy.Options{Sources: []policy.Source{seen}}},
	} {
		ctx := tc.ctx
		if ctx == nil {
			ctx = context.Background()
		}
		s := policy.Defaults()
		if tc.edit != nil {
			tc.edit(&s)
		}
		e, err := policy.New(s, tc.options)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*policy.Call{{ID: "1", Tool: "shell", Input: map[string]any{"command": "rm -rf /"}, Dir: "/w"}, file} {
			v, err := e.Decide(ctx, tc.session, c)
			if err != nil || v.Stage != policy.StageHardline || v.Reason != policy.ReasonHardline || v.Rule == "" {
				t.Errorf("%s, %s: %s %s %s, %v", name, c.Tool, brief(v), v.Reason, v.Rule, err)
			}
		}
	}
	if seen.asked != 0 {
		t.Errorf("a source was asked %d times about what the floor denies", seen.asked)
	}
}

// cancelling answers as a source does under a cancelled context.
type cancelling struct{}

func (cancelling) Judge(ctx context.Context, _ *policy.Input) (policy.Answer, error) {
	return policy.Answer{}, ctx.Err()
}

// outOfStep answers about more commands than there are.
type outOfStep struct{}

func (outOfStep) Judge(context.Context, *policy.Input) (policy.Answer, error) {
	return policy.Answer{Parts: make([]policy.Answer, 99)}, nil
}

// spent returns a session in which the id 1 stands for another call.
func spent(t *testing.T) *policy.Session {
	t.Helper()
	s := policy.NewSession("s")
	c := call("make")
	c.ID = "1"
	decide(t, engine(t, "", nil), s, c)
	return s
}

// TestFloorBesideErrors shows that a call of which one argument cannot be read
// is denied by the floor where another is catastrophic.
func TestFloorBesideErrors(t *testing.T) {
	e := engine(t, "allow *", func(s *policy.Settings) { s.Yolo = true })
	for _, tc := range []struct {
		want string
		call *policy.Call
	}{
		{"hardline", &policy.Call{Tool: "shell", Dir: "w", Input: map[string]any{"command": "rm -rf /"}}},
		{"hardline", &policy.Call{Tool: "Bash", Input: map[string]any{"command": "ls", "COMMAND": "rm -rf ~"}, Dir: "/w"}},
		{"hardline", &policy.Call{Tool: "shell", Input: map[string]any{"Command": "rm -rf /"}, Dir: "/w"}},
		{"hardline", &policy.Call{Tool: "shell", Input: map[string]any{"command": []any{"rm", "-rf", "/", 1.0}}, Dir: "/w"}},
		{"hardline", &policy.Call{Tool: "shell", Input: map[string]any{"command": []any{"ls", []any{"rm -rf /"}}}, Dir: "/w"}},
		{"hardline", &policy.Call{Tool: "shell", Input: map[string]any{"command": map[string]any{"text": "mkfs.ext4 /dev/sda1"}}, Dir: "/w"}},
		{"hardline", &policy.Call{Tool: "write", Input: map[string]any{"file_path": []any{"/dev/sda"}}, OS: "linux"}},
		{"hardline", &policy.Call{Tool: "write", Input: map[string]any{"File_Path": "/dev/sda"}, OS: "linux"}},
		{"none", &policy.Call{Tool: "shell", Dir: "w", Input: map[string]any{"command": "rm -rf build"}}},
		{"none", &policy.Call{Tool: "shell", Input: map[string]any{"command": []any{"ls", 1.0}}, Dir: "/w"}},
		{"none", &policy.Call{Tool: "shell", Input: map[string]any{"command": 5.0, "description": "rm -rf /"}, Dir: "/w"}},
		{"none", &policy.Call{Tool: "write", Input: map[string]any{"file_path": 5.0, "content": "rm -rf /"}}},
	} {
		v, err := e.Decide(context.Background(), nil, tc.call)
		if v.Decision != policy.Deny || v.Stage.String() != tc.want || (err == nil) != (tc.want == "hardline") {
			t.Errorf("%v: %s, %v; want %s", tc.call.Input, brief(v), err, tc.want)
		}
		x, _ := e.Explain(context.Background(), nil, tc.call)
		if x.Stage != v.Stage {
			t.Errorf("%v: explained as %s", tc.call.Input, brief(x.Verdict))
		}
	}
}

// TestSourcesBehindTheFloor shows that no source is asked about what the floor
// denies, in whichever of the directories in which the call may run, and that
// none that fails takes the place of the denial.
func TestSourcesBehindTheFloor(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	counting := &witness{}
	for name, tc := range map[string]struct {
		ctx    context.Context
		source policy.Source
	}{
		"counts": {context.Background(), counting}, "fails": {context.Background(), failing{errors.New("down")}}, "is cancelled": {ctx, cancelling{}},
	} {
		e, err := policy.New(policy.Defaults(), policy.Options{Sources: []policy.Source{tc.source}})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*policy.Call{
			call("rm -rf /"),
			{Tool: "write", Input: map[string]any{"file_path": "/dev/sda", "content": ""}, OS: "linux"},
			{Tool: "Bash", Input: map[string]any{"command": "rm -rf *", "workdir": "/"}, Dir: "/w/x"}, // Claude Code drops workdir
			{Tool: "Bash", Input: map[string]any{"command": "rm -rf *", "workdir": "/w/x"}, Dir: "/"}, //
			{Tool: "mcp__x__run", Input: map[string]any{"command": "rm -rf /"}},
			{Tool: "shell", Input: map[string]any{"command": "rm -rf /", "COMMAND": "ls"}, Dir: "/w"},
		} {
			v, err := e.Decide(tc.ctx, nil, c)
			if err != nil || v.Stage != policy.StageHardline {
				t.Errorf("a source that %s, %v: %s, %v", name, c.Input, brief(v), err)
			}
			x, err := e.Explain(tc.ctx, nil, c)
			if err != nil || x.Stage != policy.StageHardline || len(x.Notes) != 0 || len(x.Steps) != len(policy.Stages()) {
				t.Errorf("a source that %s, %v: explained as %s, %v, notes %q, %d steps", name, c.Input, brief(x.Verdict), err, x.Notes, len(x.Steps))
			}
		}
	}
	if counting.asked != 0 {
		t.Errorf("a source was asked %d times about what the floor denies", counting.asked)
	}
}

// TestPanickingSource shows that a bug in a source is an answer that could not
// be had.
func TestPanickingSource(t *testing.T) {
	e, err := policy.New(policy.Defaults(), policy.Options{Sources: []policy.Source{panicking{}}})
	if err != nil {
		t.Fatal(err)
	}
	if v := decide(t, e, nil, call("ls")); brief(v) != "ask rules" || v.Rule != "error" {
		t.Errorf("%s %s: %s", brief(v), v.Rule, v.Why)
	}
}
