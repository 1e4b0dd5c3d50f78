package hardline

import (
	"sort"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

// A program is a text in another language, read just far enough to tell what
// is passed to a call from what is only written down.
type script struct {
	text string
	// prose is the text with blanks in the place of literals of several words.
	prose    string
	literals [][]int
	// closed holds where each bracket is closed, nil before it is needed.
	closed map[int]int
	// assigned holds the offsets behind "name =", nil before it is needed.
	assigned map[string][]int
}

func newScript(text string) *script {
	p := &script{text: text, literals: literals.get().FindAllStringIndex(text, maxLiterals)}
	masked := []byte(text)
	for _, l := range p.literals {
		body := text[l[0]+1 : l[1]-1]
		if text[l[0]] == '`' || !strings.ContainsAny(body, " \t\\") {
			continue
		}
		for i := l[0] + 1; i < l[1]-1; i++ {
			masked[i] = ' '
		}
	}
	p.prose = string(masked)
	return p
}

// operatorRuns returns the texts that a language runs without a call: the
// backquotes of Perl, Ruby and PHP, those after $ in Bun, and the pipes of
// awk.
func (p *script) operatorRuns(language program.Language) []string {
	var out []string
	for i, l := range p.literals {
		before, after := strings.TrimRight(p.text[:l[0]], " "), strings.TrimLeft(p.text[l[1]:], " ")
		piped := strings.HasSuffix(before, "|") || strings.HasSuffix(before, "|&")
		runs := false
		switch language {
		case program.Perl, program.Ruby, program.PHP:
			runs = p.text[l[0]] == '`'
			if v := p.value(i); language == program.Perl && opensPipe(p.text[:l[0]]) && strings.ContainsRune(v, '|') {
				out = append(out, strings.Trim(v, "| "))
			}
		case program.JavaScript:
			runs = p.text[l[0]] == '`' && strings.HasSuffix(before, "$")
		case program.AWK:
			runs = piped || strings.HasPrefix(strings.TrimLeft(after, "|& "), "getline") && strings.HasPrefix(after, "|")
			if body := p.text[l[0]+1 : l[1]-1]; piped && i > 0 && program.Has(shell.Base(body), program.IsShell) {
				out = append(out, p.value(i-1))
			}
		}
		if runs {
			out = append(out, p.value(i))
		}
	}
	return out
}

// opensPipe reports whether code ends in the arguments of open.
func opensPipe(before string) bool {
	at := strings.LastIndex(before, "open")
	return at >= 0 && !strings.ContainsAny(before[at:], ";\n")
}

func (p *script) value(i int) string { return unquote(p.text[p.literals[i][0]:p.literals[i][1]]) }

// maxLiterals bounds how many literals of a program are looked at.
const maxLiterals = 256

var identifier = &pattern{text: `[A-Za-z_$@][A-Za-z0-9_]*`}

// passed returns the literals that a call is given whose name ends at offset
// end, also by a variable: each list is what stands in one argument list or
// one assignment.
func (p *script) passed(end int) [][]string {
	from, to := p.arguments(end)
	lists := [][]string{p.within(from, to)}
	for _, at := range identifier.get().FindAllStringIndex(p.prose[from:to], 32) {
		if name := p.prose[from+at[0] : from+at[1]]; !p.quoted(from + at[0]) {
			for _, eq := range p.assignments(name) {
				_, stop := p.arguments(eq)
				lists = append(lists, p.within(eq, stop))
			}
		}
	}
	return lists
}

// isCall reports whether a name between two offsets may be called. In a literal, it is
// only where that literal names what is called: getattr(os, "system")(…).
func (p *script) isCall(at, end int) bool {
	l := p.literalAt(at)
	if l == nil {
		after := strings.TrimLeft(p.text[end:], " ")
		return !strings.HasPrefix(after, ":") || strings.HasPrefix(after, "::") // {exec: "…"} is data
	}
	return strings.HasPrefix(strings.TrimLeft(p.text[l[1]:], ")] "), "(") && strings.ContainsAny(p.text[l[1]:min(l[1]+1, len(p.text))], ")]")
}

// argvCalls take a program and its arguments, and no line for a shell unless
// they are told to.
const argvCalls = "subprocess run call check_call check_output Popen spawn spawnSync spawnlp spawnvp execFile execFileSync execv execvp execve execl execlp execle posix_spawn posix_spawnp pcntl_exec create_subprocess_exec Command"

// takesArgv reports whether the call whose name stands between two offsets takes
// a list of words.
func (p *script) takesArgv(from, to int) bool {
	begin, end := p.arguments(to)
	return program.HasWord(argvCalls, p.text[from:to]) && !strings.Contains(p.text[begin:end], "shell")
}

// arguments returns the part of the text that a call with a name that ends at
// offset end is given: what is in its parentheses, or the rest of the
// statement.
func (p *script) arguments(end int) (from, to int) {
	from = end
	for from < len(p.text) && strings.IndexByte(` "')]=`, p.text[from]) >= 0 {
		if p.startsLiteral(from) {
			break
		}
		from++
	}
	for i := from; i < len(p.text); i++ {
		if l := p.literalAt(i); l != nil {
			i = l[1] - 1
			continue
		}
		switch p.text[i] {
		case '(', '[', '{':
			return from, p.closing(i)
		case ')', ']', '}', '\n', ';':
			return from, i
		}
	}
	return from, len(p.text)
}

// closing returns where the bracket that opens at an offset is closed, the
// length of the text if nowhere. All are found at once, in one pass.
func (p *script) closing(at int) int {
	if p.closed == nil {
		p.closed = make(map[int]int)
		var open []int
		for i := 0; i < len(p.prose); i++ {
			if l := p.literalAt(i); l != nil {
				i = l[1] - 1
				continue
			}
			switch p.prose[i] {
			case '(', '[', '{':
				open = append(open, i)
			case ')', ']', '}':
				if last := len(open) - 1; last >= 0 {
					p.closed[open[last]] = i
					open = open[:last]
				}
			}
		}
	}
	if end, ok := p.closed[at]; ok {
		return end
	}
	return len(p.text)
}

// assigned matches a name that is given a value.
var assigned = &pattern{text: `([A-Za-z_$@][A-Za-z0-9_]*)[ \t:]*=`}

// loops matches a name that goes through a list.
var loops = &pattern{text: `\bfor\s+(\w+)\s+in\b`}

// assignments returns the offsets behind the first few "name =". All are found
// at once, in one pass.
func (p *script) assignments(name string) []int {
	if p.assigned == nil {
		p.assigned = make(map[string][]int)
		for _, m := range append(assigned.get().FindAllStringSubmatchIndex(p.prose, -1), loops.get().FindAllStringSubmatchIndex(p.prose, -1)...) {
			to := p.prose[m[2]:m[3]]
			if !strings.HasPrefix(p.prose[m[1]:], "=") && len(p.assigned[to]) < 8 {
				p.assigned[to] = append(p.assigned[to], m[1])
			}
		}
	}
	return p.assigned[name]
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// within returns the values of the literals that begin between two offsets.
func (p *script) within(from, to int) []string {
	var out []string
	for _, l := range p.literals {
		if l[0] >= from && l[0] < to {
			out = append(out, unquote(p.text[l[0]:l[1]]))
		}
	}
	return out
}

// lineEnd returns the offset where the line of an offset ends.
func (p *script) lineEnd(at int) int {
	if n := strings.IndexByte(p.text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(p.text)
}

// literalAt returns the literal that holds offset i, nil if there is none.
func (p *script) literalAt(i int) []int {
	k := sort.Search(len(p.literals), func(k int) bool { return p.literals[k][1] > i })
	if k < len(p.literals) && p.literals[k][0] <= i {
		return p.literals[k]
	}
	return nil
}

func (p *script) startsLiteral(i int) bool {
	l := p.literalAt(i)
	return l != nil && l[0] == i
}

func (p *script) quoted(i int) bool { return p.literalAt(i) != nil }
