package redact

import "strings"

// A literal is the value behind a name or an option, as it stands in a text.
type literal struct {
	from, to int // without the quotes
	end      int // behind the closing quotes
	quoted   bool
}

func (v literal) of(s string) string { return s[v.from:v.to] }

// readLiteral reads the value that begins at i.
func readLiteral(s string, i int) literal {
	j := i
	if j+1 < len(s) && strings.IndexByte("frbuFRBUL$@", s[j]) >= 0 && isQuote(s[j+1]) {
		j++ // f"…" of Python, $'…' of bash
	}
	slashes := j
	for slashes < len(s) && s[slashes] == '\\' {
		slashes++
	}
	if slashes < len(s) && isQuote(s[slashes]) {
		return readQuoted(s, slashes, slashes-j)
	}
	to := bareEnd(s, i)
	return literal{from: i, to: to, end: to}
}

// readQuoted reads a value of which the quote stands at i behind some
// backslashes, as it does where JSON is quoted in JSON. Without a closing
// quote the value ends with the line.
func readQuoted(s string, i, slashes int) literal {
	q, from := s[i], i+1
	seen := 0
	for j := from; j < len(s); j++ {
		switch s[j] {
		case '\\':
			seen++
			continue
		case q:
			if seen <= slashes || slashes == 0 && seen%2 == 0 {
				return literal{from: from, to: j - min(seen, slashes), end: j + 1, quoted: true}
			}
		case '[':
			if markAt(s, j) > 0 {
				return literal{from: from, to: j - seen, end: j, quoted: true}
			}
		case '\n':
			return literal{from: from, to: j - seen, end: j, quoted: true}
		}
		seen = 0
	}
	return literal{from: from, to: len(s) - seen, end: len(s), quoted: true}
}

// bareEnd returns the end of a value without quotes.
func bareEnd(s string, i int) int {
	for i < len(s) {
		switch b := s[i]; b {
		case ' ', '\t', '\r', '\n', '"', '\'', '`', ';', '|', '&', '<', '>', '(', ')', 0:
			return i
		case '[':
			if markAt(s, i) > 0 {
				return i
			}
		case ',', '}', ']':
			if endsItem(s, i+1) {
				return i
			}
		case '\\':
			if i+1 == len(s) || strings.IndexByte("nrtu\"\\\n", s[i+1]) >= 0 {
				return i
			}
			i++
		}
		i++
	}
	return min(i, len(s))
}

// endsItem reports whether a comma or bracket before i ends an item: nothing of
// the same word follows, or the name of the next item does.
func endsItem(s string, i int) bool {
	if i == len(s) || space[s[i]] || strings.IndexByte("\"'`,}])([{;\\&|<>", s[i]) >= 0 {
		return true
	}
	end := i
	for end < len(s) && end-i < maxName && nameBytes[s[end]] {
		end++
	}
	return end > i && end < len(s) && (s[end] == '=' || s[end] == ':')
}

// isPlaceholder reports whether a value stands for a secret without being one:
// empty, a variable, "<token>", "xxx", "***", "{{ token }}".
func isPlaceholder(v string) bool {
	v = strings.Trim(v, " \t\r")
	if v == "" || strings.HasPrefix(v, markStart) {
		return true
	}
	if strings.Trim(v, "xX*.-_#?=/…•,:") == "" || enclosed(v) || isReference(v) {
		return true
	}
	return strings.ContainsAny(v, "$%{#") && withoutVariables(v)
}

// enclosed reports whether brackets of a template hold the value.
func enclosed(v string) bool {
	if len(v) < 3 {
		return false
	}
	inner := v[1 : len(v)-1]
	switch v[0] {
	case '<':
		return v[len(v)-1] == '>'
	case '{':
		return v[len(v)-1] == '}' && wordDashDot.run(inner, 0) == len(inner)
	case '[':
		return v[len(v)-1] == ']' && wordDash.run(inner, 0) == len(inner) && !hasDigit(inner)
	}
	return false
}

// isReference reports whether a value tells where the secret lies, or that
// somebody shall put it in.
func isReference(v string) bool {
	for _, p := range [...]string{"op://", "vault:", "vault://", "file://", "arn:", "keychain:", "env:", "env.", "env(", "ssm:", "secretref:",
		"!vault", "ssh-rsa ", "ssh-ed25519 ", "your-", "your_", "your ", "replace_", "replace-", "replaceme", "insert-", "insert_", "my-token", "todo"} {
		if len(v) >= len(p) && strings.EqualFold(v[:len(p)], p) {
			return true
		}
	}
	return isPath(v)
}

// isPath reports whether a value is a path: it begins like one, and is no base64.
func isPath(v string) bool {
	rooted := strings.HasPrefix(v, "/") && strings.Contains(v[1:], "/")
	if len(v) > 3 && isLetter(v[0]) && v[1] == ':' && (v[2] == '\\' || v[2] == '/') {
		rooted = true
	}
	if !rooted && !strings.HasPrefix(v, "./") && !strings.HasPrefix(v, "../") && !strings.HasPrefix(v, "~/") {
		return false
	}
	if strings.ContainsAny(v, "+=@!#^&*") {
		return false
	}
	for part := range strings.SplitSeq(v, "/") {
		if len(part) >= 16 && mixed(part) {
			return false
		}
	}
	return true
}

// withoutVariables reports whether nothing of a secret's length is left of a
// value when its variables are taken out: $X, ${X}, $(…), %s, %X%, {{ x }}.
func withoutVariables(v string) bool {
	const most = 3 // letters and digits that may stand beside variables
	left, taken := 0, false
	for i := 0; i < len(v); {
		if end := variableEnd(v, i); end > i {
			i, taken = end, true
			continue
		}
		if alnum[v[i]] {
			left++
		}
		i++
	}
	return taken && left <= most
}

// variableEnd returns the end of the variable that begins at i, i if none does.
func variableEnd(v string, i int) int {
	rest := v[i:]
	switch {
	case strings.HasPrefix(rest, "$(") || strings.HasPrefix(rest, "`"):
		return len(v)
	case strings.HasPrefix(rest, "${{") || strings.HasPrefix(rest, "{{"):
		return closing(v, i, "}}")
	case strings.HasPrefix(rest, "${") || strings.HasPrefix(rest, "#{"):
		return closing(v, i, "}")
	case strings.HasPrefix(rest, "{") && word.run(v, i+1) > i+1:
		return closing(v, i, "}")
	case strings.HasPrefix(rest, "$env:"):
		return word.run(v, i+len("$env:"))
	case rest[0] == '$' && len(rest) > 1:
		return max(word.run(v, i+1), i+2)
	case rest[0] == '%' && len(rest) > 1:
		end := word.run(v, i+1)
		if end < len(v) && v[end] == '%' && end > i+1 {
			return end + 1
		}
		if strings.IndexByte("svqd", rest[1]) >= 0 && (len(rest) == 2 || !alnum[rest[2]]) {
			return i + 2
		}
		if strings.HasPrefix(rest, "%(") {
			return closing(v, i, ")s")
		}
	}
	return i
}

// closing returns the end of a bracket; without it, that of the text.
func closing(v string, i int, bracket string) int {
	_, rest, _ := strings.Cut(v[i:], bracket)
	return len(v) - len(rest)
}
