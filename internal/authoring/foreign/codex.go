package foreign

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"github.com/policyctl/policyctl/internal/authoring/draft"
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
	Name: "codex", Title: "Codex",
	user:    []string{".codex/rules/*.rules", ".codex/config.toml"},
	project: []string{".codex/rules/*.rules", ".codex/config.toml"},
	common: &draft.Agent{
		Title: "Codex", Shell: "commands", EveryTime: true,
		Commands: "; Codex itself judges a line as a whole if it has redirections, variables or substitutions",
	},
	read: readCodex, write: writeCodex,
	Exact:    "`prefix_rule` with words and lists of words; disabled and approved MCP tools; `workspace-write` of a project, as edits there",
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
	if deepest(s.Data) > 100 || len(s.Data) > 1<<20 {
		return fmt.Errorf("%s: is larger, or nested deeper, than rules are: name a file of rules", s.Path)
	}
	r := &starlark{source: s, in: in, values: make(map[string][]string)}
	r.file(string(s.Data), 0)
	if r.known == 0 && len(in.Notes) == 0 {
		return fmt.Errorf("%s: has no prefix_rule: nothing to import", s.Path)
	}
	return nil
}

// deepest returns how deep the brackets of a text nest at most.
func deepest(data []byte) int {
	depth, most := 0, 0
	for _, c := range data {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		most = max(most, depth)
	}
	return most
}

// A starlark reads a file of rules. It runs nothing: a rule whose values are not
// written out cannot be read.
type starlark struct {
	source *Source
	in     *draft.Input
	// values are texts and lists of texts with a name.
	values map[string][]string
	known  int
}

// file reads a text that begins behind some lines of its file. Of a text that
// is no Starlark as a whole, each statement is read alone.
func (r *starlark) file(text string, line int) {
	options := &syntax.FileOptions{TopLevelControl: true, GlobalReassign: true}
	f, err := options.Parse(r.source.Path, text, 0)
	if err == nil {
		for _, stmt := range f.Stmts {
			r.statement(stmt, line)
		}
		return
	}
	parts := statements(text)
	if len(parts) == 1 {
		why := "it is no Starlark"
		if e := (syntax.Error{}); errors.As(err, &e) {
			why = e.Msg
		}
		r.leave(strings.TrimSpace(text), line+1, why, !strings.Contains(text, "forbidden") && !strings.Contains(text, "prompt"))
		return
	}
	for _, part := range parts {
		r.file(part.text, line+part.line)
	}
}

// A part is a statement, with the number of lines before it.
type part struct {
	text string
	line int
}

// statements divides a text at the lines that begin a statement.
func statements(text string) []part {
	var out []part
	for i, line := range strings.SplitAfter(text, "\n") {
		first := strings.TrimRight(line, "\r\n")
		begins := first != "" && !strings.ContainsAny(first[:1], " \t)]}#")
		if begins || len(out) == 0 {
			out = append(out, part{line: i})
		}
		out[len(out)-1].text += line
	}
	return slices.DeleteFunc(out, func(p part) bool { return onlyComments(p.text) })
}

