package standin

import "net/http"

func readAnthropic(_ string, body map[string]any) request {
	r := request{model: text(body["model"]), stream: body["stream"] == true, tools: map[string]string{}}
	for _, t := range list(body["tools"]) {
		r.tools[text(object(t)["name"])] = "function"
	}
	for _, m := range list(body["messages"]) {
		m := object(m)
		if m["role"] != "user" {
			continue
		}
		results := 0
		for _, part := range list(m["content"]) {
			if p := object(part); p["type"] == "tool_result" {
				r.results = append(r.results, texts(p["content"]))
				results++
			}
		}
		if results == 0 {
			r.prompt += texts(m["content"])
		}
	}
	return r
}

func writeAnthropic(w http.ResponseWriter, r request, a answer) {
	block, delta, reason := anthropicBlock(a)
	message := map[string]any{"id": "msg_standin", "type": "message", "role": "assistant", "model": r.model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 10, "output_tokens": 1}}
	if !r.stream {
		if a.call != nil {
			block["input"] = a.call.Args
		} else {
			block["text"] = a.text
		}
		message["content"], message["stop_reason"] = []any{block}, reason
		writeJSON(w, message)
		return
	}
	s := newStream(w)
	send := func(kind string, fields map[string]any) { fields["type"] = kind; s.send(kind, fields) }
	send("message_start", map[string]any{"message": message})
	send("content_block_start", map[string]any{"index": 0, "content_block": block})
	send("content_block_delta", map[string]any{"index": 0, "delta": delta})
	send("content_block_stop", map[string]any{"index": 0})
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": reason, "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": 5}})
	send("message_stop", map[string]any{})
}

// anthropicBlock returns a block as it starts, what is added to it, and why the
// message ends after it.
func anthropicBlock(a answer) (block, delta map[string]any, reason string) {
	if a.call == nil {
		return map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": a.text}, "end_turn"
	}
	return map[string]any{"type": "tool_use", "id": "toolu_" + a.id, "name": a.call.Tool, "input": map[string]any{}},
		map[string]any{"type": "input_json_delta", "partial_json": a.arguments()}, "tool_use"
}
