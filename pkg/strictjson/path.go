package strictjson

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Path leads to a value.
type Path []Step

// A Step leads to a member by its key, or to an item by its index.
type Step struct {
	Key   string
	Index int // from 1; 0 is a key
}

// String returns the path as people write it: call.input.files[2].
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch {
		case step.Index > 0:
			fmt.Fprintf(&b, "[%d]", step.Index-1)
		case step.Key != "":
			b.WriteString(shown(step.Key, b.Len() > 0))
		}
	}
	return b.String()
}

// maxShown is how much of a key a path shows.
const maxShown = 64

func shown(key string, inside bool) string {
	if len(key) > maxShown {
		key = strings.ToValidUTF8(key[:maxShown], "") + "…"
	}
	if !isPlain(key) {
		return "[" + strconv.QuoteToASCII(key) + "]"
	}
	if inside {
		return "." + key
	}
	return key
}

func isPlain(key string) bool {
	return strings.IndexFunc(key, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_' && r != '-'
	}) < 0
}

// path returns the path of what the decoder points to.
func (r *reader) path(to jsontext.Pointer) (p Path) {
	for token := range to.Tokens() {
		step := Step{Key: token}
		if kind, _ := r.decoder.StackIndex(len(p) + 1); kind == '[' {
			index, _ := strconv.Atoi(token)
			step = Step{Index: index + 1}
		}
		p = append(p, step)
	}
	return p
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer returns the JSON pointer (RFC 6901) to a member of what another one
// leads to.
func Pointer(to, key string) string { return to + "/" + pointerEscapes.Replace(key) }
