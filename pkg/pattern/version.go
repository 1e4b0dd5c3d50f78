package pattern

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/document"
)

// A version is one of semantic versioning 2.0.0. Build metadata has no part in the order.
type version struct {
	core [3]int64
	pre  []string
}

// versionText is the form of a version, which may have a v before it. Numbers have at most
// fifteen digits, which every reader of JSON keeps.
const versionText = `^v?(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,14})` +
	`(?:-((?:0|[1-9][0-9]{0,14}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9][0-9]{0,14}|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*))?` +
	`(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$`

var versionForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(versionText) })

// maxVersion bounds the texts that are read as versions.
const maxVersion = 256

func parseVersion(text string) (version, bool) {
	if len(text) > maxVersion {
		return version{}, false
	}
	m := versionForm().FindStringSubmatch(text)
	if m == nil {
		return version{}, false
	}
	var v version
	for i := range v.core {
		v.core[i], _ = strconv.ParseInt(m[1+i], 10, 64) // fifteen digits fit
	}
	if m[4] != "" {
		v.pre = strings.Split(m[4], ".")
	}
	return v, true
}

// compare returns -1, 0 or 1. A version is above its pre-releases.
func (v version) compare(w version) int {
	for i := range v.core {
		if c := cmp.Compare(v.core[i], w.core[i]); c != 0 {
			return c
		}
	}
	if len(v.pre) == 0 || len(w.pre) == 0 {
		return cmp.Compare(len(w.pre), len(v.pre))
	}
	for i := range min(len(v.pre), len(w.pre)) {
		if c := compareIdentifiers(v.pre[i], w.pre[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(v.pre), len(w.pre))
}

// compareIdentifiers compares numbers by value, which are below texts.
func compareIdentifiers(a, b string) int {
	n, aErr := strconv.ParseInt(a, 10, 64)
	m, bErr := strconv.ParseInt(b, 10, 64)
	aNumber, bNumber := aErr == nil && allDigits(a), bErr == nil && allDigits(b)
	switch {
	case aNumber && bNumber:
		return cmp.Compare(n, m)
	case aNumber:
		return -1
	case bNumber:
		return 1
	}
	return cmp.Compare(a, b)
}

// String returns the version without build metadata.
func (v version) String() string {
	text := strconv.FormatInt(v.core[0], 10) + "." + strconv.FormatInt(v.core[1], 10) + "." + strconv.FormatInt(v.core[2], 10)
	if len(v.pre) > 0 {
		text += "-" + strings.Join(v.pre, ".")
	}
	return text
}

// A comparator is a comparison with a version: gt, gte, lt, lte or equals.
type comparator struct {
	operator string
	than     version
}

// operatorOf names the operator that a sign before a version means.
func operatorOf(sign string) (operator string, ok bool) {
	switch sign {
	case "", "=", "==":
		return "equals", true
	case ">":
		return "gt", true
	case ">=":
		return "gte", true
	case "<":
		return "lt", true
	case "<=":
		return "lte", true
	}
	return "", false
}

func (c *comparator) holds(v version) bool { return orders(c.operator, v.compare(c.than)) }

// versions are alternatives, each of comparators that must all hold.
type versions [][]comparator

func (all versions) hold(text string) bool {
	v, ok := parseVersion(text)
	if !ok {
		return false
	}
	for _, one := range all {
		holds := true
		for i := range one {
			holds = holds && one[i].holds(v)
		}
		if holds {
			return true
		}
	}
	return false
}

// versions compiles the argument of semver, such as ">=1.2.0 <2.0.0 || ^3.1.4".
func (c *compiler) versions(key, n document.Node) versions {
	text := c.Text(key, n)
	c.short(argument{key: key, value: n})
	var out versions
	for part := range strings.SplitSeq(text, "||") {
		var one []comparator
		for _, word := range strings.FieldsFunc(part, func(r rune) bool { return r == ' ' || r == ',' }) {
			more, ok := comparators(word)
			if !ok {
				c.Fail(n, "semver takes versions such as \">=1.2.0 <2.0.0\", \"^1.2.3\" or \"~1.2.3\", not %s", clip.Quote(word))
				return nil
			}
			one = append(one, more...)
		}
		if len(one) == 0 {
			c.Fail(n, "semver has an empty part: write a version such as \">=1.2.0\"")
			return nil
		}
		out = append(out, one)
	}
	return out
}

// comparators reads one of them. ^1.2.3 means the versions that promise to be compatible,
// and ~1.2.3 those that differ in the last number alone.
func comparators(word string) ([]comparator, bool) {
	sign := word[:len(word)-len(strings.TrimLeft(word, "=<>^~"))]
	v, ok := parseVersion(word[len(sign):])
	if !ok {
		return nil, false
	}
	if operator, ok := operatorOf(sign); ok {
		return []comparator{{operator, v}}, true
	}
	end := version{}
	switch sign {
	case "~":
		end.core = [3]int64{v.core[0], v.core[1] + 1, 0}
	case "^":
		switch {
		case v.core[0] > 0:
			end.core = [3]int64{v.core[0] + 1, 0, 0}
		case v.core[1] > 0:
			end.core = [3]int64{0, v.core[1] + 1, 0}
		default:
			end.core = [3]int64{0, 0, v.core[2] + 1}
		}
	default:
		return nil, false
	}
	end.pre = []string{"0"} // no pre-release of the end belongs to it
	return []comparator{{"gte", v}, {"lt", end}}, true
}

// samples returns the least version, those that comparators name, and the one behind each.
func (all versions) samples() []any {
	out := []any{"0.0.0-0"}
	for _, one := range all {
		for _, c := range one {
			out = append(out, c.than.String(), c.than.next().String())
		}
	}
	return out
}

// next returns the least version above another.
func (v version) next() version {
	if len(v.pre) > 0 {
		return version{v.core, append(slices.Clone(v.pre), "0")}
	}
	return version{[3]int64{v.core[0], v.core[1], v.core[2] + 1}, []string{"0"}}
}

// exportedVersions returns the alternatives as lists of operators and versions.
func exportedVersions(all versions) []any {
	var out []any
	for _, one := range all {
		list := []any{}
		for _, c := range one {
			list = append(list, []any{c.operator, c.than.String()})
		}
		out = append(out, list)
	}
	return out
}
