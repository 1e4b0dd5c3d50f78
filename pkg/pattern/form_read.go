package pattern

import (
	"encoding/binary"
	"errors"
	"math"
	"sort"
	"time"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/policy"
)

var errForm = errors.New("the form of the rules is damaged")

// A formReader takes values off the front of a form. After the first that is
// not there it is bad, and gives zeros.
type formReader struct {
	in  []byte
	bad bool
}

func (r *formReader) uint() uint64 {
	n, size := binary.Uvarint(r.in)
	if size <= 0 {
		r.in, r.bad = nil, true
		return 0
	}
	r.in = r.in[size:]
	return n
}

func (r *formReader) int() int64 {
	n, size := binary.Varint(r.in)
	if size <= 0 {
		r.in, r.bad = nil, true
		return 0
	}
	r.in = r.in[size:]
	return n
}

// take returns the next bytes, which it does not copy.
func (r *formReader) take(count, width uint64) []byte {
	if count > uint64(len(r.in))/width {
		r.in, r.bad = nil, true
		return nil
	}
	out := r.in[:count*width]
	r.in = r.in[count*width:]
	return out
}

func (r *formReader) text() string { return string(r.take(r.uint(), 1)) }
func (r *formReader) flag() bool   { return r.uint() == 1 }
func (r *formReader) words() words { return words(r.take(r.uint(), 4)) }
func (r *formReader) list() []int32 {
	return r.words().all()
}

// words are numbers of 32 bits in a form.
type words []byte

func (w words) len() int       { return len(w) / 4 }
func (w words) at(i int) int32 { return int32(binary.LittleEndian.Uint32(w[4*i:])) }

// span returns what lies between two entries of a table of ends.
func (w words) span(i int) (from, to int) {
	if i > 0 {
		from = int(w.at(i - 1))
	}
	return from, int(w.at(i))
}

func (w words) all() []int32 {
	if len(w) == 0 {
		return nil
	}
	out := make([]int32, w.len())
	for i := range out {
		out[i] = w.at(i)
	}
	return out
}

// A blobTable gives texts by their numbers.
type blobTable struct {
	ends words
	data []byte
}

func (r *formReader) blobs() blobTable {
	return blobTable{r.words(), r.take(r.uint(), 1)}
}

// at returns a text, nil where the table is damaged.
func (t *blobTable) at(i int) []byte {
	from, to := t.ends.span(i)
	if from < 0 || from > to || to > len(t.data) {
		return nil
	}
	return t.data[from:to]
}

// A textTable finds the rules of a text without reading those of the others.
type textTable struct {
	texts      blobTable
	ends, flat words
}

func (r *formReader) table() *textTable {
	t := &textTable{texts: r.blobs(), ends: r.words(), flat: r.words()}
	r.bad = r.bad || t.ends.len() != t.texts.ends.len()
	return t
}

func (t *textTable) find(text string) []int32 {
	n := t.texts.ends.len()
	i := sort.Search(n, func(i int) bool { return string(t.texts.at(i)) >= text })
	if i == n || string(t.texts.at(i)) != text {
		return nil
	}
	from, to := t.ends.span(i)
	if from < 0 || from > to || to > t.flat.len() {
		return nil
	}
	return t.flat[4*from : 4*to].all()
}

func (r *formReader) rule() *Rule {
	out := &Rule{}
	for _, s := range []*string{&out.ID, &out.Label, &out.Scope.Plugin, &out.Scope.Profile, &out.Scope.Integration, &out.Reason} {
		*s = r.text()
	}
	out.Priority = int(r.int())
	out.Origin.Line = int(r.int())
	d := &out.Decision
	d.Verb = Verb(r.uint())
	for _, s := range []*string{&d.Approver, &d.Profile, &d.Model, &d.Prompt} {
		*s = r.text()
	}
	d.Quorum = int(r.uint())
	d.Timeout = time.Duration(r.int())
	d.OnTimeout = policy.Decision(r.uint())
	d.CacheTTL = time.Duration(r.int())
	d.FailOpen = r.flag()
	out.Source = r.node(0)
	return out
}

// maxFormDepth is deeper than any condition that is loaded.
const maxFormDepth = 64

func (r *formReader) node(depth int) document.Node {
	if depth > maxFormDepth {
		r.bad = true
		return document.Node{}
	}
	n := document.Node{Kind: document.Kind(r.uint()), Text: r.text(), Line: int(r.uint()), Column: int(r.uint())}
	for _, list := range []*[]document.Node{&n.Keys, &n.Items} {
		count := r.uint()
		if count > uint64(len(r.in)) {
			r.bad = true
			return n
		}
		for range count {
			*list = append(*list, r.node(depth+1))
		}
	}
	return n
}

// field reads the index of one field into f.
func (r *formReader) field(f *fieldIndex) {
	for _, l := range []*[]int32{&f.all, &f.present, &f.composite, &f.isTrue, &f.isFalse, &f.isNull, &f.isText} {
		*l = r.list()
	}
	f.table = r.table()
	count := r.uint()
	if count > 0 && count <= uint64(len(r.in)) {
		f.numbers = make(map[number][]int32, count)
		for range count {
			n := number{near: math.Float64frombits(r.uint()), digits: r.text(), exp: int(r.int()), negative: r.flag()}
			f.numbers[n] = r.list()
		}
	}
	f.begins, f.inside = r.trie(), r.trie()
}

func (r *formReader) trie() *trie {
	if !r.flag() {
		return nil
	}
	t := &trie{label: r.take(r.uint(), 1)}
	t.first, t.fail, t.key, t.next = r.list(), r.list(), r.list(), r.list()
	copy(t.root[:], r.list())
	ends, flat := r.words(), r.list()
	t.rules = make([][]int32, ends.len())
	for i := range t.rules {
		from, to := ends.span(i)
		if from < 0 || from > to || to > len(flat) {
			r.bad = true
			return nil
		}
		t.rules[i] = flat[from:to]
	}
	return t
}
