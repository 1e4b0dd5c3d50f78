package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// dataOf merges data files, each below the keys that its directories name.
func dataOf(files []sourceFile) (map[string]any, error) {
	all := make(map[string]any)
	for _, f := range files {
		value, err := readData(f.data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		if dir := path.Dir(f.name); dir != "." {
			for _, key := range slices.Backward(strings.Split(dir, "/")) {
				value = map[string]any{key: value}
			}
		}
		if _, ours := value[own]; ours {
			return nil, fmt.Errorf("%s: the key %s is where a bundle keeps its policies: move this data below another key", f.path, own)
		}
		if err := mergeData(all, value, "data"); err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return all, nil
}

func mergeData(into, from map[string]any, at string) error {
	for _, key := range slices.Sorted(maps.Keys(from)) {
		place := at + "." + key
		before, there := into[key]
		if !there {
			into[key] = from[key]
			continue
		}
		a, isObject := before.(map[string]any)
		b, areObjects := from[key].(map[string]any)
		if !isObject || !areObjects {
			return fmt.Errorf("%s stands in another data.json too: keep one", place)
		}
		if err := mergeData(a, b, place); err != nil {
			return err
		}
	}
	return nil
}

// readData reads an object that every reader understands in the same way.
func readData(data []byte) (map[string]any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("it is not UTF-8: save it as UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("line %d: it is not JSON: %w", dataLine(data, syntax.Offset), err)
		}
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	value, err := dataValue(d)
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", dataLine(data, d.InputOffset()), err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New(`it is no object: write {"KEY": …}`)
	}
	return object, nil
}

func dataLine(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}

// dataValue reads the next value of a document that is sound. Unlike
// [json.Unmarshal] it refuses a key that is there twice.
func dataValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	switch token {
	case json.Delim('{'):
		return dataObject(d)
	case json.Delim('['):
		list := []any{}
		for d.More() {
			value, err := dataValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = d.Token()
		return list, err
	}
	return token, err
}

func dataObject(d *json.Decoder) (any, error) {
	object := make(map[string]any)
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		if _, twice := object[key]; twice {
			return nil, fmt.Errorf("the key %q is there twice: keep one", key)
		}
		if object[key], err = dataValue(d); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return object, err
}
