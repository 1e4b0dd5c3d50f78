package reviewer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
)

// A decoder reads one file, and collects what is wrong with it.
type decoder struct {
	file  string
	found config.Problems
}

func (d *decoder) fail(n *document.Node, format string, args ...any) {
	d.found = append(d.found, config.Problem{File: d.file, Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...)})
}

// err returns what was found, nil for nothing.
func (d *decoder) err() error {
	if len(d.found) == 0 {
		return nil
	}
	return d.found
}

// mapping yields the entries of a mapping.
func (d *decoder) mapping(n *document.Node) func(yield func(k, v *document.Node) bool) {
	return func(yield func(k, v *document.Node) bool) {
		if n.Kind != document.Map {
			d.fail(n, "expected a mapping")
			return
		}
		for i := range n.Keys {
			if !yield(&n.Keys[i], &n.Items[i]) {
				return
			}
		}
	}
}

func (d *decoder) unknown(n *document.Node, what, name string, names []string) {
	near := spelling.Nearest(name, names)
	if near == "" {
		d.fail(n, "unknown %s %q: it is one of %s", what, name, strings.Join(names, ", "))
		return
	}
	d.fail(n, "unknown %s %q", what, name)
	d.found[len(d.found)-1].Hint = near
}

// text reads a text that is not empty.
func (d *decoder) text(n *document.Node) string {
	if n.Kind != document.Text || strings.TrimSpace(n.Text) == "" {
		d.fail(n, "expected a text")
		return ""
	}
	return n.Text
}

func (d *decoder) word(n *document.Node, words []string) string {
	if n.Kind != document.Text || !slices.Contains(words, n.Text) {
		d.unknown(n, "value", n.Text, words)
		return ""
	}
	return n.Text
}

func (d *decoder) path(n *document.Node) string {
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

func (d *decoder) duration(n *document.Node, least, most time.Duration) time.Duration {
	v, err := time.ParseDuration(n.Text)
	if n.Kind != document.Text && n.Kind != document.Number || err != nil || v < least || v > most {
		d.fail(n, "%q is not a time between %s and %s, such as 15s", n.Text, least, most)
		return most
	}
	return v
}

func (d *decoder) count(n *document.Node, least, most int) int {
	v, err := strconv.Atoi(n.Text)
	if n.Kind != document.Number || err != nil || v < least || v > most {
		d.fail(n, "%q is not a number between %d and %d", n.Text, least, most)
		return least
	}
	return v
}
