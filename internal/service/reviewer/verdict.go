package reviewer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A verdict is what a model says. It holds no decision.
type verdict struct {
	risk             Risk
	authorization    Authorization
	quote, rationale string
}

// schema is the form of an answer. All of it is required, as strict schemas must have
// it; the order has the model look before it scores.
var schema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["quote","rationale","authorization","risk"],"properties":{` +
	`"quote":{"type":"string","description":"the part of the call that decides, copied exactly"},` +
	`"rationale":{"type":"string","description":"one or two short sentences"},` +
	`"authorization":{"type":"string","enum":["unknown","low","medium","high"]},` +
	`"risk":{"type":"string","enum":["low","medium","high","critical"]}}}`)

// Bounds of an answer, in bytes.
const (
	maxAnswer    = 8 << 10
	maxQuote     = 1000
	maxRationale = 1000
	minQuote     = 4 // a shorter one occurs anywhere
)

// read reads an answer strictly. Some servers put a fence of Markdown around it, which
// is taken away; anything else beside the object is an error.
func read(text string) (v verdict, err error) {
	if len(text) > maxAnswer {
		return v, fmt.Errorf("it has %d bytes, and may have %d", len(text), maxAnswer)
	}
	var in map[string]string
	if err := strictjson.Decode([]byte(unfenced(text)), &in); err != nil || in == nil {
		return v, errors.New("it is not one JSON object in which all values are strings")
	}
	for _, name := range []string{"quote", "rationale", "authorization", "risk"} {
		if _, ok := in[name]; !ok {
			return v, fmt.Errorf("%s is missing", name)
		}
	}
	if len(in) != 4 {
		return v, errors.New("it has more than quote, rationale, authorization and risk")
	}
	v.quote, v.rationale = in["quote"], in["rationale"]
	if v.risk, err = riskOf(in["risk"]); err != nil {
		return v, err
	}
	if v.authorization, err = authorizationOf(in["authorization"]); err != nil {
		return v, err
	}
	switch {
	case strings.TrimSpace(v.rationale) == "":
		return v, errors.New("rationale is empty")
	case len(v.rationale) > maxRationale:
		return v, fmt.Errorf("rationale has %d bytes, and may have %d", len(v.rationale), maxRationale)
	case len(v.quote) > maxQuote:
		return v, fmt.Errorf("quote has %d bytes, and may have %d", len(v.quote), maxQuote)
	}
	return v, nil
}

// unfenced takes away one fence of Markdown.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	inner, opens := strings.CutPrefix(text, "```")
	inner, closes := strings.CutSuffix(inner, "```")
	if !opens || !closes {
		return text
	}
	return strings.TrimPrefix(inner, "json")
}

// checkQuote says why a quote is not a part of a call, of which these are the texts as
// the model saw them. A model that judges something else has judged nothing.
func checkQuote(quote string, texts []string) error {
	quote = strings.TrimSpace(quote)
	whole := slices.ContainsFunc(texts, func(t string) bool { return quote != "" && strings.TrimSpace(t) == quote })
	if whole {
		return nil
	}
	if len(quote) < minQuote {
		return fmt.Errorf("quote is shorter than %d characters and not a whole argument", minQuote)
	}
	if !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, quote) }) {
		return errors.New("quote does not occur in the arguments of the call: copy a part of input exactly")
	}
	return nil
}
