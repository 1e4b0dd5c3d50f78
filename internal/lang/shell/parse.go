package shell

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// A Problem is the reason why a text could not be read.
type Problem struct {
	// Code is one of "syntax", "ambiguous", "too-long", "too-deep",
	// "too-many", "control-character" and "shell".
	Code string
	// Why is a clause for people.
	Why string
	// Span is the place, or the whole text where there is no better one.
	Span Span
}

// ForeignShell is the code of the problem of a text for a shell that cannot be read.
const ForeignShell = "shell"

// Refuse looks for what must not reach the parser in a text for the shells that a name,
// as that of [ShellsOf], stands for; nil where nothing does.
func Refuse(src, shells string) *Problem {
	whole := Span{0, len(src)}
	if ShellsOf(shells) == 0 {
		return &Problem{ForeignShell, fmt.Sprintf("lines for %s cannot be read", shells), whole}
	}
	if len(src) > MaxSource {
		return &Problem{"too-long", fmt.Sprintf("the line is longer than %d KiB", MaxSource>>10), whole}
	}
	if i := strings.IndexByte(src, 0); i >= 0 {
		return &Problem{"control-character", "the line holds a NUL byte", Span{i, i + 1}}
	}
	if i := strings.IndexByte(src, '\r'); i >= 0 {
		return &Problem{"control-character", "the line holds a carriage return, which shells read as part of a word; end lines with only a newline", Span{i, i + 1}}
	}
	return nil
}

// A Parser parses one text after the other. The zero value is ready; it must not be used
// by several goroutines at a time. What [Refuse] refuses must not be parsed.
type Parser struct {
	scanner scanner
	plain   plainParser
}

// A Tree is a text that was parsed.
type Tree struct {
	// Stmts are its statements. They are valid until the parser is released.
	Stmts []*syntax.Stmt
	// Commands is about how many simple commands it has, and Last where the last of
	// them begins.
	Commands, Last int
	// Differs says that Construct, from From to To, is the first that some of the
	// shells which may run the text read differently.
	Differs   bool
	Construct ConstructID
	From, To  syntax.Pos
}

// Parse parses a text that some shells may run, and refuses what the scanner divides
// otherwise than the parser. Texts for sh that is no POSIX shell are read as bash, which is
// what many systems call sh.
func (p *Parser) Parse(src string, set Shells) (Tree, *Problem) {
	followed := p.scanner.scan(src)
	list, ok := p.plain.parse(src)
	if !ok {
		var err error
		if list, err = parseAny(p.scanner.plain()); err != nil {
			return Tree{}, problemOf(err, src)
		}
	}
	if !followed {
		return Tree{}, disagreement(src, p.scanner.at)
	}
	a := p.scanner.agree(list, set)
	if a.fails {
		return Tree{}, disagreement(src, a.at)
	}
	return Tree{list, p.scanner.commands, p.scanner.lastAt, a.diverges, a.construct, a.from, a.to}, nil
}

// Release takes back the memory of the trees that were parsed.
func (p *Parser) Release() { p.plain.release() }

var bashParsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// parseAny parses a text that need not be plain.
func parseAny(src string) ([]*syntax.Stmt, error) {
	p := bashParsers.Get().(*syntax.Parser)
	defer bashParsers.Put(p)
	return parseWith(p, src)
}

// ParseZsh parses a text that only zsh may run. What it says is read for dangers, and
// proves nothing.
func ParseZsh(src string) (_ []*syntax.Stmt, ok bool) {
	list, err := parseWith(syntax.NewParser(syntax.Variant(syntax.LangZsh)), src)
	return list, err == nil
}

func parseWith(p *syntax.Parser, src string) ([]*syntax.Stmt, error) {
	file, err := p.Parse(&depthReader{src: src, free: betweenLooks}, "")
	if err != nil {
		return nil, err
	}
	return file.Stmts, nil
}

// disagreement is the problem of a text that the scanner and the parser divide
// differently, first at some place.
func disagreement(src string, at int) *Problem {
	return &Problem{"ambiguous", "two readings of the line disagree about what it runs from here on; write it more plainly", Span{min(at, len(src)), len(src)}}
}

// problemOf returns what an error of the parser says.
func problemOf(err error, src string) *Problem {
	if errors.Is(err, errTooDeep) {
		return &Problem{"too-deep", "the line nests too deeply", Span{0, len(src)}}
	}
	syntaxAt := func(at syntax.Pos, why string) *Problem {
		return &Problem{"syntax", "the line does not parse: " + why, Span{min(int(at.Offset()), len(src)), len(src)}}
	}
	var pe syntax.ParseError
	if errors.As(err, &pe) {
		return syntaxAt(pe.Pos, pe.Text)
	}
	var le syntax.LangError
	if errors.As(err, &le) {
		return syntaxAt(le.Pos, le.Feature+" is not for this shell")
	}
	return &Problem{"syntax", "the line does not parse", Span{0, len(src)}}
}

var errTooDeep = errors.New("too deep")

// A depthReader hands out text until the parser that reads it has recursed
// too deeply: the parser has no limit of its own, and its stack overflow
// could not be recovered from.
type depthReader struct {
	src  string
	free int // bytes that are handed out before the next look
}

// betweenLooks is how many bytes a parser may read between two looks at how deep
// it is: a look takes as long as parsing a few hundred.
const betweenLooks = 4 << 10

func (d *depthReader) Read(p []byte) (int, error) {
	if len(d.src) == 0 {
		return 0, io.EOF
	}
	if d.free <= 0 {
		var pc [1]uintptr
		if runtime.Callers(maxFrames, pc[:]) > 0 {
			return 0, errTooDeep
		}
		d.free = betweenLooks
	}
	n := copy(p, d.src)
	d.src, d.free = d.src[n:], d.free-n
	return n, nil
}
