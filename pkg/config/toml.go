package config

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/place"
)

// toml reads a document of TOML. Its grammar is that of the library; what keys
// and headers have to do with each other is said here, where all has its place.
func (d *decoder) toml(data []byte) *yaml.Node {
	r := &tomlReader{d: d, data: data, places: place.In(data), tables: map[*yaml.Node]*table{}}
	r.root = r.mapping(&yaml.Node{Line: 1, Column: 1}, opened)
	r.into = r.root
	r.parser.Reset(data)
	for r.parser.NextExpression() {
		r.expression(r.parser.Expression())
	}
	var wrong *unstable.ParserError
	if errors.As(r.parser.Error(), &wrong) {
		line, column := r.places.Of(int(r.parser.Range(wrong.Highlight).Offset))
		d.failAt(line, column, "not TOML: %s%s", wrong.Message, advice(wrong.Message))
		return nil
	}
	if len(r.root.Content) == 0 {
		return nil
	}
	return r.root
}

// A tomlReader makes a tree of the expressions of a document.
type tomlReader struct {
	d      *decoder
	data   []byte
	places place.Finder
	parser unstable.Parser
	root   *yaml.Node
	into   *yaml.Node // the table of the latest header; nil where that is wrong
	tables map[*yaml.Node]*table
}

// A table is what is known of a mapping, or of a list of tables.
type table struct {
	by      tableForm
	members map[string]pair
}

// A tableForm is how a table is written, which decides what may add to it.
type tableForm int

const (
	implied tableForm = iota // by the header of one below it
	dotted                   // by a key with dots
	opened                   // by a header of its own
	inline                   // by { }, which ends it
	listed                   // by [[ ]]: a list
)

func (r *tomlReader) expression(e *unstable.Node) {
	if e.Kind == unstable.KeyValue {
		r.assign(r.into, e)
		return
	}
	keys := r.keys(e)
	above, last := keys[:len(keys)-1], keys[len(keys)-1]
	in := r.follow(r.root, above, implied)
	if r.into = nil; in == nil {
		return
	}
	if e.Kind == unstable.ArrayTable {
		r.into = r.item(in, last)
	} else {
		r.into = r.header(in, last)
	}
}

// keys returns the parts of a key or a header.
func (r *tomlReader) keys(e *unstable.Node) (out []*yaml.Node) {
	for it := e.Key(); it.Next(); {
		at := it.Node()
		out = append(out, r.scalar("!!str", string(at.Data), int(at.Raw.Offset)))
	}
	return out
}

// follow returns the table to which keys lead, and makes what of it is not
// there; nil where something else is.
func (r *tomlReader) follow(in *yaml.Node, keys []*yaml.Node, by tableForm) *yaml.Node {
	for _, key := range keys {
		old := r.tables[in].members[key.Value]
		t := r.tables[old.value]
		switch {
		case old.value == nil:
			in = r.add(in, key, r.mapping(key, by))
		case t == nil || t.by == inline || by == dotted && t.by != dotted:
			return r.twice(key, old)
		case t.by == listed:
			in = old.value.Content[len(old.value.Content)-1]
		default:
			in = old.value
		}
	}
	return in
}

// header returns the table that [NAME] begins.
func (r *tomlReader) header(in, key *yaml.Node) *yaml.Node {
	old := r.tables[in].members[key.Value]
	if old.value == nil {
		return r.add(in, key, r.mapping(key, opened))
	}
	if t := r.tables[old.value]; t != nil && t.by == implied {
		t.by = opened
		return old.value
	}
	return r.twice(key, old)
}

// item returns the table that [[NAME]] begins, the next one of its list.
func (r *tomlReader) item(in, key *yaml.Node) *yaml.Node {
	old := r.tables[in].members[key.Value]
	list := old.value
	if list == nil {
		list = r.add(in, key, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: key.Line, Column: key.Column})
		r.tables[list] = &table{by: listed}
	}
	if t := r.tables[list]; t == nil || t.by != listed {
		return r.twice(key, old)
	}
	n := r.mapping(key, opened)
	list.Content = append(list.Content, n)
	return n
}

// assign adds KEY = VALUE to a table; nil is one whose header is wrong.
func (r *tomlReader) assign(in *yaml.Node, e *unstable.Node) {
	if in == nil {
		return
	}
	keys := r.keys(e)
	last := keys[len(keys)-1]
	if in = r.follow(in, keys[:len(keys)-1], dotted); in == nil {
		return
	}
	if old, twice := r.tables[in].members[last.Value]; twice {
		r.twice(last, old)
		return
	}
	at := &yaml.Node{}
	at.Line, at.Column = r.places.Of(r.valueOf(e))
	r.add(in, last, r.value(e.Value(), at))
}

// valueOf returns the offset of the value of an assignment.
func (r *tomlReader) valueOf(e *unstable.Node) int {
	end := 0
	for it := e.Key(); it.Next(); {
		end = int(it.Node().Raw.Offset + it.Node().Raw.Length)
	}
	rest := bytes.TrimLeft(r.data[end:], " \t=")
	return len(r.data) - len(rest)
}

// value returns what a value is. The library knows no place of lists: one in
// another has that of the outer one.
func (r *tomlReader) value(v *unstable.Node, at *yaml.Node) *yaml.Node {
	switch v.Kind {
	case unstable.Array:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: at.Line, Column: at.Column}
		for it := v.Children(); it.Next(); {
			n.Content = append(n.Content, r.value(it.Node(), n))
		}
		return n
	case unstable.InlineTable:
		at := &yaml.Node{}
		at.Line, at.Column = r.places.Of(int(v.Raw.Offset))
		n := r.mapping(at, inline)
		for it := v.Children(); it.Next(); {
			r.assign(n, it.Node())
		}
		return n
	}
	n := r.scalar(tomlTags[v.Kind], string(v.Data), int(v.Raw.Offset))
	if v.Kind == unstable.Integer || v.Kind == unstable.Float {
		n.Tag = numberTag(n.Value)
		if !json.Valid(v.Data) {
			r.d.refuse(n, "write the number %s with decimal digits alone, as in 1500 or -0.5", clip.Line(n.Value))
		}
	}
	return n
}

// tomlTags are the tags of YAML for what is no number.
var tomlTags = map[unstable.Kind]string{
	unstable.String: "!!str", unstable.Bool: "!!bool",
	unstable.DateTime: "!!timestamp", unstable.LocalDateTime: "!!timestamp", unstable.LocalDate: "!!timestamp", unstable.LocalTime: "!!timestamp",
}

func (r *tomlReader) scalar(tag, value string, at int) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
	if tag == "!!str" {
		n.Style = yaml.DoubleQuotedStyle
	}
	n.Line, n.Column = r.places.Of(at)
	return n
}

// mapping returns a table without members.
func (r *tomlReader) mapping(at *yaml.Node, by tableForm) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: at.Line, Column: at.Column}
	r.tables[n] = &table{by, map[string]pair{}}
	return n
}

// add puts a value under a key, and returns it.
func (r *tomlReader) add(in, key, value *yaml.Node) *yaml.Node {
	r.tables[in].members[key.Value] = pair{key, value}
	in.Content = append(in.Content, key, value)
	return value
}

// twice reports a key that stands elsewhere, and returns no table.
func (r *tomlReader) twice(key *yaml.Node, old pair) *yaml.Node {
	r.d.twice(key, old.key.Line)
	return nil
}
