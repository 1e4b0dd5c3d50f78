package hook

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/policyctl/policyctl/internal/eval"
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
	// shell is the shell that runs a command, where the tool says so; [shellOfUser]
	// is the one that the user logs in to.
	shell string
	// commands is an argument with a list of commands, which run one by one.
	commands string
	// second says that the agent shows its calls a second time, and can ask then.
	second bool
	// patch says that an argument holds a patch, which must be well formed.
	patch bool
	// wraps says that the arguments name another tool and its arguments.
	wraps bool
	// asks says that the tool itself is a question to the person.
	asks bool
}

// A toolTable has a row for each name of a tool that an agent uses in another way
// than pkg/policy.
type toolTable []struct {
	name string
	tool
}

// find returns the row of a name, the zero tool where there is none.
func (t toolTable) find(name string) tool {
	for i := range t {
		if t[i].name == name {
			return t[i].tool
		}
	}
	return tool{}
}

var claudeTools = toolTable{
	// It looks for bash or zsh, and starts nothing else.
	{"Bash", tool{shell: "bash|zsh"}},
	{"PowerShell", tool{name: "shell", shell: "pwsh"}},
	{"Monitor", tool{name: "shell", shell: "bash|zsh", needs: "command", otherwise: "monitor_socket"}},
	{"TaskOutput", tool{name: "shell_output"}},
	{"TaskStop", tool{name: "shell_kill"}},
	{"TaskCreate", tool{name: "todo"}},
	{"TaskGet", tool{name: "todo"}},
	{"TaskList", tool{name: "todo"}},
	{"TaskUpdate", tool{name: "todo"}},
	{"AskUserQuestion", tool{asks: true}},
	{"ExitPlanMode", tool{asks: true}},
	{"EnterPlanMode", tool{asks: true}},
}

var codexTools = toolTable{
	{"apply_patch", tool{patch: true}},
}

var copilotTools = toolTable{
	{"Bash", tool{shell: "bash"}},
	{"bash", tool{shell: "bash"}},
	{"powershell", tool{shell: "pwsh"}},
	{"PowerShell", tool{name: "shell", shell: "pwsh"}},
	{"apply_patch", tool{patch: true}},
	{"ask_user", tool{asks: true}},
}

var qwenTools = toolTable{
	{"run_shell_command", tool{shell: "bash"}},
	{"tool_call", tool{wraps: true}},
	{"agent", tool{name: "task"}},
	{"task_create", tool{name: "todo"}},
	{"task_get", tool{name: "todo"}},
	{"task_list", tool{name: "todo"}},
	{"task_update", tool{name: "todo"}},
	{"ask_user_question", tool{asks: true}},
	{"exit_plan_mode", tool{asks: true}},
}

var geminiTools = toolTable{
	{"run_shell_command", tool{shell: "bash"}},
	{"invoke_agent", tool{name: "task"}},
	{"update_topic", tool{name: "todo"}},
	{"tracker_create_task", tool{name: "todo"}},
	{"tracker_update_task", tool{name: "todo"}},
	{"tracker_get_task", tool{name: "todo"}},
	{"tracker_list_tasks", tool{name: "todo"}},
	{"tracker_add_dependency", tool{name: "todo"}},
	{"tracker_visualize", tool{name: "todo"}},
	{"ask_user", tool{asks: true}},
	{"enter_plan_mode", tool{asks: true}},
	{"exit_plan_mode", tool{asks: true}},
}

var kimiTools = toolTable{
	{"FetchURL", tool{name: "fetch"}},
	{"SearchWeb", tool{name: "web_search"}},
	{"AskUserQuestion", tool{asks: true}},
	{"EnterPlanMode", tool{asks: true}},
	{"ExitPlanMode", tool{asks: true}},
}

var grokTools = toolTable{
	{"monitor", tool{name: "shell"}},
	{"spawn_subagent", tool{name: "task"}},
	{"kill_command_or_subagent", tool{name: "shell_kill"}},
	{"get_command_or_subagent_output", tool{name: "shell_output"}},
	{"search_tool", tool{name: "tool_search"}},
	{"scheduler_create", tool{name: "schedule"}},
	{"ask_user_question", tool{asks: true}},
	{"enter_plan_mode", tool{asks: true}},
	{"exit_plan_mode", tool{asks: true}},
}

var opencodeTools = toolTable{
	{"bash", tool{shell: shellOfUser}},
	{"apply_patch", tool{patch: true}},
	{"question", tool{asks: true}},
	{"plan_exit", tool{asks: true}},
}

var piTools = toolTable{
	{"bash", tool{shell: "bash|sh"}}, // the first that is there
	{"find", tool{name: "glob"}},
}

var ampTools = toolTable{
	{"Bash", tool{shell: "bash|sh"}}, // the first that is there
	{"shell_command", tool{shell: "bash|sh"}},
	{"shell_command_status", tool{name: "shell_output"}},
	{"shell_command_kill", tool{name: "shell_kill"}},
	{"read_web_page", tool{name: "fetch"}},
	{"apply_patch", tool{patch: true}},
}

