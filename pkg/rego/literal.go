package rego

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/policyctl/policyctl/internal/support/clip"
)

// A term is a piece of Rego with the constants in it that are texts, and the
// names of the arguments that it uses.
type term struct {
	text   string
	consts []string
	uses   string
}

// code joins pieces: code without texts, and terms.
func code(pieces ...any) term {
	var t term
	var b strings.Builder
	for _, p := range pieces {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case term:
			b.WriteString(p.text)
			t.consts = append(t.consts, p.consts...)
			t.uses += p.uses
		}
	}
	t.text = b.String()
	return t
}

// text returns a text as a constant. Everything but printable ASCII is escaped
// as JSON does it, which Rego reads back exactly.
func (e *emitter) text(s string) term {
	if !utf8.ValidString(s) {
		e.fail(fmt.Errorf("the text %q is not valid UTF-8, which Rego cannot have", clip.Shorten(s)))
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case ' ' <= r && r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return term{text: b.String(), consts: []string{s}}
}

// pattern returns a regular expression as a raw constant. What such a constant
// cannot have, the expression names by its number.
func (e *emitter) pattern(s string) term {
	if !utf8.ValidString(s) || strings.Contains(s, `\Q`) {
		return e.text(s)
	}
	var b strings.Builder
	escaped := false
	for _, r := range s {
		switch {
		case ' ' <= r && r < 0x7f && r != '`':
			b.WriteRune(r)
		case escaped:
			return e.text(s)
		default:
			fmt.Fprintf(&b, `\x{%x}`, r)
		}
		escaped = r == '\\' && !escaped
	}
	return term{text: "`" + b.String() + "`", consts: []string{b.String()}}
}

// value returns a value as JSON decodes it as a constant.
func (e *emitter) value(v any) term {
	switch v := v.(type) {
	case string:
		return e.text(v)
	case bool:
		return term{text: strconv.FormatBool(v)}
	case json.Number:
		return e.number(v)
	case []any:
		return e.list(v)
	case map[string]any:
		pieces := []any{"{"}
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				pieces = append(pieces, ", ")
			}
			pieces = append(pieces, e.text(key), ": ", e.value(v[key]))
		}
		return code(append(pieces, "}")...)
	}
	return term{text: "null"}
}

func (e *emitter) number(n json.Number) term {
	if _, err := ast.NumberChecked(string(n)); err != nil {
		e.fail(fmt.Errorf("the number %s is too large or too small for Rego", clip.Shorten(string(n))))
		return term{text: "0"}
	}
	return term{text: string(n)}
}

func (e *emitter) list(values []any) term {
	pieces := []any{"["}
	for i, v := range values {
		if i > 0 {
			pieces = append(pieces, ", ")
		}
		pieces = append(pieces, e.value(v))
	}
	return code(append(pieces, "]")...)
}

func (e *emitter) positions(at []int) term {
	list := make([]any, len(at))
	for i, n := range at {
		list[i] = json.Number(strconv.Itoa(n))
	}
	return e.value(list)
}
