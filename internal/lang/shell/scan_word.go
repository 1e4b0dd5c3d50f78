package shell

import (
	"strings"
)

// word passes a word; in a test, a regular expression may be one.
func (s *scanner) word(regex bool) bool {
	start := s.at
	for s.at < s.end {
		c := s.src[s.at]
		switch classes[c] {
		case inWord:
			s.at++
			continue
		case endsWord:
			if regex && c == '|' {
				s.at++
				continue
			}
			return true
		}
		ok := true
		switch c {
		case '\\':
			s.at = min(s.at+2, s.end)
		case '\'':
			ok = s.quotation(s.at, s.at+1, '\'', false)
		case '"':
			s.at++
			ok = s.double(s.at - 1)
		case '`':
			ok = s.backquote(false)
		case '$':
			ok = s.dollar(false)
		case '<', '>':
			if s.peek(1) != '(' {
				return true
			}
			ok = s.substitution(s.at)
		case '(':
			switch {
			case regex:
				ok = s.group(true)
			case isArray(s.src[start:s.at]):
				ok = s.array()
			case s.at > start && strings.IndexByte("?*+@!", s.src[s.at-1]) >= 0:
				ok = s.group(false)
			default:
				return true
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// isArray reports whether a parenthesis behind a text begins the elements of an
// array.
func isArray(text string) bool {
	name, ok := strings.CutSuffix(text, "=")
	name = strings.TrimSuffix(name, "+")
	return ok && name != "" && strings.Trim(name, identBytes) == "" && (name[0] < '0' || name[0] > '9')
}

// array passes the elements of an array and the parentheses around them. The
// word goes on behind them.
func (s *scanner) array() bool {
	s.open(s.at)
	s.at++
	for {
		s.blanks()
		switch s.peek(0) {
		case ')':
			s.close()
			return true
		case '\n':
			if s.at++; len(s.docs) > 0 {
				return false
			}
		case '#':
			s.comment()
		default:
			from := s.at
			if s.at >= s.end || !s.word(false) || s.at == from {
				return false
			}
			s.mark(from, false)
		}
	}
}

// group passes the parentheses of a pattern. Only in a regular expression can
// there be anything but plain text in them.
func (s *scanner) group(regex bool) bool {
	for depth := 0; s.at < s.end; {
		switch c := s.src[s.at]; c {
		case '(':
			depth++
			s.at++
		case ')':
			s.at++
			if depth--; depth == 0 {
				return true
			}
		case '\\':
			s.at += 2
		case '\'', '"', '`', '$', '\n', '<', '>':
			if !regex {
				return false
			}
			if c == '\'' {
				if !s.quotation(s.at, s.at+1, '\'', false) {
					return false
				}
			} else if !s.expansion() {
				return false
			}
		default:
			s.at++
		}
	}
	return false
}

// test passes what stands between [[ and ]].
func (s *scanner) test() bool {
	for regex := false; ; {
		s.blanks()
		if s.at >= s.end {
			return false
		}
		c, next := s.src[s.at], s.peek(1)
		switch {
		case c == '\n':
			if s.at++; len(s.docs) > 0 {
				return false
			}
			continue
		case (c == '(' || c == ')') && !regex, (c == '<' || c == '>') && next != '(':
			s.marks[s.at] |= operator
			s.at++
			continue
		case (c == '&' || c == '|') && next == c:
			s.marks[s.at] |= operator | doubled
			s.at += 2
			continue
		case c == ';' || c == '&' || c == '#' || c == '|' && !regex:
			return false
		}
		from := s.at
		if !s.word(regex) || s.at == from {
			return false
		}
		s.mark(from, false)
		text := s.src[from:s.at]
		if text == "]]" {
			return true
		}
		regex = text == "=~"
	}
}
