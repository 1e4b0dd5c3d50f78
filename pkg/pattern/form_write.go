package pattern

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/record"
)

// formMagic begins every form. Raise the number when a form is read or means
// otherwise than before: no form of another number is used.
const formMagic = "policyctl rules 2\n"

// checksum is what ends a form. It tells of accidents, not of forgeries: who may
// write a form is for its caller to know. Its table is made at first use.
func checksum(form []byte) uint32 {
	return crc32.Checksum(form, crc32.MakeTable(crc32.Castagnoli))
}

// Pack returns the form of rules that [OpenForm] reads: what they are, and an
// index of the calls that they may match. It holds no examples. The error names
// a rule whose condition cannot be read again from [Rule.Source].
func Pack(rules []*Rule) ([]byte, error) {
	ordered := sorted(rules)
	w := &formWriter{}
	var n record.Needs
	for _, r := range ordered {
		n |= needsOf(&r.When)
	}
	w.uint(uint64(n))
	w.ids(rules)
	bodies := make([][]byte, len(ordered))
	for i, r := range ordered {
		if _, problems := CompileWhen(r.Source); len(problems) > 0 {
			return nil, fmt.Errorf("the rule %s has no source to keep", r.ID)
		}
		var body formWriter
		body.rule(r)
		bodies[i] = body.out
	}
	w.blobs(bodies)
	w.index(newIndex(ordered))
	out := append([]byte(formMagic), w.out...)
	return binary.LittleEndian.AppendUint32(out, checksum(out)), nil
}

// A formWriter appends values. Numbers are of variable length; lists have a
// fixed width, so that an element is found without those before it.
type formWriter struct{ out []byte }

func (w *formWriter) uint(n uint64) { w.out = binary.AppendUvarint(w.out, n) }
func (w *formWriter) int(n int64)   { w.out = binary.AppendVarint(w.out, n) }

func (w *formWriter) text(s string) {
	w.uint(uint64(len(s)))
	w.out = append(w.out, s...)
}

func (w *formWriter) flag(b bool) {
	n := uint64(0)
	if b {
		n = 1
	}
	w.uint(n)
}

func (w *formWriter) list(values []int32) {
	w.uint(uint64(len(values)))
	for _, v := range values {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(v))
	}
}

// blobs writes texts behind a table of where each ends.
func (w *formWriter) blobs(all [][]byte) {
	ends, total := make([]int32, len(all)), 0
	for i, b := range all {
		total += len(b)
		ends[i] = int32(total)
	}
	w.list(ends)
	w.uint(uint64(total))
	for _, b := range all {
		w.out = append(w.out, b...)
	}
}

// lists writes lists of rules as one, behind a table of where each ends.
func (w *formWriter) lists(all [][]int32) {
	var ends, flat []int32
	for _, l := range all {
		flat = append(flat, l...)
		ends = append(ends, int32(len(flat)))
	}
	w.list(ends)
	w.list(flat)
}

// ids writes what tells whether a rule of a name may be among them, disabled
// ones included.
func (w *formWriter) ids(rules []*Rule) {
	sums := make([]uint64, len(rules))
	for i, r := range rules {
		sums[i] = idSum(r.ID)
	}
	slices.Sort(sums)
	w.uint(uint64(len(sums)))
	for _, s := range sums {
		w.out = binary.LittleEndian.AppendUint64(w.out, s)
	}
}

// idSum is the FNV-1a hash of an id.
func idSum(id string) uint64 {
	sum := uint64(14695981039346656037)
	for i := range len(id) {
		sum = (sum ^ uint64(id[i])) * 1099511628211
	}
	return sum
}

func (w *formWriter) rule(r *Rule) {
	for _, s := range []string{r.ID, r.Label, r.Scope.Plugin, r.Scope.Profile, r.Scope.Integration, r.Reason} {
		w.text(s)
	}
	w.int(int64(r.Priority))
	w.int(int64(r.Origin.Line))
	d := &r.Decision
	w.uint(uint64(d.Verb))
	for _, s := range []string{d.Approver, d.Profile, d.Model, d.Prompt} {
		w.text(s)
	}
	w.uint(uint64(d.Quorum))
	w.int(int64(d.Timeout))
	w.uint(uint64(d.OnTimeout))
	w.int(int64(d.CacheTTL))
	w.flag(d.FailOpen)
	w.node(&r.Source)
}

func (w *formWriter) node(n *document.Node) {
	w.uint(uint64(n.Kind))
	w.text(n.Text)
	w.uint(uint64(n.Line))
	w.uint(uint64(n.Column))
	w.uint(uint64(len(n.Keys)))
	for i := range n.Keys {
		w.node(&n.Keys[i])
	}
	w.uint(uint64(len(n.Items)))
	for i := range n.Items {
		w.node(&n.Items[i])
	}
}

func (w *formWriter) index(x *index) {
	w.list(x.free)
	for _, names := range x.scopes {
		w.table(names)
	}
	var fields []*fieldIndex
	for _, facet := range slices.Sorted(maps.Keys(x.facets)) {
		fields = append(fields, x.facets[facet]...)
	}
	slices.SortFunc(fields, func(a, b *fieldIndex) int { return strings.Compare(a.path.String(), b.path.String()) })
	paths, bodies := make([][]byte, len(fields)), make([][]byte, len(fields))
	keys := 0
	for i, f := range fields {
		var body formWriter
		body.field(f)
		paths[i], bodies[i] = []byte(f.path.String()), body.out
		keys = max(keys, f.begins.size(), f.inside.size())
	}
	w.uint(uint64(keys))
	w.blobs(paths)
	w.blobs(bodies)
}

// size is how many keys a trie has.
func (t *trie) size() int {
	if t == nil {
		return 0
	}
	return len(t.rules)
}

// table writes lists by their names, in the order of these.
func (w *formWriter) table(lists map[string][]int32) {
	names := slices.Sorted(maps.Keys(lists))
	texts, rules := make([][]byte, len(names)), make([][]int32, len(names))
	for i, name := range names {
		texts[i], rules[i] = []byte(name), lists[name]
	}
	w.blobs(texts)
	w.lists(rules)
}

func (w *formWriter) field(f *fieldIndex) {
	for _, l := range [][]int32{f.all, f.present, f.composite, f.isTrue, f.isFalse, f.isNull, f.isText} {
		w.list(l)
	}
	w.table(f.texts)
	w.uint(uint64(len(f.numbers)))
	for n, rules := range f.numbers {
		w.uint(math.Float64bits(n.near))
		w.text(n.digits)
		w.int(int64(n.exp))
		w.flag(n.negative)
		w.list(rules)
	}
	w.trie(f.begins)
	w.trie(f.inside)
}

func (w *formWriter) trie(t *trie) {
	if w.flag(t != nil); t == nil {
		return
	}
	w.text(string(t.label))
	for _, l := range [][]int32{t.first, t.fail, t.key, t.next, t.root[:]} {
		w.list(l)
	}
	w.lists(t.rules)
}
