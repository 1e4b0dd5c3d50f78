package install

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// check looks at one hook of ours.
func (e *examination) check(ev event, h seen) {
	again := e.again(h)
	if !h.everywhere() {
		e.problem(ev.name, again, "%s asks policyctl only about tools that match %q", h.path, h.matcher)
	}
	if !e.agent.untyped && h.fields["type"] != "command" {
		e.problem(ev.name, again, "%s has a hook of type %v, which does not start its command", h.path, h.fields["type"])
	}
	if !h.exact {
		e.problem(ev.name, again, "%s adds something to the command of the hook, which may swallow its answer: %s", h.path, h.line)
	}
	e.checkBinary(ev, h, again)
	e.checkTimeout(ev, h, again)
	for _, p := range ev.extra {
		if v, ok := h.fields[p.key]; p.key == e.agent.closes && (!ok || v != p.value) {
			e.problem(ev.name, again, "%s has no %s: %s, so a call runs when the hook fails", h.path, p.key, compact(p.value))
		}
	}
	if odd := e.agent.oddKeys(ev, h.fields); len(odd) > 0 {
		e.problem(ev.name, again, "%s gives the hook %s, which policyctl does not write and which may weaken it", h.path, strings.Join(odd, " and "))
	}
	e.checkForm(ev, h, again)
	e.checkFolder(ev, h)
	if e.agent.trusts && h.scope != Managed {
		e.checkTrust(ev, h, again)
	}
	if e.agent.rootsAlone && h.scope == Managed {
		e.checkRoots(ev, h)
	}
}

// checkRoots sees to it that the managed settings are root's alone.
func (e *examination) checkRoots(ev event, h seen) {
	info, err := os.Stat(h.path)
	if err != nil {
		e.problem(ev.name, "run doctor again", "%s: %v", h.path, plainfile.Bare(err))
		return
	}
	uid, known := ownerOf(info)
	if known && uid != 0 || info.Mode().Perm()&0o022 != 0 {
		e.problem(ev.name, "as root, run chown root and chmod 644 on it",
			"%s ignores %s, since others than root may write to it", e.agent.Title, h.path)
	}
}

// checkTimeout sees to it that the hook ends before the agent loses patience.
func (e *examination) checkTimeout(ev event, h seen, again string) {
	if e.agent.timeoutKey == "" {
		return // the settings have no place for it
	}
	least := MinTimeout
	if h.wait > 0 && ev.asks() {
		least = h.wait + lead
	}
	if e.agent.wait(h.handler) < least {
		e.problem(ev.name, again, "%s lets the hook take %s; when that is over the call may run, so it must be %s at least",
			h.path, e.agent.waits(h.handler), least)
	}
}

// again returns how to have a hook written again.
func (e *examination) again(h seen) string {
	switch {
	case h.scope == Managed && e.agent.dropsManaged:
		return "have the organisation correct it"
	case h.scope == Managed:
		return "as root, run policyctl install " + e.agent.Name + " --scope managed" + waiting(h.wait)
	case h.scope == User:
		return "run policyctl install " + e.agent.Name + waiting(h.wait)
	}
	return "run policyctl install " + e.agent.Name + " --scope " + string(h.scope) + waiting(h.wait)
}

func (e *examination) checkBinary(ev event, h seen, again string) {
	switch {
	case !filepath.IsAbs(h.binary):
		e.problem(ev.name, again, "%s names the binary %q without its full path", h.path, h.binary)
	case e.place.isProject() && e.place.holds(h.binary):
		e.problem(ev.name, "move policyctl out of the project and run policyctl install "+e.agent.Name,
			"the binary %s is in the project, where the agent may replace it", h.binary)
	default:
		if err := checkBinary(h.binary); err != nil {
			e.problem(ev.name, again, "%v", err)
		}
	}
}

// oddKeys returns the keys of a hook that we do not write, such as if and
// async.
func (a *Agent) oddKeys(ev event, fields map[string]any) (out []string) {
	known := []string{"type", a.commandKey, a.timeoutKey}
	for _, p := range ev.extra {
		known = append(known, p.key)
	}
	for key := range fields {
		if !slices.Contains(known, key) {
			out = append(out, strconv.Quote(key))
		}
	}
	slices.Sort(out)
	return out
}

// wait returns how long the agent waits for a hook; 0 if the settings do not
// say.
func (a *Agent) wait(h handler) time.Duration {
	n, _ := h.fields[a.timeoutKey].(json.Number)
	f, err := n.Float64()
	if err != nil || f < 0 || f > float64(math.MaxInt64/a.unit) {
		return 0
	}
	return time.Duration(f * float64(a.unit))
}

// waits says how long the agent waits for a hook.
func (a *Agent) waits(h handler) string {
	switch d := a.wait(h); {
	case d > 0:
		return d.String()
	case a.timeoutKey == "":
		return "as long as " + a.Title + " does"
	}
	return "an unknown time"
}

// checkTrust looks for the record with which Codex runs a hook.
func (e *examination) checkTrust(ev event, h seen, again string) {
	r := Request{Agent: e.agent, Place: e.place}
	f, err := r.configuration()
	if err != nil {
		e.problem("trust", "correct it", "%v", err)
		return
	}
	next := "start codex and trust the hook with /hooks, or " + again + " --trust"
	switch found, err := findRecord(f.text, recordKey(h.path, h.handler)); {
	case err != nil:
		e.problem("trust", "correct it, or look at /hooks in Codex", "%v", f.at(err))
	case found == nil || found.hash == "":
		e.problem("trust", next, "Codex does not trust the hook for %s, so it skips it and does not say so", ev.name)
	case found.hash != trustHash(h.handler):
		e.problem("trust", next, "Codex trusts an older form of the hook for %s, so it skips it and does not say so", ev.name)
	case !found.enabled:
		e.problem("trust", "enable it in Codex with /hooks", "%s disables the hook for %s", f.path, ev.name)
	}
}
