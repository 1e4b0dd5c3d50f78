package hardline

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/program"
	"github.com/policyctl/policyctl/pkg/shell"
)

const literal = `("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`

// decoders are calls that decode a literal.
var decoders = sync.OnceValue(func() []decoder {
	return []decoder{
		{regexp.MustCompile(`(?:\b[\w.]*b64decode|\batob|\bbase64_decode|\bBase64\.(?:strict_|urlsafe_)?decode64|\bdecode_base64)\s*\(?\s*b?` + literal + `\s*\)?(?:\.decode\([^()]*\))?`), decode64},
		{regexp.MustCompile(`\bBuffer\.from\(\s*` + literal + `\s*,\s*["']base64["']\s*\)(?:\.toString\([^()]*\))?`), decode64},
		{regexp.MustCompile(`\bBuffer\.from\(\s*` + literal + `\s*,\s*["']hex["']\s*\)(?:\.toString\([^()]*\))?`), decode16},
		{regexp.MustCompile(`\bbytes\.fromhex\(\s*` + literal + `\s*\)(?:\.decode\([^()]*\))?`), decode16},
		{regexp.MustCompile(`\bcodecs\.decode\(\s*` + literal + `\s*,\s*["']rot_?13["']\s*\)`), decode13},
		{regexp.MustCompile(`\b(?:chr|String\.fromCharCode)\(\s*([0-9]{1,3})\s*\)`), decodeNumber},
	}
})

type decoder struct {
	call   *regexp.Regexp
	decode func(string) string
}

func decode64(s string) string {
	b, _ := base64.StdEncoding.DecodeString(s)
	return string(b)
}

func decode16(s string) string {
	b, _ := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	return string(b)
}

func decode13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func decodeNumber(s string) string {
	n, _ := strconv.Atoi(s)
	return string(rune(n))
}

// folded returns code with what it spells out of literals written as one
// literal: decoded, joined, or under the name that a call is imported as.
func folded(c *shell.Command, text string) string {
	text = awkVariables(c, text)
	if l := program.LanguageOf(c.Name); strings.Contains(text, "q") && (l == program.Perl || l == program.Ruby) {
		text = plainQuotes.get().ReplaceAllStringFunc(text, func(q string) string {
			open := strings.IndexAny(q, "{([|/")
			return quote(q[open+1 : len(q)-1])
		})
	}
	if mayDecode(text) {
		for _, d := range decoders() {
			text = replaceSome(d.call, text, func(groups []string) string {
				lit := groups[1]
				if lit != "" && (lit[0] == '"' || lit[0] == '\'') {
					lit = unquote(lit)
				}
				return quote(d.decode(lit))
			})
		}
	}
	return unaliased(joinedLiterals(text))
}

func mayDecode(text string) bool {
	for _, part := range [...]string{"decode", "atob", "Buffer", "fromhex", "chr(", "fromCharCode"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// replaceSome replaces the first matches of a pattern.
func replaceSome(re *regexp.Regexp, text string, with func(groups []string) string) string {
	n := 0
	return re.ReplaceAllStringFunc(text, func(m string) string {
		if n++; n > maxLiterals {
			return m
		}
		return with(re.FindStringSubmatch(m))
	})
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// plainQuotes are the quoting operators of Perl and Ruby.
var plainQuotes = &pattern{text: `\bqq?\s*(?:\{[^{}]*\}|\([^()]*\)|\[[^\[\]]*\]|\|[^|]*\||/[^/]*/)|%[qQ](?:\{[^{}]*\}|\([^()]*\)|\[[^\[\]]*\])`}

// joinedLiterals returns code with literals that are joined as one.
func joinedLiterals(text string) string {
	lits := literals.get().FindAllStringIndex(text, maxLiterals)
	var b strings.Builder
	at := 0
	for i := 0; i < len(lits); i++ {
		first, last := lits[i], i
		for last+1 < len(lits) && joins(text[lits[last][1]:lits[last+1][0]]) && text[first[0]] != '`' && text[lits[last+1][0]] != '`' {
			last++
		}
		b.WriteString(text[at:first[0]])
		at = lits[last][1]
		if last == i {
			b.WriteString(text[first[0]:at])
			continue
		}
		whole := ""
		for ; i <= last; i++ {
			whole += unquote(text[lits[i][0]:lits[i][1]])
		}
		i = last
		b.WriteString(quote(whole))
	}
	return b.String() + text[at:]
}

// joins reports whether what stands between two literals joins them.
func joins(between string) bool {
	op := strings.TrimRight(strings.TrimSpace(between), "rbfuRBFU")
	switch strings.TrimSpace(op) {
	case "+", ".", "..":
		return true
	}
	return op == "" && !strings.Contains(between, "\n")
}

// aliases give a call another name: import x as y, {x: y}, f = "x".
var aliases = &pattern{text: `\b` + aliased + `(?:\s+as\s+|\s*:\s*)([A-Za-z_]\w*)|(\$?[A-Za-z_]\w*)\s*=\s*["']` + aliased + `["']`}

const aliased = `(rmtree|rmSync|rmdirSync|rimraf|remove_tree|rm_rf|removeSync|unlink|remove|system|popen|Popen|execSync|execFileSync|spawnSync|check_call|check_output|shell_exec|passthru|exec|run|call)`

func unaliased(text string) string {
	if !strings.Contains(text, "as") && strings.IndexByte(text, ':') < 0 && strings.IndexByte(text, '=') < 0 {
		return text
	}
	for _, m := range aliases.get().FindAllStringSubmatch(text, 4) {
		name, call := m[2], m[1]
		if name == "" {
			name, call = m[3], m[4]
		}
		used := regexp.MustCompile(`(^|[^\w.$])` + regexp.QuoteMeta(name) + `\(`)
		text = used.ReplaceAllString(text, "${1}"+call+"(")
	}
	return text
}

// awkVariables returns the program of awk with what -v sets before it.
func awkVariables(c *shell.Command, text string) string {
	if !isAWK(c) {
		return text
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		v, ok := o.Arg.Literal()
		if name, value, set := strings.Cut(v, "="); ok && set && o.Is("v") {
			text = name + "=" + quote(value) + "; " + text
		}
	}
	return text
}

// nestedCode matches the calls that evaluate code of the same language.
var nestedCode = &pattern{text: `\b(?:exec|eval)\b`}

// evaluated returns the literals that code hands to exec or eval.
func evaluated(text string) []string {
	if !strings.Contains(text, "exec") && !strings.Contains(text, "eval") {
		return nil
	}
	var out []string
	p := newScript(text)
	for _, m := range nestedCode.get().FindAllStringIndex(p.prose, 16) {
		from, to := p.arguments(m[1])
		for _, v := range p.within(from, to) {
			if len(v) >= 8 {
				out = append(out, v)
			}
		}
	}
	return out
}

var changesDir = &pattern{text: `\bchdir\s*\(?\s*` + literal}

// inDirOf returns a command that works where its code goes first.
func inDirOf(c *shell.Command, text string) *shell.Command {
	m := changesDir.get().FindStringSubmatch(text)
	if m == nil {
		return c
	}
	at := *c
	at.Dir = shell.Set{Values: []string{shell.Clean(unquote(m[1]))}}
	return &at
}
