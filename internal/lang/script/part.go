package script

import (
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

const (
	// toEnd is the end of a slice that has none.
	toEnd = math.MaxInt32
	// unknownNumber stands for a number that is not known.
	unknownNumber = math.MinInt32
)

// number returns the number that a value is known to be, unknownNumber for none.
func (v Value) number() int {
	if n, ok := integer(v.first()); ok && len(v.Texts) == 1 && n > -toEnd && n < toEnd {
		return n
	}
	return unknownNumber
}

// integer returns the number that a text is in decimal. Unlike strconv.Atoi it
// makes no error of the many texts that are none.
func integer(text string) (n int, ok bool) {
	if text == "" || text[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// part returns a part of each text of a value, or of its elements. Negative numbers
// count from the end.
func part(of Value, from, to int) Value {
	if from == unknownNumber || to == unknownNumber {
		return open
	}
	if of.Items != nil {
		from, to = bounds(len(of.Items), from, to)
		return Value{Items: of.Items[from:to]}
	}
	if len(of.Texts) == 0 {
		return open
	}
	return mapped(of, func(s string) string {
		if !IsKnown(s) {
			return Unknown
		}
		from, to := bounds(len(s), from, to)
		return s[from:to]
	})
}

func bounds(n, from, to int) (int, int) {
	if from < 0 {
		from += n
	}
	if to < 0 {
		to += n
	}
	from = min(max(from, 0), n)
	return from, min(max(to, from), n)
}

// partOf is slice, substring and substr: of AWK and Lua the first character is 1,
// and JavaScript's slice and substring are told where to end, others how much.
func partOf(p *reading, of Value, args []Value) Value {
	if of.Items == nil && len(args) > 0 && (len(of.Texts) == 0 || of.Texts[0] == Unknown) {
		of, args = args[0], args[1:]
	}
	if len(args) == 0 {
		return of
	}
	from, to := args[0].number(), toEnd
	if len(args) > 1 {
		to = args[1].number()
	}
	switch {
	case from == unknownNumber || to == unknownNumber:
		return open
	case p.language == program.Lua:
		if from--; to == -1 {
			to = toEnd
		}
	case p.language == program.JavaScript || to == toEnd || to < 0:
		if p.language == program.AWK {
			from--
		}
	case p.language == program.AWK:
		from, to = from-1, from-1+to
	default:
		to += from
	}
	return part(of, from, to)
}

// parentOf returns the directory that holds a path.
func parentOf(s string) string {
	if !IsKnown(s) && !strings.Contains(s, "/") {
		return Unknown
	}
	return path.Join(s, "..")
}

// trimming is strip and its like: without the blanks around a text, or what the
// second function takes off.
func trimming(blanks func(string) string, cut func(s, chars string) string) fold {
	return func(_ *reading, of Value, args []Value) Value {
		if len(of.Texts) == 0 || of.Texts[0] == Unknown {
			if len(args) == 0 {
				return of
			}
			of, args = args[0], args[1:]
		}
		switch {
		case len(args) > 0 && IsKnown(args[0].first()):
			return mapped(of, func(s string) string { return cut(s, args[0].first()) })
		case len(args) > 0 || blanks == nil:
			return open
		}
		return mapped(of, blanks)
	}
}

// each returns what a function makes of the elements of a list.
func each(list []Value, f func(Value) Value) []Value {
	out := make([]Value, 0, min(len(list), maxItems))
	for _, v := range list[:min(len(list), maxItems)] {
		out = append(out, f(v))
	}
	return out
}
