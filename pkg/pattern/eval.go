package pattern

import (
	"net/netip"
	"slices"

	"github.com/policyctl/policyctl/pkg/record"
)

// eval reports whether a value meets the operator. A value that is unknown is
// the leaf's affair; a list may hold elements that are unknown.
func (o *operator) eval(v record.Entry, input *Input) Truth {
	row := o.row()
	if v.Missing {
		return truth(row.absent != nil && row.absent(o))
	}
	switch value := v.Value.(type) {
	case string:
		return o.evalText(value, input)
	case []string:
		return o.evalTexts(value, input)
	}
	switch {
	case row.instant != nil:
		return o.evalTime(input)
	case row.value == nil:
		return False
	case row.negates:
		return not(row.value(o, v.Value))
	}
	return row.value(o, v.Value)
}

func (o *operator) evalText(text string, input *Input) Truth {
	row := o.row()
	if row.instant != nil {
		return o.evalTime(input)
	}
	return truth(row.text != nil && row.text(o, text) != row.negates)
}

func (o *operator) evalTexts(texts []string, input *Input) Truth {
	row := o.row()
	if row.instant != nil {
		return o.evalTime(input)
	}
	return truth(row.texts != nil && row.texts(o, texts) != row.negates)
}

// among reports whether a value, or an element of a list, is one of the values.
func among(o *operator, v any) Truth {
	list, ok := v.([]any)
	if !ok {
		return isOneOf(o, v)
	}
	best := False
	for _, element := range list {
		if best = max(best, isOneOf(o, element)); best == True {
			break
		}
	}
	return best
}

func amongText(o *operator, text string) bool {
	for _, want := range o.values {
		if want == text {
			return true
		}
	}
	return false
}

func amongTexts(o *operator, texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return amongText(o, text) })
}

func isOneOf(o *operator, v any) Truth {
	best := False
	for _, want := range o.values {
		if best = max(best, same(v, want)); best == True {
			break
		}
	}
	return best
}

// equalOrOneOf compares a list element by element.
func equalOrOneOf(o *operator, v any) Truth {
	if list, ok := v.([]any); ok {
		return sameList(list, o.values)
	}
	return isOneOf(o, v)
}

// contained reports whether a list has the argument as an element.
func contained(o *operator, v any) Truth {
	list, _ := v.([]any)
	best := False
	for _, element := range list {
		if best = max(best, same(element, o.value)); best == True {
			break
		}
	}
	return best
}

// containedText reports whether a text contains the argument, in whatever case.
func containedText(o *operator, text string) bool {
	_, isText := o.value.(string)
	return isText && containsFold(text, o.folded)
}

func containedTexts(o *operator, texts []string) bool {
	want, isText := o.value.(string)
	return isText && slices.Contains(texts, want)
}

// evalTime hands on the time alone: what a row got a pointer to would be on
// the heap.
func (o *operator) evalTime(input *Input) Truth {
	if input == nil || !input.HasTime() {
		return Unknown
	}
	return truth(o.row().instant(o, input.Now))
}

func inNetwork(o *operator, text string) bool {
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return false
	}
	addr = addr.Unmap().WithZone("")
	return slices.ContainsFunc(o.prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}
