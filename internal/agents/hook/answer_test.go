package hook_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/pkg/policy"
)

// modeOf is a mode of every agent in which a person may be asked, or nobody.
func modeOf(attended bool) string {
	if attended {
		return "default"
	}
	return "modeOfTomorrow"
}

// TestAnswers is the table of what every verdict becomes: before a call with a
// person there, before a call without, and in a dialog with and without.
func TestAnswers(t *testing.T) {
	rows := []struct{ agent, verdict, there, alone, dialog, nobody string }{
		{"claude", "allow", "allow", "allow", "allow", "allow"},
		{"claude", "ask", "ask", "deny", "", "deny"},
		{"claude", "undecided", "", "deny", "", "deny"},
		{"claude", "deny", "deny", "deny", "deny", "deny"},
		{"codex", "allow", "", "", "allow", "allow"},
		{"codex", "ask", "deny", "deny", "", "deny"},
		{"codex", "undecided", "", "deny", "", "deny"},
		{"codex", "deny", "deny", "deny", "deny", "deny"},
		{"qwen", "allow", "allow", "allow", "allow", "allow"},
		{"qwen", "ask", "deny", "deny", "", "deny"},
		{"qwen", "undecided", "", "deny", "", "deny"},
		{"qwen", "deny", "deny", "deny", "deny", "deny"},
		// It does not say whether somebody is there, and refuses an ask itself.
		{"copilot", "allow", "allow", "allow", "", ""},
		{"copilot", "ask", "ask", "ask", "", ""},
		{"copilot", "undecided", "", "", "", ""},
		{"copilot", "deny", "deny", "deny", "", ""},
	}
	decisions := map[string]policy.Verdict{
		"allow":     {Decision: policy.Allow, Reason: policy.ReasonNone},
		"ask":       {Decision: policy.Ask, Reason: policy.ReasonNone, Why: "it is new"},
		"undecided": {Decision: policy.Ask, Reason: policy.ReasonNone, Why: "it is new", Undecided: true},
		"deny":      {Reason: policy.ReasonPermissionRule, Why: "it is old"},
	}
	for _, r := range rows {
		a, _ := hook.Lookup(r.agent)
		v := decisions[r.verdict]
		for _, at := range []struct {
			want, event string
			attended    bool
		}{
			{r.there, "PreToolUse", true}, {r.alone, "PreToolUse", false},
			{r.dialog, "PermissionRequest", true}, {r.nobody, "PermissionRequest", false},
		} {
			attended := at.attended || r.agent == "copilot" // where Read says so always
			e := &hook.Event{Name: at.event, Attended: attended, Mode: modeOf(attended)}
			answer := a.Answer(e, &v)
			if got := said(t, r.agent, ran{out: line(answer)}); got != at.want {
				t.Errorf("%s %s %s attended %v: got %q, want %q", r.agent, at.event, r.verdict, at.attended, got, at.want)
			}
		}
	}
}

// Where loops are not looked for, every denial and every ask says so to who reads
// its reason, in the form that the agent takes.
func TestUnguardedReason(t *testing.T) {
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		call, _ := a.Events()
		for _, event := range []string{call, "PermissionRequest"} {
			for _, decision := range []policy.Decision{policy.Allow, policy.Ask, policy.Deny} {
				for _, attended := range []bool{true, false} {
					v := &policy.Verdict{Decision: decision, Why: "it is new", Notes: []string{"loop detection is off: no space left on device"}}
					answer := a.Answer(&hook.Event{Name: event, Attended: attended, Mode: modeOf(attended)}, v)
					said := said(t, name, ran{out: line(answer)}) // which checks the form
					_, reason, err := a.Heard(answer, nil, 0)
					if err != nil && answer != nil {
						t.Fatal(err)
					}
					if (said == "deny" || said == "ask") && !strings.Contains(reason, "loop detection is off") {
						t.Errorf("%s, %s, %v, attended %v: %s", name, event, decision, attended, answer)
					}
				}
			}
		}
	}
}

