package standin

import (
	"bufio"
	"encoding/json"
	"io"
)

// ServeMCP is a server of the Model Context Protocol with some tools without
// effects. It calls do with the name of each tool that is called, until its
// input ends.
func ServeMCP(in io.Reader, out io.Writer, tools []string, do func(tool string)) error {
	lines := bufio.NewScanner(in)
	answers := json.NewEncoder(out)
	for lines.Scan() {
		var m map[string]any
		if json.Unmarshal(lines.Bytes(), &m) != nil || m["id"] == nil {
			continue // a notice wants no answer
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": m["id"]}
		params := object(m["params"])
		switch m["method"] {
		case "initialize":
			answer["result"] = map[string]any{"protocolVersion": params["protocolVersion"],
				"capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "shop", "version": "1"}}
		case "tools/list":
			answer["result"] = map[string]any{"tools": described(tools)}
		case "tools/call":
			do(text(params["name"]))
			answer["result"] = map[string]any{"content": []any{map[string]any{"type": "text", "text": "42"}}}
		default:
			answer["error"] = map[string]any{"code": -32601, "message": "no such method"}
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

func described(tools []string) []any {
	item := map[string]any{"type": "object", "properties": map[string]any{"item": map[string]any{"type": "string"}}}
	var out []any
	for _, name := range tools {
		out = append(out, map[string]any{"name": name, "description": "The " + name + " of an item", "inputSchema": item})
	}
	return out
}
