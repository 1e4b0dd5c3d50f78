package foreign

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Copilot's CLI keeps what was approved for a directory in
// permissions-config.json and hosts in settings.json; what is denied stands on
// its command line, of which denials win. Read in github/docs,
// content/copilot/reference/copilot-cli-reference/cli-config-dir-reference.md and
// content/copilot/how-tos/copilot-cli/use-copilot-cli/allowing-tools.md.
var copilot = &Agent{
	user:    []string{".copilot/permissions-config.json", ".copilot/settings.json"},
	project: []string{".github/copilot/settings.json", ".github/copilot/settings.local.json"},
	Agent:   &draft.Agent{Name: "copilot", Title: "Copilot CLI", Shell: "commands", ToolAlone: true},
	read:    readCopilot, write: writeCopilot, Written: "options of its command line, where alone it can deny",
	Exact:    "command identifiers, MCP tools and hosts; `--allow-tool`, `--deny-tool`, `--allow-url` and `--deny-url` on a command line in a file",
	Stricter: "an approval of `write` for a directory is of files below it; a denied command counts with all its arguments",
	Left:     "memory, extensions, sampling; approvals of commands for one directory, which a policy cannot bind to it",
}

func readCopilot(s *Source, in *draft.Input) error {
	if start := strings.TrimSpace(string(s.Data)); start != "" && start[0] != '{' && start[0] != '/' {
		return readCopilotOptions(s, in)
	}
	top, err := parseJSON(s)
	if err != nil {
		return err
	}
	r := &copilotReader{source: s, in: in}
	lists := &listReader{source: s, in: in, parse: copilotURL}
	lists.list(policy.Deny, either(top, "deniedUrls", "denied_urls"))
	lists.list(policy.Allow, either(top, "allowedUrls", "allowed_urls"))
	if locations := top.Entry("locations"); locations != nil && locations.Kind == document.Map {
		for i := range locations.Keys {
			r.location(locations.Keys[i].Text, &locations.Items[i])
		}
	}
	if len(in.Entries) == 0 && len(in.Notes) == 0 {
		return fmt.Errorf("%s: has no approvals and no hosts: %w", s.Path, draft.ErrNothing)
	}
	return nil
}

// copilotURL reads a URL or a host.
func copilotURL(e *draft.Entry) string {
	e.Tool = "WebFetch"
	text := strings.TrimSpace(e.Text)
	host, rest, isURL := strings.Cut(text, "://")
	if isURL {
		scheme := host
		var path string
		var hasPath bool
		host, path, hasPath = strings.Cut(rest, "/")
		if e.Action == policy.Allow && hasPath && path != "" {
			e.Flat, e.Spec = true, scheme+"://"+host+"/"+path
			return ""
		}
	}
	host, _, _ = strings.Cut(host, "/")
	if host == "" || strings.ContainsAny(host, " \t") {
		return "it is neither a URL nor a host"
	}
	e.Spec = "domain:" + host
	return ""
}

// A copilotReader reads what was approved for directories.
type copilotReader struct {
	source *Source
	in     *draft.Input
}

// location reads what was approved for one directory: it counts for a project
// that is named, and otherwise wherever it can be bound to the directory.
func (r *copilotReader) location(dir string, n *document.Node) {
	if r.source.Root != "" && filepath.ToSlash(filepath.Clean(dir)) != r.source.Root {
		return
	}
	approvals := n.Entry("tool_approvals")
	if approvals == nil {
		return
	}
	if approvals.Kind != document.List {
		leave(r.in, r.source, "the approvals for "+clipped(dir), approvals.Line, "they are no list", true)
		return
	}
	for i := range approvals.Items {
		r.approval(dir, &approvals.Items[i])
	}
}

