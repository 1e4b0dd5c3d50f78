package policy

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// builtinTools is the tool table: what well-known agents call their tools, and
// which of their arguments matter.
var builtinTools = sync.OnceValue(func() []Tool {
	tools := []Tool{
		{
			Name: "shell", Kind: KindShell, Risk: High, Groups: []string{"execution"},
			Aliases: []string{"Bash", "bash", "run_shell_command", "exec_command", "shell_command", "local_shell", "execute_command",
				"run_in_terminal", "run_terminal_cmd", "terminal", "container.exec", "powershell", "PowerShell", "Monitor",
				"Shell", "run_command", "run_terminal_command", "shell_execute", "execute_shell", "execute_bash", "executeBash", "exec"},
			Subject: []string{"command", "cmd", "command_line"}, Runs: shellRuns,
			Counts: slices.Concat([]string{"command", "cmd", "command_line"}, shellRuns.Env, shellRuns.Shells, shellRuns.Stdin),
		},
		{
			Name: "read", Kind: KindRead, Risk: Low, Groups: []string{"files"},
			Aliases: []string{"Read", "read_file", "view", "view_file", "file_read", "NotebookRead", "read_many_files", "attach_file", "view_image"},
			Subject: []string{"file_path", "path", "filePath", "absolute_path", "notebook_path", "target_file", "paths[]"},
			Picks:   []string{"include"},
		},
		{
			Name: "write", Kind: KindWrite, Risk: Medium, Groups: []string{"files"},
			Aliases: []string{"Write", "write_file", "file_write", "create_file", "create", "save_file"},
			Subject: []string{"file_path", "path", "filePath", "absolute_path", "target_file"},
		},
		{
			Name: "edit", Kind: KindWrite, Risk: Medium, Groups: []string{"files"},
			Aliases: []string{"Edit", "edit_file", "replace", "str_replace", "str_replace_editor", "str_replace_based_edit_tool", "search_replace", "NotebookEdit", "insert_edit_into_file"},
			Subject: []string{"file_path", "path", "filePath", "absolute_path", "notebook_path", "target_file"},
		},
		{
			Name: "multi_edit", Kind: KindWrite, Risk: Medium, Groups: []string{"files"},
			Aliases: []string{"MultiEdit", "multiedit", "multi_replace_string_in_file"},
			Subject: []string{"file_path", "path", "filePath", "edits[].file_path", "edits[].path", "replacements[].filePath"},
		},
		{
			Name: "apply_patch", Kind: KindWrite, Risk: Medium, Groups: []string{"files"},
			Aliases: []string{"patch", "ApplyPatch", "applyPatch"},
			Subject: []string{"input|patch", "patch|patch", "command|patch", "patchText|patch"},
		},
		{
			Name: "shell_output", Kind: KindRead, Risk: Low, Groups: []string{"execution"},
			Aliases: []string{"BashOutput", "bash_output", "read_bash", "read_powershell", "get_terminal_output", "TaskOutput"},
			Subject: []string{"run_id", "bash_id", "shellId", "task_id", "id"},
		},
		{
			Name: "shell_kill", Kind: KindOther, Risk: Medium, plain: true, Groups: []string{"execution"},
			Aliases: []string{"KillShell", "KillBash", "kill_shell", "stop_bash", "stop_powershell", "TaskStop"},
			Subject: []string{"run_id", "shell_id", "shellId", "task_id", "id"},
		},
		{
			Name: "shell_input", Kind: KindOther, Risk: High, Groups: []string{"execution"},
			Aliases: []string{"write_stdin", "write_bash", "write_powershell", "send_to_terminal", "process", "interact_with_process"},
			Subject: []string{"run_id", "session_id", "shellId"}, Commands: asKeys(typedArguments),
		},
		{
			Name: "fetch", Kind: KindFetch, Risk: Medium, Groups: []string{"network"},
			Aliases: []string{"WebFetch", "web_fetch", "webfetch", "http_request", "fetch_url", "fetch_webpage"},
			Subject: []string{"url", "urls[]", "uri", "prompt|links"},
		},
		{
			Name: "web_search", Kind: KindSearch, Risk: Low, Groups: []string{"network"},
			Aliases: []string{"WebSearch", "google_web_search", "websearch"},
			Subject: []string{"query"},
		},
		{
			Name: "grep", Kind: KindSearch, Risk: Low, Groups: []string{"files"},
			Aliases: []string{"Grep", "search_file_content", "grep_search", "codebase_search", "search_files"},
			Subject: []string{"pattern", "query", "regex"}, Looks: append([]string{"path", "paths", "target_directories"}, shellRuns.Dirs...),
			Picks: []string{"glob", "glob_pattern", "include", "includes", "include_pattern", "includePattern", "include_globs", "file_pattern", "filePattern", "file_glob"},
		},
		{
			Name: "glob", Kind: KindSearch, Risk: Low, Groups: []string{"files"},
			Aliases: []string{"Glob", "file_search", "find_files"},
			Subject: []string{"pattern", "query"}, Looks: append([]string{"path"}, shellRuns.Dirs...),
		},
		{
			Name: "list", Kind: KindSearch, Risk: Low, Groups: []string{"files"},
			Aliases: []string{"LS", "ls", "list_directory", "list_dir", "list_files"},
			Subject: append([]string{"path"}, shellRuns.Dirs...), Looks: append([]string{"path"}, shellRuns.Dirs...),
		},
		{
			Name: "file_system", Kind: KindOther, Risk: High, Groups: []string{"files"},
			Operation: []string{"op", "operation", "action"},
			Operations: map[string]string{
				"read": "read", "read_file": "read", "cat": "read", "view": "read",
				"write": "write", "write_file": "write", "create": "write", "create_file": "write", "append": "write", "save": "write",
				"delete": "write", "remove": "write", "delete_file": "write", "mkdir": "write", "create_directory": "write",
				"edit": "edit", "edit_file": "edit", "replace": "edit", "insert": "edit", "patch": "edit",
				"list": "list", "ls": "list", "list_directory": "list", "glob": "glob", "search": "grep", "grep": "grep",
			},
		},
		{
			Name: "todo", Kind: KindOther, Risk: Low,
			Aliases: []string{"TodoWrite", "TodoRead", "write_todos", "todo_write", "update_plan", "todowrite", "todoread", "manage_todo_list",
				"TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "task_create", "task_get", "task_list", "task_update"},
		},
		{
			Name: "task", Kind: KindOther, Risk: Medium, plain: true,
			// Codex runs a tool's name together with that of its namespace.
			Aliases: []string{"Task", "Agent", "agent", "spawn_agent", "close_agent", "runSubagent", "collaborationspawn_agent",
				"collaborationfollowup_task", "collaborationsend_message", "collaborationinterrupt_agent"},
			Subject: []string{"prompt", "description"},
			delegates: `prompt description subagent_type agent_type agentName name title task task_name message items thoroughness model reasoning_effort
				run_in_background background mode=sync|background max_turns timeout_ms id ids agent_id target resume interrupt fork_context fork_turns`,
		},
		{
			Name: "question", Kind: KindOther, Risk: Low,
			Aliases: []string{"AskUserQuestion", "ask_user_question", "ask_user", "ExitPlanMode", "exit_plan_mode", "EnterPlanMode", "request_user_input"},
		},
		{
			Name: "skill", Kind: KindOther, Risk: Low,
			Aliases: []string{"Skill", "activate_skill", "fetch_copilot_cli_documentation"},
		},
		{
			Name: "clauz3.run", Kind: KindOther, Risk: High, // a proved program, as the approval service gets it
		},
		{
			Name: "mcp_resources", Kind: KindOther, Risk: Low,
			Aliases: []string{"ListMcpResourcesTool", "ListMcpResources", "list_mcp_resources", "list_mcp_resource_templates"},
		},
		{
			Name: "tool_search", Kind: KindOther, Risk: Low,
			Aliases: []string{"ToolSearch"},
		},
		{
			// What an agent asks of its own state, or says of itself.
			Name: "agent_status", Kind: KindOther, Risk: Low,
			Aliases: []string{"ListAgents", "list_agents", "read_agent", "wait_agent", "collaborationlist_agents", "collaborationwait_agent",
				"list_bash", "list_powershell", "report_intent", "get_goal", "create_goal", "update_goal",
				"task_complete", "complete_task", "StructuredOutput", "structured_output", "enter_plan_mode", "session_status", "agents_list"},
		},
		{
			Name: "memory_store", Kind: KindOther, Risk: Medium, plain: true, Groups: []string{"memory"},
			Aliases: []string{"memory_forget"},
		},
		{
			Name: "memory_recall", Kind: KindOther, Risk: Low, Groups: []string{"memory"},
		},
		{
			Name: "git_operations", Kind: KindOther, Risk: Medium, Groups: []string{"development"},
		},
		{
			Name: "browser", Kind: KindOther, Risk: Medium, Groups: []string{"network"},
			Aliases: []string{"browser_open"},
		},
		{
			Name: "sessions_send", Kind: KindOther, Risk: Medium, Groups: []string{"sessions"},
			Aliases: []string{"sessions_spawn", "subagents"},
		},
		{
			Name: "sessions_list", Kind: KindOther, Risk: Low, Groups: []string{"sessions"},
			Aliases: []string{"sessions_history"},
		},
		{
			// What it starts later nobody is asked about then.
			Name: "schedule", Kind: KindOther, Risk: High, Groups: []string{"automation"}, Commands: commandArguments,
			Aliases: []string{"cron", "cron_add", "cron_update", "cron_run", "CronCreate"},
		},
		{
			Name: "schedule_list", Kind: KindOther, Risk: Low, Groups: []string{"automation"},
			Aliases: []string{"cron_list", "cron_runs", "CronList"},
		},
		{
			Name: "schedule_remove", Kind: KindOther, Risk: Medium, Groups: []string{"automation"},
			Aliases: []string{"cron_remove", "CronDelete"},
		},
		{
			// It widens what counts as the project for what follows.
			Name: "set_working_directory", Kind: KindOther, Risk: Medium,
			Subject: []string{"path", "directory", "dir_path", "project_dir"},
		},
	}
	for i := range tools {
		tools[i].arguments = tools[i].named()
	}
	return tools
})

// shellRuns are the arguments by which tools that run a command say where and
// how.
var shellRuns = Runs{
	Dirs: []string{"workdir", "cwd", "directory", "dir_path", "working_directory", "working_dir", "workingDirectory", "WorkingDirectory", "workingDir", "dir", "cd"},
	Env:  []string{"env", "environment", "env_vars"}, Shells: []string{"shell"}, Stdin: []string{"stdin"},
	Background: []string{"run_in_background", "is_background", "isBackground", "background"},
}

// takesOnly are the arguments of [Runs] that the tool of an agent has, where
// that is known by its name for the shell, and the shell that it runs, where the
// name says so. Any other argument the agent drops, or it refuses the call.
var takesOnly = [...]struct {
	alias     string
	arguments []string
	shell     string
}{
	{"Bash", []string{"run_in_background"}, ""}, // Claude Code; Codex and Copilot show theirs to hooks by this name
	{"bash", []string{"workdir"}, ""},           // OpenCode
	{"PowerShell", []string{"run_in_background"}, "pwsh"},
	{"powershell", []string{"workdir"}, "pwsh"},
	{"Monitor", nil, ""},
	{"run_shell_command", []string{"dir_path", "directory", "is_background"}, ""}, // Gemini CLI, Qwen Code
	{"exec_command", []string{"workdir", "shell"}, ""},                            // Codex
	{"shell_command", []string{"workdir"}, ""},
	{"run_in_terminal", []string{"isBackground"}, ""},
	{"run_terminal_cmd", []string{"is_background"}, ""},
	{"execute_command", []string{"cwd"}, ""}, // Roo Code
}

// shellOf returns the shell that a tool runs by the name by which it is called, ""
// where the name does not say.
func shellOf(alias string) string {
	for i := range takesOnly {
		if t := &takesOnly[i]; t.alias == alias {
			return t.shell
		}
	}
	return ""
}

// knows reports whether all arguments of [Runs] are known that a tool has under the
// name by which it is called.
func knows(alias string) bool {
	for i := range takesOnly {
		if takesOnly[i].alias == alias {
			return true
		}
	}
	return false
}

// takes reports whether a tool has an argument of [Runs] under the name by which
// it is called, as far as that is known.
func takes(alias, argument string) bool {
	for i := range takesOnly {
		if t := &takesOnly[i]; t.alias == alias {
			return slices.Contains(t.arguments, argument)
		}
	}
	return true
}

// ambiguous are names that one agent gives to its shell and another to a tool
// that is none, as Codex does to the one that runs JavaScript: without a command
// a call of them is one of a tool that nobody declared.
var ambiguous = []string{"exec", "terminal", "run_command"}

// commandArguments are the arguments in which tools that nobody declared hold
// commands.
var commandArguments = []string{"command", "cmd", "script", "shell_command", "commands", "cmds", "command_line", "cmd_line", "shell_script", "bash_command", "bash", "argv", "program", "executable"}

// CommandArguments returns the arguments in which tools that nobody declared hold
// commands. They are met in any case, and with or without the lines.
func CommandArguments() []string { return slices.Clone(commandArguments) }

// The name of an argument says that a shell takes it where it has one of
// shellWords and ends with one of textWords. A tool whose own name has one of
// shellTools may also take commands in shellTexts, in their plain spelling.
var (
	shellWords = []string{"command", "commands", "cmd", "bash", "sh", "powershell", "terminal", "exec", "execute", "script", "run", "shell"}
	textWords  = []string{"command", "commands", "cmd", "cmds", "script", "string", "text", "line", "code", "exec", "execute", "run"}
	shellTools = []string{"command", "commands", "cmd", "bash", "sh", "shell", "powershell", "terminal", "console", "tmux", "ssh"}
	shellTexts = []string{"input", "code", "line", "lines", "text", "statement", "keys", "shell"}
)

// namesCommand reports whether the name of an argument says that it holds a
// command.
func namesCommand(key string) bool {
	words := wordsIn(key)
	return len(words) > 0 && slices.Contains(textWords, words[len(words)-1]) &&
		slices.ContainsFunc(words, func(w string) bool { return slices.Contains(shellWords, w) })
}

// BuiltinTools returns a copy of the tool table.
func BuiltinTools() []Tool { return slices.Clone(builtinTools()) }

// ToolNamed returns the entry of the tool table with a name or an alias.
func ToolNamed(name string) (Tool, bool) {
	for _, t := range builtinTools() {
		if t.Name == name || slices.Contains(t.Aliases, name) {
			return t, true
		}
	}
	return Tool{}, false
}

// A toolTable finds tools by name or alias.
type toolTable struct {
	byName map[string]*Tool
	// byOperation are the tools that are called by an operation of another.
	byOperation map[string]*Tool
}

func newToolTable(own []Tool, errs *[]error) toolTable {
	t := toolTable{byName: make(map[string]*Tool, 256), byOperation: make(map[string]*Tool)}
	builtin := builtinTools()
	for i := range builtin {
		t.add(&builtin[i])
	}
	for i := range own {
		tool := own[i]
		if tool.Name == "" {
			*errs = append(*errs, fmt.Errorf("%stools: a tool without a name", at(tool.Origin)))
			continue
		}
		for _, alias := range tool.Aliases {
			if strings.HasPrefix(alias, "mcp__") {
				*errs = append(*errs, fmt.Errorf("%stools: %s: %q cannot be an alias; write it as a separate tool", at(tool.Origin), tool.Name, alias))
			}
		}
		if old, ok := t.byName[tool.Name]; ok && old.Name == tool.Name {
			tool = extended(*old, tool)
		}
		for _, name := range append([]string{tool.Name}, tool.Aliases...) {
			if old, ok := t.byName[name]; ok && old.Name != tool.Name {
				*errs = append(*errs, fmt.Errorf("%stools: %s: the name %q is that of the tool %s", at(tool.Origin), tool.Name, name, old.Name))
			}
		}
		tool.Of, tool.undeclared, tool.guessed = "", false, false
		if tool.Kind == KindShell {
			tool.Runs = tool.Runs.or(&shellRuns)
		}
		if !isBuiltin(tool.Name) && (tool.Kind == KindOther || tool.Kind == KindMCP) {
			tool.undeclared = len(tool.Subject) == 0
			if tool.guessed = tool.Commands == nil; tool.guessed {
				tool.Commands = commandArguments
			}
		}
		tool.arguments = tool.named()
		t.add(&tool)
	}
	t.operations()
	return t
}

func isBuiltin(name string) bool {
	return slices.ContainsFunc(builtinTools(), func(t Tool) bool { return t.Name == name })
}

// operations adds the tools that are called by an operation of another.
func (t *toolTable) operations() {
	for _, whole := range t.byName {
		for _, name := range whole.Operations {
			if part, ok := t.byName[name]; ok && part.Of == "" {
				called := *part
				called.Of = whole.Name
				called.arguments = slices.Concat(part.arguments, whole.named())
				t.byOperation[whole.Name+" "+name] = &called
			}
		}
	}
}

// find returns the tool of a call, which an argument may name, and whether it is
// in the table.
func (t toolTable) find(name string, input map[string]any) (*Tool, bool) {
	tool, ok := t.byName[name]
	switch {
	case !ok:
		return nil, false
	case slices.Contains(ambiguous, name) && !slices.ContainsFunc(tool.Subject, func(field string) bool { return input[field] != nil }):
		return nil, false
	case len(tool.Operation) == 0:
		return tool, true
	}
	var found *Tool
	for _, field := range tool.Operation {
		v, given := input[field]
		if !given {
			continue
		}
		op, _ := v.(string)
		part := t.byOperation[tool.Name+" "+tool.Operations[strings.ToLower(op)]]
		if part == nil || found != nil && found != part {
			return tool, true // nobody knows what it does
		}
		found = part
	}
	if found == nil {
		return tool, true
	}
	return found, true
}

// extended returns a built-in tool with what a policy says of it.
func extended(old, own Tool) Tool {
	own.Aliases = append(append([]string(nil), old.Aliases...), own.Aliases...)
	own.Groups = append(append([]string(nil), old.Groups...), own.Groups...)
	if own.Kind == KindOther {
		own.Kind = old.Kind
	}
	if len(own.Subject) == 0 {
		own.Subject = old.Subject
	}
	if len(own.Looks) == 0 {
		own.Looks = old.Looks
	}
	if len(own.Picks) == 0 {
		own.Picks = old.Picks
	}
	if len(own.Counts) == 0 {
		own.Counts = old.Counts
	}
	own.Runs = own.Runs.or(&old.Runs)
	if own.Commands == nil {
		own.Commands = old.Commands
	}
	own.Operation, own.Operations = old.Operation, old.Operations
	return own
}

func (t toolTable) add(tool *Tool) {
	t.byName[tool.Name] = tool
	for _, a := range tool.Aliases {
		t.byName[a] = tool
	}
}

// pattern returns a tool as patterns know it.
func (t toolTable) pattern(name string) (permission.Tool, bool) {
	tool, ok := t.byName[name]
	if !ok {
		return permission.Tool{}, false
	}
	return tool.pattern(), true
}

// pattern returns the tool as patterns know it.
func (t *Tool) pattern() permission.Tool {
	p := permission.Tool{Name: t.Name, Of: t.Of, Paths: t.isFile(), Whole: len(t.Subject) == 0}
	switch t.Kind {
	case KindRead:
		p.Kind = permission.Reads
	case KindWrite:
		p.Kind = permission.Writes
	case KindFetch:
		p.Kind = permission.Fetches
	}
	return p
}

func (t toolTable) lookup(name string) (*Tool, bool) {
	tool, ok := t.byName[name]
	return tool, ok
}

// isFile reports whether the subjects of the tool are paths.
func (t *Tool) isFile() bool {
	return (t.Kind == KindRead || t.Kind == KindWrite) && t.Name != "shell_output"
}

// exactKeys refuses arguments that lenient decoders would take for one that
// the tool reads: {"Command": …} runs where only "command" was judged. Of a tool
// that nobody declared every spelling is looked at.
func (t *Tool) exactKeys(input map[string]any) error {
	if t.undeclared {
		return nil
	}
	for key := range input {
		folded := strictjson.Fold(key)
		for i := range t.arguments {
			a := &t.arguments[i]
			if len(folded) == len(a.name) && key != a.name && strings.EqualFold(folded, a.name) && !slices.Contains(a.fields, key) {
				return fmt.Errorf("the argument %q must be written %q", key, a.name)
			}
		}
	}
	return nil
}

// An argument is one that a tool reads, with the fields that mean the same.
type argument struct {
	name   string
	fields []string
}

// named returns the arguments that the tool reads.
func (t *Tool) named() []argument {
	runs := t.Runs.fields()
	var out []argument
	for _, fields := range [...][]string{t.Subject, t.Looks, t.Picks, t.Commands, t.Operation, runs[0], runs[1], runs[2], runs[3], runs[4]} {
		for _, field := range fields {
			name := field
			if end := strings.IndexAny(field, ".[|"); end >= 0 {
				name = field[:end]
			}
			out = append(out, argument{name, fields})
		}
	}
	return out
}

// command returns the command of a shell call: its text, or its arguments
// where it runs without a shell.
func (t *Tool) command(input map[string]any) (text string, argv []string, err error) {
	found := ""
	for _, field := range t.Subject {
		v, ok := input[field]
		if !ok {
			continue
		}
		if found != "" {
			return "", nil, fmt.Errorf("both %q and %q are given; which of them runs is unknown", found, field)
		}
		found = field
		switch v := v.(type) {
		case string:
			text = v
		case []any:
			if argv, err = stringList(field, v); err != nil {
				return "", nil, err
			}
		case []string:
			argv = v
		default:
			return "", nil, fmt.Errorf("%q must be a string or a list of strings", field)
		}
	}
	if found == "" {
		return "", nil, fmt.Errorf("%q is missing from the input of the tool %s", t.Subject[0], t.Name)
	}
	return text, argv, nil
}

func stringList(field string, list []any) ([]string, error) {
	out := make([]string, len(list))
	for i, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("%q must be a list of strings", field)
		}
		out[i] = s
	}
	return out, nil
}