func onlyComments(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// leave notes that a statement is left out.
func (r *starlark) leave(text string, line int, why string, allows bool) {
	leave(r.in, r.source, clipped(text), line, why, allows)
}

// place says where an entry is.
func place(line int, s *Source) string {
	if line == 0 {
		return s.Path + ": "
	}
	return fmt.Sprintf("line %d of %s: ", line, s.Path)
}

// clipped returns a text on one line, and of a long one the beginning.
func clipped(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 100 {
		text = string(runes[:99]) + "…"
	}
	return draft.Visible(text)
}

func (r *starlark) statement(stmt syntax.Stmt, line int) {
	at, _ := stmt.Span()
	line += int(at.Line)
	switch s := stmt.(type) {
	case *syntax.AssignStmt:
		if name, ok := s.LHS.(*syntax.Ident); ok && s.Op == syntax.EQ {
			if texts, _, ok := r.texts(s.RHS); ok {
				r.values[name.Name] = texts
				return
			}
			delete(r.values, name.Name)
		}
		return
	case *syntax.ExprStmt:
		if call, ok := s.X.(*syntax.CallExpr); ok {
			r.call(call, line)
			return
		}
		if _, ok := s.X.(*syntax.Literal); ok {
			return // a text that stands alone is a comment
		}
	case *syntax.LoadStmt:
		r.leave("load", line, "the import reads no other file", false)
		return
	}
	r.leave(fmt.Sprintf("the statement in line %d", line), line, "it computes: write each rule out", false)
}

// call reads a call of a function.
func (r *starlark) call(c *syntax.CallExpr, line int) {
	name, _ := c.Fn.(*syntax.Ident)
	if name == nil {
		r.leave("a call", line, "its function has no name", false)
		return
	}
	args := make(map[string]syntax.Expr)
	for i, arg := range c.Args {
		if pair, ok := arg.(*syntax.BinaryExpr); ok && pair.Op == syntax.EQ {
			if key, ok := pair.X.(*syntax.Ident); ok {
				args[key.Name] = pair.Y
				continue
			}
		}
		if order := parameters[name.Name]; i < len(order) {
			args[order[i]] = arg
		}
	}
	r.known++
	switch name.Name {
	case "prefix_rule":
		r.prefix(args, line)
	case "network_rule":
		r.network(args, line)
	case "host_executable":
		r.in.Notes = append(r.in.Notes, draft.Note{Entry: "host_executable", Differs: place(line, r.source) + "policyctl trusts the directories of programs that it knows"})
	default:
		r.leave(name.Name+"(…)", line, "Codex has no such rule that the import knows", false)
	}
}

// parameters are the names of arguments by their position.
var parameters = map[string][]string{
	"prefix_rule":  {"pattern", "decision", "match", "not_match", "justification"},
	"network_rule": {"host", "protocol", "decision", "justification"},
}

// codexDecisions are the decisions of rules.
var codexDecisions = map[string]policy.Decision{"allow": policy.Allow, "prompt": policy.Ask, "forbidden": policy.Deny, "deny": policy.Deny}

// decision returns the decision of a rule, which allows unless it says otherwise.
func (r *starlark) decision(args map[string]syntax.Expr) (policy.Decision, string) {
	x := args["decision"]
	if x == nil {
		return policy.Allow, ""
	}
	texts, list, ok := r.texts(x)
	if !ok || list {
		return policy.Deny, "its decision is not written out"
	}
	d, known := codexDecisions[texts[0]]
	if !known {
		return policy.Deny, fmt.Sprintf("its decision is %q: write allow, prompt or forbidden", texts[0])
	}
	return d, ""
}

// prefix reads a prefix_rule.
func (r *starlark) prefix(args map[string]syntax.Expr, line int) {
	decision, wrong := r.decision(args)
	words, why := r.pattern(args["pattern"])
	if wrong != "" {
		why = wrong
	}
	text := "prefix_rule"
	if len(words) > 0 {
		text = "prefix_rule " + prefixText(words)
	}
	if why != "" {
		r.leave(text, line, why, wrong == "" && decision == policy.Allow)
		return
	}
	for _, prefix := range combined(words) {
		if slices.ContainsFunc(prefix, func(w string) bool { return w == "" || strings.ContainsAny(w, " \t\n") }) && decision == policy.Allow {
			r.leave(text, line, "policyctl compares words, of which one has blanks here", true)
			continue
		}
		e := draft.Entry{Action: decision, Text: text, Tool: "Bash", Spec: prefixSpec(prefix)}
		r.in.Entries = append(r.in.Entries, e)
	}
}

// prefixSpec returns the pattern of commands that begin with words.
func prefixSpec(words []string) string {
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, escapedStars(w))
	}
	return strings.Join(quoted, " ") + " *"
}

