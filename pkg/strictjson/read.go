package strictjson

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// levels bounds how deep values nest where the options do not say.
const levels = 64

// Options are the limits of a text.
type Options struct {
	Depth  int  // how deep values nest, 64 levels if it is 0
	Values int  // how many keys and values there are, any number if it is 0
	Folded bool // keys that differ only in case are the same
}

// Value reads a text as encoding/json does with UseNumber: objects are
// map[string]any, lists []any, numbers [json.Number].
func Value(data []byte, o Options) (any, error) {
	return whole(data, o, (*reader).any)
}

// Count returns how many keys and values there are, or what is wrong.
func Count(data []byte, o Options) (n int, err error) {
	return whole(data, o, func(r *reader) (int, error) {
		err := r.pass()
		return r.values, err
	})
}

// pass reads a value and keeps nothing of it.
func (r *reader) pass() error {
	t, err := r.token()
	switch {
	case err != nil:
		return err
	case t.Kind() == '{':
		return r.members(func(string, int) error { return r.pass() })
	case t.Kind() == '[':
		return r.items(r.pass)
	}
	return nil
}

// whole reads one value and sees that nothing follows.
func whole[T any](data []byte, o Options, value func(*reader) (T, error)) (v T, err error) {
	r, err := newReader(data, o)
	if err != nil {
		return v, err
	}
	if v, err = value(r); err != nil {
		return v, err
	}
	if at := r.next(); at < len(data) {
		return v, r.fail(Trailing, at, "something follows the JSON: remove it")
	}
	return v, nil
}

func (r *reader) any() (any, error) {
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case '{':
		m := make(map[string]any)
		err := r.members(func(name string, _ int) (err error) {
			m[name], err = r.any()
			return err
		})
		return m, err
	case '[':
		list := []any{}
		err := r.items(func() error {
			v, err := r.any()
			list = append(list, v)
			return err
		})
		return list, err
	}
	return scalar(t), nil
}

// scalar returns the value of a token.
func scalar(t jsontext.Token) any {
	switch t.Kind() {
	case '"':
		return t.String()
	case '0':
		return json.Number(t.String())
	case 'n':
		return nil
	}
	return t.Bool()
}
