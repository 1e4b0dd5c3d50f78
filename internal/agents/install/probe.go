package install

import (
	"context"
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/agents/hook"
)

// trialSession begins the sessions in which [Examine] tries a hook.
const trialSession = "policyctl-doctor-"

// IsTrial reports whether a session is one in which [Examine] has tried a hook.
func IsTrial(session string) bool { return strings.HasPrefix(session, trialSession) }

// probeTimeout bounds how long a hook may take for an event that needs nobody.
const probeTimeout = 10 * time.Second

// slow is from when on a hook is felt by who waits for the agent.
const slow = time.Second

// lines returns our hooks that decide calls, one for each command line, that
// may be run here: exactly what Install writes, with a safe binary.
func (e *examination) lines() (out []seen) {
	known := map[string]bool{}
	silent := examination{agent: e.agent, place: e.place, settings: e.settings}
	event := e.agent.events[0]
	for _, h := range silent.ours(event.name) {
		before := len(silent.report)
		silent.checkBinary(event, h, "")
		if known[h.line] {
			continue
		}
		known[h.line] = true
		if !h.exact || len(silent.report) > before {
			e.note("answer", "correct the problems above and try again", "%s is not tried", h.line)
			continue
		}
		out = append(out, h)
	}
	return out
}

// probe sends events through a hook and checks the answers.
func (e *examination) probe(ctx context.Context, h seen, run Runner) {
	for command, judge := range probes {
		a, err := e.try(ctx, h, run, command)
		if err != nil {
			e.problem("answer", "run it by hand to see why: "+h.line, "the hook does not answer about %s: %v", command, err)
			continue
		}
		judge(&e.report, a)
		if a.took > slow {
			e.note("answer", "look for what slows down policyctl", "the answer about %s took %s", command, a.took.Round(time.Millisecond))
		}
	}
}

// probes yields the commands that a hook is asked about, with what judges the
// answer.
func probes(yield func(command string, judge func(*report, answer)) bool) {
	_ = yield("ls", harmless) && yield("git status", reading) && yield("rm -rf ~", catastrophic)
}

// try has a hook decide a command, which is not run.
func (e *examination) try(ctx context.Context, h seen, run Runner, command string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	begin := time.Now()
	protocol, _ := hook.Lookup(e.agent.Name)
	event := append(protocol.Sample(command, trialSession+rand.Text(), e.place.Dir), '\n') // no session has seen it
	ran, err := run(ctx, h.line, e.agent.environ, event)
	took := time.Since(begin)
	if err != nil {
		return answer{}, err
	}
	decision, reason, err := protocol.Heard(ran.Stdout, ran.Stderr, ran.Code)
	return answer{command, decision, reason, took}, err
}

// An answer is what the hook decided about a command.
type answer struct {
	command, decision, reason string
	took                      time.Duration
}

func harmless(r *report, a answer) {
	switch a.decision {
	case "", "allow":
		r.ok("answer", "%s may run (%s)", a.command, a.took.Round(time.Millisecond))
	case "ask":
		r.note("answer", "see policyctl explain ls", "even %s is asked about", a.command)
	default:
		r.problem("answer", "see policyctl explain ls", "even %s is answered with %s: %s", a.command, a.decision, a.reason)
	}
}

// reading judges a command that is asked about with reason where the
// repository says so.
func reading(r *report, a answer) {
	switch a.decision {
	case "", "allow":
		r.ok("answer", "%s may run (%s)", a.command, a.took.Round(time.Millisecond))
	default:
		r.note("answer", "see policyctl explain "+strconv.Quote(a.command)+" in this folder", "%s is answered with %s, in the environment that the agent sets: %s", a.command, a.decision, a.reason)
	}
}

func catastrophic(r *report, a answer) {
	next := "install policyctl again from a source that you trust"
	switch {
	case a.decision != "deny":
		r.problem("answer", next, "%s is NOT denied: the hook does not guard anything", a.command)
	case a.reason == "":
		r.problem("answer", next, "%s is denied without a reason, which some agents ignore", a.command)
	default:
		r.ok("answer", "%s is denied (%s)", a.command, a.took.Round(time.Millisecond))
	}
}
