package foreign

import (
	"strings"
)

// A command is the pattern of an item for commands.
type command struct {
	// words are those before the first word with a star, without quoting.
	words []string
	// rest is the pattern from there on, "" for none, "*" for anything.
	rest string
}

// commandOf divides a pattern of commands.
func commandOf(glob string) command {
	var c command
	fields := strings.Fields(glob)
	for i, w := range fields {
		if hasWildcard(w) {
			c.rest = strings.Join(fields[i:], " ")
			break
		}
		c.words = append(c.words, unescaped(w))
	}
	return c
}

// isPrefix reports whether a pattern means what begins with its words; an exact
// one means nothing more.
func (c *command) isPrefix() bool { return c.rest == "*" }
func (c *command) isExact() bool  { return c.rest == "" }

// isAlone reports whether a pattern means its words without anything behind them,
// for a refusal too: one that ends with an option means what follows.
func (c *command) isAlone() bool {
	return c.isExact() && len(c.words) > 0 && !strings.HasPrefix(c.words[len(c.words)-1], "-")
}

// text returns the words of a pattern.
func (c *command) text() string { return strings.Join(c.words, " ") }

// options returns the words from the first option behind a sub-command on, and
// those before it; none where there is no word before it but the program.
func (c *command) options() (before, options []string) {
	for i, w := range c.words {
		if i > 1 && strings.HasPrefix(w, "-") {
			return c.words[:i], c.words[i:]
		}
	}
	return c.words, nil
}

// hasWildcard reports whether a pattern has a star or a question mark that is
// not quoted.
func hasWildcard(glob string) bool {
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			i++
		case '*', '?':
			return true
		}
	}
	return false
}

// unescaped returns a pattern without wildcards as the text that it matches.
func unescaped(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		if glob[i] == '\\' && i+1 < len(glob) && strings.IndexByte(`*?\`, glob[i+1]) >= 0 {
			i++
		}
		b.WriteByte(glob[i])
	}
	return b.String()
}

// unwidened returns a pattern in which a question mark is a star, for languages
// without question marks, and whether there was one.
func starred(glob string) (string, bool) {
	var b strings.Builder
	changed := false
	for i := 0; i < len(glob); i++ {
		switch {
		case glob[i] == '\\' && i+1 < len(glob):
			if i++; glob[i] == '?' {
				b.WriteByte('?')
				continue
			}
			b.WriteString(glob[i-1 : i+1])
		case glob[i] == '?':
			b.WriteByte('*')
			changed = true
		default:
			b.WriteByte(glob[i])
		}
	}
	return b.String(), changed
}

// A host is what a pattern of URLs says of hosts.
type host struct {
	// name is the host, and below says that those below it are meant.
	name  string
	below bool
	// all says that any page is meant.
	all bool
}

// hostOf returns what host a pattern of URLs means. Of a refusal it is a wider
// one, where there is one; an allow must be of all pages of the host.
func hostOf(it *item, refuses bool) (h host, ok bool) {
	if it.glob == "*" {
		return host{all: true}, true
	}
	_, rest, hasScheme := strings.Cut(it.glob, "://")
	name, path, hasPath := strings.Cut(rest, "/")
	switch {
	case !hasScheme && refuses:
		name = strings.Trim(it.glob, "*.")
	case !hasScheme, !refuses && hasPath && path != "*":
		return h, false
	}
	h.name, h.below = strings.CutPrefix(name, "*.")
	if h.name == "" || strings.ContainsAny(h.name, "*?/:@ ") {
		return h, false
	}
	return h, true
}

// hostAllowed returns the host of which items allow every page under both
// schemes, since agents' permissions of hosts do not tell them apart.
func (x *export) hostAllowed(it *item) (h host, ok bool) {
	if h, ok = hostOf(it, false); !ok || h.all {
		return h, ok && !h.below
	}
	prefix := ""
	if h.below {
		prefix = "*."
	}
	for _, scheme := range []string{"http://", "https://"} {
		found := false
		for i := range x.items {
			other := &x.items[i]
			found = found || other.action == it.action && other.aim == aimFetch && other.glob == scheme+prefix+h.name+"/*"
		}
		if !found {
			return h, false
		}
	}
	return h, len(it.except) == 0 || h.below
}
