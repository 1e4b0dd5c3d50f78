package standin

import (
	"net/http"
	"strings"
)

func readResponses(_ string, body map[string]any) request {
	r := request{model: text(body["model"]), stream: body["stream"] == true, tools: map[string]string{}}
	offer(r.tools, "", body["tools"])
	if s, ok := body["input"].(string); ok {
		r.prompt = s
	}
	for _, item := range list(body["input"]) {
		item := object(item)
		switch item["type"] {
		case "additional_tools":
			offer(r.tools, "", item["tools"])
		case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
			r.results = append(r.results, texts(item["output"]))
		case "message", nil:
			if item["role"] == "user" {
				r.prompt += texts(item["content"])
			}
		}
	}
	return r
}

// offer notes tools with their kinds. One of a namespace is SPACE.TOOL.
func offer(tools map[string]string, space string, offered any) {
	for _, t := range list(offered) {
		t := object(t)
		tools[space+text(t["name"])] = text(t["type"])
		offer(tools, text(t["name"])+".", t["tools"])
	}
}

func writeResponses(w http.ResponseWriter, r request, a answer) {
	item := responsesItem(a)
	whole := map[string]any{"id": "resp_standin", "object": "response", "created_at": 1, "status": "completed", "model": r.model,
		"output": []any{item}, "usage": map[string]any{"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
			"input_tokens_details":  map[string]any{"cached_tokens": 0},
			"output_tokens_details": map[string]any{"reasoning_tokens": 0}}}
	if !r.stream {
		writeJSON(w, whole)
		return
	}
	s := newStream(w)
	n := 0
	send := func(kind string, fields map[string]any) {
		fields["type"], fields["sequence_number"] = kind, n
		n++
		s.send(kind, fields)
	}
	started := map[string]any{"id": "resp_standin", "object": "response", "created_at": 1, "status": "in_progress", "model": r.model, "output": []any{}}
	send("response.created", map[string]any{"response": started})
	send("response.output_item.added", map[string]any{"output_index": 0, "item": opened(item)})
	pieces(item, send)
	send("response.output_item.done", map[string]any{"output_index": 0, "item": item})
	send("response.completed", map[string]any{"response": whole})
}

func responsesItem(a answer) map[string]any {
	if a.call == nil {
		return map[string]any{"type": "message", "id": "msg_standin", "status": "completed", "role": "assistant",
			"content": []any{map[string]any{"type": "output_text", "text": a.text, "annotations": []any{}}}}
	}
	item := map[string]any{"status": "completed", "call_id": a.id, "name": a.call.Tool}
	if space, name, ok := strings.Cut(a.call.Tool, "."); ok {
		item["namespace"], item["name"] = space, name
	}
	if a.kind == "custom" {
		item["type"], item["id"], item["input"] = "custom_tool_call", "ctc_"+a.id, text(a.call.Args["input"])
	} else {
		item["type"], item["id"], item["arguments"] = "function_call", "fc_"+a.id, a.arguments()
	}
	return item
}

// opened returns an item as it is announced, before its content.
func opened(item map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range item {
		out[k] = v
	}
	out["status"] = "in_progress"
	switch item["type"] {
	case "message":
		out["content"] = []any{}
	case "custom_tool_call":
		out["input"] = ""
	default:
		out["arguments"] = ""
	}
	return out
}

// pieces sends the content of an item.
func pieces(item map[string]any, send func(string, map[string]any)) {
	at := func(more map[string]any) map[string]any {
		more["item_id"], more["output_index"] = item["id"], 0
		return more
	}
	switch item["type"] {
	case "message":
		part := object(list(item["content"])[0])
		empty := map[string]any{"type": "output_text", "text": "", "annotations": []any{}}
		send("response.content_part.added", at(map[string]any{"content_index": 0, "part": empty}))
		send("response.output_text.delta", at(map[string]any{"content_index": 0, "delta": part["text"]}))
		send("response.output_text.done", at(map[string]any{"content_index": 0, "text": part["text"]}))
		send("response.content_part.done", at(map[string]any{"content_index": 0, "part": part}))
	case "custom_tool_call":
		send("response.custom_tool_call_input.delta", at(map[string]any{"delta": item["input"]}))
		send("response.custom_tool_call_input.done", at(map[string]any{"input": item["input"]}))
	default:
		send("response.function_call_arguments.delta", at(map[string]any{"delta": item["arguments"]}))
		send("response.function_call_arguments.done", at(map[string]any{"arguments": item["arguments"], "name": item["name"]}))
	}
}
