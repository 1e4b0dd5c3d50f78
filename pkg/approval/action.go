package approval

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// HashOf returns what binds a receipt to a call: "sha256:" and the digest of
// the canonical JSON (RFC 8785) of what counts in it: all that a policy judges
// or a person is shown. The id and the time do not count: they name the
// attempt. A record does, since rules judge it in place of the input: who lies
// in it has a receipt for the lie alone.
//
// A text that is not valid UTF-8 is an error, since JSON cannot tell two of
// them apart.
func HashOf(c *policy.Call) (string, error) {
	text, err := canonicalOf(c)
	if err != nil {
		return "", err
	}
	return hashed(text), nil
}

// alikeOf returns what is the same for calls that differ in nothing but who
// asks, and in which session.
func alikeOf(c *policy.Call) (string, error) {
	same := *c
	same.Agent, same.Subagent, same.Session, same.SessionDir = "", "", "", ""
	same.GuardsSubagents = false
	return HashOf(&same)
}

// canonicalOf returns the bytes that are hashed of a call.
func canonicalOf(c *policy.Call) ([]byte, error) {
	audience, err := c.Audience.MarshalText()
	if err != nil {
		return nil, err
	}
	counts := map[string]any{
		"tool": c.Tool, "input": c.Input, "dir": c.Dir, "home": c.Home, "os": c.OS, "shell": c.Shell,
		"agent": c.Agent, "session": c.Session, "audience": string(audience),
		"project_dir": c.ProjectDir, "session_dir": c.SessionDir,
		"scope": map[string]any{"plugin": c.Scope.Plugin, "profile": c.Scope.Profile, "integration": c.Scope.Integration},
	}
	if c.OutsideSandbox {
		counts["outside_sandbox"] = true
	}
	if c.Subagent != "" {
		counts["subagent"] = c.Subagent
	}
	if c.GuardsSubagents {
		counts["guards_subagents"] = true
	}
	if c.Record != nil {
		counts["record"] = c.Record
	}
	return canonical(counts)
}

// digest returns the digest of the canonical form of a value.
func digest(v any) (string, error) {
	text, err := canonical(v)
	if err != nil {
		return "", err
	}
	return hashed(text), nil
}

// canonical returns the canonical form of a value.
func canonical(v any) ([]byte, error) {
	v, err := exact(v)
	if err != nil {
		return nil, err
	}
	return strictjson.Append(nil, v), nil
}

func hashed(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
