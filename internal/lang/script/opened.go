package script

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// opened completes a call that opens a file.
func (p *parser) opened(c *Call, g gift) {
	var paths []Value
	reads := c.Act == Reads
	writes := slices.ContainsFunc(g.modes, isWriteMode)
	for i, v := range g.values {
		if n := v.number(); i > 0 && (c.Name == "sysopen" || i == 1) && (n == 1 || n == 2) { // O_WRONLY, O_RDWR
			writes = true
			continue
		}
		if len(v.Texts) != 1 || c.Act == Runs || i == 0 && !p.opensCommands(v) {
			paths = append(paths, v)
			continue
		}
		switch t := strings.TrimSpace(v.Texts[0]); {
		case t == "-|" || t == "|-":
			c.Act, c.Line = Runs, true
		case strings.HasPrefix(t, "|") || strings.HasSuffix(t, "|"):
			c.Act, c.Line, c.Values = Runs, true, []Value{text(strings.Trim(t, "| "))}
			return
		case isWriteMode(t):
			writes = true
			if t = strings.TrimLeft(t, "+>< "); t != "" && p.language == program.Perl && t[0] != ':' && t[0] != '&' || strings.HasPrefix(t, "/") || strings.HasPrefix(t, "~") {
				paths = append(paths, text(t)) // ">/etc/passwd"
			}
		default:
			paths = append(paths, v)
		}
	}
	if c.Act == Runs {
		c.Values = slices.DeleteFunc(paths, func(v Value) bool { return len(v.Texts) == 0 || v.Texts[0] == Unknown })
		c.Line = len(c.Values) == 1
		return
	}
	c.Act, c.Values = Writes, paths
	if writes && !reads {
		return
	}
	if p.language == program.Perl && len(paths) > 1 { // open F, "<", "x"
		paths = slices.DeleteFunc(paths, func(v Value) bool { return !IsKnown(v.first()) || strings.Trim(v.first(), "<:utf8()-") == "" })
	}
	c.Act, c.Values = Reads, paths[:min(1, len(paths))]
	if slices.ContainsFunc(c.Values, isURL) {
		c.Act, c.Method = Requests, "GET"
	}
}

// opensCommands reports whether the first value of open may be a command.
func (p *parser) opensCommands(v Value) bool {
	switch p.language {
	case program.Perl, program.NoLanguage:
		return true
	}
	return p.language == program.Ruby && strings.HasPrefix(v.Texts[0], "|")
}

// isURL reports whether a value is a URL for HTTP.
func isURL(v Value) bool {
	return strings.HasPrefix(v.first(), "http://") || strings.HasPrefix(v.first(), "https://")
}

// requested completes a call that asks a server; it is false for one that does
// not.
func (p *parser) requested(c *Call, g gift, n int32) bool {
	c.Values, c.Method = append(g.urls[:len(g.urls):len(g.urls)], g.values...), strings.ToUpper(g.method)
	switch c.Name {
	case "get", "post", "put", "patch", "delete", "head":
		c.Method = strings.ToUpper(c.Name)
	case "new": // Net::HTTP::Delete.new(uri)
		c.Method = strings.ToUpper(p.nameOf(p.nodes[p.nodes[n].first].first))
	case "curl_setopt":
		return c.curlOption(g)
	case "request":
		if len(c.Values) > 0 && isMethod(c.Values[0].first()) {
			c.Method, c.Values = strings.ToUpper(c.Values[0].first()), c.Values[1:]
		}
	}
	switch {
	case c.Method != "":
	case g.body:
		c.Method = "POST"
	default:
		c.Method = "GET"
	}
	return true
}

func isMethod(s string) bool {
	switch strings.ToUpper(s) {
	case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS":
		return true
	}
	return false
}

// curlOption completes curl_setopt of PHP, which says one thing of a request.
func (c *Call) curlOption(g gift) bool {
	last := Value{}
	if len(g.values) > 0 {
		last = g.values[len(g.values)-1]
	}
	c.Values = nil
	switch {
	case slices.Contains(g.modes, "CURLOPT_CUSTOMREQUEST"):
		c.Method = strings.ToUpper(last.first())
	case slices.Contains(g.modes, "CURLOPT_POST"), slices.Contains(g.modes, "CURLOPT_POSTFIELDS"):
		c.Method = "POST"
	case slices.Contains(g.modes, "CURLOPT_URL"):
		c.Method, c.Values = "GET", []Value{last}
	default:
		return false
	}
	return true
}

