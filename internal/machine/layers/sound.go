package layers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// decode makes one policy of all parts with which nothing is wrong. What is
// below a part that is wrong counts only where it tightens.
func (p *Policy) decode() {
	parts := ranked(p.parts())
	loaded := p.sift(parts)
	to, protect := slices.Concat(loaded.Bundles, p.place.Bundles), loaded.Settings.Protect
	if of := p.subscribed(to, p.union(parts)); len(of) > 0 {
		at := slices.IndexFunc(parts, func(t *part) bool { return t.layer() != config.Managed })
		if at < 0 {
			at = len(parts)
		}
		parts = ranked(slices.Insert(parts, at, of...))
		loaded = p.sift(parts)
	}
	for tightened(parts) {
		loaded = p.sift(parts)
		loaded.Bundles = to[:len(to)-len(p.place.Bundles)] // a bundle that counts stays subscribed to
		for i := range loaded.Assignments {
			if a := &loaded.Assignments[i]; a.Path == "bundles" && a.Held == config.HeldWhileWrong {
				a.Held = ""
			}
		}
		loaded.Settings.Protect = append(slices.Clip(loaded.Settings.Protect), protect...)
	}
	p.Err = wrongs(parts)
	p.FilesErr = wrongs(slices.DeleteFunc(slices.Clone(parts), func(t *part) bool { return t.bundle > 0 }))
	p.standing = standing(parts)
	p.leaveOut(parts)
	if slices.ContainsFunc(parts, (*part).losesPasskeys) {
		loaded.Settings.Approval.PasskeyAbove = policy.AllRequests
	}
	p.apply(loaded)
}

// losesPasskeys reports whether a part is wrong that may have said which approvals need
// a passkey. All of them do then, until it is corrected.
func (t *part) losesPasskeys() bool {
	return t.err != nil && slices.ContainsFunc(t.files, func(f config.File) bool { return bytes.Contains(f.Data, []byte("passkey_above")) })
}

// sift finds the parts that are wrong, by themselves or beside parts that go
// before them, and makes one policy of the others.
func (p *Policy) sift(parts []*part) config.Loaded {
	left := counting(parts)
	loaded, err := p.try(left)
	if err == nil {
		return loaded
	}
	warnings := loaded.Warnings
	good, wrong := named(left, err)
	if loaded, err = p.try(good); err != nil || len(wrong) == 0 || !p.blame(good, wrong) {
		loaded = p.oneByOne(left)
	}
	loaded.Warnings = warnings
	return loaded
}

// try makes one policy of parts, and an engine where the trouble may be there.
func (p *Policy) try(parts []*part) (config.Loaded, error) { return try(p.evaluate(), p.deep, parts) }

// try makes one policy of parts and, where that is asked for, an engine.
func try(evaluate evaluation, deep bool, parts []*part) (config.Loaded, error) {
	var files []config.File
	var more []policy.Source
	for _, t := range parts {
		files, more = append(files, t.files...), append(more, t.sources...)
	}
	loaded, err := config.Load(policy.Defaults(), files...)
	if err != nil || !deep {
		return loaded, err
	}
	sources, err := loaded.SourcesBy(evaluate)
	if err == nil {
		_, err = policy.New(loaded.Settings, policy.Options{Sources: append(sources, more...)})
	}
	return loaded, err
}

// named divides parts by whether an error names them.
func named(parts []*part, err error) (others, wrong []*part) {
	var problems config.Problems
	errors.As(err, &problems)
	for _, t := range parts {
		if slices.ContainsFunc(t.files, func(f config.File) bool {
			return slices.ContainsFunc(problems, func(p config.Problem) bool { return p.File == f.Name })
		}) {
			wrong = append(wrong, t)
		} else {
			others = append(others, t)
		}
	}
	return others, wrong
}

// blame notes what is wrong with parts. It is false where one of them is right
// but for parts that yield to it: then these are wrong.
func (p *Policy) blame(good, wrong []*part) bool {
	errs := make([]error, len(wrong))
	for i, t := range wrong {
		above := slices.DeleteFunc(slices.Clone(good), func(other *part) bool { return other.yields(t) })
		if _, errs[i] = p.try(with(above, t)); errs[i] == nil {
			return false
		}
	}
	for i, t := range wrong {
		t.fail(errs[i])
	}
	return true
}

// oneByOne adds part to part, beginning with what the others yield to. What
// does not go with those before it is wrong.
func (p *Policy) oneByOne(parts []*part) config.Loaded {
	var good []*part
	queue := slices.Clone(parts)
	slices.SortStableFunc(queue, func(a, b *part) int {
		switch {
		case a.yields(b):
			return 1
		case b.yields(a):
			return -1
		}
		return 0
	})
	loaded, _ := p.try(nil)
	for _, t := range queue {
		all := with(good, t)
		next, err := p.try(all)
		if err != nil {
			t.fail(err)
			continue
		}
		good, loaded = all, next
	}
	return loaded
}

// with returns parts and one more, lowest layer first.
func with(parts []*part, t *part) []*part {
	all := append(slices.Clone(parts), t)
	slices.SortFunc(all, func(a, b *part) int { return a.rank - b.rank })
	return all
}

// also adds an error to another that does not say all of it yet.
func also(why, err error) error {
	for line := range strings.Lines(err.Error()) {
		if !strings.Contains(why.Error(), strings.TrimSuffix(line, "\n")) {
			return errors.Join(why, err)
		}
	}
	return why
}

// leaveOut takes what does not count out of the bundles.
func (p *Policy) leaveOut(parts []*part) {
	for _, t := range parts {
		if t.bundle == 0 || !t.out {
			continue
		}
		b := &p.Bundles[t.bundle-1]
		b.Err, b.Files, b.Sources = t.err, nil, nil
	}
}

// apply puts a policy that was read in force. Its revision names its bundles
// and, where parts are wrong, why.
func (p *Policy) apply(loaded config.Loaded) {
	h := sha256.New()
	for _, b := range p.Bundles {
		fmt.Fprintf(h, "%q %q %s\n", b.Name, b.Revision, b.Digest)
	}
	if p.Err != nil {
		fmt.Fprintf(h, "without %q\n", p.Err)
	}
	if len(p.Bundles) > 0 || p.Err != nil {
		fmt.Fprint(h, loaded.Revision)
		loaded.Revision = hex.EncodeToString(h.Sum(nil))
	}
	p.Loaded = loaded
	p.add(p.place.extra())
	p.leaveUndecided()
	p.Settings.Protect = append(p.place.Own(), p.place.below(p.Settings.Protect)...)
	p.Settings.Own = p.place.withSelf(p.Settings.Own)
}

// leaveUndecided leaves nothing to agents where a part is wrong, or where the bundles
// of a machine apply and no key says otherwise.
func (p *Policy) leaveUndecided() {
	said := slices.ContainsFunc(p.Assignments, func(a config.Assignment) bool { return a.Path == "approvals.undecided" && a.Held == "" })
	if p.Err != nil || len(p.Bundles) > 0 && !said {
		p.Settings.Undecided, p.Settings.UndecidedModes = policy.UndecidedAsk, nil
	}
}

// Applies reports whether a policy is in force: all of it or, beside an Err, that
// of the parts with which nothing is wrong.
func (p *Policy) Applies() bool { return p.Revision != "" }
