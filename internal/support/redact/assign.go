package redact

import "strings"

// A name is what stands before "=" or ":".
type name struct {
	text  string
	from  int    // where it begins
	quote string // the quote behind it, with backslashes
	apart bool   // blanks stand behind it
	quick bool   // in capitals, as variables of the environment are
}

// nameBefore reads the name that ends before i, "" if there is none.
func (c *scan) nameBefore(i int) name {
	s, k := c.s, i
	for k > c.from && i-k < 8 && blank[s[k-1]] {
		k--
	}
	n := name{apart: k < i}
	tail := k
	for k > c.from && tail-k < 6 && strings.IndexByte("\"'`\\]?+", s[k-1]) >= 0 {
		k--
	}
	n.quote = strings.TrimRight(s[k:tail], "]?+")
	end := k
	k = c.nameStart(end)
	if k > c.from && s[k-1] == '\\' { // the letter of an escape
		switch s[k] {
		case 'n', 'r', 't':
			k++
		case 'u':
			k = min(end, k+len("u0026"))
		}
	}
	n.text, n.from = s[k:end], k
	n.quick = !hasLower(n.text)
	return n
}

// nameStart returns where the name that ends before end begins.
func (c *scan) nameStart(end int) int {
	k := end
	for k > c.from && end-k < maxName && nameBytes[c.s[k-1]] {
		k--
	}
	return k
}

// assigned looks for a secret behind the "=" or ":" at which the scan stands.
func (c *scan) assigned() bool {
	n, kind := c.announced()
	if kind == "" {
		return false
	}
	a, ok := c.assignment(n, kind)
	if !ok {
		return false
	}
	if a.sign == ':' && (kind == "authorization" || kind == "cookie") {
		return c.header(kind, a.at)
	}
	v, ok := c.assignedValue(a)
	if !ok || !c.isSecret(a, v) {
		return false
	}
	c.add(kind, v.from, v.to)
	if !v.quoted && n.quote != "" && isNumber(v.of(c.s)) {
		c.spans[len(c.spans)-1].quote = n.quote
	}
	if a.sign == '=' && !a.apart {
		c.more(kind, v)
	}
	return true
}

// announced returns the name before the sign at which the scan stands, and
// the kind of secret that it announces, "" if none.
func (c *scan) announced() (name, string) {
	s, i := c.s, c.i
	n := c.nameBefore(i)
	if isTypeWord(n.text) { // "password string = …"
		n = c.nameBefore(n.from)
	}
	kind := kindOfName(n.text)
	const before = "?&;6" // of a parameter: "&amp;", "\u0026"
	if kind == "" && s[i] == '=' && n.from > 0 && strings.IndexByte(before, s[n.from-1]) >= 0 && isQueryName(n.text) {
		kind = "signature"
	}
	return n, kind
}

// assignedValue reads the value of an assignment.
func (c *scan) assignedValue(a assignment) (v literal, ok bool) {
	v = readLiteral(c.s, a.at)
	if !v.quoted && isTypeWord(v.of(c.s)) {
		if v, ok = c.behindType(v); !ok {
			return v, false
		}
	}
	if a.inBraces {
		if at := strings.IndexByte(v.of(c.s), '}'); at >= 0 {
			v.to = v.from + at
		}
	}
	return v, v.quoted || !a.compares
}

// An assignment is a name with its sign.
type assignment struct {
	name
	kind     string
	sign     byte
	compares bool
	inBraces bool // ${NAME:-value}
	at       int  // where the value begins
}

// assignment reads the sign at which the scan stands, and finds the value.
func (c *scan) assignment(n name, kind string) (a assignment, ok bool) {
	s, i := c.s, c.i
	a = assignment{name: n, kind: kind, sign: s[i]}
	next := i + 1
	rest := s[next:]
	switch {
	case n.from >= 2 && s[n.from-2:n.from] == "${":
		if rest == "" || rest[0] != '-' && rest[0] != '=' {
			return a, false
		}
		a.inBraces, next = true, next+1
	case a.sign == ':' && (isARN(s, n) || n.from > 0 && s[n.from-1] == '$'): // "$PWD:/src"
		return a, false
	case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "~"), a.sign == ':' && strings.HasPrefix(rest, "//"):
		return a, false
	case a.sign == '=' && strings.HasPrefix(rest, "="):
		a.compares = true
		for next < len(s) && s[next] == '=' {
			next++
		}
	case strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ">"):
		next, a.apart = next+1, true
	}
	a.at = blank.run(s, next)
	if a.at > next {
		if a.sign == '=' && !a.apart && a.quick && !a.compares {
			return a, false // "PASSWORD= command"
		}
		a.apart = true
	}
	a.at = blockStart(s, a)
	return a, true
}

// isARN reports whether a name is the type in a resource name of AWS:
// "…:123456789012:secret:name".
func isARN(s string, n name) bool {
	return n.text == "secret" && n.from > 1 && s[n.from-1] == ':' && isDigit(s[n.from-2])
}

// blockStart steps over a line end between a name and its value: in JSON
// before a quote, in YAML behind "|" or ">".
func blockStart(s string, a assignment) int {
	i := a.at
	if a.sign != ':' || i >= len(s) {
		return i
	}
	if a.quote != "" && space[s[i]] {
		if j := space.run(s, i); j < len(s) && isQuote(s[j]) {
			return j
		}
		return i
	}
	if s[i] != '|' && s[i] != '>' {
		return i
	}
	j := i + 1
	if j < len(s) && strings.IndexByte("-+", s[j]) >= 0 {
		j++
	}
	if j < len(s) && (s[j] == '\n' || s[j] == '\r') {
		return space.run(s, j)
	}
	return i
}

// behindType finds the value behind a type: `password: str = "…"`.
func (c *scan) behindType(v literal) (literal, bool) {
	i := blank.run(c.s, v.end)
	if i == len(c.s) || c.s[i] != '=' || strings.HasPrefix(c.s[i:], "==") {
		return v, false
	}
	if v = readLiteral(c.s, blank.run(c.s, i+1)); !v.quoted {
		return v, false
	}
	return v, true
}

// more adds what stands behind a value in the same word of a shell:
// 'it'"'"'s', "a"b, a'b'.
func (c *scan) more(kind string, v literal) {
	for v.end < len(c.s) {
		i, rest := v.end, c.s[v.end:]
		switch {
		case v.quoted && strings.HasPrefix(rest, `"'"'`):
			i += 3
		case v.quoted && strings.HasPrefix(rest, `\''`):
			i += 2
		case v.quoted && alnum[rest[0]]:
		case v.quoted && len(rest) > 1 && isQuote(rest[0]) && alnum[rest[1]] && closes(rest): // 'a''b'
		case !v.quoted && len(rest) > 1 && isQuote(rest[0]) && alnum[rest[1]] && closes(rest):
		default:
			return
		}
		if v = readLiteral(c.s, i); v.from == v.to {
			return
		}
		c.add(kind, v.from, v.to)
	}
}

// closes reports whether the quote with which a text begins closes in its line.
func closes(s string) bool {
	const reach = 200
	for i := 1; i < min(len(s), reach) && s[i] != '\n'; i++ {
		if s[i] == s[0] {
			return true
		}
	}
	return false
}
