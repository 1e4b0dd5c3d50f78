package permission

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/policyctl/policyctl/internal/support/weburl"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// A named is a subject about arguments of a tool by their names: "owner=acme labels=bug *".
// The zero value is about none.
type named struct {
	tests []namedTest
	// more says that the subject ends with a star, which stands for further arguments.
	more bool
}

// A namedTest is about one argument.
type namedTest struct {
	path   []string // the keys that lead to it
	target target
}

// namedWord is NAME=GLOB, with keys of an object behind dots, and the text in quotes if it
// has blanks.
var namedWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z_$][\w$-]*(?:\.[\w$-]+)*)=(?:"((?:[^"\\]|\\.)*)"|(\S*))(?:\s+|$)`)
})

// compileNamed reads a subject about named arguments, nil where it is none.
func (p *Pattern) compileNamed(subject string) *named {
	if !strings.Contains(subject, "=") {
		return nil // as nearly all, which a hook reads at every call
	}
	n := new(named)
	for subject != "" {
		if subject == "*" {
			n.more = true
			break
		}
		m := namedWord().FindStringSubmatch(subject)
		if m == nil {
			return nil
		}
		text := m[3]
		if strings.HasPrefix(subject[len(m[1])+1:], `"`) {
			text = strings.ReplaceAll(m[2], `\"`, `"`)
		}
		n.tests = append(n.tests, namedTest{strings.Split(m[1], "."), p.compileText(text)})
		subject = subject[len(m[0]):]
	}
	return n
}

// covers reports whether an allow means the arguments: it names each that is given, unless
// it ends with a star, and each value of those that it names is there and matches. No other
// argument may have one of its names in another spelling.
func (n *named) covers(in *View) bool {
	if n == nil {
		return false
	}
	for i := range n.tests {
		t, found, all := &n.tests[i], false, true
		t.along(in.Input, t.path, func(v any) { found, all = true, all && t.means(in, textOf(v)) })
		if !found || !all {
			return false
		}
	}
	for key := range in.Input {
		if !slices.ContainsFunc(n.tests, func(t namedTest) bool { return t.path[0] == key && (n.more || len(t.path) == 1) }) &&
			(!n.more || slices.ContainsFunc(n.tests, func(t namedTest) bool { return PlainKey(t.path[0]) == PlainKey(key) })) {
			return false
		}
	}
	return true
}

