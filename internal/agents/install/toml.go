package install

import (
	"strconv"
	"strings"
)

// A statement is a table header or a key with its value in TOML text, with
// its place (toml.io, v1.0).
type statement struct {
	header bool
	array  bool // a header in double brackets
	path   []string
	span
	value string // as written; "" for a header
}

// A tomlScanner finds the statements of TOML text. It reads no values.
type tomlScanner struct {
	text  string
	at    int
	table []string
}

// statements returns the statements of TOML text in order.
func statements(text string) (out []statement, err error) {
	s := &tomlScanner{text: text}
	for {
		s.skip(" \t\r\n")
		if s.at == len(text) {
			return out, nil
		}
		if s.comment() {
			continue
		}
		st, err := s.statement()
		if err != nil {
			return nil, err
		}
		out = append(out, st)
		s.skip(" \t")
		s.comment()
		s.skip("\r")
		if s.at < len(text) && text[s.at] != '\n' {
			return nil, s.errorf("a line break is missing")
		}
	}
}

func (s *tomlScanner) errorf(what string) error { return errorAt(s.text, s.at, "%s", what) }

func (s *tomlScanner) rest() string { return s.text[s.at:] }

func (s *tomlScanner) skip(cut string) {
	s.at = len(s.text) - len(strings.TrimLeft(s.rest(), cut))
}

func (s *tomlScanner) comment() bool {
	if !strings.HasPrefix(s.rest(), "#") {
		return false
	}
	line, _, _ := strings.Cut(s.rest(), "\n")
	s.at += len(line)
	return true
}

func (s *tomlScanner) statement() (st statement, err error) {
	st.from = s.at
	open, closing := "", ""
	switch {
	case strings.HasPrefix(s.rest(), "[["):
		open, closing = "[[", "]]"
	case strings.HasPrefix(s.rest(), "["):
		open, closing = "[", "]"
	default:
		return s.keyValue(st)
	}
	st.header, st.array = true, open == "[["
	s.at += len(open)
	if st.path, err = s.key(); err != nil {
		return st, err
	}
	if !strings.HasPrefix(s.rest(), closing) {
		return st, s.errorf(closing + " is missing")
	}
	s.at += len(closing)
	st.to, s.table = s.at, st.path
	return st, nil
}

func (s *tomlScanner) keyValue(st statement) (statement, error) {
	key, err := s.key()
	if err != nil {
		return st, err
	}
	st.path = append(append([]string{}, s.table...), key...)
	if !strings.HasPrefix(s.rest(), "=") {
		return st, s.errorf("an equals sign is missing")
	}
	s.at++
	s.skip(" \t")
	from := s.at
	err = s.value()
	st.value = strings.TrimRight(s.text[from:s.at], " \t\r")
	st.to = from + len(st.value)
	return st, err
}

// key reads a key with its dots.
func (s *tomlScanner) key() (path []string, err error) {
	for {
		s.skip(" \t")
		from := s.at
		if strings.HasPrefix(s.rest(), `"`) || strings.HasPrefix(s.rest(), "'") {
			err = s.quoted()
		} else {
			s.skip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
		}
		if err == nil && from == s.at {
			err = s.errorf("a key is missing")
		}
		if err != nil {
			return nil, err
		}
		path = append(path, unquoteTOML(s.text[from:s.at]))
		s.skip(" \t")
		if !strings.HasPrefix(s.rest(), ".") {
			return path, nil
		}
		s.at++
	}
}

// value passes over a value, which may have several lines.
func (s *tomlScanner) value() error {
	depth := 0
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case depth <= 0 && (c == '\n' || c == '#'):
			return nil
		case c == '"' || c == '\'':
			if err := s.quoted(); err != nil {
				return err
			}
			continue
		case s.comment():
			continue
		}
		depth += strings.Count("[{", string(c)) - strings.Count("]}", string(c))
		s.at++
	}
	if depth > 0 {
		return s.errorf("a bracket is not closed")
	}
	return nil
}

// quoted passes over a string of one of the four kinds.
func (s *tomlScanner) quoted() error {
	from, quote := s.at, s.rest()[:1]
	if strings.HasPrefix(s.rest(), strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	for s.at += len(quote); s.at < len(s.text); s.at++ {
		switch {
		case strings.HasPrefix(s.rest(), quote):
			s.at += len(quote)
			if len(quote) == 3 { // up to two quotes may stand before the end
				for i := 0; i < 2 && strings.HasPrefix(s.rest(), quote[:1]); i++ {
					s.at++
				}
			}
			return nil
		case s.text[s.at] == '\\' && quote[0] == '"':
			s.at++
		case s.text[s.at] == '\n' && len(quote) == 1:
			return errorAt(s.text, from, "this string does not end on its line")
		}
	}
	s.at = len(s.text)
	return errorAt(s.text, from, "this string does not end")
}

// unquoteTOML returns the text of a key or of a string on one line.
func unquoteTOML(s string) string {
	if strings.HasPrefix(s, `"`) {
		if out, err := strconv.Unquote(s); err == nil {
			return out
		}
	}
	return strings.Trim(s, `'"`)
}
