package pattern

import (
	"cmp"
	"encoding/json"
	"sync"

	"github.com/policyctl/policyctl/pkg/record"
)

// A fieldIndex finds the rules that the value at one path makes candidates.
// Lists of rules are ascending.
type fieldIndex struct {
	path record.Path
	// all are the rules with a guard on the field: what is unknown may meet
	// them all.
	all                             []int32
	present, composite              []int32
	isTrue, isFalse, isNull, isText []int32 // isText: any text
	texts                           map[string][]int32
	numbers                         map[number][]int32
	begins, inside                  *trie

	// packed is the rest in a form, which is read when a record has the field;
	// table then stands for texts.
	packed []byte
	once   sync.Once
	table  *textTable
	err    error
}

// open reads what is packed. Where it is damaged, the candidates are not all.
func (f *fieldIndex) open(c *candidates) {
	f.once.Do(func() {
		r := &formReader{in: f.packed}
		if r.field(f); r.bad || len(r.in) > 0 {
			f.err = errForm
		}
	})
	c.err = cmp.Or(c.err, f.err)
}

// A fieldBuilder collects what a fieldIndex is made of.
type fieldBuilder struct {
	fieldIndex
	beginning, containing map[string][]int32
}

func newFieldBuilder(path record.Path) *fieldBuilder {
	return &fieldBuilder{
		fieldIndex: fieldIndex{path: path, texts: map[string][]int32{}, numbers: map[number][]int32{}},
		beginning:  map[string][]int32{},
		containing: map[string][]int32{},
	}
}

// add adds a rule under a guard.
func (b *fieldBuilder) add(g guard, rule int32) {
	b.all = appendOnce(b.all, rule)
	switch g.kind {
	case isText:
		b.texts[g.text] = appendOnce(b.texts[g.text], rule)
	case isNumber:
		b.numbers[g.number] = appendOnce(b.numbers[g.number], rule)
	case begins:
		b.beginning[g.text] = appendOnce(b.beginning[g.text], rule)
	case inside:
		b.containing[g.text] = appendOnce(b.containing[g.text], rule)
	case isTrue:
		b.isTrue = appendOnce(b.isTrue, rule)
	case isFalse:
		b.isFalse = appendOnce(b.isFalse, rule)
	case isNull:
		b.isNull = appendOnce(b.isNull, rule)
	case anyText:
		b.isText = appendOnce(b.isText, rule)
	case composite:
		b.composite = appendOnce(b.composite, rule)
	case present:
		b.present = appendOnce(b.present, rule)
	}
}

func (b *fieldBuilder) build() *fieldIndex {
	b.begins, b.inside = newTrie(b.beginning), newTrie(b.containing)
	return &b.fieldIndex
}

// appendOnce adds a rule to an ascending list that it may end.
func appendOnce(list []int32, rule int32) []int32 {
	if n := len(list); n > 0 && list[n-1] == rule {
		return list
	}
	return append(list, rule)
}

// look adds the candidates for what a record has at the path.
func (f *fieldIndex) look(r *record.Record, c *candidates) {
	if f.path.Facet() == "" && len(r.Unknown) == 0 {
		f.lookTop(r, c)
		return
	}
	v := r.Lookup(&f.path)
	if f.packed != nil && !v.Missing {
		f.open(c)
	}
	switch {
	case v.Unknown:
		c.rules.addAll(f.all)
	case !v.Missing:
		c.rules.addAll(f.present)
		f.lookValue(v.Value, c)
	}
}

// lookTop is for the fields of the record itself, which are always there. What
// [Record.get] returns of them would be allocated.
func (f *fieldIndex) lookTop(r *record.Record, c *candidates) {
	if f.packed != nil {
		f.open(c)
	}
	c.rules.addAll(f.present)
	if f.path.Field() == "tags" {
		f.lookTexts(r.Tags, c)
		return
	}
	f.lookText(r.TopText(f.path.Field()), c)
}

// lookValue is for a value, or for an element of a list.
func (f *fieldIndex) lookValue(v any, c *candidates) {
	switch v := v.(type) {
	case string:
		f.lookText(v, c)
	case float64, json.Number, int, int64:
		f.lookNumber(v, c)
	case bool:
		if v {
			c.rules.addAll(f.isTrue)
		} else {
			c.rules.addAll(f.isFalse)
		}
	case nil:
		c.rules.addAll(f.isNull)
	case []string:
		f.lookTexts(v, c)
	case []any:
		c.rules.addAll(f.composite)
		for _, element := range v {
			f.lookValue(element, c)
		}
	case map[string]any:
		c.rules.addAll(f.composite)
	default: // an element that is unknown, or something that is not of JSON
		c.rules.addAll(f.all)
	}
}

func (f *fieldIndex) lookNumber(v any, c *candidates) {
	if len(f.numbers) == 0 {
		return
	}
	if n, ok := numberOf(v); ok {
		c.rules.addAll(f.numbers[n])
	}
}

func (f *fieldIndex) lookTexts(texts []string, c *candidates) {
	c.rules.addAll(f.composite)
	for _, text := range texts {
		f.lookText(text, c)
	}
}

func (f *fieldIndex) lookText(text string, c *candidates) {
	c.rules.addAll(f.isText)
	if len(f.texts) > 0 {
		c.rules.addAll(f.texts[text])
	}
	if f.table != nil {
		c.rules.addAll(f.table.find(text))
	}
	if f.begins != nil {
		f.begins.begins(text, &c.keys)
		c.addKeys(f.begins)
	}
	if f.inside != nil {
		f.inside.contained(text, &c.keys)
		c.addKeys(f.inside)
	}
}