func line(answer []byte) string {
	if answer == nil {
		return ""
	}
	return string(answer) + "\n"
}

// TestModes: no mode makes an answer looser.
func TestModes(t *testing.T) {
	rank := map[string]int{"deny": 0, "defer": 0, "ask": 1, "": 2, "allow": 3}
	decide := engine(t)
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		for _, command := range []string{"ls", "make", "git push", "rm -rf ~", "npm test"} {
			first := ""
			for i, mode := range strings.Fields("default acceptEdits plan auto dontAsk bypassPermissions auto-edit yolo unheard-of") {
				data := strings.Replace(event(`{"command":"`+command+`"}`), `"default"`, `"`+mode+`"`, 1)
				got := said(t, name, run(a, []byte(data), hook.Host{Decide: decide}))
				if i == 0 {
					first = got
				}
				if rank[got] > rank[first] {
					t.Errorf("%s %q: %q in the mode %s, %q in default", name, command, got, mode, first)
				}
			}
		}
	}
}

// TestDefer: only Claude, only on request, only where it says that nobody is
// there, and never in place of a denial.
func TestDefer(t *testing.T) {
	rows := []struct {
		want, agent, mode string
		getenv            func(string) string
		verdict           policy.Verdict
	}{
		{"defer", "claude", "default", headless, policy.Verdict{Decision: policy.Ask}},
		{"ask", "claude", "default", nil, policy.Verdict{Decision: policy.Ask}},
		{"deny", "claude", "bypassPermissions", nil, policy.Verdict{Decision: policy.Ask}},
		{"deny", "claude", "default", headless, policy.Verdict{}},
		{"allow", "claude", "default", headless, policy.Verdict{Decision: policy.Allow}},
		{"deny", "codex", "default", headless, policy.Verdict{Decision: policy.Ask}},
		{"deny", "qwen", "default", headless, policy.Verdict{Decision: policy.Ask}},
		{"ask", "copilot", "default", headless, policy.Verdict{Decision: policy.Ask}},
	}
	for _, r := range rows {
		a, _ := hook.Lookup(r.agent)
		e := read(t, r.agent, strings.Replace(event("{}"), `"default"`, `"`+r.mode+`"`, 1), r.getenv)
		e.Defer = true
		if got := said(t, r.agent, ran{out: line(a.Answer(e, &r.verdict))}); got != r.want {
			t.Errorf("%s %s: got %q, want %q", r.agent, r.mode, got, r.want)
		}
	}
}

// TestUnattended: the reason code and the text say why nobody was asked.
func TestUnattended(t *testing.T) {
	a, _ := hook.Lookup("claude")
	v := policy.Verdict{Decision: policy.Ask, Reason: policy.ReasonNone, Why: "it is new"}
	got := string(a.Answer(&hook.Event{Name: "PreToolUse"}, &v))
	if !strings.Contains(got, "does not say whether it could be asked for: it is new") || v.Decision != policy.Ask {
		t.Errorf("got %s; the verdict is now %s", got, v.Decision)
	}
}

// TestNoVerdict denies, and an event that asks nothing has no answer.
func TestNoVerdict(t *testing.T) {
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		call, turn := a.Events()
		if got := said(t, name, ran{out: line(a.Answer(&hook.Event{Name: call}, nil))}); got != "deny" && hook.Heeds(a) {
			t.Errorf("%s: got %q", name, got)
		}
		for _, event := range []string{"", "SessionStart", turn, "BeforeBigBang"} {
			if got := a.Answer(&hook.Event{Name: event}, nil); got != nil {
				t.Errorf("%s %s: got %s", name, event, got)
			}
		}
	}
}

