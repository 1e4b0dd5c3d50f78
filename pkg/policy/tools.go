package policy

import (
	"fmt"
	"slices"
	"strings"
)

// builtinTools is the tool table: what well-known agents call their tools, and
// which of their arguments matter.
var builtinTools = []Tool{
	{
		Name: "shell", Kind: KindShell, Risk: High, Groups: []string{"execution"},
		Aliases: []string{"Bash", "bash", "run_shell_command", "exec_command", "shell_command", "local_shell", "execute_command",
			"run_in_terminal", "run_terminal_cmd", "terminal", "container.exec", "powershell", "PowerShell", "Monitor"},
		Subject: []string{"command", "cmd"}, Counts: []string{"command", "cmd"},
	},
	{
		Name: "read", Kind: KindRead, Risk: Low, Groups: []string{"files"},
		Aliases: []string{"Read", "read_file", "view", "view_file", "file_read", "NotebookRead", "read_many_files", "attach_file"},
		Subject: []string{"file_path", "path", "filePath", "absolute_path", "notebook_path", "target_file", "paths[]"},
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
		Aliases: []string{"BashOutput", "bash_output", "read_bash", "get_terminal_output", "TaskOutput"},
		Subject: []string{"run_id", "bash_id", "shellId", "task_id", "id"},
	},
	{
		Name: "shell_kill", Kind: KindOther, Risk: Medium, Groups: []string{"execution"},
		Aliases: []string{"KillShell", "KillBash", "kill_shell", "stop_bash", "TaskStop"},
		Subject: []string{"run_id", "shell_id", "shellId", "task_id", "id"},
	},
	{
		Name: "shell_input", Kind: KindOther, Risk: High, Groups: []string{"execution"},
		Aliases: []string{"write_stdin", "write_bash"},
		Subject: []string{"run_id", "session_id", "shellId"},
	},
	{
		Name: "fetch", Kind: KindFetch, Risk: Medium, Groups: []string{"network"},
		Aliases: []string{"WebFetch", "web_fetch", "webfetch", "http_request", "fetch_url", "fetch_webpage"},
		Subject: []string{"url", "urls[]", "uri"},
	},
	{
		Name: "web_search", Kind: KindSearch, Risk: Low, Groups: []string{"network"},
		Aliases: []string{"WebSearch", "google_web_search", "websearch"},
		Subject: []string{"query"},
	},
	{
		Name: "grep", Kind: KindSearch, Risk: Low, Groups: []string{"files"},
		Aliases: []string{"Grep", "search_file_content", "grep_search", "codebase_search", "search_files"},
		Subject: []string{"pattern", "query", "regex"}, Looks: []string{"path", "paths", "dir_path", "directory", "target_directories"},
		Picks: []string{"glob", "glob_pattern", "include", "includes", "include_pattern", "includePattern", "include_globs", "file_pattern", "filePattern", "file_glob"},
	},
	{
		Name: "glob", Kind: KindSearch, Risk: Low, Groups: []string{"files"},
		Aliases: []string{"Glob", "file_search", "find_files"},
		Subject: []string{"pattern", "query"}, Looks: []string{"path", "dir_path", "directory"},
	},
	{
		Name: "list", Kind: KindSearch, Risk: Low, Groups: []string{"files"},
		Aliases: []string{"LS", "ls", "list_directory", "list_dir", "list_files"},
		Subject: []string{"path", "dir_path", "directory"}, Looks: []string{"path", "dir_path", "directory"},
	},
	{
		Name: "todo", Kind: KindOther, Risk: Low,
		Aliases: []string{"TodoWrite", "TodoRead", "write_todos", "update_plan", "todowrite", "todoread", "manage_todo_list",
			"TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "task_create", "task_get", "task_list", "task_update"},
	},
	{
		Name: "task", Kind: KindOther, Risk: Medium,
		Aliases: []string{"Task", "Agent", "agent", "spawn_agent", "runSubagent"},
		Subject: []string{"prompt", "description"},
	},
	{
		Name: "question", Kind: KindOther, Risk: Low,
		Aliases: []string{"AskUserQuestion", "ask_user_question", "ask_user", "ExitPlanMode", "exit_plan_mode", "EnterPlanMode"},
	},
}

// BuiltinTools returns a copy of the tool table.
func BuiltinTools() []Tool { return append([]Tool(nil), builtinTools...) }

// ToolNamed returns the entry of the tool table with a name or an alias.
func ToolNamed(name string) (Tool, bool) {
	for i := range builtinTools {
		if t := &builtinTools[i]; t.Name == name || slices.Contains(t.Aliases, name) {
			return *t, true
		}
	}
	return Tool{}, false
}

// A toolTable finds tools by name or alias.
type toolTable struct {
	byName map[string]*Tool
}

func newToolTable(own []Tool, errs *[]error) toolTable {
	t := toolTable{byName: make(map[string]*Tool, 128)}
	for i := range builtinTools {
		t.add(&builtinTools[i])
	}
	for i := range own {
		tool := own[i]
		if tool.Name == "" {
			*errs = append(*errs, fmt.Errorf("%stools: a tool without a name", at(tool.Origin)))
			continue
		}
		for _, alias := range tool.Aliases {
			if strings.HasPrefix(alias, "mcp__") {
				*errs = append(*errs, fmt.Errorf("%stools: %s: %q cannot be an alias; write it as a tool of its own", at(tool.Origin), tool.Name, alias))
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
		t.add(&tool)
	}
	return t
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
	return own
}

func (t toolTable) add(tool *Tool) {
	t.byName[tool.Name] = tool
	for _, a := range tool.Aliases {
		t.byName[a] = tool
	}
}

func (t toolTable) lookup(name string) (*Tool, bool) {
	tool, ok := t.byName[name]
	return tool, ok
}

// isFile says whether the subjects of the tool are paths.
func (t *Tool) isFile() bool {
	return (t.Kind == KindRead || t.Kind == KindWrite) && t.Name != "shell_output"
}

// exactKeys refuses arguments that lenient decoders would take for a subject
// of the tool: {"Command": …} runs where only "command" was judged.
func (t *Tool) exactKeys(input map[string]any) error {
	for key := range input {
		for _, fields := range [...][]string{t.Subject, t.Looks, t.Picks} {
			if err := exactKey(key, fields); err != nil {
				return err
			}
		}
	}
	return nil
}

func exactKey(key string, fields []string) error {
	for _, field := range fields {
		name := field
		if end := strings.IndexAny(field, ".[|"); end >= 0 {
			name = field[:end]
		}
		if key != name && foldKey(key) == foldKey(name) && !slices.Contains(fields, key) {
			return fmt.Errorf("the argument %q must be written %q", key, name)
		}
	}
	return nil
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
			return "", nil, fmt.Errorf("both %q and %q are given; which of them runs is not known", found, field)
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
			if decode == "patch" {
				out = append(out, patchPaths(v)...)
			} else {
				out = append(out, v)
			}
		}
	}
	if len(out) == 0 && t.Kind == KindWrite {
		return nil, fmt.Errorf("the input of the tool %s names no file; %s is missing", t.Name, t.Subject[0])
	}
	return out, nil
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

// patchPaths returns every path that a patch names, in the form of unified
// diffs and of "*** Update File:" patches.
func patchPaths(patch string) []string {
	var out []string
	for line := range strings.Lines(patch) {
		line = strings.TrimSpace(line) // agents read headers with blanks around them
		for _, mark := range []string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "--- ", "+++ ", "rename to ", "rename from ", "copy to "} {
			path, ok := strings.CutPrefix(line, mark)
			if !ok {
				continue
			}
			if path = strings.TrimSpace(path); mark == "--- " || mark == "+++ " {
				path, _, _ = strings.Cut(path, "\t")
				path = strings.TrimPrefix(strings.TrimPrefix(path, "a/"), "b/")
			}
			if path != "" && path != "/dev/null" {
				out = append(out, path)
			}
		}
	}
	return out
}
