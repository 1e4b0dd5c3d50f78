package console

import (
	"fmt"
	"io"
	"strings"

	"github.com/policyctl/policyctl/internal/render"
)

// Warn tells people something on a line of its own, or on one for each line
// of the error.
func Warn(stderr io.Writer, kind string, err error) {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(stderr, "policyctl: %s%s\n", kind, render.Plain(strings.TrimRight(line, "\n")))
	}
}