// subjects returns what the patterns of a tool match. A tool that declares
// none has every string of its arguments.
func (t *Tool) subjects(input map[string]any) ([]string, error) {
	var out []string
	if len(t.Subject) == 0 {
		return leaves(input, out), nil
	}
	for _, field := range t.Subject {
		path, decode, _ := strings.Cut(field, "|")
		values, err := pick(input, path)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			switch {
			case decode == "patch":
				out = append(out, command.PatchPaths(v)...)
			case decode != "links":
				out = append(out, v)
			case len(out) == 0: // else it says what to do with those
				out = append(out, links(v)...)
			}
		}
	}
	if len(out) == 0 && t.Kind == KindWrite {
		return nil, fmt.Errorf("the input of the tool %s has no file; %s is missing", t.Name, t.Subject[0])
	}
	return out, nil
}

// links returns the URLs that a text has among other words.
func links(text string) []string {
	words := strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("\"'`<>()[]{}|", c) })
	var out []string
	for _, w := range words {
		if w = strings.TrimRight(w, ".,;:!?"); strings.Contains(w, "://") {
			out = append(out, w)
		}
	}
	return out
}

// strings returns the texts of several arguments, such as the paths that a
// search looks into.
func (t *Tool) strings(fields []string, input map[string]any) ([]string, error) {
	var out []string
	for _, field := range fields {
		name := strings.TrimSuffix(field, "[]")
		if _, isList := input[name].([]any); isList {
			name += "[]"
		}
		texts, err := pick(input, name)
		if err != nil {
			return nil, err
		}
		out = append(out, texts...)
	}
	return out, nil
}

// pick returns the strings at a path such as "edits[].file_path".
func pick(v any, path string) ([]string, error) {
	if path == "" {
		s, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("a subject of the tool must be a string, not %T", v)
		}
		return []string{s}, nil
	}
	name, rest, _ := strings.Cut(path, ".")
	name, isList := strings.CutSuffix(name, "[]")
	m, ok := v.(map[string]any)
	if !ok {
		return nil, nil
	}
	field, ok := m[name]
	if !ok || field == nil {
		return nil, nil
	}
	if !isList {
		return pick(field, rest)
	}
	list, ok := field.([]any)
	if !ok {
		return nil, fmt.Errorf("%q must be a list", name)
	}
	var out []string
	for _, e := range list {
		s, err := pick(e, rest)
		if err != nil {
			return nil, err
		}
		out = append(out, s...)
	}
	return out, nil
}

// leaves appends every string in v.
func leaves(v any, out []string) []string {
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = leaves(e, out)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			out = leaves(v[k], out)
		}
	}
	return out
}