var commandcodeTools = toolTable{
	{"monitor_command", tool{name: "shell"}},
	{"monitor_events", tool{name: "shell_output"}},
	{"read_directory", tool{name: "list"}},
	{"read_multiple_files", tool{name: "read"}},
	{"explore", tool{name: "task"}},
	{"agent", tool{name: "task"}},
	{"search_tools", tool{name: "tool_search"}},
	{"ask_user_question", tool{asks: true}},
	{"enter_plan_mode", tool{asks: true}},
	{"exit_plan_mode", tool{asks: true}},
}

var auggieTools = toolTable{
	{"launch-process", tool{name: "shell"}},
	{"write-process", tool{name: "shell_input"}},
	{"read-process", tool{name: "shell_output"}},
	{"kill-process", tool{name: "shell_kill"}},
	{"list-processes", tool{name: "agent_status"}},
	{"save-file", tool{name: "write"}},
	{"str-replace-editor", tool{name: "edit"}},
	{"web-fetch", tool{name: "fetch"}},
}

var droidTools = toolTable{
	{"Execute", tool{name: "shell"}},
	{"Create", tool{name: "write"}},
	{"FetchUrl", tool{name: "fetch"}},
	{"ApplyPatch", tool{patch: true}},
}

var cursorTools = toolTable{
	{"Shell", tool{second: true}},
	{"Delete", tool{name: "write"}},
}

var gooseTools = toolTable{
	{"developer__shell", tool{name: "shell"}},
	{"developer__write", tool{name: "write"}},
	{"developer__edit", tool{name: "edit"}},
	{"developer__tree", tool{name: "list"}},
}

var crushTools = toolTable{
	{"bash", tool{shell: "bash"}}, // an interpreter of its own for it
	{"job_output", tool{name: "shell_output"}},
	{"job_kill", tool{name: "shell_kill"}},
	{"todos", tool{name: "todo"}},
}

var clineTools = toolTable{
	{"run_commands", tool{name: "shell", commands: "commands"}},
	{"write_to_file", tool{name: "write"}},
	{"replace_in_file", tool{name: "edit"}},
	{"read_files", tool{name: "read"}},
	{"ask_followup_question", tool{asks: true}},
}

var kiroTools = toolTable{
	{"fs_write", tool{name: "write"}},
	{"fs_read", tool{name: "read"}},
	{"report_issue", tool{name: "agent_status"}},
}

// set fills in the tool of a call from the agent's name for it and its
// arguments.
func (e *Event) set(a *Agent, name string, input map[string]any, getenv func(string) string) error {
	t := a.tools.find(name)
	if t.wraps {
		var err error
		if name, input, err = unwrap(name, input); err != nil {
			return err
		}
		if t = a.tools.find(name); t.wraps {
			return fmt.Errorf("%q wraps itself: call the tool directly", name)
		}
	}
	if _, ok := input[t.needs]; t.needs != "" && !ok {
		t = tool{name: t.otherwise}
	}
	if t.commands != "" {
		command, err := joined(input[t.commands])
		if err != nil {
			return fmt.Errorf("the %q of %q: %w", t.commands, name, err)
		}
		input = maps.Clone(input)
		delete(input, t.commands)
		input["command"] = command
	}
	if t.shell == shellOfUser {
		t.shell = userShell(getenv)
	}
	e.tool = t
	name, e.joined = a.mcpName(name)
	e.between = a.mcp.between
	if own, ok := input["tool_input"].(map[string]any); ok && a.wrapsMCP && e.joined != "" {
		input = own
	}
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

// shellOfUser stands for the shell that the user logs in to, which SHELL names.
const shellOfUser = "$SHELL"

// userShell returns the name of the shell that SHELL names, "" where it names none: what
// shells read differently then asks. For shells of a language of their own the agents take
// bash, or sh where there is none. A name that nobody knows asks.
func userShell(getenv func(string) string) string {
	if getenv == nil {
		return ""
	}
	name := getenv("SHELL")
	name = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".exe")
	if name == "fish" || name == "nu" {
		return "bash|sh"
	}
	return name
}

// joined returns the one line that runs some commands one by one, each in a shell of its
// own.
func joined(list any) (string, error) {
	commands, _ := list.([]any)
	var line strings.Builder
	for _, c := range commands {
		command, ok := c.(string)
		switch {
		case !ok || strings.TrimSpace(command) == "":
			return "", errors.New("each must be a command")
		case len(commands) == 1:
			return command, nil
		case strings.Contains(command, "<<") || eval.Read(command, eval.Env{}).Problem != nil:
			return "", errors.New("one of several has a here-document or cannot be read: send it in a call of its own")
		}
		line.WriteString("(" + command + "\n)\n")
	}
	if line.Len() == 0 {
		return "", errors.New("there is none")
	}
	return line.String(), nil
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
