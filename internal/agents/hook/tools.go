package hook

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/pkg/policy"
)

// A tool says how a call of one of the agent's tools becomes a [policy.Call].
// The zero tool passes name and arguments on as they are: pkg/policy knows
// most names, and what it does not know asks.
type tool struct {
	// name is the tool in pkg/policy's table, "" for the agent's own name.
	name string
	// needs is an argument without which the row does not apply, and the call
	// is one of the tool that otherwise names.
	needs, otherwise string
	// shell is the shell that runs a command, where the tool says so.
	shell string
	// patch says that an argument holds a patch, which must be well formed.
	patch bool
	// wraps says that the arguments name another tool and its arguments.
	wraps bool
	// asks says that the tool itself is a question to the person.
	asks bool
}

var claudeTools = map[string]tool{
	// It looks for bash or zsh, and starts nothing else.
	"Bash":            {shell: "bash|zsh"},
	"PowerShell":      {name: "shell", shell: "pwsh"},
	"Monitor":         {name: "shell", shell: "bash|zsh", needs: "command", otherwise: "monitor_socket"},
	"TaskOutput":      {name: "shell_output"},
	"TaskStop":        {name: "shell_kill"},
	"TaskCreate":      {name: "todo"},
	"TaskGet":         {name: "todo"},
	"TaskList":        {name: "todo"},
	"TaskUpdate":      {name: "todo"},
	"AskUserQuestion": {asks: true},
	"ExitPlanMode":    {asks: true},
	"EnterPlanMode":   {asks: true},
}

var codexTools = map[string]tool{
	"apply_patch": {patch: true},
}

var copilotTools = map[string]tool{
	"Bash":        {shell: "bash"},
	"bash":        {shell: "bash"},
	"powershell":  {shell: "pwsh"},
	"PowerShell":  {name: "shell", shell: "pwsh"},
	"apply_patch": {patch: true},
	"ask_user":    {asks: true},
}

var qwenTools = map[string]tool{
	"run_shell_command": {shell: "bash"},
	"tool_call":         {wraps: true},
	"agent":             {name: "task"},
	"task_create":       {name: "todo"},
	"task_get":          {name: "todo"},
	"task_list":         {name: "todo"},
	"task_update":       {name: "todo"},
	"ask_user_question": {asks: true},
	"exit_plan_mode":    {asks: true},
}

// set fills in the tool of a call from the agent's name for it and its
// arguments.
func (e *Event) set(a *Agent, name string, input map[string]any) error {
	t := a.tools[name]
	if t.wraps {
		var err error
		if name, input, err = unwrap(name, input); err != nil {
			return err
		}
		if t = a.tools[name]; t.wraps {
			return fmt.Errorf("%q wraps itself: call the tool directly", name)
		}
	}
	if _, ok := input[t.needs]; t.needs != "" && !ok {
		t = tool{name: t.otherwise}
	}
	e.tool = t
	name, e.joined = a.mcpName(name)
	e.Call.Tool, e.Call.Input, e.Call.Shell = name, input, t.shell
	if t.name != "" {
		e.Call.Tool = t.name
	}
	e.Call.OutsideSandbox = e.Follows && a.answers.escapes && !strings.HasPrefix(name, mcpPrefix)
	if t.patch {
		return checkPatch(input)
	}
	return nil
}

// unwrap returns the call inside a call.
func unwrap(name string, input map[string]any) (string, map[string]any, error) {
	inner, ok := input["name"].(string)
	if !ok || inner == "" {
		return "", nil, fmt.Errorf("%q does not name the tool that it calls: \"name\" must be a string", name)
	}
	switch args := input["arguments"].(type) {
	case map[string]any:
		return inner, args, nil
	case string:
		m, err := policy.DecodeObject([]byte(args))
		if err != nil {
			return "", nil, fmt.Errorf("the \"arguments\" of %q: %w", name, err)
		}
		return inner, m, nil
	}
	return "", nil, fmt.Errorf("the \"arguments\" of %q must be an object", name)
}
