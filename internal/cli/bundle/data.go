package bundle

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/strictjson"
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
			return fmt.Errorf("%s is in another data.json too: keep one", place)
		}
		if err := mergeData(a, b, place); err != nil {
			return err
		}
	}
	return nil
}

// readData reads an object that every reader understands in the same way.
func readData(data []byte) (map[string]any, error) {
	value, err := strictjson.Value(data, strictjson.Options{Depth: strictjson.Deepest})
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New(`it is not an object: write {"KEY": …}`)
	}
	return object, nil
}
