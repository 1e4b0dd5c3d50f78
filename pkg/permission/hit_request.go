package permission

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/internal/support/weburl"
)

// hitsRequests applies a permission about URLs to those that the commands of a line, and
// the code on it, ask for.
func (in *View) hitsRequests(p *Pattern) (best Hit, where *shell.Span) {
	for i := range in.Line.Commands {
		c := &in.Line.Commands[i]
		if h, at := in.hitsRequest(p, c); h > best {
			best, where = h, &at
		}
	}
	for _, line := range in.lines() {
		for i := range line.Commands {
			if h, _ := in.hitsRequest(p, &line.Commands[i]); h == Full {
				return Full, nil // where the code stands is no place of a command
			}
		}
	}
	return best, where
}

// hitsRequest does so for one command. A program that no table knows may ask for a URL
// that it is given.
func (in *View) hitsRequest(p *Pattern, c *command.Command) (best Hit, at shell.Span) {
	if c.Context == program.Remote || c.Function {
		return None, at
	}
	isClient := c.Is(isWebClient)
	look := func(e command.Effect) bool {
		if e.Kind == command.Connects && p.hitsURLs(e.Target, isClient) {
			best, at = Full, e.Span
		}
		return best != Full
	}
	if c.Effects(look); best != Full {
		c.CodeEffects(in.Home, look)
	}
	if best == Full || c.Args.Program != nil || c.Name == "" || c.Keyword {
		return best, at
	}
	for i := range c.Words[1:] {
		if w := &c.Words[i+1]; p.hitsURLs(w.Set, isClient) {
			if at = w.Span; isClient {
				return Full, at
			}
			best = Maybe
		}
	}
	return best, at
}

func isWebClient(p *program.Program) bool {
	return p.Client == program.HTTP || p.Client == program.HTTPie
}

// hitsURLs reports whether a deny or an ask means one of the URLs in a set. Clients of
// HTTP take one without its scheme too.
func (p *Pattern) hitsURLs(s shell.Set, client bool) bool {
	spelled := func(v string) []string {
		switch {
		case strings.Contains(v, "://"):
			return []string{v}
		case client && v != "" && v[0] != '-' && v[0] != '/':
			return []string{"http://" + v, "https://" + v}
		}
		return nil
	}
	for _, v := range s.Values {
		if slices.ContainsFunc(spelled(v), p.HitsURL) {
			return true
		}
	}
	return s.Open && slices.ContainsFunc(spelled(s.Prefix), func(v string) bool {
		return slices.ContainsFunc(weburl.Readings(v), func(r string) bool { return p.glob.matches(r + string(unknown)) })
	})
}
