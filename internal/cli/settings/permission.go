package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/pkg/policy"
)

const permissions = "permissions"

// permit returns the text of a policy that has one permission more, behind those that
// it has. The rest stays as it is, byte for byte.
func permit(text []byte, match string, action policy.Decision) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, console.Usagef("it is not YAML: see policyctl check")
	}
	quoted, err := json.Marshal(match) // which is YAML too
	if err != nil {
		return nil, err
	}
	names := []string{permissions, string(quoted)}
	if len(doc.Content) == 0 {
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(bytes.Clone(text), '\n')
		}
		return append(bytes.Clone(text), "version: 1\n"+entry(names, action.String(), 0)...), nil
	}
	byHand := func(n *yaml.Node) error {
		return console.Usagef("line %d has no block of permissions to which one could be added: add %s: %s by hand", n.Line, quoted, action)
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 || len(root.Content) == 0 {
		return nil, byHand(root)
	}
	var out []byte
	switch list := childOf(root, permissions); {
	case list == nil:
		out = insert(text, root, names, action.String())
	case list.Style&yaml.FlowStyle != 0 || len(list.Content) == 0:
		return nil, byHand(list)
	case list.Kind == yaml.MappingNode:
		out = insert(text, list, names[1:], action.String())
	case list.Kind == yaml.SequenceNode:
		item := fmt.Sprintf("%s- {match: %s, action: %s}\n", strings.Repeat(" ", list.Column-1), quoted, action)
		out = insertLine(text, list, item)
	default:
		return nil, byHand(list)
	}
	if !addsOne(text, out) {
		return nil, byHand(root)
	}
	return out, nil
}

// addsOne reports whether one policy says what another does but for one permission.
func addsOne(before, after []byte) bool {
	var old, is map[string]any
	if yaml.Unmarshal(before, &old) != nil || yaml.Unmarshal(after, &is) != nil {
		return false
	}
	ok := false
	switch list := is[permissions].(type) {
	case []any:
		had, _ := old[permissions].([]any)
		ok = len(list) == len(had)+1 && (len(had) == 0 || reflect.DeepEqual(list[:len(had)], had))
	case map[string]any:
		had, _ := old[permissions].(map[string]any)
		ok = len(list) == len(had)+1
		for match, action := range had {
			ok = ok && reflect.DeepEqual(list[match], action)
		}
	}
	delete(old, permissions)
	delete(is, permissions)
	return ok && reflect.DeepEqual(old, is)
}
