package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A format is how a policy is written. All of them become one tree, whose
// places are those of the file.
type format struct {
	name string
	// version is how a policy begins; nested, how sections are written.
	version, nested string
	// read returns the root of a document, nil where there is none or it is
	// wrong.
	read func(d *decoder, data []byte) *yaml.Node
}

var (
	inYAML = &format{"YAML", "version: 1", "as nested mappings: the part behind each dot goes on its own line, indented", (*decoder).yaml}
	inTOML = &format{"TOML", "version = 1", "without quotes around the whole, or below the [section]", (*decoder).toml}
	inJSON = &format{"JSON", `{"version": 1`, "as nested objects: the part behind each dot is its own key", (*decoder).json}
)

// formatOf returns the format of a file by its name. JSON is JSON under any
// other name too: what comes from a pipe has none.
func formatOf(name string, data []byte) *format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".toml":
		return inTOML
	case ".json":
		return inJSON
	}
	if start := bytes.TrimLeft(data, " \t\r\n"); len(start) > 0 && (start[0] == '{' || start[0] == '[') && json.Valid(data) {
		return inJSON
	}
	return inYAML
}

// json reads a document of JSON.
func (d *decoder) json(data []byte) *yaml.Node {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	n, err := strictjson.Read(data, strictjson.Options{})
	if e := (*strictjson.Error)(nil); errors.As(err, &e) {
		d.failAt(e.Line, e.Column, "%s", e.Problem)
		return nil
	}
	return fromJSON(&n)
}

// jsonTags are the tags of YAML for what is no text, list, object or number.
var jsonTags = map[byte]string{'t': "!!bool", 'f': "!!bool", 'n': "!!null"}

func fromJSON(n *strictjson.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.ScalarNode, Tag: jsonTags[byte(n.Kind)], Value: n.Text, Line: n.Line, Column: n.Column}
	switch n.Kind {
	case '{':
		out.Kind, out.Tag, out.Style = yaml.MappingNode, "!!map", yaml.FlowStyle
	case '[':
		out.Kind, out.Tag, out.Style = yaml.SequenceNode, "!!seq", yaml.FlowStyle
	case '"':
		out.Tag, out.Style = "!!str", yaml.DoubleQuotedStyle
	case '0':
		out.Tag = numberTag(n.Text)
	}
	for i := range n.Items {
		if n.Kind == '{' {
			out.Content = append(out.Content, fromJSON(&n.Keys[i]))
		}
		out.Content = append(out.Content, fromJSON(&n.Items[i]))
	}
	return out
}

// numberTag returns the tag of YAML for a number.
func numberTag(text string) string {
	if strings.ContainsAny(text, ".eE") {
		return "!!float"
	}
	return "!!int"
}
