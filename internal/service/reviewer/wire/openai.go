package wire

import (
	"encoding/json"
	"net/http"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// openAI are chat completions, as of 2026. Newer models of OpenAI take
// max_completion_tokens and no temperature; local servers know only max_tokens, and
// some do not know json_schema.
var openAI = form{
	base: "https://api.openai.com/v1",
	path: "/chat/completions",
	authorize: func(h http.Header, key string) {
		h.Set("Authorization", "Bearer "+key)
	},
	body:     openAIBody,
	read:     readOpenAI,
	optional: []string{"max_tokens", "max_completion_tokens", "temperature", "response_format"},
}

type openAIMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func openAIBody(q *Question, without map[string]bool) any {
	messages := []openAIMessage{{"system", q.System}}
	for _, t := range q.Turns {
		role := "user"
		if t.Model {
			role = "assistant"
		}
		messages = append(messages, openAIMessage{role, t.Text})
	}
	out := map[string]any{"model": q.Model, "messages": messages, "stream": false}
	switch {
	case !without["max_tokens"]:
		out["max_tokens"] = q.MaxTokens
	case !without["max_completion_tokens"]:
		out["max_completion_tokens"] = q.MaxTokens
	}
	if !without["temperature"] {
		out["temperature"] = 0
	}
	if !without["response_format"] && q.Schema != nil {
		out["response_format"] = map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": "verdict", "strict": true, "schema": q.Schema},
		}
	}
	return out
}

func readOpenAI(text []byte) (a Answer, err error) {
	var in struct {
		Model   string `json:"model"`
		Choices []struct {
			Finish  string `json:"finish_reason"`
			Message struct {
				Role    string            `json:"role"`
				Content *string           `json:"content"`
				Refusal *string           `json:"refusal"`
				Tools   []json.RawMessage `json:"tool_calls"`
			} `json:"message"`
		} `json:"choices"`
		Usage struct {
			In      int64 `json:"prompt_tokens"`
			Out     int64 `json:"completion_tokens"`
			Details struct {
				Cached int64 `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		} `json:"usage"`
	}
	if err := strictjson.DecodeOpen(text, &in); err != nil {
		return a, errForm
	}
	a = Answer{Model: in.Model, In: max(0, in.Usage.In), Out: max(0, in.Usage.Out)}
	a.Cached = min(max(0, in.Usage.Details.Cached), a.In)
	if len(in.Choices) != 1 {
		return a, errForm
	}
	choice := &in.Choices[0]
	switch {
	case choice.Message.Refusal != nil && *choice.Message.Refusal != "":
		return a, &NoAnswer{"the model refused to answer"}
	case choice.Finish == "content_filter":
		return a, &NoAnswer{"a filter of the server kept the answer back"}
	case choice.Finish == "length":
		return a, &NoAnswer{"the answer was cut short: it needs more max_tokens"}
	case choice.Finish != "stop":
		return a, &NoAnswer{"the model stopped before its answer was whole"}
	case len(choice.Message.Tools) > 0:
		return a, &NoAnswer{"the model called a tool, and it has none"}
	case choice.Message.Role != "" && choice.Message.Role != "assistant":
		return a, errForm
	case choice.Message.Content == nil:
		return a, &NoAnswer{"the model said nothing"}
	}
	a.Text = *choice.Message.Content
	return a, nil
}
