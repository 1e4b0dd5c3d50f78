package layers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A part is what counts as a whole or not at all: a file, an assignment, or a
// bundle.
type part struct {
	name    string
	files   []config.File
	sources []policy.Source
	// rank is the place among all parts, lowest layer first. lesser parts yield
	// to the others, whatever layer these are of.
	rank   int
	lesser bool
	// content identifies what the part says, and what it may change.
	content string
	// bundle is the place in [Policy.Bundles] from 1; 0 for what is no bundle.
	bundle int
	// err says what is wrong; out, that nothing of the part counts for that.
	err error
	out bool
}

// lesser reports whether a file is one that a repository or what starts an agent
// may have written.
func lesser(layer string, admit config.Admission) bool {
	return layer == config.Project || layer == config.Environment || admit == config.Tightening
}

// parts returns the files and assignments, lowest layer first.
func (p *Policy) parts() []*part {
	var out []*part
	for _, s := range p.Sources {
		at := &part{name: s.Path, lesser: lesser(s.Layer, s.Admit)}
		f := config.File{Layer: s.Layer, Name: s.Path, Data: s.data, Admit: s.Admit}
		if p.place.Forms != nil && s.Err == nil {
			p.place.Forms.Prepare(&f, s.Path, s.Digest)
		}
		at.files = []config.File{f}
		at.content = fmt.Sprint(s.Layer, s.Admit, s.Digest)
		if s.Err != nil {
			at.lack(fmt.Errorf("%s: %w: correct or remove it", s.Path, s.Err))
		}
		out = append(out, at)
	}
	for _, f := range p.more {
		out = append(out, &part{name: f.Name, files: []config.File{f}, lesser: lesser(f.Layer, f.Admit), content: string(f.Data)})
	}
	return out
}

// subscribed returns the bundles to which the files subscribe as parts.
func (p *Policy) subscribed(to []config.BundleSource, union Union) []*part {
	p.Bundles = nil
	switch {
	case len(to) == 0 && p.place.Bundler != nil:
		p.place.Bundler.Bundles(nil, nil) // earlier subscriptions end
		return nil
	case len(to) == 0:
		return nil
	case p.place.Bundler == nil:
		none := &part{}
		none.lack(errNoBundler)
		return []*part{none}
	}
	var out []*part
	p.Bundles = p.place.Bundler.Bundles(to, union)
	for i, b := range p.Bundles {
		at := &part{name: "bundle " + b.Name, files: slices.Clone(b.Files), sources: b.Sources, bundle: i + 1, content: b.Revision + " " + b.Digest}
		if b.Err != nil {
			at.err = &Unloaded{b.Name, b.Origin, b.Err}
			at.out = len(b.Files)+len(b.Sources) == 0
			at.tighten() // what it denied before stays denied
		}
		out = append(out, at)
	}
	return out
}

// lack notes why nothing of a part counts.
func (t *part) lack(err error) { t.err, t.out = err, true }

// fail notes that a part does not go with those to which it yields. What only
// the engine notices names no file.
func (t *part) fail(err error) {
	if _, ok := err.(config.Problems); !ok && t.lesser {
		err = &unfit{err}
	} else if !ok && !strings.Contains(err.Error(), t.name) {
		err = fmt.Errorf("%s: %w", t.name, err)
	}
	t.lack(errors.Join(t.err, err))
}

// yields reports whether a part is left out where it does not go with another.
func (t *part) yields(to *part) bool {
	if t.lesser != to.lesser {
		return t.lesser
	}
	return t.rank > to.rank
}

// ranked numbers parts in their order.
func ranked(parts []*part) []*part {
	for i, t := range parts {
		t.rank = i
	}
	return parts
}

// standing returns the content of each part that counts in full, by name, and
// "" for each that is wrong.
func standing(parts []*part) map[string]string {
	out := make(map[string]string, len(parts))
	for _, t := range parts {
		if out[t.name] = t.content; t.err != nil {
			out[t.name] = ""
		}
	}
	return out
}

// tighten makes a part count only where it tightens, and reports whether it
// counted for more.
func (t *part) tighten() (did bool) {
	for i := range t.files {
		if admit := &t.files[i].Admit; *admit != config.Tightening && *admit != config.Lowered {
			*admit, did = config.Lowered, true
		}
	}
	return did
}

// layer is where the part ranks.
func (t *part) layer() string {
	if len(t.files) == 0 {
		return config.Bundle
	}
	return t.files[0].Layer
}

// counting returns the parts of which something counts.
func counting(parts []*part) []*part {
	return slices.DeleteFunc(slices.Clone(parts), func(t *part) bool { return t.out })
}

// tightened makes what is below the highest part that is wrong count only
// where it tightens, and reports whether that changes anything.
func tightened(parts []*part) (did bool) {
	first := slices.IndexFunc(parts, func(t *part) bool { return t.err != nil })
	if first < 0 {
		return false
	}
	for _, t := range parts[first+1:] {
		if !t.out && t.tighten() {
			did = true
		}
	}
	return did
}

// wrongs joins what is wrong with parts, each once.
func wrongs(parts []*part) error {
	var all error
	for _, t := range parts {
		switch {
		case t.err == nil:
		case all == nil:
			all = errors.Join(t.err)
		default:
			all = also(all, t.err)
		}
	}
	return all
}