// TestQuiet: an allow does not answer a question to the person, and does
// not end planning.
func TestQuiet(t *testing.T) {
	allowed := policy.Verdict{Decision: policy.Allow, Stage: policy.StageRules, Reason: policy.ReasonNone}
	looks := policy.Verdict{Decision: policy.Allow, Stage: policy.StageReadonly, Reason: policy.ReasonNone}
	pre := `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","permission_mode":"default",`
	rows := []struct {
		want, agent, event string
		verdict            policy.Verdict
	}{
		{"", "claude", pre + `"tool_name":"ExitPlanMode","tool_input":{}}`, allowed},
		{"", "qwen", pre + `"tool_name":"ask_user_question","tool_input":{}}`, allowed},
		{"", "claude", strings.Replace(pre, "default", "plan", 1) + `"tool_name":"Write","tool_input":{"file_path":"a"}}`, allowed},
		{"allow", "claude", strings.Replace(pre, "default", "plan", 1) + `"tool_name":"Bash","tool_input":{"command":"ls"}}`, looks},
		{"", "claude", strings.Replace(pre, "PreToolUse", "PermissionRequest", 1) + `"tool_name":"ExitPlanMode","tool_input":{}}`, allowed},
	}
	for _, r := range rows {
		a, _ := hook.Lookup(r.agent)
		if got := said(t, r.agent, ran{out: line(a.Answer(read(t, r.agent, r.event, nil), &r.verdict))}); got != r.want {
			t.Errorf("%s: got %q, want %q", r.event, got, r.want)
		}
	}
}

// TestTexts: an answer stays short and shows no character that deceives.
func TestTexts(t *testing.T) {
	long := strings.Repeat("\x1b[2J\u202e\n\u200bé", 100_000)
	v := policy.Verdict{Reason: policy.ReasonPermissionRule, Why: long, Rule: long, Notes: []string{long, "second"}, Origin: policy.Origin{Layer: long}}
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		got := string(a.Answer(&hook.Event{Name: "PreToolUse"}, &v))
		if len(got) > 8<<10 || strings.ContainsAny(got, "\u202e\u200b") || strings.Contains(got, "u001b") {
			t.Errorf("%s: %d bytes: %.400s", name, len(got), got)
		}
	}
}

// TestDetails: a denial names the command that shows it, in what the model reads and in
// what the person reads; nothing else does, nor a failure of policyctl itself.
func TestDetails(t *testing.T) {
	const id, named = "937eb891-bbd9-4f7f-a63e-547adffad7c3", " Details: `policyctl why 937eb891`."
	denied := policy.Verdict{Reason: policy.ReasonPermissionRule, Why: "it is old"}
	for _, name := range hook.Names() {
		a, _ := hook.Lookup(name)
		for _, r := range []struct {
			what, record string
			verdict      policy.Verdict
			attended     bool
			want         bool
		}{
			{"a denial", id, denied, true, true},
			{"an ask", id, policy.Verdict{Decision: policy.Ask, Reason: policy.ReasonNone, Why: "it is new"}, false, true},
			{"an allow", id, policy.Verdict{Decision: policy.Allow, Reason: policy.ReasonNone}, true, false},
			{"a failure", id, policy.Fault("the disk is full", "the disk is full"), true, false},
			{"a denial that is not on record", "", denied, true, false},
		} {
			call, _ := a.Events()
			e := &hook.Event{Name: call, Attended: r.attended || name == "copilot", Mode: modeOf(r.attended), Record: r.record}
			if !hook.Heeds(a) {
				continue // the table of contracts has its reasons
			}
			var said struct {
				Notice string `json:"systemMessage"`
			}
			answer := a.Answer(e, &r.verdict)
			if answer != nil {
				if err := json.Unmarshal(answer, &said); err != nil {
					t.Fatal(err)
				}
			}
			word, reason, _ := a.Heard(answer, nil, 0)
			if want := r.want && word == "deny"; strings.HasSuffix(reason, named) != want || strings.Contains(reason, "policyctl why") != want {
				t.Errorf("%s, %s: %q", name, r.what, reason)
			}
			if said.Notice != "" && strings.Contains(said.Notice, "policyctl why 937eb891") != r.want {
				t.Errorf("%s, %s: %q", name, r.what, said.Notice)
			}
		}
	}
}
