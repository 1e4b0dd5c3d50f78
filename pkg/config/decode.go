package config

import (
	"encoding"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A decoder reads one file and collects its problems.
type decoder struct {
	layer, name, bundle string
	admit               Admission
	format              *format
	// tightens says that the key whose value is being decoded may only tighten.
	tightens bool
	problems Problems
	// refused nodes are reported already.
	refused map[*yaml.Node]bool
	// at is the key whose value is being decoded.
	at string
	// What waits until the tools of all files are known.
	mentions []mention
	claims   []claim
	// locks are the entries of locked.
	locks []*yaml.Node
	// left is what the expressions of all projects may still cost, nil for a file of
	// another layer.
	left *int
}

// originOf is the origin of what a file that counts in full holds.
func originOf(f *File) policy.Origin { return policy.Origin{Layer: f.Layer, File: f.Name} }

func newDecoder(f File) *decoder {
	return &decoder{layer: f.Layer, name: f.Name, bundle: f.Bundle, admit: f.Admit, format: formatOf(f.Name, f.Data), refused: make(map[*yaml.Node]bool)}
}

// A pair is one entry of a mapping.
type pair struct{ key, value *yaml.Node }

// pairs returns the sound entries of a mapping in order.
func (d *decoder) pairs(n *yaml.Node) []pair {
	if n.Kind != yaml.MappingNode {
		d.mismatch(n, "a mapping")
		return nil
	}
	var all []pair
	for i := 0; i < len(n.Content); i += 2 {
		if !d.refused[n.Content[i]] {
			all = append(all, pair{n.Content[i], n.Content[i+1]})
		}
	}
	return all
}

// items yields the entries of a list.
func (d *decoder) items(n *yaml.Node) iter.Seq[*yaml.Node] {
	if n.Kind != yaml.SequenceNode {
		d.mismatch(n, "a list")
		return slices.Values[[]*yaml.Node](nil)
	}
	return func(yield func(*yaml.Node) bool) {
		above := d.at
		defer func() { d.at = above }()
		for _, item := range n.Content {
			d.at = "an entry of " + above
			if !yield(item) {
				return
			}
		}
	}
}

// named yields the entries of a mapping whose keys are names that the user
// chose.
func (d *decoder) named(n *yaml.Node) iter.Seq2[string, pair] {
	return func(yield func(string, pair) bool) {
		above := d.at
		defer func() { d.at = above }()
		for _, p := range d.pairs(n) {
			d.at = "a key of " + above
			name, ok := d.str(p.key)
			d.at = above + "." + clip.Line(name)
			if ok && !yield(name, p) {
				return
			}
		}
	}
}

// str decodes a text on one line that neither begins nor ends with a blank.
func (d *decoder) str(n *yaml.Node) (string, bool) {
	s, ok := d.line(n)
	if ok && strings.TrimSpace(s) != s {
		d.fail(n, "%s must not begin or end with a blank: remove it from %s", d.at, clip.Quote(s))
		return "", false
	}
	return s, ok
}

// line decodes a text of at least one visible character, on one line.
func (d *decoder) line(n *yaml.Node) (string, bool) {
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		d.mismatch(n, "text")
	case strings.TrimSpace(n.Value) == "":
		d.fail(n, "%s is empty", d.at)
	case strings.ContainsFunc(n.Value, unicode.IsControl):
		d.fail(n, "%s holds a control character: it must be one line without tabs", d.at)
	default:
		return n.Value, true
	}
	return "", false
}

func (d *decoder) boolean(n *yaml.Node) (value, ok bool) {
	if n.ShortTag() != "!!bool" {
		d.mismatch(n, "true or false")
		return false, false
	}
	return strings.EqualFold(n.Value, "true"), true
}

// number decodes a whole number, written with decimal digits only.
func (d *decoder) number(n *yaml.Node, least, most int) (int, bool) {
	i, err := strconv.Atoi(n.Value)
	if n.ShortTag() != "!!int" || err != nil || strconv.Itoa(i) != n.Value || i < least || i > most {
		d.mismatch(n, fmt.Sprintf("a whole number from %d to %d", least, most))
		return 0, false
	}
	return i, true
}

// word decodes one of the names that into knows.
func (d *decoder) word(n *yaml.Node, what string, into encoding.TextUnmarshaler) bool {
	s, ok := d.str(n)
	if !ok {
		return false
	}
	err := into.UnmarshalText([]byte(s))
	var unknown *policy.NameError
	switch {
	case err == nil:
		return true
	case errors.As(err, &unknown):
		d.unknown(n, what, s, unknown.Valid)
	default:
		d.fail(n, "%s: %v", d.at, err)
	}
	return false
}

func (d *decoder) origin(n *yaml.Node) policy.Origin {
	return policy.Origin{Layer: d.layer, File: d.name, Line: n.Line, Untrusted: d.admit == Tightening, Tightens: d.tightens}
}
