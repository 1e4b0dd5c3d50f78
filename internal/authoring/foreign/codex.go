package foreign

import (
	"fmt"
	"path"
	"strings"

	"github.com/policyctl/policyctl/internal/authoring/draft"
	"github.com/policyctl/policyctl/internal/support/jsonc"
	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Codex has rules for commands in files of Starlark, and modes, permission
// profiles and MCP servers in config.toml. Read in codex-rs/execpolicy of
// openai/codex (README.md, src/parser.rs) and at
// https://developers.openai.com/codex/rules and /codex/permissions.
//
// The strictest of all rules that match a command counts. A rule matches a
// command that begins with its words; a word may be a list of alternatives.
var codex = &Agent{
	user:    []string{".codex/rules/*.rules", ".codex/config.toml"},
	project: []string{".codex/rules/*.rules", ".codex/config.toml"},
	Agent: &draft.Agent{
		Name: "codex", Title: "Codex", Shell: "commands", EveryTime: true,
		// Its sandbox makes them read-only: protocol.rs, get_writable_roots_with_cwd.
		Protected: []string{"*/.git", "*/.git/*", "*/.codex/*", "*/.agents/*"},
		Commands:  "; Codex itself judges a line as a whole if it has redirections, variables or substitutions",
	},
	read: readCodex, write: writeCodex, Written: "a file of .codex/rules",
	Exact:    "`prefix_rule` with words and lists of words; disabled and approved MCP tools; `workspace-write`, as edits in the project",
	Stricter: "`network_rule` and paths of a permission profile that deny, which also count for tools; `approval_policy`",
	Left:     "rules that compute; `network_rule` and paths that allow; `host_executable`; the sandbox, which stays Codex's own",
}

func readCodex(s *Source, in *draft.Input) error {
	if path.Ext(s.Path) == ".toml" {
		return readCodexConfig(s, in)
	}
	if len(strings.TrimSpace(string(s.Data))) == 0 {
		return fmt.Errorf("%s: is empty: name a file of rules, or config.toml", s.Path)
	}
	if jsonc.Depth(s.Data) > 100 || len(s.Data) > 1<<20 {
		return fmt.Errorf("%s: is larger, or nested deeper, than rules are: name a file of rules", s.Path)
	}
	r := &starlark{source: s, in: in, values: make(map[string][]string)}
	r.file(string(s.Data), 0)
	if r.known == 0 && !strings.Contains(string(s.Data), "_rule") {
		return fmt.Errorf("%s: has no prefix_rule: %w", s.Path, draft.ErrNothing)
	}
	return nil
}

// readCodexConfig reads what config.toml says of permissions, and nothing else
// of it: it may have secrets.
func readCodexConfig(s *Source, in *draft.Input) error {
	top, err := parseTOML(s, in)
	if err != nil {
		return err
	}
	c := &codexConfig{top: top, source: s, in: in}
	c.modes()
	c.profile()
	c.servers()
	if len(in.Entries) == 0 && len(in.Notes) == 0 {
		return fmt.Errorf("%s: has no permissions: %w", s.Path, draft.ErrNothing)
	}
	return nil
}

// A codexConfig is config.toml.
type codexConfig struct {
	top    *document.Node
	source *Source
	in     *draft.Input
}

func (c *codexConfig) note(entry, becomes, differs string) {
	c.in.Note(entry, becomes, differs)
}

// modes says what becomes of the modes: none makes policyctl ask less, but that
// a sandbox that writes in the project allows edits there.
func (c *codexConfig) modes() {
	approval, sandbox := text(c.top.Entry("approval_policy")), text(c.top.Entry("sandbox_mode"))
	if c.top.Entry("approval_policy") != nil {
		name := "approval_policy " + shown(approval, codexApprovals, "of another form")
		c.note(name, "approvals.mode manual", "what nothing allows asks, inside the sandbox too")
	}
	switch {
	case sandbox == "danger-full-access" && approval == "never":
		c.in.Bypassed("sandbox_mode danger-full-access with approval_policy never")
	case sandbox == "workspace-write":
		c.in.AllowEdits("sandbox_mode workspace-write")
	case c.top.Entry("sandbox_mode") != nil:
		c.note("sandbox_mode "+shown(sandbox, codexSandboxes, "of another form"), "", "policyctl is no sandbox: keep this one; edits ask")
	}
}

var (
	codexApprovals = []string{"untrusted", "on-failure", "on-request", "never"}
	codexSandboxes = []string{"read-only", "workspace-write", "danger-full-access"}
)

// profile reads the permission profile that is in force.
func (c *codexConfig) profile() {
	name := text(c.top.Entry("default_permissions"))
	profiles := c.top.Entry("permissions")
	if profiles == nil || profiles.Kind != document.Map || name == "" {
		return
	}
	p := profiles.Entry(name)
	if p == nil {
		return
	}
	c.paths(p.Entry("filesystem"), "")
	if network := p.Entry("network"); network != nil {
		c.domains(network.Entry("domains"))
	}
	c.note("the permission profile "+clipped(name), "what it denies", "the sandbox stays Codex's own; what the profile lets commands do asks here")
}

// paths reads what a profile says of paths, of which a table has others below it.
func (c *codexConfig) paths(n *document.Node, below string) {
	if n == nil || n.Kind != document.Map {
		return
	}
	for i := range n.Keys {
		key, value := n.Keys[i].Text, &n.Items[i]
		if value.Kind == document.Map {
			c.paths(value, key)
			continue
		}
		access := text(value)
		if access != "deny" && access != "none" {
			continue
		}
		spec := path.Join("/", key)
		switch {
		case strings.HasPrefix(key, "~/"):
			spec = key
		case strings.HasPrefix(key, ":"):
			continue
		case path.IsAbs(key):
			spec = "/" + key
		case below == "" || strings.HasPrefix(below, ":"):
			spec = "./" + key
		}
		for _, tool := range []string{"Read", "Edit"} {
			c.in.Add(draft.Entry{Action: policy.Deny, Text: "filesystem " + clipped(key) + " " + access, Tool: tool, Spec: spec})
		}
	}
}

// domains reads what a profile says of hosts.
func (c *codexConfig) domains(n *document.Node) {
	if n == nil || n.Kind != document.Map {
		return
	}
	for i := range n.Keys {
		host := n.Keys[i].Text
		switch text(&n.Items[i]) {
		case "deny":
			c.in.Add(draft.Entry{Action: policy.Deny, Text: "domain " + clipped(host) + " deny", Tool: "WebFetch", Spec: "domain:" + host})
		case "allow":
			c.note("domain "+clipped(host)+" allow", "", "stricter: left out; it concerns the sandbox alone; commands that reach the host ask")
		}
	}
}

// codexTools are what becomes of how the tools of a server are approved.
var codexTools = map[string]policy.Decision{"approve": policy.Allow, "prompt": policy.Ask}

// servers reads which tools of MCP servers are disabled, and how others are
// approved. It reads neither commands nor variables nor headers of a server.
func (c *codexConfig) servers() {
	for name, server := range mapsIn(c.top.Entry("mcp_servers")) {
		if disabled := server.Entry("disabled_tools"); disabled != nil {
			for j := range disabled.Items {
				c.tool(policy.Deny, "disabled_tools of ", name, text(&disabled.Items[j]))
			}
		}
		if d, ok := codexTools[text(server.Entry("default_tools_approval_mode"))]; ok {
			c.tool(d, "default_tools_approval_mode of ", name, "")
		}
		tools := server.Entry("tools")
		if tools == nil || tools.Kind != document.Map {
			continue
		}
		for j := range tools.Keys {
			if d, ok := codexTools[text(tools.Items[j].Entry("approval_mode"))]; ok {
				c.tool(d, "approval_mode of ", name, tools.Keys[j].Text)
			}
		}
	}
}

// tool adds an entry of a tool of a server, or of all of them. What is said of
// one tool replaces what is said of its server.
func (c *codexConfig) tool(d policy.Decision, what, server, tool string) {
	e := draft.Entry{Action: d, Text: what + clipped(strings.TrimSuffix(server+" "+tool, " ")), Tool: mcpTool(server, tool)}
	if tool != "" {
		e.Rank = 1
	}
	if e.Tool == "" {
		c.note(d.String()+" "+e.Text, "", map[bool]string{true: "stricter", false: "LOOSER"}[d == policy.Allow]+": left out; it is no name of a tool")
		return
	}
	c.in.Add(e)
}
