package redact

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// maxDepth bounds how deep a value may nest; what lies deeper is replaced as
// a whole.
const maxDepth = 256

// Value returns a copy of a JSON-like value without its secrets, and where
// they were. It knows map[string]any, []any, map[string]string, []string,
// strings, numbers, bool and nil; a value of another type becomes its JSON. A
// string is read as [Text] reads it; the key, the option before it in a list,
// or a name beside it ({"name": "DB_PASSWORD", "value": …}) may say that it is
// a secret as a whole. The findings are in the order of sorted keys.
func Value(v any) (any, []Finding) {
	var w walk
	out := w.value(v, "", "", 0)
	return out, w.found
}

// A walk gathers the findings of a value.
type walk struct {
	found []Finding
}

// value returns the copy of a value at a path. name is the key that says what
// it is.
func (w *walk) value(v any, path, name string, depth int) any {
	if depth > maxDepth {
		return w.whole("secret", path)
	}
	switch v := v.(type) {
	case string:
		return w.text(v, path, name)
	case json.Number:
		return w.number(v, path, name)
	case float64:
		return w.float(v, path, name)
	case map[string]any:
		return w.object(v, path, name, depth)
	case []any:
		return w.list(v, path, name, depth)
	case map[string]string:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = e
		}
		return stringMap(w.object(m, path, name, depth))
	case []string:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = e
		}
		return stringList(w.list(list, path, name, depth))
	case nil, bool, int, int64, uint64:
		return v
	}
	return w.other(v, path, name, depth)
}

// other reads a value of another type as its JSON.
func (w *walk) other(v any, path, name string, depth int) any {
	plain, err := strictjson.Plain(v)
	if err != nil {
		return w.whole("secret", path)
	}
	return w.value(plain, path, name, depth+1)
}

// whole notes that all of a value is a secret.
func (w *walk) whole(kind, path string) string {
	w.found = append(w.found, Finding{Path: path, Kind: kind})
	return markStart + kind + markEnd
}

func (w *walk) text(s, path, name string) string {
	kind := kindOfKey(name)
	if kind != "" && isSecretText(kind, name, s) && !isSentence(kind, s) {
		if own, found := Text(s); len(found) == 1 && own == markStart+found[0].Kind+markEnd {
			kind = found[0].Kind
		}
		return w.whole(kind, path)
	}
	out, found := Text(s)
	for _, f := range found {
		f.Path = path
		w.found = append(w.found, f)
	}
	return out
}

// isSentence reports whether the value of an Authorization or Cookie key holds no
// credentials: these kinds have a form.
func isSentence(kind, s string) bool {
	switch kind {
	case "authorization":
		from, to := credentials(s, literal{to: len(s)})
		return from == to
	case "cookie":
		return !strings.Contains(s, "=")
	}
	return false
}

// number replaces a number that is a password. A secret number of another kind
// is none: most count.
func (w *walk) number(n json.Number, path, name string) any {
	if kindOfKey(name) != "password" || !isSecretText("password", name, n.String()) {
		return n
	}
	return w.whole("password", path)
}

func (w *walk) float(f float64, path, name string) any {
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if out := w.number(json.Number(text), path, name); out != any(json.Number(text)) {
		return out
	}
	return f
}

// object copies the members. A key that holds a secret is replaced too.
func (w *walk) object(m map[string]any, path, name string, depth int) map[string]any {
	if m == nil {
		return nil
	}
	out := make(map[string]any, len(m))
	named := nameBeside(m)
	sealed := m["kind"] == "Secret" // of Kubernetes
	for _, k := range slices.Sorted(maps.Keys(m)) {
		key, at := w.key(k, path, m, out)
		told := k
		switch {
		case named != "" && (strings.EqualFold(k, "value") || strings.EqualFold(k, "secretString")):
			told = named
		case sealed && (k == "data" || k == "stringData"):
			told = "secrets"
		case kindOfKey(k) == "" && kindOfKey(name) != "" && strings.EqualFold(k, "value"):
			told = name
		case kindOfKey(k) == "" && holdsSecrets(name) && !has(harmlessTails, k):
			told = name
		}
		out[key] = w.value(m[k], at, told, depth+1)
	}
	return out
}

// key returns the key under which a member is copied, and the path to it.
func (w *walk) key(k, path string, m, out map[string]any) (key, at string) {
	key, found := Text(k)
	for n := 2; len(found) > 0 && taken(key, m, out); n++ {
		key, _ = Text(k)
		key += " (" + strconv.Itoa(n) + ")"
	}
	at = strictjson.Pointer(path, key)
	for _, f := range found {
		f.Path = at
		w.found = append(w.found, f)
	}
	return key, at
}

func taken(key string, m, out map[string]any) bool {
	_, a := m[key]
	_, b := out[key]
	return a || b
}

// kindOfKey returns the kind of secret that a key announces. A key of other
// bytes than a name or a title has is no name.
func kindOfKey(key string) string {
	for i := range len(key) {
		if !nameBytes[key[i]] && key[i] != ' ' && key[i] < 0x80 {
			return ""
		}
	}
	return kindOfName(key)
}

// nameBeside returns the name in an object that holds a name and a value.
func nameBeside(m map[string]any) string {
	for _, k := range []string{"name", "Name", "key", "Key", "NAME", "KEY", "header", "variable", "ParameterKey"} {
		if name, ok := m[k].(string); ok && kindOfKey(name) != "" {
			return name
		}
	}
	return ""
}

// holdsSecrets reports whether the members of an object with this name are
// secrets, whatever their keys.
func holdsSecrets(name string) bool {
	switch strings.ToLower(lastWord(name)) {
	case "secrets", "passwords", "apikeys", "cookies", "tokens":
		return true
	}
	return false
}

// list copies the items. An item behind an option that takes a secret is one.
func (w *walk) list(items []any, path, name string, depth int) []any {
	if items == nil {
		return nil
	}
	out := make([]any, len(items))
	args := argumentsOf(items)
	for i, item := range items {
		at := path + "/" + strconv.Itoa(i)
		s, ok := item.(string)
		if from, kind := args.secret(i); ok && kind != "" {
			out[i] = s[:from] + w.whole(kind, at)
			continue
		}
		if ok && i == 1 && len(items) == 2 && isPairName(name) && !isPlaceholder(s) {
			out[i] = w.whole("basic-auth", at)
			continue
		}
		out[i] = w.value(item, at, name, depth+1)
	}
	return out
}

// isPairName reports whether a list of two with this name is a user and a
// password.
func isPairName(name string) bool {
	switch strings.ToLower(name) {
	case "auth", "basic_auth", "basicauth", "http_auth", "proxy_auth":
		return true
	}
	return false
}

func stringMap(m map[string]any) map[string]string {
	if m == nil {
		return nil
	}
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k] = v.(string)
	}
	return out
}

func stringList(list []any) []string {
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.(string)
	}
	return out
}
