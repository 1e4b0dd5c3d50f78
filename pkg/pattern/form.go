package pattern

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/record"
)

// A Form is a set of rules that is opened and not parsed: of its index only the
// fields are read that a record has, and of its rules only those that the
// record may match. It decides as [NewSet] would by the rules of [Pack], but
// holds no examples. It is safe for concurrent use.
type Form struct {
	origin policy.Origin
	needs  record.Needs
	sums   []byte // of ids, sorted
	bodies blobTable
	index  *index

	mu    sync.Mutex
	rules map[int32]*Rule // that were read
}

// OpenForm opens a form whose rules come from one file; their lines are in the
// form. It keeps data, which must not change. The error says that the form
// cannot be used: it is damaged, or of another version.
func OpenForm(data []byte, origin policy.Origin) (*Form, error) {
	const sum = 4
	if !strings.HasPrefix(string(data[:min(len(data), len(formMagic))]), formMagic) || len(data) < len(formMagic)+sum {
		return nil, fmt.Errorf("%w, or of another version", errForm)
	}
	body, want := data[:len(data)-sum], binary.LittleEndian.Uint32(data[len(data)-sum:])
	if checksum(body) != want {
		return nil, errForm
	}
	r := &formReader{in: body[len(formMagic):]}
	f := &Form{origin: origin, rules: map[int32]*Rule{}}
	f.needs = record.Needs(r.uint())
	f.sums = r.take(r.uint(), 8)
	f.bodies = r.blobs()
	f.index = r.index(f.Len())
	if r.bad || len(r.in) > 0 {
		return nil, errForm
	}
	return f, nil
}

// index reads an index whose fields are read when a record has them.
func (r *formReader) index(size int) *index {
	x := &index{facets: map[string][]*fieldIndex{}, free: r.list()}
	for i := range x.scopes {
		t := r.table()
		for k := range t.texts.ends.len() {
			if x.scopes[i] == nil {
				x.scopes[i] = map[string][]int32{}
			}
			name := string(t.texts.at(k))
			x.scopes[i][name] = t.find(name)
		}
	}
	keys := int(min(r.uint(), uint64(len(r.in))))
	paths, bodies := r.blobs(), r.blobs()
	if paths.ends.len() != bodies.ends.len() {
		r.bad = true
		return x
	}
	for i := range paths.ends.len() {
		path, err := record.ParsePath(string(paths.at(i)))
		r.bad = r.bad || err != nil
		x.facets[path.Facet()] = append(x.facets[path.Facet()], &fieldIndex{path: path, packed: bodies.at(i)})
	}
	x.pool.New = func() any { return &candidates{rules: newBitset(size), keys: newBitset(keys)} }
	return x
}

// Len returns how many rules are enabled.
func (f *Form) Len() int { return f.bodies.ends.len() }

// MayHave reports whether a rule of the form, enabled or not, may have an id.
// It is false only where none has.
func (f *Form) MayHave(id string) bool {
	sum := idSum(id)
	from, to := 0, len(f.sums)/8
	for from < to {
		mid := (from + to) / 2
		if binary.LittleEndian.Uint64(f.sums[8*mid:]) < sum {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from < len(f.sums)/8 && binary.LittleEndian.Uint64(f.sums[8*from:]) == sum
}

// Meets reports whether two forms may have a rule of the same id.
func (f *Form) Meets(other *Form) bool {
	a, b := f.sums, other.sums
	for len(a) > 0 && len(b) > 0 {
		x, y := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
		switch {
		case x == y:
			return true
		case x < y:
			a = a[8:]
		default:
			b = b[8:]
		}
	}
	return false
}

// rule returns a rule by its place in the order in which they are asked. A rule
// that was read before is the same one.
func (f *Form) rule(i int32) (*Rule, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if rule := f.rules[i]; rule != nil {
		return rule, nil
	}
	if int(i) >= f.Len() {
		return nil, errForm
	}
	r := &formReader{in: f.bodies.at(int(i))}
	rule := r.rule()
	when, problems := CompileWhen(rule.Source)
	if r.bad || len(r.in) > 0 || len(problems) > 0 || rule.Decision.Verb > Allow || rule.ID == "" {
		return nil, errForm
	}
	rule.When = when
	line := rule.Origin.Line
	rule.Origin = f.origin
	rule.Origin.Line = line
	f.rules[i] = rule
	return rule, nil
}
