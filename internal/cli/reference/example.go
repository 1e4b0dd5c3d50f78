package reference

import (
	"fmt"
	"strings"

	"github.com/policyctl/policyctl/internal/render"
)

// examples returns a heading with lines in fenced blocks. Lines follow each
// other in one block; one that holds newlines has a block of its own, so that
// nobody takes it for several.
func examples(heading, language string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	parts := []string{heading}
	var together []string
	flush := func() {
		if len(together) > 0 {
			parts = append(parts, fenced(language, strings.Join(together, "\n")))
			together = nil
		}
	}
	for _, line := range lines {
		if strings.Contains(line, "\n") {
			flush()
			parts = append(parts, fenced(language, line))
			continue
		}
		together = append(together, line)
	}
	flush()
	return strings.Join(parts, "\n\n")
}

// fenced returns text in a block whose fence is longer than what stands in it.
// What a reader cannot see is an escape.
func fenced(language, text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = render.Plain(line)
	}
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fmt.Sprintf("%s%s\n%s\n%s", fence, language, strings.Join(lines, "\n"), fence)
}

// fields returns a list of names, each followed by its value in pairs. Names
// without a value are left out.
func fields(pairs ...string) string {
	var lines []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			lines = append(lines, fmt.Sprintf("- **%s:** %s", pairs[i], pairs[i+1]))
		}
	}
	return strings.Join(lines, "\n")
}

// join returns the parts that are not empty, as paragraphs.
func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n\n")
}
