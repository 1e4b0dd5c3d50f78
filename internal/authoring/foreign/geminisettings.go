package foreign

import (
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

// readGeminiSettings reads the older lists, the mode and the servers.
func readGeminiSettings(s *Source, in *draft.Input) error {
	top, err := parseJSON(s)
	if err != nil {
		return err
	}
	r := &listReader{source: s, in: in, parse: geminiListed}
	tools := top.Entry("tools")
	if tools == nil || tools.Kind != document.Map {
		tools = &document.Node{Kind: document.Map}
	}
	r.list(policy.Deny, tools.Entry("exclude"))
	r.list(policy.Deny, top.Entry("excludeTools"))
	r.list(policy.Allow, tools.Entry("allowed"))
	r.list(policy.Allow, top.Entry("allowedTools"))
	if tools.Entry("core") != nil || top.Entry("coreTools") != nil {
		in.Note("tools.core", "", "it stays Gemini CLI's own: a policy has no list of all tools")
	}
	r.mode(top, tools)
	r.servers(top)
	return nil
}

// geminiListed reads TOOL or TOOL(PREFIX).
func geminiListed(e *draft.Entry) string {
	name, arg, why := call(e)
	if why != "" {
		return why
	}
	if arg == "" && strings.Contains(e.Text, "(") && e.Action == policy.Allow {
		return "there is nothing in its parentheses"
	}
	if name == "ShellTool" {
		name = "run_shell_command"
	}
	known := geminiTool(name)
	if known == "" && !plainName(name) {
		return "it names no tool"
	}
	if why := setTool(e, name, known); why != "" {
		return why
	}
	switch {
	case arg != "" && e.Tool == "Bash":
		e.Spec = escapedStars(strings.TrimSuffix(arg, "*")) + " *"
	case arg != "" && e.Action == policy.Allow:
		return "policyctl does not tell these calls of the tool from others"
	}
	return ""
}

// geminiModes are the approval modes, with what becomes of those that allow
// more.
var geminiModes = []string{"default", "auto_edit", "autoEdit", "plan", "yolo"}

func (r *listReader) mode(top, tools *document.Node) {
	n := tools.Entry("approvalMode")
	if general := top.Entry("general"); general != nil && general.Kind == document.Map && general.Entry("defaultApprovalMode") != nil {
		n = general.Entry("defaultApprovalMode")
	}
	if n == nil {
		return
	}
	mode := shown(text(n), geminiModes, "of another form")
	switch {
	case mode == "default":
	case mode == "yolo":
		r.in.Bypassed("approval mode yolo")
	case strings.HasPrefix(mode, "auto"):
		r.in.AllowEdits("approval mode " + mode)
	default:
		r.in.Note("approval mode "+mode, "approvals.mode manual", "a person is asked about each change")
	}
}

// servers reads which tools of MCP servers are excluded, and which servers are
// trusted. It reads neither commands nor variables nor headers.
func (r *listReader) servers(top *document.Node) {
	for name, server := range mapsIn(top.Entry("mcpServers")) {
		g := &geminiRule{node: server, source: r.source, in: r.in}
		if trust := server.Entry("trust"); trust != nil && trust.Text == "true" {
			g.entry, g.name = draft.Entry{Action: policy.Allow, Text: "trust of " + clipped(name)}, "allow trust of "+clipped(name)
			g.server(name, "")
		}
		if excluded, ok := stringList(server.Entry("excludeTools")); ok {
			for _, tool := range excluded {
				g.entry = draft.Entry{Action: policy.Deny, Text: "excludeTools of " + clipped(name+" "+tool)}
				g.name = "deny " + g.entry.Text
				g.server(name, tool)
			}
		}
	}
}
