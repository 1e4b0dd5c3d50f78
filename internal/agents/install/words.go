package install

import "strings"

// A splitter reads the words of a shell command.
type splitter struct {
	words []string
	word  strings.Builder
	begun bool
}

// split returns the words of a shell command up to the first operator, or to
// quotes that do not end.
func split(line string) []string {
	s := &splitter{}
	for i := 0; i < len(line); {
		size := s.next(line[i:])
		if size == 0 {
			return s.words
		}
		i += size
	}
	s.end()
	return s.words
}

// next reads what is at the beginning of a line, and returns how many bytes it
// takes; 0 if the command ends here.
func (s *splitter) next(line string) int {
	switch c := line[0]; {
	case strings.IndexByte(" \t\r\n", c) >= 0:
		s.end()
	case strings.IndexByte("|&;<>()#", c) >= 0:
		s.end()
		return 0
	case c == '\'' || c == '"' || c == '\\':
		text, size := quotedWord(line)
		s.begun = true
		s.word.WriteString(text)
		return size
	default:
		s.begun = true
		s.word.WriteByte(c)
	}
	return 1
}

func (s *splitter) end() {
	if s.begun {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.begun = false
}

// quotedWord returns the text in quotes at the beginning of a line, and how
// many bytes it takes with them; 0 if the quotes do not end.
func quotedWord(line string) (text string, size int) {
	if line[0] == '\\' {
		if len(line) < 2 {
			return "", 0
		}
		return line[1:2], 2
	}
	end := strings.IndexByte(line[1:], line[0])
	if end < 0 {
		return "", 0
	}
	return line[1 : end+1], end + 2
}
