package reviewer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/config"
)

// A decoder reads one file, and collects what is wrong with it.
type decoder struct {
	file  string
	found config.Problems
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) {
	d.found = append(d.found, config.Problem{File: d.file, Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...)})
}

// err returns what was found, nil for nothing.
func (d *decoder) err() error {
	if len(d.found) == 0 {
		return nil
	}
	return d.found
}

// mapping yields the entries of a mapping, each name once.
func (d *decoder) mapping(n *yaml.Node) func(yield func(k, v *yaml.Node) bool) {
	return func(yield func(k, v *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode {
			d.fail(n, "expected a mapping")
			return
		}
		seen := make(map[string]int)
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			if k.Kind != yaml.ScalarNode || k.Tag == "!!merge" {
				d.fail(k, "expected a name")
				continue
			}
			if line, twice := seen[k.Value]; twice {
				d.fail(k, "%s stands here twice: first in line %d", k.Value, line)
				continue
			}
			seen[k.Value] = k.Line
			if !yield(k, n.Content[i+1]) {
				return
			}
		}
	}
}

func (d *decoder) unknown(n *yaml.Node, what, name string, names []string) {
	near := spelling.Nearest(name, names)
	if near == "" {
		d.fail(n, "unknown %s %q: it is one of %s", what, name, strings.Join(names, ", "))
		return
	}
	d.fail(n, "unknown %s %q", what, name)
	d.found[len(d.found)-1].Hint = near
}

// text reads a text that is not empty.
func (d *decoder) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || strings.TrimSpace(n.Value) == "" {
		d.fail(n, "expected a text")
		return ""
	}
	return n.Value
}

func (d *decoder) word(n *yaml.Node, words []string) string {
	name := n.Value // none is a word, and null is not
	if n.Kind != yaml.ScalarNode || !slices.Contains(words, name) {
		d.unknown(n, "value", name, words)
		return ""
	}
	return name
}

func (d *decoder) path(n *yaml.Node) string {
	name := d.text(n)
	switch {
	case name == "" || filepath.IsAbs(name):
		return name
	case strings.HasPrefix(name, "~"):
		d.fail(n, "%q: ~ is not resolved here: give the whole path, or one beside %s", name, filepath.Base(d.file))
		return ""
	}
	return filepath.Join(filepath.Dir(d.file), name)
}

func (d *decoder) duration(n *yaml.Node, least, most time.Duration) time.Duration {
	v, err := time.ParseDuration(cmp.Or(n.Value, "?"))
	if n.Kind != yaml.ScalarNode || err != nil || v < least || v > most {
		d.fail(n, "%q is not a time between %s and %s, such as 15s", n.Value, least, most)
		return most
	}
	return v
}

func (d *decoder) count(n *yaml.Node, least, most int) int {
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil || v < least || v > most {
		d.fail(n, "%q is not a number between %d and %d", n.Value, least, most)
		return least
	}
	return v
}
