package config

import (
	"encoding"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/pkg/pattern"
	"github.com/policyctl/policyctl/pkg/policy"
)

// A form is how a value is written, and how it is decoded into a T.
type form[T any] struct {
	shape  shape
	decode func(d *decoder, n *yaml.Node, into *T)
}

func text[T any](field func(*T) *string) form[T] {
	return form[T]{textShape, func(d *decoder, n *yaml.Node, into *T) {
		if s, ok := d.str(n); ok {
			*field(into) = s
		}
	}}
}

func boolean[T any](field func(*T) *bool) form[T] {
	return form[T]{is("type", "boolean"), func(d *decoder, n *yaml.Node, into *T) {
		if b, ok := d.boolean(n); ok {
			*field(into) = b
		}
	}}
}

// word is one of the names that a type knows.
func word[T, E any, P interface {
	*E
	encoding.TextUnmarshaler
}](what string, field func(*T) P) form[T] {
	names := func() []string { return namesOf(P(new(E))) }
	return form[T]{oneOf(names), func(d *decoder, n *yaml.Node, into *T) { d.word(n, what, field(into)) }}
}

// namesOf returns the names that a type knows.
func namesOf(u encoding.TextUnmarshaler) []string {
	var unknown *policy.NameError
	if err := u.UnmarshalText([]byte("\x00")); !errors.As(err, &unknown) {
		panic("config: a type of words that takes any")
	}
	return unknown.Valid
}

func number[T any](least, most int, field func(*T) *int) form[T] {
	return form[T]{between(least, most), func(d *decoder, n *yaml.Node, into *T) {
		if i, ok := d.number(n, least, most); ok {
			*field(into) = i
		}
	}}
}

// longest bounds a time in which somebody should answer.
const longest = 365 * 24 * time.Hour

func seconds[T any](field func(*T) *time.Duration) form[T] {
	most := int(longest / time.Second)
	return form[T]{between(1, most), func(d *decoder, n *yaml.Node, into *T) {
		if i, ok := d.number(n, 1, most); ok {
			*field(into) = time.Duration(i) * time.Second
		}
	}}
}

func milliseconds[T any](least, most time.Duration, field func(*T) *time.Duration) form[T] {
	from, to := int(least/time.Millisecond), int(most/time.Millisecond)
	return form[T]{between(from, to), func(d *decoder, n *yaml.Node, into *T) {
		if i, ok := d.number(n, from, to); ok {
			*field(into) = time.Duration(i) * time.Millisecond
		}
	}}
}

func texts[T any](field func(*T) *[]string) form[T] {
	return form[T]{listOf(textShape), func(d *decoder, n *yaml.Node, into *T) {
		list := field(into)
		for item := range d.items(n) {
			if s, ok := d.str(item); ok {
				*list = append(*list, s)
			}
		}
	}}
}

func textOrTexts[T any](field func(*T) *[]string) form[T] {
	many := texts(field)
	return form[T]{either(textShape, many.shape), func(d *decoder, n *yaml.Node, into *T) {
		if n.Kind == yaml.SequenceNode {
			many.decode(d, n, into)
			return
		}
		if s, ok := d.str(n); ok {
			*field(into) = append(*field(into), s)
		}
	}}
}

// oneOrMore is a name, or a list of names; the setting has them separated by
// commas.
func oneOrMore[T any](field func(*T) *string) form[T] {
	many := textOrTexts(func(l *[]string) *[]string { return l })
	return form[T]{either(textShape, someOf(textShape)), func(d *decoder, n *yaml.Node, into *T) {
		var list []string
		if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
			d.fail(n, "%s is an empty list: leave it out, or name somebody", d.at)
			return
		}
		many.decode(d, n, &list)
		*field(into) = strings.Join(list, ",")
	}}
}

func entries[T any](field func(*T) *[]policy.Entry) form[T] {
	return form[T]{listOf(textShape), func(d *decoder, n *yaml.Node, into *T) {
		list := field(into)
		for item := range d.items(n) {
			if s, ok := d.str(item); ok {
				*list = append(*list, policy.Entry{Text: s, Origin: d.origin(item)})
			}
		}
	}}
}

func expression[T any](field func(*T) **regexp.Regexp) form[T] {
	return form[T]{expressionShape, func(d *decoder, n *yaml.Node, into *T) {
		s, ok := d.line(n)
		if !ok || !d.affords(n, slices.Values([]string{s})) {
			return
		}
		re, err := regexp.Compile(s)
		if err != nil {
			d.fail(n, "%s: %s", d.at, pattern.RegexpError(err))
			return
		}
		*field(into) = re
	}}
}
