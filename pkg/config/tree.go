package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/policyctl/policyctl/internal/support/clip"
	"go.yaml.in/yaml/v3"
)

// tree reads the only document of data and checks its shape. It returns nil
// where there is none, or it could not be read.
func (d *decoder) tree(data []byte) *yaml.Node {
	root := d.format.read(d, data)
	if root != nil {
		d.check(root, 1)
	}
	return root
}

// yaml reads a document of YAML.
func (d *decoder) yaml(data []byte) *yaml.Node {
	doc, next, err := parse(data)
	switch {
	case err != nil:
		text := syntaxText(err)
		line := errorLine(data, err)
		d.failAt(line, firstColumn(data, line), "%s", text+advice(text))
		return nil
	case doc == nil:
		return nil
	case next != nil:
		d.failAt(next.Line, next.Column, "a second document begins here: a policy file holds one, so remove the ---")
	}
	return doc.Content[0]
}

// parse returns the first two documents of data, nil where there is none.
func parse(data []byte) (doc, next *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	in := yaml.NewDecoder(bytes.NewReader(data))
	if doc, err = oneDocument(in); doc == nil {
		return nil, nil, err
	}
	next, err = oneDocument(in)
	return doc, next, err
}

func oneDocument(in *yaml.Decoder) (*yaml.Node, error) {
	var n yaml.Node
	switch err := in.Decode(&n); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &n, nil
}

// maxDepth bounds the nesting of a policy: a rule with its conditions takes 40.
const maxDepth = 48

// check refuses what YAML has beyond mappings, lists and plain values, and
// duplicate keys, which the YAML package leaves to us.
func (d *decoder) check(n *yaml.Node, depth int) {
	switch {
	case depth > maxDepth:
		d.refuse(n, "nested more than %d levels deep", maxDepth)
		return
	case n.Kind == yaml.AliasNode:
		d.refuse(n, "aliases are not supported: repeat the value")
		return
	case n.Anchor != "":
		d.refuse(n, "anchors are not supported: remove &%s, and repeat the value where it is due", clip.Line(n.Anchor))
	case n.Style&yaml.TaggedStyle != 0:
		d.refuse(n, "tags are not supported: remove %s", clip.Line(n.Tag))
	}
	if n.Kind == yaml.MappingNode {
		d.checkKeys(n)
	}
	for _, c := range n.Content {
		if !d.refused[c] {
			d.check(c, depth+1)
		}
	}
}

func (d *decoder) checkKeys(n *yaml.Node) {
	lines := make(map[string]int)
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		first, again := lines[key.Value]
		switch {
		case key.ShortTag() == "!!merge":
			d.refuse(key, "merge keys are not supported: repeat the keys")
			d.refused[value] = true
		case key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str":
			d.refuse(key, "a key must be text: put it in quotes")
		case again:
			d.twice(key, first)
		default:
			lines[key.Value] = key.Line
		}
	}
}

// twice reports a key that stands in a line already.
func (d *decoder) twice(key *yaml.Node, line int) {
	d.refuse(key, "duplicate key %s: it is already in line %d", clip.Quote(key.Value), line)
}

// refuse reports n, and nothing else will be reported of it.
func (d *decoder) refuse(n *yaml.Node, format string, args ...any) {
	d.fail(n, format, args...)
	d.refused[n] = true
}
