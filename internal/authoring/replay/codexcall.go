package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// call returns the call of an item.
func (p *codex) call(item *codexItem) (*policy.Call, error) {
	switch item.Type {
	case "function_call":
		name := item.Name
		if strings.HasPrefix(item.Namespace, "mcp__") && !strings.HasPrefix(name, "mcp__") {
			name = strings.TrimSuffix(item.Namespace, "__") + "__" + name
		}
		return p.function(name, unquoted(item.Arguments))
	case "local_shell_call":
		return p.function("local_shell", item.Action)
	case "custom_tool_call":
		return p.function(item.Name, fmt.Appendf(nil, `{"input":%s}`, item.Input))
	case "web_search_call":
		return p.search(item.Action)
	}
	return nil, fmt.Errorf("an item of Codex of the unknown type %q", clip.Text(item.Type, 40))
}

func (p *codex) search(action json.RawMessage) (*policy.Call, error) {
	var a struct{ Type, Query, URL string }
	if err := json.Unmarshal(action, &a); err != nil {
		return nil, errors.New("a search of Codex without its action")
	}
	c := &policy.Call{Tool: "web_search", Input: map[string]any{"query": a.Query}, Dir: p.dir}
	if a.Type != "search" && a.URL != "" {
		c.Tool, c.Input = "fetch", map[string]any{"url": a.URL}
	}
	return c, nil
}

// unquoted returns the JSON in a JSON string, or else what is given.
func unquoted(raw json.RawMessage) json.RawMessage {
	var text string
	if strictjson.DecodeOpen(raw, &text) == nil {
		return json.RawMessage(text)
	}
	return raw
}

// function returns the call of a function. A shell that only carries a script
// is left out: hooks of Codex are shown the script too.
func (p *codex) function(name string, arguments json.RawMessage) (*policy.Call, error) {
	c, err := decode(name, arguments)
	if err != nil {
		return nil, err
	}
	c.Dir = p.dir
	if argv, ok := c.Input["command"].([]any); ok {
		unwrap(c, argv)
	}
	if n, ok := c.Input["session_id"].(json.Number); ok {
		c.Input["session_id"] = n.String()
	}
	return c, nil
}

// unwrap replaces ["bash", "-lc", SCRIPT] by the script.
func unwrap(c *policy.Call, argv []any) {
	if len(argv) != 3 {
		return
	}
	program, _ := argv[0].(string)
	flag, _ := argv[1].(string)
	script, ok := argv[2].(string)
	name := shell.Base(program)
	trusted := program == name || program == "/bin/"+name || program == "/usr/bin/"+name
	if !ok || !trusted || flag != "-lc" && flag != "-c" {
		return
	}
	switch name {
	case "bash", "sh", "zsh", "dash", "ksh":
		c.Input["command"], c.Shell = script, name
	}
}

// output returns the result of a call without the time that it took, which
// differs each time.
func output(raw json.RawMessage) []byte {
	text := words(raw)
	var old struct {
		Output   *string `json:"output"`
		Metadata struct {
			Code json.Number `json:"exit_code"`
		} `json:"metadata"`
	}
	if json.Unmarshal([]byte(text), &old) == nil && old.Output != nil {
		return []byte(old.Metadata.Code.String() + "\n" + *old.Output)
	}
	if _, after, ok := strings.Cut(text, "\nOutput:\n"); ok {
		return []byte(after)
	}
	if text == "" {
		return raw
	}
	return []byte(text)
}
