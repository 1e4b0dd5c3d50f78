package standin

import (
	"fmt"
	"net/http"
)

func readChat(_ string, body map[string]any) request {
	r := request{model: text(body["model"]), stream: body["stream"] == true, tools: map[string]string{}}
	for _, t := range list(body["tools"]) {
		r.tools[text(object(object(t)["function"])["name"])] = "function"
	}
	for _, m := range list(body["messages"]) {
		switch m := object(m); m["role"] {
		case "user":
			r.prompt += texts(m["content"])
		case "tool":
			r.results = append(r.results, texts(m["content"]))
		}
	}
	return r
}

func writeChat(w http.ResponseWriter, r request, a answer) {
	message, reason := map[string]any{"role": "assistant", "content": a.text}, "stop"
	if a.call != nil {
		reason = "tool_calls"
		message["content"] = nil
		message["tool_calls"] = []any{map[string]any{"index": 0, "id": a.id, "type": "function",
			"function": map[string]any{"name": a.call.Tool, "arguments": a.arguments()}}}
	}
	usage := map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
	if !r.stream {
		writeJSON(w, map[string]any{"id": "chatcmpl-standin", "object": "chat.completion", "created": 1, "model": r.model, "usage": usage,
			"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}}})
		return
	}
	s := newStream(w)
	chunk := func(delta map[string]any, reason any) {
		s.send("", map[string]any{"id": "chatcmpl-standin", "object": "chat.completion.chunk", "created": 1, "model": r.model,
			"usage": usage, "choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}})
	}
	chunk(message, nil)
	chunk(map[string]any{}, reason)
	fmt.Fprint(w, "data: [DONE]\n\n")
}
