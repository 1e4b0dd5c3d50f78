package strictjson

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/policyctl/policyctl/internal/support/place"
)

// A reader reads one text.
type reader struct {
	Options
	data    []byte
	decoder *jsontext.Decoder
	values  int
	places  place.Finder
}

func newReader(data []byte, o Options) (*reader, error) {
	if o.Depth == 0 {
		o.Depth = levels
	}
	r := &reader{Options: o, data: data, places: place.In(data)}
	if !utf8.Valid(data) {
		return nil, r.fail(Encoding, invalidAt(data), "the JSON is not valid UTF-8")
	}
	r.decoder = jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true)) // they are found here, with their case
	return r, nil
}

func invalidAt(data []byte) int {
	for at := 0; ; {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// next returns the offset of the next token: what stands between are blanks,
// commas and colons.
func (r *reader) next() int {
	at := int(r.decoder.InputOffset())
	for at < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[at]) >= 0 {
		at++
	}
	return at
}

// token reads the next key, or the beginning of the next value.
func (r *reader) token() (jsontext.Token, error) {
	if r.values++; r.values > r.Values && r.Values > 0 {
		return jsontext.Token{}, r.fail(Values, r.next(), "the JSON holds more than %d keys and values", r.Values)
	}
	t, err := r.decoder.ReadToken()
	switch {
	case err != nil:
		return t, r.broken(err)
	case r.decoder.StackDepth() > r.Depth:
		return t, r.fail(Depth, int(r.decoder.InputOffset())-1, "the JSON nests deeper than %d levels", r.Depth)
	}
	return t, nil
}

// items reads the items of a list, each by a function, and its end.
func (r *reader) items(item func() error) error {
	for r.decoder.PeekKind() != ']' {
		if err := item(); err != nil {
			return err
		}
	}
	return r.end()
}

// members reads the members of an object, the value of each by a function, and
// its end.
func (r *reader) members(value func(name string, at int) error) error {
	seen := make(map[string]string)
	for r.decoder.PeekKind() != '}' {
		at := r.next()
		t, err := r.token()
		if err != nil {
			return err
		}
		name := t.String()
		key := name
		if r.Folded {
			key = Fold(name)
		}
		switch old, twice := seen[key]; {
		case twice && old == name:
			return r.fail(Duplicate, at, "the key %q appears twice: keep one", name)
		case twice:
			return r.fail(Duplicate, at, "the keys %q and %q differ only in case", old, name)
		}
		seen[key] = name
		if err := value(name, at); err != nil {
			return err
		}
	}
	return r.end()
}

// end reads the closing bracket.
func (r *reader) end() error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.broken(err)
	}
	return nil
}

// Fold folds the case of a key as lenient JSON decoders do, which also take
// U+017F for s and U+212A for k.
func Fold(key string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case 'ſ':
			return 's'
		case '\u212a':
			return 'k'
		}
		return r
	}, strings.ToLower(key))
}
