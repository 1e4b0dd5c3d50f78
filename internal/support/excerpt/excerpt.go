// Package excerpt cuts the arguments of a call to what a log keeps of them: of
// each long text the beginning.
//
// It hides no secret. Cut with [Rough] first, hide what is secret, and cut with
// [Content] or [Texts] then, so that what is cut last is no half of a secret.
package excerpt

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/pkg/strictjson"
)

// maxText is how many bytes of a long text are kept.
const maxText = 4 << 10

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

// Rough shortens the contents of files to twice of what [Content] keeps, without
// a mark.
func Rough(v any) any {
	c := cutter{limit: 2 * maxText, is: isContent}
	return c.value(v, "", "")
}

// Content returns a copy in which long contents of files are cut, and appends
// their JSON pointers to cut. at is the pointer to v.
func Content(v any, at string, cut *[]string) any { return shortened(v, at, isContent, cut) }

// Texts does the same with any long text.
func Texts(v any, at string, cut *[]string) any {
	return shortened(v, at, func(string) bool { return true }, cut)
}

func shortened(v any, at string, is func(key string) bool, cut *[]string) any {
	c := cutter{limit: maxText, is: is, mark: cutMark}
	out := c.value(v, at, "")
	*cut = append(*cut, c.erased...)
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
