package rego

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

// libraryText holds what compiled rules share: rules and functions with an empty
// line between them.
//
//go:embed library.rego
var libraryText string

// A chunk is one definition of the library.
type chunk struct {
	// name is what it defines. The cases of "met" are named by their operator
	// as well.
	name, text string
	// uses are the names in it.
	uses []string
}

// chunks returns the library in pieces.
var chunks = sync.OnceValue(func() []chunk {
	name := regexp.MustCompile(`(?m)^(met\("[a-z]+"|hidden\["time"\]|[a-z_]+)`)
	word := regexp.MustCompile(`[a-z_]+`)
	noCode := regexp.MustCompile("(?m)\"[^\"\n]*\"|`[^`]*`|#.*$")
	var out []chunk
	for _, text := range strings.Split(strings.TrimSpace(libraryText), "\n\n") {
		c := chunk{name: name.FindString(text), text: text}
		c.uses = word.FindAllString(noCode.ReplaceAllString(text, ""), -1)
		out = append(out, c)
	}
	return out
})

// library returns the definitions that the names need, in their order.
func library(needs map[string]bool) string {
	all := chunks()
	by := map[string][]int{}
	for i := range all {
		by[all[i].name] = append(by[all[i].name], i)
	}
	taken := make([]bool, len(all))
	var take func(name string)
	take = func(name string) {
		for _, i := range by[name] {
			if taken[i] {
				continue
			}
			taken[i] = true
			for _, use := range all[i].uses {
				take(use)
			}
		}
	}
	for name := range needs {
		take(name)
	}
	var b strings.Builder
	for i := range all {
		if taken[i] {
			b.WriteString("\n" + all[i].text + "\n")
		}
	}
	return b.String()
}
