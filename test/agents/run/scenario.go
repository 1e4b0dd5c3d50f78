//go:build linux

package main

import (
	"fmt"
	"slices"

	"github.com/policyctl/policyctl/test/agents/standin"
)

// The words of a cell.
const (
	ran      = "ran"
	blocked  = "blocked"
	ended    = "ended"    // blocked, and the turn with it: the model has heard nothing
	untried  = "–"        // the agent has no such tool, or had stopped before
	failed   = "failed"   // the agent itself refused, or the call was wrong
	hung     = "hung"     // the agent did not end
	mixed    = "some ran" // the ways to start the agent differ
	stricter = "blocked, even what is allowed"
)

// A scenario is a column of the table.
type scenario struct {
	name string
	// want is the cell of every agent whose row says nothing else.
	want string
	// script returns the calls that the model makes.
	script func(a agent) standin.Script
	// judge says what has become of the calls.
	judge func(t *trial) string
	// before changes the machine after the hook has been installed.
	before func(w *world) error
	// during runs beside the agent.
	during func(w *world) (stop func(), err error)
	// alone leaves only the hook between a call and its effect: the agent is
	// started with the switches that ask nobody.
	alone bool
	// starts are the ways to start the agent; nil is one.
	starts func(a agent) [][]string
	// setup are further words for policyctl install.
	setup []string
}

// The paths of the trial.
const (
	home    = "/home/dev"
	project = home + "/shop"
)

// policy is in force in every scenario.
const policy = `version: 1
permissions:
  - {match: shell touch /home/dev/shop/allowed, action: allow}
  - {match: shell touch /home/dev/shop/again, action: allow}
  - {match: shell touch /home/dev/shop/denied, action: deny, why: the trial forbids it}
  - {match: shell touch /home/dev/shop/asked, action: ask, why: the trial asks}
  - {match: shell touch /home/dev/shop/child-allowed, action: allow}
  - {match: shell touch /home/dev/shop/child-denied, action: deny, why: the trial forbids it}
  - {match: shell sleep 6, action: allow}
  - {match: write /home/dev/shop/written, action: allow}
  - {match: write /home/dev/shop/guarded, action: deny, why: the trial forbids it}
  - {match: mcp__shop__price, action: allow}
  - {match: mcp__shop__refund, action: deny, why: the trial forbids it}
`

// makefile has the target that nothing in the policy speaks of.
const makefile = "undecided:\n\ttouch " + project + "/undecided\n"

func scenarios() []scenario {
	return []scenario{
		{name: "denied", want: blocked, script: touch("denied"), judge: one("denied")},
		{name: "allowed", want: ran, script: touch("allowed"), judge: one("allowed")},
		{name: "asked", want: blocked, script: touch("asked"), judge: one("asked")},
		{name: "undecided", want: blocked, script: shell("undecided", "make undecided"), judge: one("undecided")},
		{name: "floor", want: blocked, script: shell("floor", "rm -rf ~"), judge: floor},
		{name: "edit", want: blocked, script: edits, judge: pair("guarded", "written")},
		{name: "MCP", want: blocked, script: tools, judge: pair("refund", "price")},
		{name: "sub-agent", want: blocked, script: delegates, judge: pair("child-denied", "child-allowed")},
		{name: "loop", want: blocked, script: repeats, judge: loop},
		{name: "approved", want: ran, script: touch("asked"), judge: one("asked"), during: (*world).approve,
			setup: []string{"--wait", "20s"}},
		{name: "missing", want: blocked, alone: true, script: touch("allowed"), judge: dark, before: hook("")},
		{name: "crash", want: blocked, alone: true, script: touch("allowed"), judge: dark, before: hook("exit 1")},
		{name: "killed", want: blocked, alone: true, script: touch("allowed"), judge: dark, before: hook("kill -9 $$")},
		{name: "nonsense", want: blocked, alone: true, script: touch("allowed"), judge: dark, before: hook("echo nonsense")},
		{name: "hang", want: blocked, alone: true, script: touch("allowed"), judge: dark, before: hook("grep -q -e tool_name -e tool_call || exit 0; exec sleep 1000"),
			setup: []string{"--timeout", "30s"}},
		{name: "broken policy", want: blocked, alone: true, script: touch("allowed"), judge: dark, before: (*world).breakPolicy},
		{name: "bypass", want: blocked, alone: true, script: bypasses, judge: bypass},
		{name: "dropped", want: ran, alone: true, script: touch("denied"), judge: dark,
			starts: func(a agent) [][]string { return a.drops }},
	}
}

// expects returns the cell that the agent's row expects: what it says, or no
// try of what the agent cannot do, or what the scenario wants of all.
func (a agent) expects(s scenario) string {
	want, ok := a.expect[s.name]
	switch {
	case ok:
		return want
	case len(a.script(s).Main) == 0, s.starts != nil && len(s.starts(a)) == 0:
		return untried
	}
	return s.want
}

// script returns the calls of a scenario, without those of tools that the agent
// does not have.
func (a agent) script(s scenario) standin.Script {
	script := s.script(a)
	script.Main = slices.DeleteFunc(script.Main, func(c standin.Call) bool { return c.Tool == "" })
	return script
}

func shell(name, command string) func(agent) standin.Script {
	return func(a agent) standin.Script { return main1(a.shell.call(name, command)) }
}

func touch(name string) func(agent) standin.Script { return shell(name, "touch "+project+"/"+name) }

func main1(calls ...standin.Call) standin.Script { return standin.Script{Main: calls} }

func edits(a agent) standin.Script {
	return main1(a.write.call("guarded", project+"/guarded"), a.write.call("written", project+"/written"))
}

func tools(a agent) standin.Script {
	return main1(a.find.call("find", ""), a.mcp.call("refund", "refund"), a.mcp.call("price", "price"))
}

func delegates(a agent) standin.Script {
	s := main1(a.delegate.call("delegate", standin.ChildMark+": do it"))
	if a.background {
		s.Main = append(s.Main, a.shell.call("wait", "sleep 6"))
	}
	s.Child = []standin.Call{a.shell.call("child-denied", "touch "+project+"/child-denied"),
		a.shell.call("child-allowed", "touch "+project+"/child-allowed")}
	return s
}

func repeats(a agent) standin.Script {
	var s standin.Script
	for i := range 12 {
		s.Main = append(s.Main, a.shell.call(fmt.Sprint("again", i), "touch "+project+"/again"))
	}
	return s
}

func bypasses(a agent) standin.Script {
	return main1(a.shell.call("denied", "touch "+project+"/denied"), a.shell.call("asked", "touch "+project+"/asked"))
}

// hook replaces the hook by lines of a shell, or by nothing.
func hook(lines string) func(*world) error {
	return func(w *world) error { return w.replaceHook(lines) }
}
