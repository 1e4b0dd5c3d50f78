// Package view says what people are shown of a request, whatever shows it: its
// input in parts, changes of texts as rows, and the words for what a choice reaches.
//
// It escapes nothing: who shows the text does that for the place where it stands.
package view

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/approval"
	"github.com/policyctl/policyctl/pkg/policy"
)

// Input returns the parts of what is asked for.
func Input(r *approval.Request) map[string]any {
	parts := map[string]any{}
	if c, err := policy.DecodeCall(r.Call); r.Call != nil && err == nil {
		return maps.Clone(c.Input)
	}
	if r.Pruned != nil {
		return nil
	}
	if err := json.Unmarshal(r.Contract, &parts); err != nil {
		return map[string]any{"call": string(r.Call) + string(r.Contract)}
	}
	return parts
}

// Text returns a part of an input as text.
func Text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	b, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Sprintf("%q", value)
	}
	return string(b)
}

// Names returns the keys of an input: the command first, and those of one line
// before the others, so that a path stands above what is written there.
func Names(input map[string]any) []string {
	rank := func(key string) int {
		switch {
		case key == "command":
			return 0
		case !strings.Contains(Text(input[key]), "\n"):
			return 1
		}
		return 2
	}
	return slices.SortedFunc(maps.Keys(input), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
	})
}

// Marked returns the part of a command that decided.
func Marked(r *approval.Request, command string) string {
	s := r.Asked.Span
	if s == nil || s[0] < 0 || s[1] > len(command) || s[0] >= s[1] {
		return ""
	}
	return command[s[0]:s[1]]
}

// Lacking says what is no longer kept of a request, "" for nothing.
func Lacking(r *approval.Request) string {
	switch {
	case r.Pruned != nil:
		return fmt.Sprintf("Pruned %s: the arguments are gone; policyctl audit export has them without secrets", r.Pruned.UTC().Format(time.DateOnly))
	case len(r.Redacted) > 0:
		return fmt.Sprintf("Redacted since it is over: %s", strings.Join(r.Redacted, ", "))
	}
	return ""
}

// Record returns the record that stands for a call, "" where rules look at
// the call itself.
func Record(r *approval.Request) string {
	var call struct {
		Record json.RawMessage `json:"record"`
	}
	if json.Unmarshal(r.Call, &call) != nil || call.Record == nil {
		return ""
	}
	var out bytes.Buffer
	if json.Indent(&out, call.Record, "", "  ") != nil {
		return string(call.Record)
	}
	return out.String()
}

// DenialName says what a denial of a scope means.
func DenialName(s approval.Scope) string {
	if s == approval.ForChat {
		return "Deny in this chat"
	}
	return "Deny " + ScopeName(s)
}

// ScopeName says what a scope means.
func ScopeName(s approval.Scope) string {
	switch s {
	case approval.Once:
		return "this call"
	case approval.ForChat:
		return "this chat"
	case approval.Here:
		return "always here"
	}
	return "always, anywhere"
}
