package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

var (
	// awkSystems are the calls and pipes of awk that run literals and fields
	// behind one another, or a variable that holds them.
	awkSystems = &pattern{text: `\bsystem\(\s*((?:\s*(?:"(?:[^"\\]|\\.)*"|\$[0-9]))+|[A-Za-z_]\w*)\s*\)`}
	awkAssigns = &pattern{text: `\b([A-Za-z_]\w*)\s*=((?:\s*(?:"(?:[^"\\]|\\.)*"|\$[0-9]))+)`}
	awkParts   = &pattern{text: `"(?:[^"\\]|\\.)*"|\$[0-9]`}
	awkFormats = &pattern{text: `\bprintf\s*\(?\s*((?:\s*,?\s*"(?:[^"\\]|\\.)*")+)\s*\)?\s*\|\s*"(?:/bin/)?(?:ba|z|da|k)?sh"`}
)

// awkRuns reports whether awk runs what the floor denies, made of literals and of
// the fields that it reads.
func awkRuns(s *hazard.Scene, c *shell.Command, text string) bool {
	var made []string
	for _, m := range awkSystems.get().FindAllStringSubmatch(text, 16) {
		parts := m[1]
		for _, a := range awkAssigns.get().FindAllStringSubmatch(text, 16) {
			if a[1] == parts {
				parts = a[2]
			}
		}
		made = append(made, parts)
	}
	for _, parts := range made {
		if !strings.Contains(parts, "$") {
			if catastrophic(s, c, awkText(parts, "")) {
				return true
			}
			continue
		}
		if anyInput(s, c, func(in string) bool {
			for line := range strings.Lines(in) {
				if catastrophic(s, c, awkText(parts, strings.TrimSpace(line))) {
					return true
				}
			}
			return false
		}) {
			return true
		}
	}
	for _, m := range awkFormats.get().FindAllStringSubmatch(text, 16) {
		if catastrophic(s, c, awkFormat(awkParts.get().FindAllString(m[1], 16))) {
			return true
		}
	}
	return false
}

// awkText returns what literals and fields of a line make behind one another.
func awkText(parts, line string) string {
	fields := append([]string{line}, strings.Fields(line)...)
	out := ""
	for _, p := range awkParts.get().FindAllString(parts, 16) {
		if p[0] == '"' {
			out += unquote(p)
		} else if n := int(p[1] - '0'); n < len(fields) {
			out += fields[n]
		}
	}
	return out
}

// awkFormat returns what printf prints of literals, for the conversion %s.
func awkFormat(lits []string) string {
	out := unquote(lits[0])
	for _, l := range lits[1:] {
		out = strings.Replace(out, "%s", unquote(l), 1)
	}
	return out
}
