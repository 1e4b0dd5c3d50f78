package hardline_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator draws disguises. With harm false it draws their twins: lines of
// the same shapes with harmless targets.
type generator struct {
	*rand.Rand
	harm bool
	// setup are statements that must run before the command, in its shell.
	setup []string
	vars  int
}

func (g *generator) one(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) maybe(percent int) bool { return g.IntN(100) < percent }

// either returns what is harmful or its twin.
func (g *generator) either(harmful, harmless string) string {
	if g.harm {
		return harmful
	}
	return harmless
}

// bind assigns a word to a new variable and returns its name.
func (g *generator) bind(word string) string {
	g.vars++
	name := fmt.Sprintf("%s%d", g.one("D", "x", "dir", "_T"), g.vars)
	g.setup = append(g.setup, g.one("", "export ", "local_=1; ", "readonly ", "declare ")+name+"="+word)
	return name
}

// place spells the path of a directory that is catastrophic to lose, or of
// its twin.
func (g *generator) place() string {
	harmful := g.one("/", "/", "/etc", "/usr", "/var", "/home", "/boot", "/usr/bin", "/home/dev", "/home/dev")
	if !g.harm {
		return g.path(g.one("/tmp/x", "/home/dev/project/build", "/home/dev/.cache/tool", "/var/tmp/job", "/opt/app/cache", "/srv/site/cache"))
	}
	if harmful == "/home/dev" && g.maybe(60) {
		return g.home()
	}
	return g.path(harmful)
}

// home spells the home directory.
func (g *generator) home() string {
	return g.one(`~`, `~/`, `~/.`, `~//`, `~/*`, `~/./`, `~dev`, `~/x/..`, `$HOME`, `${HOME}`, `"$HOME"`, `"${HOME}"/`, `${HOME:?}`, `"${HOME:?}"/*`, `${HOME:-/tmp/x}`,
		`${HOME%/}`, `$HOME/.`, `"$HOME/."`, `${HOME/a/a}`, `${NONE-$HOME}`, `${HOME+$HOME}`, `$(echo ~)`, `$(echo "$HOME")`, `/home/$(echo dev)`, `~/{.,x}`)
}

// path spells a path as one or several words, patterns among them.
func (g *generator) path(p string) string {
	switch g.IntN(9) {
	case 0:
		return `{` + g.quote(g.respell(p)) + `,` + g.one("/tmp/z", "./z") + `}`
	case 1:
		return g.globbed(p)
	case 2:
		if i := strings.LastIndexByte(p, '/'); len(p) > i+3 {
			return p[:i+2] + `{` + p[i+2:] + `,` + g.one("q", "") + `}`
		}
	}
	return g.file(p)
}

// file spells a path as one word.
func (g *generator) file(p string) string {
	switch g.IntN(10) {
	case 0:
		return `"$` + g.bind(g.quote(g.respell(p))) + `"`
	case 1:
		return `${` + g.bind(g.quote(g.respell(p))) + g.one("", ":-/tmp/y", "%z", "#z", "//z/y", ":0", "-z", ":?gone") + `}`
	case 2:
		return g.one(`$(echo `, `$(printf %s `, `$(printf '%s\n' `, `$(echo -n `) + g.quote(g.respell(p)) + `)`
	case 3:
		return "`echo " + g.quote(g.respell(p)) + "`"
	case 4:
		return g.one(`${NONE:-`, `${NONE-`, `${NONE:=`, `${NONE=`) + g.respell(p) + `}`
	case 5:
		return fmt.Sprintf(`"$(echo %s | base64 %s)"`, base64.StdEncoding.EncodeToString([]byte(g.respell(p))), g.one("-d", "--decode", "-di"))
	}
	return g.quote(g.respell(p))
}

// globbed spells a path as a pattern that matches it, or all that is in it.
func (g *generator) globbed(p string) string {
	if p == "/" {
		return g.one(`/*`, `/???`, `/[a-z]*`, `//*`, `/./*`, `/*/`, `/{bin,etc}`, `/{*,.*}`, `"/"*`)
	}
	if g.maybe(40) {
		return p + g.one(`/*`, `/{*,.*}`, `//*`, `/./*`)
	}
	last := len(p) - 1
	return p[:last] + g.one(`?`, `[`+p[last:]+`]`, `*`)
}

// respell returns another path to the same place.
func (g *generator) respell(p string) string {
	for range g.IntN(3) {
		switch g.IntN(5) {
		case 0:
			p = strings.Replace(p, "/", "//", 1)
		case 1:
			p += g.one("/", "/.", "/./", "//")
		case 2:
			p += "/" + g.one("x", "tmp", ".cache") + "/.."
		case 3:
			p = "/tmp/.." + p
		case 4:
			p = "/." + p
		}
	}
	if g.maybe(10) {
		p = g.one("../../..", "../../../..", "./../../..", "../../../../../../..") + p
	}
	return p
}

// quote spells a literal as the shell may read it.
func (g *generator) quote(s string) string {
	switch g.IntN(8) {
	case 0:
		return single(s)
	case 1:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(s) + `"`
	case 2:
		return ansi(g, s)
	case 3, 4:
		var b strings.Builder
		for _, c := range []byte(s) {
			b.WriteString(g.character(c))
		}
		return b.String()
	}
	if plain(s) {
		return s
	}
	return single(s)
}

// character spells one byte of a literal.
func (g *generator) character(c byte) string {
	s := string(c)
	switch g.IntN(6) {
	case 0:
		return `\` + s
	case 1:
		return single(s)
	case 2:
		return `''` + protect(s)
	case 3:
		return protect(s) + `""`
	case 4:
		return ansi(g, s)
	}
	return protect(s)
}

// protect escapes a byte if it must be.
func protect(s string) string {
	if plain(s) {
		return s
	}
	return `\` + s
}

func plain(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:=,%@") == ""
}

func single(s string) string { return `'` + strings.ReplaceAll(s, `'`, `'\''`) + `'` }

// ansi spells a literal in $'…' with escapes.
func ansi(g *generator, s string) string {
	var b strings.Builder
	b.WriteString(`$'`)
	for _, c := range []byte(s) {
		switch g.IntN(4) {
		case 0:
			fmt.Fprintf(&b, `\x%02x`, c)
		case 1:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			if c == '\'' || c == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
