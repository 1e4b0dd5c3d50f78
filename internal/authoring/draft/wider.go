package draft

import (
	"strings"
)

// refusePath adds a deny or an ask for a path, in any directory below which
// the rule may be anchored. It is false if nothing was added.
func (b *builder) refusePath(e *Entry, tool string) bool {
	if strings.HasPrefix(e.Spec, "!") {
		b.drop(e, "looser: policyctl has no negated paths; write a permission with except")
		return false
	}
	patterns := wider(e.Spec)
	if e.Flat {
		patterns = []string{loose(e.Spec)}
	}
	for _, p := range patterns {
		b.add(e, tool, pattern{subject: p})
	}
	return true
}

// wider returns patterns of policyctl that match all that a pattern in the
// manner of gitignore does, and what lies below. Stars match slashes there.
func wider(spec string) []string {
	p := loose(unescape(spec, true))
	inside := strings.HasSuffix(p, "/")
	p = strings.TrimSuffix(p, "/")
	for strings.Contains(p, "/**/") {
		p = strings.ReplaceAll(p, "/**/", "/*")
	}
	p = stars().ReplaceAllString(p, "*")
	p = strings.ReplaceAll(p, "*/*", "*")
	switch {
	case p == "":
		return []string{"*"}
	case strings.HasSuffix(p, "*") && !inside:
		return []string{p}
	}
	return []string{p, p + "/*"}
}

// loose takes the anchor from a pattern, unless it is the root or the home
// directory: a relative path may lie anywhere.
func loose(p string) string {
	switch {
	case strings.HasPrefix(p, "//**/"):
		return "*/" + p[5:]
	case strings.HasPrefix(p, "//"):
		return p[1:]
	case p == "~", strings.HasPrefix(p, "~/"):
		return p
	}
	for _, prefix := range []string{"./", "../", "/", "**/"} {
		for strings.HasPrefix(p, prefix) {
			p = p[len(prefix):]
		}
	}
	return "*/" + p
}

// unescape takes the escapes of gitignore from what needs none, and, to be
// wider, replaces classes of characters by any character.
func unescape(spec string, classes bool) string {
	var b strings.Builder
	for i := 0; i < len(spec); i++ {
		c := spec[i]
		switch end := strings.IndexByte(spec[i:], ']'); {
		case c == '\\' && i+1 < len(spec):
			if i++; strings.IndexByte(`*?\`, spec[i]) >= 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(spec[i])
		case c == '[' && classes && end > 1:
			b.WriteByte('?')
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
