package config

import (
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/own"
)

// file decodes a whole policy file.
func (d *decoder) file(data []byte, into *draft) {
	data, ok := d.scan(data)
	if !ok {
		return
	}
	root := d.tree(data)
	switch {
	case root == nil && len(d.problems) > 0:
	case root == nil || root.ShortTag() == "!!null":
		d.failAt(1, 1, "the file is empty: a policy begins with %s", d.format.version)
	case root.Kind != yaml.MappingNode:
		d.fail(root, "a policy is a mapping that begins with %s, not %s", d.format.version, kind(root))
	case d.version(root):
		d.settings(root, into)
	}
}

// version is false where the rest of the file means nothing to us.
func (d *decoder) version(root *yaml.Node) bool {
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		switch {
		case key.Value != "version":
			continue
		case value.ShortTag() == "!!int" && value.Value != "1":
			d.fail(value, "version %s is unknown: this policyctl reads version 1, so get one that is newer or write %s", clip.Line(value.Value), d.format.version)
			return false
		case i > 0:
			d.fail(key, "version must be the first key: move it to the top")
		}
		return true
	}
	if filepath.Base(d.name) != own.Unversioned {
		d.fail(root, "version is missing: begin the file with %s", d.format.version)
	}
	return true
}
