package install

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A statement is a table header or a key with its value in TOML text, with
// its place.
type statement struct {
	header bool
	array  bool // a header in double brackets
	path   []string
	span
	value string // as written; "" for a header
	text  string // the same, but what a string says
}

// statements returns the statements of TOML text in order. What they make of
// each other is not looked at: only Codex knows what it accepts.
func statements(text string) (out []statement, err error) {
	var p unstable.Parser
	p.Reset([]byte(text))
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		st := statement{header: e.Kind != unstable.KeyValue, array: e.Kind == unstable.ArrayTable}
		var last unstable.Range
		for key := e.Key(); key.Next(); {
			st.path, last = append(st.path, string(key.Node().Data)), key.Node().Raw
		}
		st.span = spanOf(text, e, int(last.Offset+last.Length))
		if st.header {
			table = st.path
		} else {
			st.path = append(table[:len(table):len(table)], st.path...)
			st.value = strings.TrimLeft(text[last.Offset+last.Length:st.to], " \t=")
			if st.text = st.value; e.Value().Kind == unstable.String {
				st.text = string(e.Value().Data)
			}
		}
		out = append(out, st)
	}
	if wrong, ok := errors.AsType[*unstable.ParserError](p.Error()); ok {
		return nil, errorAt(text, int(p.Range(wrong.Highlight).Offset), "not TOML: %s", wrong.Message)
	}
	return out, nil
}

// spanOf returns where an expression stands whose key ends at a place. The
// parser does not say where a header does: brackets stand around its key.
func spanOf(text string, e *unstable.Node, keyEnd int) span {
	if e.Kind == unstable.KeyValue {
		return span{int(e.Raw.Offset), int(e.Raw.Offset + e.Raw.Length)}
	}
	first := e.Child().Raw.Offset
	brackets := len("]")
	if e.Kind == unstable.ArrayTable {
		brackets = len("]]")
	}
	return span{
		from: len(strings.TrimRight(text[:first], " \t")) - brackets,
		to:   keyEnd + strings.IndexByte(text[keyEnd:], ']') + brackets,
	}
}
