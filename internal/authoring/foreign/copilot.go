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
	Name: "copilot", Title: "Copilot CLI",
	user:    []string{".copilot/permissions-config.json", ".copilot/settings.json"},
	project: []string{".github/copilot/settings.json", ".github/copilot/settings.local.json"},
	common:  &draft.Agent{Title: "Copilot CLI", Shell: "commands"},
	read:    readCopilot, write: writeCopilot,
	Exact:    "command identifiers, MCP tools and hosts; `--allow-tool`, `--deny-tool`, `--allow-url` and `--deny-url` on a command line in a file",
	Stricter: "an approval of `write` for a directory is of files below it; a denied command counts with all its arguments",
	Left:     "memory, extensions, sampling; approvals of commands for one directory, which a policy cannot bind to it",
}

func readCopilot(s *Source, in *draft.Input) error {
	if start := strings.TrimSpace(strings.TrimPrefix(string(s.Data), "\ufeff")); start != "" && start[0] != '{' && start[0] != '/' {
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
		return fmt.Errorf("%s: has no approvals and no hosts: nothing to import", s.Path)
	}
	return nil
}

// either returns the value of the first key that there is.
func either(n *document.Node, keys ...string) *document.Node {
	for _, key := range keys {
		if v := n.Entry(key); v != nil {
			return v
		}
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
		r.in.Entries = append(r.in.Entries, draft.Entry{Action: policy.Allow, Text: "write in " + clipped(dir), Tool: "Edit", Spec: "/" + strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/**"})
	case "read":
		r.in.Notes = append(r.in.Notes, draft.Note{Entry: "allow read in " + clipped(dir), Differs: "the same: reading is not asked about anyway, unless a path is sensitive"})
	case "mcp":
		e := draft.Entry{Action: policy.Allow, Text: clipped("mcp " + text(n.Entry("serverName")) + " " + text(n.Entry("toolName")))}
		tool := n.Entry("toolName")
		all := tool != nil && tool.Kind == document.Null
		if e.Tool = mcpTool(text(n.Entry("serverName")), text(tool)); e.Tool == "" || tool == nil || !all && text(tool) == "" {
			leave(r.in, r.source, "allow "+e.Text, n.Line, "it names no tool of a server", true)
			return
		}
		r.in.Entries = append(r.in.Entries, e)
	default:
		leave(r.in, r.source, "allow "+shown(kind, copilotKinds, "an approval of another kind")+" in "+clipped(dir), n.Line, "policyctl has no permission for it", true)
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
		e.Tool, e.Spec = "Bash", copilotCommand(e.Text)
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

// readCopilotOptions reads a file with a command line, such as an alias or a
// script has it.
func readCopilotOptions(s *Source, in *draft.Input) error {
	words := unquoted(string(s.Data))
	found := false
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(words[i], "=")
		if _, takes := copilotOptions[name]; takes && !joined && i+1 < len(words) {
			i++
			value = words[i]
		}
		found = copilotOption(s, in, name, value) || found
	}
	if !found {
		return fmt.Errorf("%s: has no option such as --allow-tool: nothing to import", s.Path)
	}
	return nil
}

// unquoted returns the words of a command line without their quotes. It expands
// nothing.
func unquoted(line string) []string {
	var out []string
	var word strings.Builder
	var quote rune
	begun, escaped := false, false
	for _, c := range line + "\n" {
		switch {
		case escaped:
			escaped = false
			if c != '\n' {
				word.WriteRune(c)
				begun = true
			}
		case c == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, begun = c, true
		case quote == 0 && strings.ContainsRune(" \t\r\n;", c):
			if begun {
				out = append(out, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	return out
}

// copilotOptions are the options that list permissions, with what they decide.
var copilotOptions = map[string]policy.Decision{
	"--allow-tool": policy.Allow, "--deny-tool": policy.Deny, "--allow-url": policy.Allow, "--deny-url": policy.Deny,
	"--excluded-tools": policy.Deny,
}

// copilotOption reads one option, and reports whether it concerns permissions.
func copilotOption(s *Source, in *draft.Input, name, value string) bool {
	switch name {
	case "--allow-all", "--allow-all-tools", "--yolo":
		in.Bypass = name
		in.Notes = append(in.Notes, draft.Note{Entry: name, Becomes: "approvals.mode manual", Differs: bypassNote})
		return true
	case "--available-tools":
		in.Notes = append(in.Notes, draft.Note{Entry: name, Differs: "LOOSER: left out; it stays Copilot's own: a policy has no list of all tools"})
		return true
	}
	d, ok := copilotOptions[name]
	if !ok {
		return false
	}
	for _, item := range commaList(value) {
		e := draft.Entry{Action: d, Text: strings.TrimSpace(item)}
		why := "it has characters that cannot be seen"
		if !draft.Hidden(item) {
			if strings.HasSuffix(name, "-url") {
				why = copilotURL(&e)
			} else {
				why = copilotTool(&e)
			}
		}
		if why != "" {
			leave(in, s, d.String()+" "+clipped(e.Text), 1, why, d == policy.Allow)
			continue
		}
		in.Entries = append(in.Entries, e)
	}
	return true
}

// commaList divides a list at the commas that stand in no parentheses.
func commaList(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 {
				out, from = append(out, s[from:i]), i+1
			}
		}
	}
	return append(out, s[from:])
}

// copilotTool reads KIND or KIND(ARGUMENT).
func copilotTool(e *draft.Entry) string {
	kind, arg, why := call(e)
	if why != "" {
		return why
	}
	switch kind {
	case "":
		return "it is empty"
	case "shell":
		e.Tool = "Bash"
		if arg != "" {
			e.Spec = copilotCommand(arg)
		}
		if e.Action == policy.Deny && arg != "" && !strings.HasSuffix(e.Spec, " *") {
			e.Spec += " *"
		}
	case "write":
		e.Tool, e.Spec = "Edit", workspacePath(arg)
	case "read":
		e.Tool, e.Spec = "Read", workspacePath(arg)
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
	if known := draft.ToolOf(kind); known != "" && arg == "" {
		e.Tool = known
		return ""
	}
	if e.Tool = mcpTool(kind, arg); e.Tool == "" {
		return "it names no tool of a server"
	}
	return ""
}
