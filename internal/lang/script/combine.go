package script

import (
	"strconv"
	"strings"
)

// either returns what one of several values may be.
func either(list []Value) Value {
	if len(list) == 1 && len(list[0].Texts) < 2 {
		return alone(list[0])
	}
	out := Value{}
	for _, v := range list {
		out.Each = out.Each || v.Each
		if v.Items != nil && len(out.Items) < maxItems {
			out.Items = append(out.Items[:len(out.Items):len(out.Items)], v.Items...)
		}
		for _, t := range v.Texts {
			if len(out.Texts) < maxValues && !has(out, t) {
				out.Texts = append(out.Texts, t)
			}
		}
	}
	return out
}

// alone returns what the only one of several values may be.
func alone(v Value) Value {
	if len(v.Items) == 0 {
		v.Items = nil
	}
	if len(v.Texts) == 0 {
		v.Texts = nil
	}
	return v
}

// concatenated returns the elements of lists behind one another; ok is false where
// a part is no list.
func concatenated(parts []Value) (out Value, ok bool) {
	for _, part := range parts {
		if part.Items == nil || len(out.Items) > maxItems {
			return Value{}, false
		}
		out.Items = append(out.Items, part.Items...)
	}
	return out, true
}

// combined returns texts behind one another with a text between them.
func combined(parts []Value, between string) Value {
	if between != "/" {
		if v, ok := joinOne(parts, between); ok {
			return v
		}
	}
	if len(parts) > maxParts {
		return open
	}
	out := Value{Texts: []string{""}}
	for i, part := range parts {
		texts := part.Texts
		if len(texts) == 0 && len(part.Items) > 0 { // "rm @ARGV" of Perl, "rm " + ["x"] of JavaScript
			texts = joinTexts(nil, text(" "), []Value{part}).Texts
		}
		if len(texts) == 0 {
			texts = open.Texts
		}
		out.Each = out.Each || part.Each
		var next []string
		for _, before := range out.Texts {
			for _, t := range texts {
				if part.Each && strings.HasPrefix(t, strings.TrimSuffix(before, "/")+"/") {
					next = append(next, t) // "/etc/" + each of what is in /etc
				} else if i > 0 && between == "/" && (strings.HasPrefix(t, "/") || strings.HasPrefix(before, Unknown) && part.Each) {
					next = append(next, t) // a path that begins anew
				} else if len(before)+len(t) < maxText {
					if i > 0 {
						t = between + t
					}
					next = append(next, before+t)
				}
				if len(next) == maxValues {
					break
				}
			}
			if len(next) == maxValues {
				break
			}
		}
		if out.Texts = next; next == nil {
			return open
		}
	}
	return out
}

// joinOne joins values that are one text each, or unknown.
func joinOne(parts []Value, between string) (Value, bool) {
	texts, size := make([]string, len(parts)), 0
	for i, part := range parts {
		switch {
		case part.Each || len(part.Texts) > 1 || len(part.Items) > 0 && len(part.Texts) == 0:
			return Value{}, false
		case len(part.Texts) == 0:
			texts[i] = Unknown
		default:
			texts[i] = part.Texts[0]
		}
		if size += len(texts[i]); size >= maxText {
			return open, true
		}
	}
	return Value{Texts: []string{strings.Join(texts, between)}}, true
}

// repeated returns a text several times.
func repeated(parts []Value) Value {
	if len(parts) != 2 || len(parts[1].Texts) != 1 {
		return open
	}
	n, err := strconv.Atoi(parts[1].Texts[0])
	if err != nil || n < 0 || n > 1000 {
		return open
	}
	return mapped(parts[0], func(s string) string {
		if len(s)*n > maxText {
			return Unknown
		}
		return strings.Repeat(s, n)
	})
}

// mapped returns a value with each of its texts changed.
func mapped(v Value, change func(string) string) Value {
	out := Value{Each: v.Each}
	for _, t := range v.Texts {
		out.Texts = append(out.Texts, change(t))
	}
	for _, item := range v.Items {
		out.Items = append(out.Items, mapped(item, change))
	}
	return out
}

// formatted returns a format with values in the place of %s, {} and their like;
// named returns those of {x} and %(x)s, and may be nil.
func formatted(format Value, args []Value, named func(string) (Value, bool)) Value {
	out := open
	for i, f := range format.Texts {
		var parts []Value
		next := 0
		for f != "" {
			at, n := directive(f)
			if at < 0 {
				break
			}
			parts = append(parts, text(f[:at]))
			if key := keyOfDirective(f[at : at+n]); key != "" {
				v, ok := text(f[at:at+n]), named == nil
				if !ok {
					v, _ = named(key)
				}
				parts = append(parts, v)
			} else if f[at:at+n] == "%%" {
				parts = append(parts, text("%"))
			} else if k, err := strconv.Atoi(strings.Trim(f[at:at+n], "{}")); err == nil && f[at] == '{' && k >= 0 && k < len(args) {
				parts = append(parts, args[k])
			} else if next < len(args) {
				part := args[next]
				if f[at+n-1] == 'c' && part.number() != unknownNumber {
					part = characters(nil, open, []Value{part})
				}
				parts = append(parts, part)
				next++
			} else {
				parts = append(parts, open)
			}
			f = f[at+n:]
		}
		parts = append(parts, text(f))
		if v := combined(parts, ""); i == 0 {
			out = v
		} else {
			out = either([]Value{out, v})
		}
	}
	return out
}

// directive returns where a format says that a value stands, and how long that
// is; -1 for nowhere.
func directive(f string) (at, n int) {
	at = strings.IndexAny(f, "%{")
	if at < 0 {
		return -1, 0
	}
	if f[at] == '{' {
		end := strings.IndexByte(f[at:], '}')
		if end < 0 || end > 1 && !isName(f[at+1:at+end]) {
			next, n := directive(f[at+1:])
			if next < 0 {
				return -1, 0
			}
			return at + 1 + next, n
		}
		return at, end + 1
	}
	end := at + 1
	if end < len(f) && f[end] == '{' { // %{x} of Ruby
		if n := strings.IndexByte(f[end:], '}'); n > 0 {
			return at, end + n + 1 - at
		}
	}
	for _, pair := range [...]string{"()", "<>"} {
		if end < len(f) && f[end] == pair[0] {
			end += strings.IndexByte(f[end:], pair[1]) + 1
		}
	}
	for end < len(f) && strings.IndexByte("-+ #0123456789.l", f[end]) >= 0 {
		end++
	}
	if end == len(f) {
		return -1, 0
	}
	return at, end + 1 - at
}

// keyOfDirective returns the name in {x}, %(x)s, %{x} and %<x>s.
func keyOfDirective(d string) string {
	key := strings.Trim(d, "{}")
	if d[0] == '%' && len(d) > 2 {
		key = ""
		if end := strings.IndexByte("({<", d[1]); end >= 0 {
			key, _, _ = strings.Cut(d[2:], ")}>"[end:end+1])
		}
	}
	if !isName(key) || isDigit(key[0]) {
		return ""
	}
	return key
}
