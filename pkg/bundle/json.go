package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// deepest bounds how deep documents nest: far more than people write, far less
// than what recursion in later readers bears.
const deepest = 1000

var errTooMany = errors.New("with it the documents have too many keys and values; publish less, or raise the limit")

// checkJSON accepts a document that every reader understands in the same way,
// and takes its keys and values off what is left. A doubled key must not pass:
// OPA hashes the last value, and merges both into the metadata of a manifest,
// so that an unsigned one would slip in.
func checkJSON(data []byte, left *int) error {
	if !utf8.Valid(data) {
		return errors.New("it is not UTF-8; save it as UTF-8")
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return fmt.Errorf("line %d: not JSON: %w", lineAt(data, syntax.Offset), err)
		}
		return fmt.Errorf("not JSON: %w", err)
	}
	return checkKeys(data, left)
}

// A level is an object or a list that is still open.
type level struct {
	keys map[string]bool // nil for a list
	key  bool            // the next token is a key
}

// checkKeys looks at the keys, the depth and the size of a document that is
// sound.
func checkKeys(data []byte, left *int) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	levels := []level{{}}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("not JSON: %w", err)
		}
		if *left--; *left < 0 {
			return errTooMany
		}
		if levels, err = follow(levels, token); err != nil {
			return fmt.Errorf("line %d: %w", lineAt(data, d.InputOffset()), err)
		}
	}
}

// follow returns the levels that are open behind one more token.
func follow(levels []level, token json.Token) ([]level, error) {
	top := &levels[len(levels)-1]
	if key, ok := token.(string); ok && top.key {
		if top.keys[key] {
			return nil, fmt.Errorf("the key %s is there twice; keep one", shown(key))
		}
		top.keys[key], top.key = true, false
		return levels, nil
	}
	if token == json.Delim('}') || token == json.Delim(']') {
		return levels[:len(levels)-1], nil
	}
	top.key = top.keys != nil // a value begins, and a key comes behind it
	switch token {
	case json.Delim('{'):
		levels = append(levels, level{keys: make(map[string]bool), key: true})
	case json.Delim('['):
		levels = append(levels, level{})
	}
	if len(levels) > deepest+1 {
		return nil, fmt.Errorf("it nests deeper than %d; flatten it", deepest)
	}
	return levels, nil
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}
