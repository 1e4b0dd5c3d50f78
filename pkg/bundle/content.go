package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// The keys below data.policyctl that hold files.
const (
	policiesKey = "policies"
	testsKey    = "tests"
)

// takeFiles moves the policies and tests out of the data.
func (b *Bundle) takeFiles() (err error) {
	value, there := b.Data[own]
	if !there {
		return nil
	}
	ours, ok := value.(map[string]any)
	if !ok {
		return malformed("data."+own, "it is not an object; give it policies and tests")
	}
	if b.Policies, err = takeFile(ours, policiesKey); err != nil {
		return err
	}
	if b.Tests, err = takeFile(ours, testsKey); err != nil {
		return err
	}
	if len(ours) == 0 {
		delete(b.Data, own)
	}
	return nil
}

func takeFile(ours map[string]any, key string) ([]File, error) {
	value, there := ours[key]
	if !there {
		return nil, nil
	}
	place := "data." + own + "." + key
	texts, ok := value.(map[string]any)
	if !ok {
		return nil, malformed(place, "it is not an object; write {\"rules.yaml\": \"its text\"}")
	}
	var files []File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text, ok := texts[name].(string)
		if !ok {
			return nil, malformed(place, "%s is not a text; give the file as one string", shown(name))
		}
		if problem := badName(name); problem != "" {
			return nil, malformed(place, "%s: %s", shown(name), problem)
		}
		files = append(files, File{name, text})
	}
	delete(ours, key)
	return files, nil
}

// entries returns the files of the archive of the bundle.
func (b *Bundle) entries() ([]entry, error) {
	manifest, err := b.manifest()
	if err != nil {
		return nil, malformed(manifestFile, "%w", err)
	}
	all := []entry{{manifestFile, manifest}}
	if len(b.Data) > 0 {
		data, err := marshal(b.Data)
		if err != nil {
			return nil, malformed(dataFile, "%w; data is made of JSON values", err)
		}
		all = append(all, entry{dataFile, data})
	}
	for _, f := range b.Modules {
		all = append(all, entry{f.Name, []byte(f.Text)})
	}
	for _, part := range []struct {
		key   string
		files []File
	}{{policiesKey, b.Policies}, {testsKey, b.Tests}} {
		if len(part.files) == 0 {
			continue
		}
		if ours, ok := b.Data[own].(map[string]any); ok && ours[part.key] != nil {
			return nil, malformed(dataFile, "%s.%s is in the data and given as files; drop one", own, part.key)
		}
		e, err := textsEntry(part.key, part.files)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// textsEntry returns the data file that holds policies or tests.
func textsEntry(key string, files []File) (entry, error) {
	name := own + "/" + key + "/" + dataFile
	texts := make(map[string]string)
	for _, f := range files {
		if _, twice := texts[f.Name]; twice {
			return entry{}, malformed(name, "%s is given twice; keep one", shown(f.Name))
		}
		if !utf8.ValidString(f.Text) { // JSON would change it silently
			return entry{}, malformed(name, "the text of %s is not UTF-8; save it as UTF-8", shown(f.Name))
		}
		texts[f.Name] = f.Text
	}
	data, err := marshal(texts)
	if err != nil {
		return entry{}, fmt.Errorf("%s: %w", name, err)
	}
	return entry{name, data}, nil
}

// marshal returns JSON with sorted keys that leaves < and > readable.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return b.Bytes(), err
}
