package shell

import (
	"strings"
)

// A level is a parenthesis or a case around a place in a list.
type level uint8

const (
	noLevel    level = iota
	definition       // the parentheses behind the name of a function
	subshell
	casePattern // a case, before the parenthesis behind a pattern
	caseBody    // and behind it
)

// A position is where in a list the scanner stands.
type position struct {
	command bool     // a command may begin here
	head    headKind // the word of a compound command that comes next
	outside int      // levels around the list
}

// A headKind says which word of the head of a compound command comes next.
type headKind uint8

const (
	noHead headKind = iota
	loopName
	loopIn // in, or what begins the body
	caseSubject
	caseIn
	functionName
	coprocName
	timeOption
)

// list passes commands up to closer, which is left to the caller; 0 stands for
// the end of the text, and a backquote for that of the part.
func (s *scanner) list(closer byte) bool {
	if s.depth++; s.depth > MaxNesting {
		return false
	}
	p := position{command: true, outside: len(s.levels)}
	waiting := len(s.docs)
	for {
		s.blanks()
		if s.at >= s.end {
			s.depth--
			return closer != ')' && len(s.levels) == p.outside && len(s.docs) == waiting && s.at == s.end
		}
		switch c := s.src[s.at]; {
		case c == '\n':
			s.at++
			p.command = true
			if len(s.docs) > 0 && (waiting > 0 || !s.bodies()) {
				return false
			}
		case c == '#':
			s.comment()
		case c == ')' && s.closes(&p):
			s.closing(&p)
		case c == ')':
			s.depth--
			return closer == ')' && len(s.levels) == p.outside && len(s.docs) == waiting
		case c == '(':
			if !s.parenthesis(&p) {
				return false
			}
		case (c == '<' || c == '>') && s.peek(1) != '(', c == '&' && s.peek(1) == '>':
			if !s.redirect(&p, s.at) {
				return false
			}
		case c == ';' || c == '&' || c == '|':
			s.control(&p, c)
		default:
			if !s.item(&p) {
				return false
			}
		}
	}
}

// closes reports whether a closing parenthesis belongs to a level of the list.
func (s *scanner) closes(p *position) bool {
	l := s.level(p)
	return l != noLevel && l != caseBody
}

// closing passes a closing parenthesis that belongs to a level of the list.
func (s *scanner) closing(p *position) {
	if s.level(p) == casePattern {
		s.levels[len(s.levels)-1] = caseBody
		p.command = true
	} else {
		p.command = s.leave() == definition
	}
	s.marks[s.at] |= operator
	s.at++
}

// control passes a control operator other than a parenthesis or a newline.
func (s *scanner) control(p *position, c byte) {
	s.marks[s.at] |= operator
	next := s.peek(1)
	switch {
	case c == ';' && (next == ';' || next == '&'):
		if s.level(p) == caseBody {
			s.levels[len(s.levels)-1] = casePattern
		}
		if s.at++; next == ';' && s.peek(1) == '&' {
			s.at++
		}
	case c != ';' && next == c, c == '|' && next == '&':
		s.marks[s.at] |= doubled
		s.at++
	case c == '&':
		s.tally.backgrounds++
	}
	s.at++
	p.command, p.head = true, noHead
}

// level returns the innermost level of a list.
func (s *scanner) level(p *position) level {
	if n := len(s.levels); n > p.outside {
		return s.levels[n-1]
	}
	return noLevel
}

func (s *scanner) enter(l level) bool {
	s.levels = append(s.levels, l)
	return len(s.levels) <= MaxNesting
}

func (s *scanner) leave() level {
	n := len(s.levels) - 1
	l := s.levels[n]
	s.levels = s.levels[:n]
	return l
}

// parenthesis passes an opening parenthesis that begins no part of a word.
func (s *scanner) parenthesis(p *position) bool {
	pattern := s.level(p) == casePattern
	loop := p.head == loopName
	if s.peek(1) == '(' && (p.command && !pattern || loop) {
		if p.command, p.head = false, noHead; loop {
			p.head = loopIn
		}
		return s.arithmetic(s.at, 2)
	}
	s.marks[s.at] |= operator
	s.at++
	p.command, p.head = true, noHead
	if pattern {
		return true
	}
	if s.blanks(); s.peek(0) == ')' {
		return s.enter(definition)
	}
	return s.enter(subshell)
}

// item passes a word, or the redirection whose descriptor it is.
func (s *scanner) item(p *position) bool {
	start := s.at
	if p.command && s.src[s.at] == '!' && s.peek(1) == '(' {
		s.at++ // it negates, and is no pattern
	} else if !s.word(false) {
		return false
	}
	text := s.src[start:s.at]
	if next := s.peek(0); (next == '<' || next == '>') && s.peek(1) != '(' && isFd(text) {
		return s.redirect(p, start)
	}
	s.mark(start, p.command)
	return s.keyword(p, text)
}

func (s *scanner) mark(start int, command bool) {
	m := wordStart
	if command {
		m |= first
		s.commands++
		s.lastAt = max(s.lastAt, start)
	}
	s.marks[start] |= m
	s.marks[s.at] |= wordEnd
	s.tally.words++
}

// isFd reports whether a word directly before < or > is a descriptor.
func isFd(text string) bool {
	if len(text) > 2 && text[0] == '{' && text[len(text)-1] == '}' {
		name := text[1 : len(text)-1]
		return strings.Trim(name, identBytes) == "" && (name[0] < '0' || name[0] > '9')
	}
	return strings.Trim(text, "0123456789") == ""
}

