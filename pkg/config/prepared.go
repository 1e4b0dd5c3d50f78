package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A Prepared is a policy file whose rules were read before: the rest of its
// text, and the form of its rules, which are not read again.
type Prepared struct {
	// Digest is the SHA-256 of the file in hexadecimal.
	Digest string

	rest  []byte // the text without its rules, in which all lines keep their numbers
	rules []byte // see [pattern.OpenForm]

	mu   sync.Mutex
	form *pattern.Form // of rules, that was opened last
	of   policy.Origin
}

// open returns the rules as those of a file.
func (p *Prepared) open(of policy.Origin) (*pattern.Form, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.form != nil && p.of == of {
		return p.form, nil
	}
	form, err := pattern.OpenForm(p.rules, of)
	if err == nil {
		p.form, p.of = form, of
	}
	return form, err
}

// preparedMagic begins what [Prepare] returns. Raise the number when it is read
// or means otherwise than before.
const preparedMagic = "policyctl prepared 1\n"

// errInFull says that files cannot be loaded as they were prepared, and can
// perhaps as they are: two may have a rule of the same id, or the rules of one
// are locked.
var errInFull = errors.New("the policy must be read in full")

var (
	errUnprepared  = errors.New("the file is not one whose rules can be read apart")
	errPreparation = errors.New("the prepared policy is damaged, or of another version")
)

// Prepare reads a policy file that counts in full, and returns what
// [OpenPrepared] opens. The error says that the file is wrong, has no rules, or
// is not written so that these stand apart, as in JSON.
func Prepare(f File) ([]byte, error) {
	f.Admit = Everything
	s, d := newDraft(policy.Defaults()), newDecoder(f)
	d.file(f.Data, s)
	if errs, _ := d.problems.split(); len(errs) > 0 {
		return nil, errs
	}
	rest := restOf(d, f.Data)
	if rest == nil || len(s.rules) == 0 {
		return nil, errUnprepared
	}
	rules, err := pattern.Pack(s.rules)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(f.Data)
	out := append([]byte(preparedMagic), sum[:]...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(rest)))
	return append(append(out, rest...), rules...), nil
}

// OpenPrepared opens what [Prepare] returned, and keeps it. The error says that
// it cannot be used.
func OpenPrepared(kept []byte) (*Prepared, error) {
	rest, ok := bytes.CutPrefix(kept, []byte(preparedMagic))
	const size = 8
	if !ok || len(rest) < sha256.Size+size {
		return nil, errPreparation
	}
	p := &Prepared{Digest: hex.EncodeToString(rest[:sha256.Size])}
	n := binary.LittleEndian.Uint64(rest[sha256.Size:])
	rest = rest[sha256.Size+size:]
	if n > uint64(len(rest)) {
		return nil, errPreparation
	}
	p.rest, p.rules = rest[:n], rest[n:]
	return p, nil
}

// restOf returns a file without its rules; nil where they do not stand apart.
func restOf(d *decoder, data []byte) []byte {
	if d.format != inYAML {
		return nil
	}
	root := d.tree(bytes.TrimPrefix(data, []byte("\ufeff")))
	if root == nil || root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return nil
	}
	keys := topKeys(root)
	at := slices.IndexFunc(keys, func(k *yaml.Node) bool { return k.Value == "rules" })
	if at < 0 || keys[at].Column != 1 {
		return nil
	}
	from := lineStart(data, keys[at].Line)
	out := slices.Clone(data[:from])
	if at+1 < len(keys) {
		if keys[at+1].Column != 1 {
			return nil
		}
		to := lineStart(data, keys[at+1].Line)
		out = append(out, bytes.Repeat([]byte("\n"), bytes.Count(data[from:to], []byte("\n")))...)
		out = append(out, data[to:]...)
	}
	again := d.tree(bytes.TrimPrefix(out, []byte("\ufeff")))
	same := func(a, b *yaml.Node) bool { return a.Value == b.Value && a.Line == b.Line && a.Column == b.Column }
	if again == nil || !slices.EqualFunc(topKeys(again), slices.Delete(slices.Clone(keys), at, at+1), same) {
		return nil
	}
	return out
}

func topKeys(root *yaml.Node) (keys []*yaml.Node) {
	for i := 0; i < len(root.Content); i += 2 {
		keys = append(keys, root.Content[i])
	}
	return keys
}

// lineStart returns where a line begins, which counts from 1.
func lineStart(data []byte, line int) int {
	at := 0
	for range line - 1 {
		at += bytes.IndexByte(data[at:], '\n') + 1
	}
	return at
}

// A layerForm is the form of the rules of one file.
type layerForm struct {
	layer, bundle string
	form          *pattern.Form
	// at is how many rules stood before it.
	at int
}

// prepared adds the rules of a file in their form.
func (s *draft) prepared(f *File) error {
	form, err := f.Prepared.open(originOf(f))
	if err != nil || f.Admit != Everything {
		return errInFull
	}
	s.forms = append(s.forms, layerForm{f.Layer, f.Bundle, form, len(s.rules)})
	return nil
}

// checkForms returns errInFull where the rules must be read in full.
func (s *draft) checkForms() error {
	for i, f := range s.forms {
		if f.layer != Managed && s.locks("rules") {
			return errInFull
		}
		for _, r := range s.rules {
			if r.Origin.Layer == f.layer && f.form.MayHave(r.ID) {
				return errInFull
			}
		}
		for _, other := range s.forms[:i] {
			if other.layer == f.layer && other.form.Meets(f.form) {
				return errInFull
			}
		}
	}
	return nil
}