// escapedStars returns a text as a pattern in which a star is a star.
func escapedStars(w string) string { return strings.NewReplacer(`\`, `\\`, "*", `\*`).Replace(w) }

// prefixText returns a pattern as people read it.
func prefixText(words [][]string) string {
	var parts []string
	for _, alternatives := range words {
		parts = append(parts, strings.Join(alternatives, "|"))
	}
	return clipped(strings.Join(parts, " "))
}

// combined returns every way to choose one alternative for each word, up to a
// bound.
func combined(words [][]string) [][]string {
	out := [][]string{nil}
	for _, alternatives := range words {
		var next [][]string
		for _, before := range out {
			for _, w := range alternatives {
				next = append(next, append(slices.Clone(before), w))
			}
		}
		out = next
	}
	return out
}

// pattern returns the words of a pattern, each with its alternatives, or why it
// cannot be read.
func (r *starlark) pattern(x syntax.Expr) (words [][]string, why string) {
	if name, ok := x.(*syntax.Ident); ok {
		for _, w := range r.values[name.Name] {
			words = append(words, []string{w})
		}
	}
	list, ok := x.(*syntax.ListExpr)
	if !ok && len(words) == 0 {
		return nil, "its pattern is not written out as a list"
	}
	ways := 1
	if ok {
		for _, item := range list.List {
			alternatives, _, ok := r.texts(item)
			if !ok || len(alternatives) == 0 {
				return words, "a word of its pattern is neither a text nor a list of texts"
			}
			words = append(words, alternatives)
			ways *= len(alternatives)
		}
	}
	switch {
	case len(words) == 0:
		return nil, "its pattern is empty"
	case ways > 500:
		return words, "its pattern has too many alternatives: write several rules"
	}
	return words, ""
}

// texts returns what an expression is: one text, or a list of texts.
func (r *starlark) texts(x syntax.Expr) (texts []string, list, ok bool) {
	switch x := x.(type) {
	case *syntax.Literal:
		text, ok := x.Value.(string)
		return []string{text}, false, ok && x.Token == syntax.STRING
	case *syntax.ParenExpr:
		return r.texts(x.X)
	case *syntax.Ident:
		texts, ok = r.values[x.Name]
		return texts, len(texts) != 1, ok
	case *syntax.ListExpr:
		for _, item := range x.List {
			one, nested, ok := r.texts(item)
			if !ok || nested {
				return nil, true, false
			}
			texts = append(texts, one...)
		}
		return texts, true, true
	}
	return nil, false, false
}

// network reads a network_rule, which says what commands may reach.
func (r *starlark) network(args map[string]syntax.Expr, line int) {
	decision, why := r.decision(args)
	hosts, list, ok := r.texts(args["host"])
	switch {
	case !ok || list:
		r.leave("network_rule", line, "its host is not written out", why == "" && decision == policy.Allow)
	case why != "":
		r.leave("network_rule "+clipped(hosts[0]), line, why, false)
	case decision == policy.Allow:
		r.leave("network_rule "+clipped(hosts[0]), line, "it concerns the sandbox alone; commands that reach the host ask", true)
	default:
		r.in.Entries = append(r.in.Entries, draft.Entry{Action: decision, Text: "network_rule " + clipped(hosts[0]), Tool: "WebFetch", Spec: "domain:" + hosts[0]})
	}
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
		return fmt.Errorf("%s: has no permissions: nothing to import", s.Path)
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
	c.in.Notes = append(c.in.Notes, draft.Note{Entry: entry, Becomes: becomes, Differs: differs})
}

// modes says what becomes of the modes: none makes policyctl ask less, but that
// a sandbox that writes in the project allows edits there.
func (c *codexConfig) modes() {
	approval, sandbox := text(c.top.Entry("approval_policy")), text(c.top.Entry("sandbox_mode"))
	if c.top.Entry("approval_policy") != nil {
		c.note("approval_policy "+shown(approval, codexApprovals, "of another form"), "approvals.mode manual", "what nothing allows asks, inside the sandbox too")
	}
	switch {
	case sandbox == "danger-full-access" && approval == "never":
		c.in.Bypass = "sandbox_mode danger-full-access with approval_policy never"
		c.note(c.in.Bypass, "approvals.mode manual", bypassNote)
	case sandbox == "workspace-write" && c.source.Root != "":
		c.in.Entries = append(c.in.Entries, draft.Entry{Action: policy.Allow, Text: "sandbox_mode workspace-write", Tool: "Edit", Spec: "/**"})
	case c.top.Entry("sandbox_mode") != nil:
		c.note("sandbox_mode "+shown(sandbox, codexSandboxes, "of another form"), "", "policyctl is no sandbox: keep this one; edits ask")
	}
}

// bypassNote says what becomes of a mode that asks nobody.
const bypassNote = "stricter: yolo is not turned on, and what nothing allows asks; --bypass turns it on for settings of your own"

var (
	codexApprovals = []string{"untrusted", "on-failure", "on-request", "never"}
	codexSandboxes = []string{"read-only", "workspace-write", "danger-full-access"}
)

// shown returns a value that is one of those that exist: any other may be a
// secret that got to the wrong place.
func shown(value string, known []string, otherwise string) string {
	if slices.Contains(known, value) {
		return value
	}
	return otherwise
}

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
			c.in.Entries = append(c.in.Entries, draft.Entry{Action: policy.Deny, Text: "filesystem " + clipped(key) + " " + access, Tool: tool, Spec: spec})
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
			c.in.Entries = append(c.in.Entries, draft.Entry{Action: policy.Deny, Text: "domain " + clipped(host) + " deny", Tool: "WebFetch", Spec: "domain:" + host})
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
	servers := c.top.Entry("mcp_servers")
	if servers == nil || servers.Kind != document.Map {
		return
	}
	for i := range servers.Keys {
		name, server := servers.Keys[i].Text, &servers.Items[i]
		if server.Kind != document.Map {
			continue
		}
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
	c.in.Entries = append(c.in.Entries, e)
}

// mcpTool returns the name of an MCP tool in entries, of all tools of a server
// where the tool is "", and "" for what is no name.
func mcpTool(server, tool string) string {
	for _, c := range server + tool {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_-.*", c)) {
			return ""
		}
	}
	switch {
	case server == "":
		return ""
	case tool == "":
		return "mcp__" + server + "__*"
	}
	return "mcp__" + server + "__" + tool
}

// text returns the text of a value, "" where it is none.
func text(n *document.Node) string {
	if n == nil || n.Kind != document.Text {
		return ""
	}
	return n.Text
}

// number returns the digits of a number, "" for what is none.
func number(n *document.Node) string {
	if n == nil || n.Kind != document.Number {
		return ""
	}
	return n.Text
}
