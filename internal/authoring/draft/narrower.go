package draft

import (
	"strings"
)

// allowPath adds an allow for a path where it can be said exactly or narrower.
// It is false if nothing was added.
func (b *builder) allowPath(e *Entry, tool string) bool {
	why := ""
	var patterns []pattern
	for _, p := range b.narrower(e, &why) {
		crossed := Crossings(p)
		if e.Flat {
			crossed = nil
		}
		patterns = append(patterns, pattern{subject: p, except: crossed})
	}
	if len(patterns) == 0 {
		b.drop(e, "stricter: it asks, since "+why)
		return false
	}
	for i := range patterns {
		patterns[i].subject = flat(patterns[i].subject)
	}
	b.add(e, tool, patterns...)
	if why != "" {
		b.note(e, why)
	}
	return true
}

// narrower returns patterns that match nothing that a pattern in the manner of
// gitignore does not. Two stars in them still stand for any depth. why says
// how they differ, or why there are none.
func (b *builder) narrower(e *Entry, why *string) []string {
	spec := e.Spec
	if strings.HasPrefix(spec, "!") || strings.Contains(spec, "[") || strings.Contains(spec, "..") {
		*why = "policyctl has no negations, classes of characters or parents in patterns of paths"
		return nil
	}
	if e.Flat {
		return b.flatter(spec, why)
	}
	p := unescape(spec, false)
	switch rest := strings.TrimPrefix(p, "./"); {
	case strings.HasPrefix(p, "//"):
		return depths("/", strings.TrimLeft(p, "/"))
	case strings.HasPrefix(p, "~/"):
		return depths("~/", p[2:])
	case strings.HasPrefix(p, "/"):
		return b.inProject(p[1:], why)
	case strings.HasPrefix(rest, "*"), strings.HasPrefix(rest, "?"):
		return b.inProject(rest, why) // or it would match anywhere
	default:
		if rest == p && !strings.Contains(strings.TrimSuffix(p, "/"), "/") {
			*why = "stricter: only in the directory of the call, not below it"
		}
		return depths("", rest)
	}
}

// flatter returns patterns of which the stars match slashes already.
func (b *builder) flatter(spec string, why *string) []string {
	switch {
	case strings.HasPrefix(spec, "/"), strings.HasPrefix(spec, "~/"):
		return []string{spec}
	case b.root != "":
		*why = "it is anchored at " + b.root + ": change that where the project lies elsewhere"
		return []string{quote(b.root+"/") + spec}
	case strings.HasPrefix(spec, "*"), strings.HasPrefix(spec, "?"):
		*why = "it is relative to a project that is unknown; name the project with --project"
		return nil
	}
	return []string{spec}
}

// inProject anchors a pattern at the project, if that is known.
func (b *builder) inProject(p string, why *string) []string {
	if b.root == "" {
		*why = "it is relative to a project that is unknown; name the project with --project"
		return nil
	}
	*why = "it is anchored at " + b.root + ": change that where the project lies elsewhere"
	return depths(quote(b.root+"/"), p)
}

// quote makes a path stand for itself in a pattern.
func quote(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`).Replace(path)
}

// depths returns the patterns for a path below an anchor: **/ in it stands for
// no directory or for any number of them.
func depths(anchor, p string) []string {
	p = manyStars().ReplaceAllString(p, "*") // more than two are one
	if dir, ok := strings.CutSuffix(p, "**/"); ok {
		p = dir + "*/" // any directory
	}
	if strings.HasSuffix(p, "/") {
		p += "**"
	}
	out := []string{anchor}
	parts := strings.Split(p, "/")
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		out = deeper(out, part)
	}
	if last != "**" {
		last = stars().ReplaceAllString(last, "*")
	}
	whole := last == "" || strings.ContainsAny(last, "*?.")
	for i, dir := range out {
		if out[i] = dir + last; !whole {
			out = append(out, dir+last+"/**") // what lies in a directory is meant too
		}
	}
	return out
}

// deeper goes on in each directory. Of too many only some are taken, which is
// stricter.
func deeper(dirs []string, part string) []string {
	var out []string
	for _, dir := range dirs {
		if part == "**" {
			out = append(out, dir, dir+"**/")
		} else {
			out = append(out, dir+stars().ReplaceAllString(part, "*")+"/")
		}
	}
	return out[:min(len(out), 8)]
}

// flat writes any depth as a star, which matches slashes in policyctl.
func flat(p string) string { return stars().ReplaceAllString(p, "*") }

// Crossings returns the patterns in which one wildcard that stays within a
// directory crosses into another: the exceptions of an allow. Behind **/ a star
// may cross, since that stands for the directories too.
func Crossings(p string) []string {
	var out []string
	for i := 0; i < len(p); i++ {
		switch {
		case p[i] == '\\':
			i++
		case strings.HasPrefix(p[i:], "**"):
			for i+1 < len(p) && p[i+1] == '*' {
				i++
			}
		case p[i] == '*' && strings.HasSuffix(p[:i], "**/"):
		case p[i] == '*':
			out = append(out, flat(p[:i])+"*/*"+flat(p[i+1:]))
		case p[i] == '?':
			out = append(out, flat(p[:i])+"/"+flat(p[i+1:]))
		}
	}
	return out
}