// identBytes are the bytes of the names of variables.
const identBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

// opener reports whether a command may begin behind a reserved word.
func opener(text string) bool {
	switch text {
	case "if", "then", "elif", "else", "while", "until", "do", "{", "!":
		return true
	}
	return false
}

// keyword notes what a word means for those that follow.
func (s *scanner) keyword(p *position, text string) bool {
	head, command := p.head, p.command
	p.head, p.command = noHead, false
	level := s.level(p)
	switch {
	case text == "esac" && (level == casePattern || command && level == caseBody):
		s.leave()
		return true
	case level == casePattern:
		return true
	case head == caseIn && text == "in":
		return s.enter(casePattern)
	case head == loopIn && (text == "do" || text == "{"):
		p.command = true
		return true
	case head == timeOption && text == "-p":
		p.command = true
		return true
	case head == coprocName && !command && (opener(text) || text == "for" || text == "case" || text == "[["):
		command = true // coproc NAME { …
	case head == loopName:
		p.head = loopIn
		return true
	case head == caseSubject:
		p.head = caseIn
		return true
	case head == functionName:
		p.command = true
		return true
	}
	if !command {
		return true
	}
	switch text {
	case "case":
		p.head = caseSubject
	case "for", "select":
		p.head = loopName
	case "function":
		p.head = functionName
	case "coproc":
		p.head, p.command = coprocName, true
	case "time":
		p.head, p.command = timeOption, true
	case "[[":
		return s.test()
	default:
		p.command = opener(text)
		if head == coprocName && !p.command {
			p.head = coprocName
		}
	}
	return true
}

// redirect passes a redirection of which the descriptor, if there is one, was
// passed already.
func (s *scanner) redirect(p *position, start int) bool {
	s.tally.redirects++
	m := redirects
	if s.at > start {
		m |= descriptor
	}
	s.marks[s.at] |= m
	if p.command {
		s.marks[start] |= first
	}
	p.command, p.head = false, noHead
	op := redirection(s.src[s.at:s.end])
	s.at += len(op)
	s.blanks()
	from := s.at
	if s.at == s.end || !s.word(false) || s.at == from {
		return false
	}
	if (op == "<&" || op == ">&") && s.src[from] == '-' && s.at > from+1 {
		return false // it ends at the dash
	}
	s.mark(from, false)
	if op == "<<" || op == "<<-" {
		return s.document(s.src[from:s.at], op == "<<-")
	}
	return true
}

// redirection returns the longest operator at the beginning of a text.
func redirection(text string) string {
	for _, op := range [...]string{"<<<", "<<-", "&>>", "<<", "<&", "<>", ">>", ">|", ">&", "&>"} {
		if strings.HasPrefix(text, op) {
			return op
		}
	}
	return text[:1]
}

// document notes a here-document by its delimiter as written.
func (s *scanner) document(raw string, tabs bool) bool {
	if strings.ContainsAny(raw, "$`\n") {
		return false
	}
	d := document{delimiter: raw, tabs: tabs}
	if strings.ContainsAny(raw, `'"\`) {
		d.quoted = true
		d.delimiter = strings.ReplaceAll(strings.ReplaceAll(raw, `'`, ""), `"`, "")
		if strings.Contains(raw, `\`) {
			if strings.ContainsAny(raw, `'"`) {
				return false
			}
			d.delimiter = strings.ReplaceAll(raw, `\`, "")
		}
	}
	s.docs = append(s.docs, d)
	return true
}

// bodies passes the bodies of here-documents, from the line behind theirs.
func (s *scanner) bodies() bool {
	for i := 0; i < len(s.docs); i++ {
		d := s.docs[i]
		from, to, ok := s.body(&d)
		if !ok {
			return false
		}
		s.marks[from] |= bodyStart
		s.marks[to] |= bodyEnd
		s.tally.bodies++
		after := s.at
		if !d.quoted && !s.expansions(from, to-len(d.delimiter)) {
			return false
		}
		s.at = after
	}
	s.docs = s.docs[:0]
	return true
}

// body returns the span of a body with its delimiter and passes it.
func (s *scanner) body(d *document) (from, to int, ok bool) {
	from = s.at
	joined := "" // the text of continued lines
	for continued := false; s.at < s.end; {
		to = s.at
		line := s.src[s.at:s.end]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
			s.at += n + 1
		} else {
			s.at = s.end
		}
		end := to + len(line)
		text := line
		if d.tabs {
			text = strings.TrimLeft(line, "\t")
		}
		if text == d.delimiter && !continued {
			return from, end, true
		}
		if continued && joined+text == d.delimiter {
			return 0, 0, false // some shells join the lines before they compare
		}
		if continued {
			joined += text
		} else {
			joined = text
		}
		backslashes := len(line) - len(strings.TrimRight(line, `\`))
		if continued = !d.quoted && backslashes%2 == 1; continued {
			joined = joined[:len(joined)-1]
		}
	}
	return 0, 0, false
}

// expansions passes the part of a text in which there are expansions but no
// quotation.
func (s *scanner) expansions(from, to int) bool {
	end, docs := s.end, s.docs
	s.at, s.end, s.docs = from, to, nil
	defer func() { s.end, s.docs = end, docs }()
	for s.at < to {
		switch s.src[s.at] {
		case '\\':
			s.at += 2
		case '"':
			s.at++
		default:
			if !s.expansion() {
				return false
			}
		}
	}
	return true
}
