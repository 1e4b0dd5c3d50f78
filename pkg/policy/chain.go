package policy

// stages is the chain: the first stage with an answer decides. Everything that
// denies comes before everything that allows.
//
// The order has reasons, which the tests show pair by pair:
//
//	hardline before permission_deny: a rule must never be named for what no rule can lift
//	permission_deny before yolo: yolo gives the agent trust, it does not take the owner's word back
//	yolo before doom_loop: yolo speaks only if the loop guard agrees, and then nothing else is asked
//	doom_loop before rules: a call that was allowed three times in vain will not help the fourth time
//	rules before allowlist: an ask that somebody wrote beats a prefix that somebody listed
//	allowlist before readonly: the operator's own word is the better explanation
//	readonly before confirm: what only looks needs no confirmation
//	confirm before mode: shell calls have a policy of their own
var stages = [...]struct {
	stage  Stage
	speaks string
	answer string
	judge  func(*run) (*opinion, error)
}{
	{StageHardline, "the call is catastrophic", "deny; nothing overrides it", (*run).hardline},
	{StagePermissionDeny, "a permission, rule, tool policy, bundle or stored denial denies", "deny", (*run).denied},
	{StageYolo, "yolo is on and the call is not a loop", "allow; with yolo_confirm: dangerous, not what is dangerous", (*run).yolo},
	{StageDoomLoop, "the same call keeps coming back", "deny, also under yolo", (*run).doomLoop},
	{StageRules, "a permission, a tool policy, a rule or a bundle says allow or ask", "that answer", (*run).rules},
	{StageAllowlist, "the command allowlist, an auto-approve pattern or a stored grant matches", "allow", (*run).allowlist},
	{StageReadonly, "a shell command only reads", "allow", (*run).provedReadonly},
	{StageConfirm, "a shell call may change something", "ask; with dangerous_only, allow what is not dangerous; with mode skip, ask only about what is", (*run).confirm},
	{StageMode, "no earlier stage answered", "by the mode and the tool's risk", (*run).mode},
}

// A StageInfo describes one stage of the chain.
type StageInfo struct {
	Stage  Stage
	Speaks string // when the stage speaks
	Answer string // what it then says
}

// Stages returns the stages in the order of the chain.
func Stages() []StageInfo {
	out := make([]StageInfo, len(stages))
	for i, s := range stages {
		out[i] = StageInfo{s.stage, s.speaks, s.answer}
	}
	return out
}

// chain asks the stages in order. When explaining it asks all of them, and
// the first that spoke still decides; but nothing is asked behind the floor.
//
// What fails after a stage has decided, which only an explanation sees, becomes
// a note.
func (r *run) chain() (Verdict, error) {
	var v Verdict
	decided := false
	for i := range stages {
		s := &stages[i]
		if decided && v.Stage == StageHardline {
			r.trace.explain.Steps = append(r.trace.explain.Steps, Step{Stage: s.stage})
			continue
		}
		r.trace.rules = nil
		o, err := s.judge(r)
		if err != nil && !decided {
			return Verdict{}, err
		}
		if err != nil {
			v.Notes = append(v.Notes, s.stage.String()+": "+err.Error())
		}
		if r.trace.explain != nil {
			r.trace.step(&r.replies, s.stage, o, o != nil && !decided)
		}
		if o == nil || decided {
			continue
		}
		v, decided = r.verdict(s.stage, o), true
		if r.trace.explain == nil {
			return v, nil
		}
	}
	if r.trace.explain != nil {
		r.trace.commands(&r.facts)
		r.trace.asks(&r.replies)
	}
	return v, nil
}
