package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/render"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/policies"
)

// packText returns the policy of a pack.
func packText(pack string) ([]byte, error) {
	if text, ok := policies.Lookup(pack); ok {
		return text, nil
	}
	if near := console.Nearest(pack, policies.Names()); near != "" {
		return nil, console.Usagef("there is no pack %s: did you mean %s?", clip.Quote(pack), near)
	}
	return nil, console.Usagef("there is no pack %s: policyctl packs lists them", clip.Quote(pack))
}

// packOf returns the pack whose policy a text is, "" if it is none's.
func packOf(text []byte) string {
	for _, name := range policies.Names() {
		if pack, _ := policies.Lookup(name); bytes.Equal(pack, text) {
			return name
		}
	}
	return ""
}

// HasPolicy reports whether the person has a policy, and as which pack it stands
// unedited, "" if it is none's.
func HasPolicy(place layers.Place) (pack string, ok bool) {
	text, err := os.ReadFile(place.UserFile())
	return packOf(text), !errors.Is(err, fs.ErrNotExist)
}

// An EditedError is a policy that a person has written or edited, which no pack
// replaces.
type EditedError struct {
	File, Pack string
	// Lines say what the policy would lose and gain as the pack, key by key.
	Lines []string
}

// Error tells what to do with the policy.
func (e *EditedError) Error() string {
	return fmt.Sprintf("%s: it is no pack, or was edited, so it is left alone: write into it what you want of the pack %s, or remove it first", e.File, e.Pack)
}

// PlanPack adds to a plan the change after which the person's policy is a pack: a new
// file, or another pack's in which nothing was edited. It returns that pack, "" if there
// was no policy. Another policy is an [*EditedError].
func PlanPack(plan *install.Plan, place layers.Place, pack string) (was string, err error) {
	text, err := packText(pack)
	if err != nil {
		return "", err
	}
	name := place.UserFile()
	old, err := os.ReadFile(name)
	switch was = packOf(old); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", fmt.Errorf("%s: %w", name, plainfile.Bare(err))
	case was == "" || filepath.Ext(name) != ".yaml":
		return "", &EditedError{name, pack, keysThatDiffer(old, text)}
	}
	return was, plan.Write(name, string(text))
}

// keysThatDiffer returns a line for each value that only one of two policies has: with a
// minus for the first, a plus for the second. Many values of one key share a line. A
// policy that is not YAML has none.
func keysThatDiffer(old, text []byte) (lines []string) {
	was, is := valuesOf(old), valuesOf(text)
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, fewLines("- "+key, was[key], is[key])...)
		lines = append(lines, fewLines("+ "+key, is[key], was[key])...)
	}
	return lines
}

// fewLines returns a line for each value that others lack, or one for more than three.
func fewLines(key string, values, others []string) (lines []string) {
	for _, v := range values {
		if !slices.Contains(others, v) {
			lines = append(lines, render.Plain(key+": "+v))
		}
	}
	if len(lines) > 3 {
		return []string{render.Plain(key) + ": " + console.Count(len(lines), "value")}
	}
	return lines
}

// valuesOf returns each single value of a policy, under its key.
func valuesOf(text []byte) map[string][]string {
	out := make(map[string][]string)
	var doc any
	if yaml.Unmarshal(text, &doc) == nil {
		collect(out, "", doc)
	}
	return out
}

func collect(out map[string][]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, item := range v {
			collect(out, strings.TrimPrefix(path+"."+key, "."), item)
		}
	case []any:
		for _, item := range v {
			if m, ok := item.(map[string]any); ok { // one entry, which only makes sense as a whole
				item, _ = yamlLine(m)
			}
			collect(out, path, item)
		}
	default:
		out[path] = append(out[path], fmt.Sprint(v))
	}
}

// yamlLine returns an entry of a list on one line.
func yamlLine(m map[string]any) (string, error) {
	var n yaml.Node
	if err := n.Encode(m); err != nil {
		return "", err
	}
	n.Style = yaml.FlowStyle
	text, err := yaml.Marshal(&n)
	return strings.Join(strings.Fields(string(text)), " "), err
}
