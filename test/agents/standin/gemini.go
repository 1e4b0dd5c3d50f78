package standin

import (
	"encoding/json"
	"net/http"
	"strings"
)

func readGemini(path string, body map[string]any) request {
	r := request{stream: strings.HasSuffix(path, ":streamGenerateContent"), tools: map[string]string{}}
	for _, t := range list(body["tools"]) {
		for _, f := range list(object(t)["functionDeclarations"]) {
			r.tools[text(object(f)["name"])] = "function"
		}
	}
	for _, c := range list(body["contents"]) {
		c := object(c)
		if c["role"] != "user" && c["role"] != "function" {
			continue
		}
		for _, part := range list(c["parts"]) {
			p := object(part)
			r.prompt += text(p["text"])
			if f := object(p["functionResponse"]); f != nil {
				b, _ := json.Marshal(f["response"])
				r.results = append(r.results, string(b))
			}
		}
	}
	return r
}

func writeGemini(w http.ResponseWriter, r request, a answer) {
	part := map[string]any{"text": a.text}
	if a.call != nil {
		part = map[string]any{"functionCall": map[string]any{"id": a.id, "name": a.call.Tool, "args": a.call.Args}}
	}
	v := map[string]any{
		"candidates": []any{map[string]any{"index": 0, "finishReason": "STOP",
			"content": map[string]any{"role": "model", "parts": []any{part}}}},
		"usageMetadata": map[string]any{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
		"modelVersion":  "standin",
	}
	if r.stream {
		newStream(w).send("", v)
		return
	}
	writeJSON(w, v)
}
