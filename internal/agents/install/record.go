package install

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The table of the configuration in which Codex keeps what it trusts.
const (
	hooksKey = "hooks"
	stateKey = "state"
	hashKey  = "trusted_hash"
)

// A record is what Codex has noted about one hook.
type record struct {
	hash    string
	enabled bool
	header  *statement
	values  []statement
}

// findRecord returns the record under a key, or nil. It is an error if the
// record may stand in a form that cannot be edited line by line.
func findRecord(text, key string) (*record, error) {
	all, err := statements(text)
	if err != nil {
		return nil, err
	}
	path := []string{hooksKey, stateKey, key}
	var found *record
	for i := range all {
		st := &all[i]
		within := len(st.path) >= len(path) && slices.Equal(st.path[:len(path)], path)
		above := len(st.path) < len(path) && slices.Equal(st.path, path[:len(st.path)])
		switch {
		case st.header && !st.array && len(st.path) == len(path) && within:
			found = &record{enabled: true, header: st}
		case found != nil && within && !st.header && len(st.path) == len(path)+1:
			found.set(*st)
		case within, above && (st.array || !st.header):
			return nil, errorAt(text, st.from, "the trust of hooks is written in a form that cannot be edited here: "+
				"write it as the table [hooks.state.\"…\"], or trust the hook in Codex with /hooks")
		}
	}
	return found, nil
}

func (r *record) set(st statement) {
	switch st.path[len(st.path)-1] {
	case hashKey:
		r.hash = st.text
	case "enabled":
		r.enabled = st.value != "false"
	}
	r.values = append(r.values, st)
}

// trustIn returns the configuration with a hash recorded under a key.
func trustIn(text, key, hash string) (string, error) {
	r, err := findRecord(text, key)
	if err != nil {
		return "", err
	}
	newline := "\n"
	if strings.Contains(text, "\r\n") {
		newline = "\r\n"
	}
	line := hashKey + " = " + quoteTOML(hash)
	if r == nil {
		if text != "" {
			text = strings.TrimSuffix(text, newline) + newline + newline
		}
		return text + fmt.Sprintf("[%s.%s.%s]", hooksKey, stateKey, quoteTOML(key)) + newline + line + newline, nil
	}
	if r.hash == hash {
		return text, nil
	}
	for _, st := range r.values {
		if st.path[len(st.path)-1] == hashKey {
			return text[:st.from] + line + text[st.to:], nil
		}
	}
	return text[:r.header.to] + newline + line + text[r.header.to:], nil
}

// untrustIn returns the configuration without the record under a key, if it
// has that hash.
func untrustIn(text, key, hash string) (string, error) {
	r, err := findRecord(text, key)
	if err != nil || r == nil || r.hash != hash {
		return text, err
	}
	if len(r.values) == 1 {
		return cutLines(text, span{r.header.from, r.values[0].to}), nil
	}
	for _, st := range r.values {
		if st.path[len(st.path)-1] == hashKey {
			return cutLines(text, st.span), nil
		}
	}
	return text, nil
}

// cutLines returns the text without the lines of a span, and without an empty
// line before them, or after them at the beginning.
func cutLines(text string, s span) string {
	from := strings.LastIndexByte(text[:s.from], '\n') + 1
	to := len(text)
	if i := strings.IndexByte(text[s.to:], '\n'); i >= 0 {
		to = s.to + i + 1
	}
	before := text[:from]
	if before == "" {
		return strings.TrimPrefix(strings.TrimPrefix(text[to:], "\r"), "\n")
	}
	for _, empty := range []string{"\r\n\r\n", "\n\n"} {
		if strings.HasSuffix(before, empty) {
			before = before[:len(before)-len(empty)/2]
			break
		}
	}
	return before + text[to:]
}

// quoteTOML returns a basic string. What it holds can be seen.
func quoteTOML(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// trustHash returns the hash by which Codex knows a hook: that of its event,
// its matcher and itself as compact JSON with sorted keys.
func trustHash(h handler) string {
	hook := map[string]any{"async": false, "command": h.fields["command"], "timeout": 600, "type": "command"}
	for _, key := range []string{"async", "timeout", "statusMessage"} {
		if v, ok := h.fields[key]; ok {
			hook[key] = v
		}
	}
	identity := map[string]any{"event_name": snake(h.event), "hooks": []any{hook}}
	if h.matcher != "" {
		identity["matcher"] = h.matcher
	}
	return "sha256:" + sha256Hex(compact(identity))
}

// recordKey returns the key under which Codex records a hook of a file.
func recordKey(path string, h handler) string {
	return strings.Join([]string{path, snake(h.event), strconv.Itoa(h.group), strconv.Itoa(h.index)}, ":")
}

// snake returns the name of an event as Codex records it.
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if r >= 'A' && r <= 'Z' && i > 0 {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}