// approval reads one approval.
func (r *copilotReader) approval(dir string, n *document.Node) {
	kind := text(n.Entry("kind"))
	switch kind {
	case "commands":
		r.commands(dir, n)
	case "write":
		below := "/" + strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/**"
		r.in.Add(draft.Entry{Action: policy.Allow, Text: "write in " + clipped(dir), Tool: "Edit", Spec: below})
	case "read":
		r.in.Note("allow read in "+clipped(dir), "", "the same: reading is not asked about anyway, unless a path is sensitive")
	case "mcp":
		if r.source.Root == "" {
			leave(r.in, r.source, "allow an MCP tool in "+clipped(dir), n.Line, "it counts in one directory; name that with --project", true)
			return
		}
		e := draft.Entry{Action: policy.Allow, Text: clipped("mcp " + text(n.Entry("serverName")) + " " + text(n.Entry("toolName")))}
		tool := n.Entry("toolName")
		all := tool != nil && tool.Kind == document.Null
		if e.Tool = mcpTool(text(n.Entry("serverName")), text(tool)); e.Tool == "" || tool == nil || !all && text(tool) == "" {
			leave(r.in, r.source, "allow "+e.Text, n.Line, "it names no tool of a server", true)
			return
		}
		r.in.Add(e)
	default:
		name := "allow " + shown(kind, copilotKinds, "an approval of another kind") + " in " + clipped(dir)
		leave(r.in, r.source, name, n.Line, "policyctl has no permission for it", true)
	}
}

var copilotKinds = []string{"mcp-sampling", "memory", "custom-tool", "extension-management", "extension-permission-access"}

// commands reads an approval of commands, which counts only for the project that
// is named: a policy for all directories would be wider.
func (r *copilotReader) commands(dir string, n *document.Node) {
	identifiers := n.Entry("commandIdentifiers")
	if r.source.Root == "" {
		leave(r.in, r.source, "allow commands in "+clipped(dir), n.Line, "it counts in one directory; name that with --project", true)
		return
	}
	lists := &listReader{source: r.source, in: r.in, parse: func(e *draft.Entry) string {
		if e.Tool, e.Spec = "Bash", copilotCommand(e.Text); strings.TrimSpace(e.Spec) == "*" {
			return "it names no command"
		}
		return ""
	}}
	if identifiers == nil {
		leave(r.in, r.source, "allow commands in "+clipped(dir), n.Line, "it names no commands", true)
		return
	}
	lists.list(policy.Allow, identifiers)
}

// copilotCommand returns the pattern of an identifier, in which only a colon and
// a star at the end are special.
func copilotCommand(id string) string {
	if prefix, ok := strings.CutSuffix(id, ":*"); ok {
		return escapedStars(prefix) + " *"
	}
	return escapedStars(id)
}

// copilotTool reads KIND or KIND(ARGUMENT).
func copilotTool(e *draft.Entry) string {
	kind, arg, why := call(e)
	if why != "" {
		return why
	}
	if arg == "" && strings.Contains(e.Text, "(") && e.Action == policy.Allow {
		return "there is nothing in its parentheses"
	}
	switch kind {
	case "":
		return "it is empty"
	case "shell":
		e.Tool = "Bash"
		if arg == ":*" {
			return "it names no command"
		}
		if arg != "" {
			e.Spec = copilotCommand(arg)
		}
		if e.Action == policy.Deny && arg != "" && !strings.HasSuffix(e.Spec, " *") {
			e.Spec += " *"
		}
	case "write":
		e.Tool, e.Spec, e.All = "Edit", workspacePath(arg), arg == ""
	case "read":
		e.Tool, e.Spec, e.All = "Read", workspacePath(arg), arg == ""
	case "url":
		if e.Tool = "WebFetch"; arg != "" {
			text := e.Text
			e.Text = arg
			why = copilotURL(e)
			e.Text = text
		}
		return why
	case "memory":
		return "policyctl has no permission for it"
	default:
		return copilotOther(e, kind, arg)
	}
	return ""
}

// copilotOther reads a tool by its name, or a tool of an MCP server.
func copilotOther(e *draft.Entry, kind, arg string) string {
	if known := draft.ToolOf(kind); known != "" && arg == "" && e.Action == policy.Deny {
		e.Tool = known
		return ""
	}
	if e.Tool = mcpTool(kind, arg); e.Tool == "" {
		return "it names no tool of a server"
	}
	return ""
}
