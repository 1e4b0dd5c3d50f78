package spool

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// maxContent is how much of the content of a file stands in an event.
const maxContent = 4 << 10

// cutMark stands where the rest of a text was.
const cutMark = "… [cut]"

// isContent reports whether an argument with this key holds the content of a
// file.
func isContent(key string) bool {
	switch key {
	case "content", "contents", "new_string", "old_string", "new_str", "old_str", "new_text", "old_text", "file_text", "insert_text",
		"patch", "diff", "new_source", "data", "body", "replacement", "text", "newString", "oldString", "newText", "oldText":
		return true
	}
	return false
}

// precut shortens content to twice of what will stand in the event, so that
// masking need not read what nobody will see, and that what is cut later is
// no half of a secret.
func precut(input any) any {
	c := cutter{limit: 2 * maxContent, is: isContent}
	return c.value(input, "", "")
}

// cut returns a copy in which texts longer than [maxContent] under the keys
// that are told are cut, and appends their JSON pointers to erased.
func cut(v any, at string, is func(key string) bool, erased *[]string) any {
	c := cutter{limit: maxContent, is: is, mark: cutMark}
	out := c.value(v, at, "")
	*erased = append(*erased, c.erased...)
	return out
}

// A cutter cuts long texts.
type cutter struct {
	limit  int
	is     func(key string) bool
	mark   string
	erased []string
}

// value returns the copy of a value with its pointer and the key above it.
func (c *cutter) value(v any, at, key string) any {
	switch v := v.(type) {
	case string:
		if len(v) <= c.limit || !c.is(key) || strings.HasSuffix(v, cutMark) && len(v) <= c.limit+len(cutMark) {
			return v
		}
		c.erased = append(c.erased, at)
		return head(v, c.limit) + c.mark
	case map[string]any:
		if v == nil {
			return v
		}
		m := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			m[k] = c.value(v[k], strictjson.Pointer(at, k), k)
		}
		return m
	case []any:
		if v == nil {
			return v
		}
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = c.value(e, at+"/"+strconv.Itoa(i), key)
		}
		return list
	case map[string]string:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = e
		}
		return c.value(m, at, key)
	case []string:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = c.value(e, at+"/"+strconv.Itoa(i), key)
		}
		return list
	}
	return v
}

// head returns the first bytes of a text, without a part of a rune at the end.
func head(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
