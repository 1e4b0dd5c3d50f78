package foreign

import (
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Cursor's CLI has lists of what is allowed and denied, of which denials win,
// and the editor has lists of what runs without being asked about. Read at
// https://cursor.com/docs/cli/reference/permissions and
// https://cursor.com/docs/reference/permissions.
var cursor = &Agent{
	user:    []string{".cursor/cli-config.json", ".cursor/permissions.json"},
	project: []string{".cursor/cli.json", ".cursor/permissions.json"},
	Agent:   &draft.Agent{Name: "cursor", Title: "Cursor", Shell: "commands", ToolAlone: true},
	read:    readCursor, write: writeCursor, Written: ".cursor/cli.json",
	Exact:    "`Shell(PROGRAM)` and `Shell(PROGRAM:ARGUMENTS)`, `Mcp(SERVER:TOOL)`, `WebFetch(HOST)`, paths; `terminalAllowlist` and `mcpAllowlist`",
	Stricter: "denied paths count in any directory, and for shell commands; an allow with several words, as `Shell(npm test)`, is of this command alone",
	Left:     "the classifier's texts (`autoRun`); servers whose name has a star",
}

func readCursor(s *Source, in *draft.Input) error {
	top, err := parseJSON(s)
	if err != nil {
		return err
	}
	r := &listReader{source: s, in: in, parse: cursorEntry}
	if permissions := top.Entry("permissions"); permissions != nil && permissions.Kind == document.Map {
		r.list(policy.Deny, permissions.Entry("deny"))
		r.list(policy.Allow, permissions.Entry("allow"))
	}
	r.parse = func(e *draft.Entry) string {
		if e.Tool, e.Spec = "Bash", prefixed(e.Text); strings.Trim(e.Spec, "* ") == "" {
			return "it names no program"
		}
		return ""
	}
	r.list(policy.Allow, top.Entry("terminalAllowlist"))
	r.parse = func(e *draft.Entry) string { return cursorServer(e, e.Text) }
	r.list(policy.Allow, top.Entry("mcpAllowlist"))
	if n := top.Entry("approvalMode"); n != nil {
		if text(n) == "unrestricted" {
			in.Bypassed("approvalMode unrestricted")
		} else {
			mode := shown(text(n), []string{"allowlist", "auto-review"}, "of another form")
			in.Note("approvalMode "+mode, "approvals.mode manual", "what nothing allows asks")
		}
	}
	if top.Entry("autoRun") != nil {
		in.Note("autoRun", "", "nothing is left to a model: what nothing allows asks")
	}
	return nil
}

// cursorEntry reads an entry of the CLI.
func cursorEntry(e *draft.Entry) string {
	name, arg, why := call(e)
	if why != "" {
		return why
	}
	switch {
	case arg == "*" || arg == "**":
		arg = ""
	case strings.Trim(arg, ":*") == "" && e.Action == policy.Allow:
		return "it names nothing: write a program, a path, a host or a tool"
	case strings.Trim(arg, ":*") == "":
		arg = ""
	}
	switch strings.ToLower(name) {
	case "shell":
		e.Tool, e.Spec = "Bash", cursorCommand(e.Action, arg)
		e.More = strings.Contains(arg, ":") && strings.HasSuffix(arg, " *")
	case "read", "write":
		e.Tool = map[string]string{"read": "Read", "write": "Edit"}[strings.ToLower(name)]
		e.Spec, e.All = workspacePath(arg), arg == ""
	case "webfetch":
		e.Tool = "WebFetch"
		if arg != "" {
			e.Spec = "domain:" + arg
		}
	case "mcp":
		return cursorServer(e, arg)
	default:
		return "it is neither Shell nor Read, Write, WebFetch or Mcp"
	}
	return ""
}

// cursorCommand returns the pattern of commands that an argument of Shell means:
// a program, or a program and its arguments behind a colon. Of a deny it is wide.
func cursorCommand(d policy.Decision, arg string) string {
	if arg == "" {
		return ""
	}
	program, args, colon := strings.Cut(arg, ":")
	switch {
	case colon && args == "":
		return program + " *"
	case colon:
		spec := program + " " + args
		if d == policy.Deny && !strings.HasSuffix(spec, "*") {
			spec += " *"
		}
		return spec
	case strings.Contains(arg, " ") && d == policy.Allow:
		return arg
	}
	return prefixed(arg)
}

// cursorServer reads SERVER:TOOL.
func cursorServer(e *draft.Entry, arg string) string {
	server, tool, _ := strings.Cut(arg, ":")
	if tool == "*" {
		tool = ""
	}
	if server == "" {
		server = "*"
	}
	if e.Tool = mcpTool(server, tool); e.Tool == "" {
		return "it names no tool of a server"
	}
	return ""
}
