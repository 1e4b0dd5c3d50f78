package settings

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/cli/console"
)

// assign returns the text of a policy in which a key has another value, as YAML on
// one line. The rest stays as it is, byte for byte.
func assign(text []byte, key, value string) ([]byte, error) {
	out, err := written(text, key, value)
	if err == nil && !differsBy(text, out, key, value) {
		err = console.Usagef("%s cannot be written without changing more: write it by hand", key)
	}
	return out, err
}

// differsBy reports whether one policy says what another does but for a key.
func differsBy(before, after []byte, key, value string) bool {
	var old, is map[string]any
	var want any
	if yaml.Unmarshal(before, &old) != nil || yaml.Unmarshal(after, &is) != nil || yaml.Unmarshal([]byte(value), &want) != nil {
		return false
	}
	if old == nil {
		old = map[string]any{"version": 1}
	}
	at, names := old, strings.Split(key, ".")
	for _, name := range names[:len(names)-1] {
		below, ok := at[name].(map[string]any)
		if !ok {
			below = map[string]any{}
			at[name] = below
		}
		at = below
	}
	at[names[len(names)-1]] = want
	return reflect.DeepEqual(old, is)
}

func written(text []byte, key, value string) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, console.Usagef("it is not YAML: see policyctl check")
	}
	if len(doc.Content) == 0 {
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(bytes.Clone(text), '\n')
		}
		return append(bytes.Clone(text), "version: 1\n"+entry(strings.Split(key, "."), value, 0)...), nil
	}
	n := doc.Content[0]
	names := strings.Split(key, ".")
	for i, name := range names {
		if n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle != 0 || len(n.Content) == 0 {
			return nil, console.Usagef("line %d has no block of keys into which %s could be written: write it by hand", n.Line, key)
		}
		below := childOf(n, name)
		switch {
		case below == nil:
			return insert(text, n, names[i:], value), nil
		case i < len(names)-1:
			n = below
			continue
		case below.Kind != yaml.ScalarNode || below.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 || below.Alias != nil || below.Anchor != "":
			return nil, console.Usagef("line %d has more than a value: change it by hand", below.Line)
		}
		return replace(text, below, value)
	}
	return text, nil
}

func childOf(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// entry returns the lines of a key below others, so many columns in.
func entry(names []string, value string, indent int) string {
	var b strings.Builder
	for i, name := range names {
		fmt.Fprintf(&b, "%s%s:", strings.Repeat(" ", indent+2*i), name)
		if i < len(names)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String() + " " + value + "\n"
}

// insert writes a key as the last of a block.
func insert(text []byte, block *yaml.Node, names []string, value string) []byte {
	return insertLine(text, block, entry(names, value, block.Content[0].Column-1))
}

// insertLine writes a line, or several, behind a block.
func insertLine(text []byte, block *yaml.Node, line string) []byte {
	last := block.Content[len(block.Content)-1]
	at := lineStart(text, endLine(last)+1)
	out := bytes.Clone(text[:at])
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	out = append(out, line...)
	return append(out, text[at:]...)
}

// endLine returns the last line of a value.
func endLine(n *yaml.Node) int {
	line := n.Line
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		line += strings.Count(strings.TrimRight(n.Value, "\n"), "\n") + 1
	}
	for _, c := range n.Content {
		line = max(line, endLine(c))
	}
	return line
}

// lineStart returns the offset of a line, which is counted from 1.
func lineStart(text []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	return at
}

// replace writes another value in the place of one.
func replace(text []byte, n *yaml.Node, value string) ([]byte, error) {
	at := lineStart(text, n.Line)
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	length := len(n.Value)
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		end := bytes.IndexByte(text[at+1:], text[at])
		if end < 0 || !plainQuoted(text[at:at+end+2], n.Value) {
			return nil, console.Usagef("line %d has a value in quotes with escapes: change it by hand", n.Line)
		}
		length = end + 2
	} else if !bytes.HasPrefix(text[at:], []byte(n.Value)) {
		return nil, console.Usagef("line %d has a value over several lines: change it by hand", n.Line)
	}
	out := bytes.Clone(text[:at])
	if n.Value == "" && n.Style == 0 { // KEY: without a value
		out = append(bytes.TrimRight(out, " "), ' ')
	}
	out = append(out, value...)
	return append(out, text[at+length:]...), nil
}

func plainQuoted(quoted []byte, value string) bool { return string(quoted[1:len(quoted)-1]) == value }
