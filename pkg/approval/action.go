package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/gowebpki/jcs"

	"github.com/policyctl/policyctl/pkg/policy"
)

// HashOf returns what binds a receipt to a call: "sha256:" and the digest of
// the canonical JSON (RFC 8785) of what counts in it. These are the tool and
// its input, the directory, home, system and shell that give the input its
// meaning, the agent, the session, the audience and the scope. The id, the
// time, and the directories of project and session do not count: they name
// the attempt and its surroundings.
//
// A text that is not valid UTF-8 is an error, since JSON cannot tell two of
// them apart.
func HashOf(c *policy.Call) (string, error) {
	audience, err := c.Audience.MarshalText()
	if err != nil {
		return "", err
	}
	return digest(map[string]any{
		"tool": c.Tool, "input": c.Input, "dir": c.Dir, "home": c.Home, "os": c.OS, "shell": c.Shell,
		"agent": c.Agent, "session": c.Session, "audience": string(audience),
		"scope": map[string]any{"plugin": c.Scope.Plugin, "profile": c.Scope.Profile, "integration": c.Scope.Integration},
	})
}

// digest returns the digest of the canonical form of a value.
func digest(v any) (string, error) {
	v, err := exact(v)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	if text, err = jcs.Transform(text); err != nil {
		return "", fmt.Errorf("canonical JSON: %w", err)
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