// means reports whether an allow means a value: of a URL its host on its own too. A star
// stands for no way out of a directory, no line end, and for no list of several values
// unless the pattern has blanks itself.
func (t *namedTest) means(in *View, value string) bool {
	if t.target.glob.text == "*" {
		return true
	}
	if strings.Contains(value, "://") {
		if _, ok := weburl.Canonical(value); !ok {
			return false // programs read it in different ways
		}
	} else {
		low := strings.ReplaceAll(strings.ToLower(value), "%2e", ".")
		isList := !strings.Contains(t.target.glob.text, " ") && strings.ContainsAny(value, ",; \t")
		if isList || hasDots(strings.ReplaceAll(low, `\`, "/")) {
			return false
		}
	}
	return !strings.ContainsFunc(value, unicode.IsControl) && in.CoversText(value, t.target.coversURL)
}

// along visits the values to which keys lead, in each element of a list.
func (t *namedTest) along(v any, path []string, visit func(any)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			t.along(e, path, visit)
		}
		if len(v) == 0 && len(path) == 0 {
			visit(v)
		}
	case map[string]any:
		if len(path) == 0 {
			visit(v)
			return
		}
		if inner, ok := v[path[0]]; ok {
			t.along(inner, path[1:], visit)
		}
	default:
		if len(path) == 0 {
			visit(v)
		}
	}
}

// hits reports whether a deny or an ask means the arguments: a value of each that it names
// matches. An argument may stand deeper, or in JSON in a text, and another case or other
// signs between the words of its name count as the same.
func (n *named) hits(in *View) bool {
	if n == nil {
		return false
	}
	for i := range n.tests {
		if !n.tests[i].found(in, in.Input, 0) {
			return false
		}
	}
	return true
}

// deepest bounds how deep arguments are looked for; what lies deeper asks by itself.
const deepest = 32

// found looks for a value that matches, from an object and from those in it.
func (t *namedTest) found(in *View, v any, depth int) bool {
	if depth > deepest {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		return t.foundAlong(in, v, t.path) || anyOf(maps.Values(v), func(inner any) bool { return t.found(in, inner, depth+1) })
	case []any:
		return anyOf(slices.Values(v), func(inner any) bool { return t.found(in, inner, depth+1) })
	case string:
		inner, ok := Opened(v)
		return ok && t.found(in, inner, depth+1)
	}
	return false
}

// foundAlong reports whether keys lead to a value that matches.
func (t *namedTest) foundAlong(in *View, v any, path []string) bool {
	if len(path) == 0 {
		if list, ok := v.([]any); ok && anyOf(slices.Values(list), func(e any) bool { return t.foundAlong(in, e, nil) }) {
			return true
		}
		return slices.ContainsFunc(in.readings(textOf(v)), func(s string) bool { return t.target.glob.matchesBy(s, folding) })
	}
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if PlainKey(key) == PlainKey(path[0]) && t.foundAlong(in, inner, path[1:]) {
				return true
			}
		}
	case []any:
		return anyOf(slices.Values(v), func(e any) bool { return t.foundAlong(in, e, path) })
	case string:
		inner, ok := Opened(v)
		return ok && t.foundAlong(in, inner, path)
	}
	return false
}

func anyOf(all func(func(any) bool), is func(any) bool) bool {
	for v := range all {
		if is(v) {
			return true
		}
	}
	return false
}

// textOf returns a value as patterns see it: a text as it is, anything else as JSON.
func textOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return string(strictjson.Append(nil, v))
}

// Opened returns the object, the list or the text that an argument holds as JSON.
func Opened(text string) (any, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || !slices.Contains([]string{"{}", "[]", `""`}, text[:1]+text[len(text)-1:]) {
		return nil, false
	}
	v, err := strictjson.Value([]byte(text), strictjson.Options{Folded: true})
	return v, err == nil
}

// PlainKey returns the name of an argument as tools of all styles may spell it.
func PlainKey(key string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == ' ' {
			return -1
		}
		return c
	}, strictjson.Fold(key))
}

// isNamed reports whether patterns mean arguments of the call by their names: neither a
// command nor paths nor URLs are its subject.
func (in *View) isNamed() bool {
	return in.Line == nil && in.Input != nil && !in.Tool.Paths && in.Tool.Kind != Fetches
}

// coversNamed is [Pattern.CoversCall] where the pattern, or what it excepts, names
// arguments; ok is false where neither does.
func (in *View) coversNamed(p *Pattern) (covers, ok bool) {
	names := p.named != nil || p.all && slices.ContainsFunc(p.except, func(t target) bool { return t.named != nil })
	if !in.isNamed() || !names {
		return false, false
	}
	if slices.ContainsFunc(p.except, func(t target) bool { return t.all || t.named.hits(in) }) {
		return false, true
	}
	texts := in.Subjects
	if in.Tool.Whole {
		texts = in.Texts()
	}
	if slices.ContainsFunc(texts, func(s string) bool { return in.exceptedText(p, s) }) {
		return false, true
	}
	return p.all || p.named.covers(in), true
}

// hitsNamed reports whether a deny or an ask means the arguments by their names, and
// whether an exception does.
func (in *View) hitsNamed(p *Pattern) (hits, excused bool) {
	if !in.isNamed() {
		return false, false
	}
	excused = slices.ContainsFunc(p.except, func(t target) bool { return t.named.covers(in) })
	return p.named.hits(in), excused
}
