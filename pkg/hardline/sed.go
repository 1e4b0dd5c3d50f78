package hardline

import (
	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

func isSed(c *shell.Command) bool { return program.LanguageOf(c.Name) == program.Sed }

func isAWK(c *shell.Command) bool { return program.LanguageOf(c.Name) == program.AWK }

var (
	// sedEvaluates is the substitution whose result sed runs, sedWrites the file
	// that it writes.
	sedEvaluates = &pattern{text: `s/(?:[^/\\\n]|\\.)*/((?:[^/\\\n]|\\.)*)/[gpiImM0-9]*e`}
	sedWrites    = &pattern{text: `(?m)(?:^|[;{}0-9$/!,gpiI])\s*[wW]\s*(/\S+)\s*$`}
	sedLines     = &pattern{text: `^\s*(?:[0-9$]+|/[^/]*/)?(?:,(?:[0-9$]+|/[^/]*/))?\s*e\s*$`}
	sedRuns      = &pattern{text: `(?m)(?:^|[;{}0-9$/!,])\s*e\s+([^\n]+)$`}
)

func sedRunsCatastrophe(s *hazard.Scene, c *shell.Command, text string) bool {
	if sedLines.get().MatchString(text) && anyInput(s, c, func(v string) bool { return catastrophic(s, c, v) }) {
		return true
	}
	for _, m := range sedRuns.get().FindAllStringSubmatch(text, -1) {
		if catastrophic(s, c, m[1]) {
			return true
		}
	}
	for _, m := range sedEvaluates.get().FindAllStringSubmatch(text, -1) {
		if catastrophic(s, c, unescape(m[1])) {
			return true
		}
	}
	return false
}

// sedWritten returns the files that a program of sed writes.
func sedWritten(text string) (out []string) {
	for _, m := range sedWrites.get().FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}
