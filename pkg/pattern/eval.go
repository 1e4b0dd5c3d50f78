package pattern

import (
	"net/netip"
	"slices"
	"strings"
)

// eval says whether a value meets the operator. A value that is not known is
// the leaf's affair; a list may hold elements that are not known.
func (o *operator) eval(v lookup, input *Input) Truth {
	if v.missing {
		return truth(o.kind == notContains || o.kind == exists && !o.want)
	}
	switch o.kind {
	case exists:
		return truth((v.value != nil) == o.want)
	case equals:
		return same(v.value, o.value)
	case in:
		return o.among(v.value)
	case listed:
		if isList(v.value) {
			return sameList(v.value, o.values)
		}
		return o.among(v.value)
	case contains:
		return o.contained(v.value)
	case notContains:
		return not(o.contained(v.value))
	case gt, gte, lt, lte:
		return truth(o.ordered(v.value))
	case within:
		return o.inTime(input)
	}
	text, ok := v.value.(string)
	return truth(ok && o.matchText(text))
}

// matchText is for operators on nothing but texts.
func (o *operator) matchText(text string) bool {
	switch o.kind {
	case matches:
		return o.re.MatchString(text)
	case glob:
		return o.wild.match(text, false)
	case globPath:
		return o.wild.match(text, true)
	case startsWith:
		return strings.HasPrefix(text, o.text)
	case endsWith:
		return strings.HasSuffix(text, o.text)
	case cidr:
		return o.inNetwork(text)
	}
	return false
}

// among says whether a value, or an element of a list, is one of the values.
func (o *operator) among(v any) Truth {
	switch v := v.(type) {
	case []any:
		best := False
		for _, element := range v {
			if best = max(best, o.oneOf(element)); best == True {
				break
			}
		}
		return best
	case []string:
		for _, text := range v {
			for _, want := range o.values {
				if want == text {
					return True
				}
			}
		}
		return False
	}
	return o.oneOf(v)
}

func (o *operator) oneOf(v any) Truth {
	best := False
	for _, want := range o.values {
		if best = max(best, same(v, want)); best == True {
			break
		}
	}
	return best
}

// contained says whether a text contains the argument, in whatever case, or a
// list has it as an element.
func (o *operator) contained(v any) Truth {
	switch v := v.(type) {
	case string:
		_, isText := o.value.(string)
		return truth(isText && containsFold(v, o.folded))
	case []any:
		best := False
		for _, element := range v {
			if best = max(best, same(element, o.value)); best == True {
				break
			}
		}
		return best
	case []string:
		want, isText := o.value.(string)
		return truth(isText && slices.Contains(v, want))
	}
	return False
}

// ordered compares a number, or a text that is a decimal number.
func (o *operator) ordered(v any) bool {
	n, ok := numberOf(v)
	if text, isText := v.(string); isText {
		n, ok = parseNumber(text)
	}
	if !ok {
		return false
	}
	c := n.compare(o.number)
	switch o.kind {
	case gt:
		return c > 0
	case gte:
		return c >= 0
	case lt:
		return c < 0
	}
	return c <= 0
}

func (o *operator) inTime(input *Input) Truth {
	if input == nil || !input.HasTime() {
		return Unknown
	}
	return truth(o.hours.covers(input.Now))
}

func (o *operator) inNetwork(text string) bool {
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return false
	}
	addr = addr.Unmap().WithZone("")
	return slices.ContainsFunc(o.prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}
