package wire

import (
	"net/http"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// anthropic are messages, as of 2026. Older models know no output_config.
var anthropic = form{
	base: "https://api.anthropic.com",
	path: "/v1/messages",
	authorize: func(h http.Header, key string) {
		h.Set("X-Api-Key", key)
		h.Set("Anthropic-Version", "2023-06-01")
	},
	body:     anthropicBody,
	read:     readAnthropic,
	optional: []string{"effort", "output_config"},
}

type anthropicMessage struct {
	Role    string          `json:"role"`
	Content []anthropicText `json:"content"`
}

type anthropicText struct {
	Type  string            `json:"type"`
	Text  string            `json:"text"`
	Cache map[string]string `json:"cache_control,omitempty"`
}

func anthropicBody(q *Question, without map[string]bool) any {
	var messages []anthropicMessage
	for _, t := range q.Turns {
		role := "user"
		if t.Model {
			role = "assistant"
		}
		messages = append(messages, anthropicMessage{role, []anthropicText{{Type: "text", Text: t.Text}}})
	}
	// What stays the same comes first, and the server keeps it.
	system := []anthropicText{{Type: "text", Text: q.System, Cache: map[string]string{"type": "ephemeral"}}}
	out := map[string]any{"model": q.Model, "max_tokens": q.MaxTokens, "system": system, "messages": messages}
	config := map[string]any{}
	if !without["effort"] {
		config["effort"] = "low"
	}
	if q.Schema != nil {
		config["format"] = map[string]any{"type": "json_schema", "schema": q.Schema}
	}
	if !without["output_config"] && len(config) > 0 {
		out["output_config"] = config
	}
	return out
}

func readAnthropic(text []byte) (a Answer, err error) {
	var in struct {
		Model   string `json:"model"`
		Stop    string `json:"stop_reason"`
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		Usage struct {
			In      int64 `json:"input_tokens"`
			Made    int64 `json:"cache_creation_input_tokens"`
			Read    int64 `json:"cache_read_input_tokens"`
			Written int64 `json:"output_tokens"`
		} `json:"usage"`
	}
	if err := strictjson.DecodeOpen(text, &in); err != nil {
		return a, errForm
	}
	u := &in.Usage
	a = Answer{Model: in.Model, Out: max(0, u.Written), Cached: max(0, u.Read)}
	a.In = max(0, u.In) + max(0, u.Made) + a.Cached
	switch in.Stop {
	case "end_turn", "stop_sequence":
	case "refusal":
		return a, &NoAnswer{"the model refused to answer"}
	case "max_tokens", "model_context_window_exceeded":
		return a, &NoAnswer{"the answer was cut short: it needs more max_tokens"}
	default:
		return a, &NoAnswer{"the model stopped before its answer was whole"}
	}
	said := ""
	for _, block := range in.Content {
		switch block.Type {
		case "text":
			said += block.Text
		case "thinking", "redacted_thinking":
		default:
			return a, &NoAnswer{"the model called a tool, and it has none"}
		}
	}
	a.Text = said
	if a.Text == "" {
		return a, &NoAnswer{"the model said nothing"}
	}
	return a, nil
}