// isWriteMode reports whether a text is a mode with which a file is changed.
func isWriteMode(s string) bool {
	switch {
	case s == "":
		return false
	case s[0] == '>' || strings.HasPrefix(s, "+>") || strings.HasPrefix(s, "+<"):
		return true
	case strings.HasPrefix(s, "O_"):
		return s != "O_RDONLY" && s != "O_NONBLOCK" && s != "O_CLOEXEC" && s != "O_NOFOLLOW"
	case s == "WRONLY", s == "RDWR": // File::WRONLY
		return true
	}
	return len(s) <= 3 && strings.Trim(s, "rwaxbt+") == "" && strings.ContainsAny(s, "wax+")
}

// printed completes a call of AWK that prints to a program: a shell runs what is
// printed.
func (p *parser) printed(c *Call, n int32) bool {
	if len(c.Values) == 0 || len(c.Values[0].Texts) == 0 {
		return false
	}
	to := c.Values[0]
	base := to.Texts[0][strings.LastIndexByte(to.Texts[0], '/')+1:]
	c.Line = true
	if !program.Has(base, program.IsShell) {
		c.Values = []Value{to}
		return true
	}
	c.Values = []Value{mapped(p.awkPrints(n), func(s string) string { return strings.TrimSuffix(s, "\n") })}
	return true
}

// evaluated adds the calls of texts that a program evaluates.
func (p *parser) evaluated(g gift, depth int) {
	for _, v := range g.values[:min(1, len(g.values))] {
		for _, t := range v.Texts {
			p.evaluateText(t, depth)
		}
	}
}

// evaluateText adds the calls of a text, once for the whole program: what it is
// given from outside may hold the same text again and again.
func (p *parser) evaluateText(text string, depth int) {
	if p.evals == nil {
		p.evals = &evaluations{seen: map[string]bool{}, left: maxInnerSize}
	}
	if depth >= maxNested || len(text) < 4 || p.evals.seen[text] || len(p.evals.seen) == maxInner || p.evals.left < len(text) {
		return
	}
	p.evals.seen[text] = true
	p.evals.left -= len(text)
	inner := read(text, p.language, p.env, depth+1, p.evals)
	p.Calls = append(p.Calls, inner.Calls...)
	if inner.Output != nil && len(p.writings) < maxWritings {
		p.writings = append(p.writings, writing{0, Value{Texts: inner.Output}})
	}
	p.Waits, p.Pauses = p.Waits || inner.Waits, p.Pauses || inner.Pauses
}

// extensions are what a language adds to the name of a file that it loads.
var extensions = map[program.Language]string{
	program.Python: ".py /__init__.py /__main__.py", program.JavaScript: ".js .cjs .mjs .ts .json /index.js", program.Ruby: ".rb", program.Perl: ".pl .pm", program.PHP: ".php", program.Lua: ".lua",
}

// Files returns the names of the files that a program in a language may load by a
// name, or that of a module of Python, other than the name itself.
func Files(name string, in program.Language) (out []string) {
	if in == program.Python && !strings.Contains(name, "/") {
		name = strings.ReplaceAll(name, ".", "/")
	}
	for ext := range strings.FieldsSeq(extensions[in]) {
		out = append(out, name+ext)
	}
	return out
}

// loaded adds the calls of files that a program loads, where it is known what
// these hold.
func (p *parser) loaded(g gift, depth int) {
	for _, v := range g.values[:min(1, len(g.values))] {
		for _, path := range v.Texts {
			p.load(path, depth)
		}
	}
}

func (p *parser) load(path string, depth int) {
	if p.env.File == nil || !IsKnown(path) {
		return
	}
	texts := p.env.File(path)
	for _, name := range Files(path, p.language) {
		texts = append(texts[:len(texts):len(texts)], p.env.File(name)...)
	}
	for _, t := range texts {
		p.evaluateText(t, depth)
	}
}
