package script

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A fold returns what a call is known to return. of is the value before its name,
// and what is open where there is none.
type fold func(p *Program, of Value, args []Value) Value

// homes are the calls that return the home directory.
var homes = &wordSet{list: "homedir home userhome expanduser_home"}

// listings are the calls that list a directory.
var listings = &wordSet{list: "listdir walk scandir iterdir readdirSync readdir readdirp children entries each_child opendir each_entry foreach_dir"}

// folds are the calls whose results follow from what they are given.
var folds = sync.OnceValue(func() map[string]fold {
	out := map[string]fold{}
	for names, f := range map[string]fold{
		"join implode":          joinTexts,
		"joinpath resolve_join": func(p *Program, of Value, args []Value) Value { return combined(append([]Value{of}, args...), "/") },
		"map":                   func(_ *Program, _ Value, args []Value) Value { return last(args) },
		"concat":                func(p *Program, of Value, args []Value) Value { return combined(append([]Value{of}, args...), "") },
		"Path PurePath PosixPath Pathname File Paths fileURLToPath URL": func(p *Program, of Value, args []Value) Value { return combined(args, "/") },
		"split words shellsplit": splitText,
		"b64decode atob base64_decode decode64 strict_decode64 urlsafe_decode64 urlsafe_b64decode standard_b64decode decode_base64": decoding(decode64),
		"fromhex hex2bin unhexlify a2b_hex": decoding(decode16),
		"str_rot13":                         decoding(decode13),
		"decode from":                       decodeAs,
		"chr fromCharCode fromCodePoint":    characters,
		"strrev reverse":                    func(p *Program, of Value, args []Value) Value { return mapped(subject(of, args), reversed) },
		"lower toLowerCase downcase lc strtolower": func(p *Program, of Value, args []Value) Value {
			return mapped(subject(of, args), strings.ToLower)
		},
		"replace replaceAll gsub sub str_replace": replaceText,
		"format sprintf":                    formatText,
		"getenv get fetch getenvb":          environment,
		"expandvars expanduser expand_path": expandHome,
		"getuser getlogin username":         userName,
		"glob iglob globSync sync":          globbed,
		"rglob":                             globbedBelow,
		"abspath realpath normpath resolve cleanpath strip lstrip rstrip trim rtrim chomp chop toString to_s to_str to_path str String encode tostring dup freeze unwrap as_posix raw normalize fspath clone b trimEnd trimStart decode_utf8": func(p *Program, of Value, args []Value) Value {
			return subject(of, args)
		},
		"list sorted tuple array Array iter ipairs set reversed to_a entries_of toArray slice c each_slice flatten values bytes bytearray": func(p *Program, of Value, args []Value) Value {
			if len(args) > 1 { // (list "-rf" "/"), c("-rf", "/")
				return Value{Items: args}
			}
			return subject(last(args), []Value{of})
		},
	} {
		for name := range strings.FieldsSeq(names) {
			out[name] = f
		}
	}
	return out
})

func last(args []Value) Value {
	if len(args) == 0 {
		return open
	}
	return args[len(args)-1]
}

// subject returns what a call changes: what stands before its name, or its first
// argument.
func subject(of Value, args []Value) Value {
	if of.Items == nil && (len(of.Texts) == 0 || len(of.Texts) == 1 && of.Texts[0] == Unknown) && len(args) > 0 {
		return args[0]
	}
	return of
}

// result returns what a call is known to return.
func (p *Program) result(n int32, depth int) Value {
	callee := p.nodes[n].first
	name := p.nameOf(callee)
	var of int32
	if p.nodes[callee].kind == memberNode {
		of = p.nodes[callee].first
	}
	var args []Value
	for k := p.nodes[callee].next; k != 0; k = p.nodes[k].next {
		if p.nodes[k].kind != pairNode && p.nodes[k].kind != functionNode {
			args = append(args, p.evaluate(k, depth))
		}
	}
	if v, ok := p.folded(n, name, of, args, depth); ok {
		return v
	}
	if f, ok := p.functions[name]; ok && f.to > f.from {
		return p.returned(f, depth)
	}
	return open
}

// returned returns what a function whose body is one expression returns.
func (p *Program) returned(f function, depth int) Value {
	return open
}

// folded returns the result of a call by its name.
func (p *Program) folded(n int32, name string, of int32, args []Value, depth int) (Value, bool) {
	object := p.nameOf(of)
	switch {
	case homes.has(name) && p.env.Home != "" && of != 0:
		return p.home(), true
	case listings.has(name):
		return p.listed(of, args, depth), true
	case name == "new" && of != 0: // Pathname.new("/")
		name, of = object, 0
	case name == "" || name == "quotemeta":
		return open, false
	}
	f := folds()[name]
	if f == nil {
		return open, false
	}
	before := open
	if of != 0 && !p.isModule(of) {
		before = p.evaluate(of, depth)
	}
	if name == "join" && (object == "path" || object == "File" || object == "posix" || object == "filepath") {
		return combined(args, "/"), true
	}
	return f(p, before, args), true
}

// modules are names before a call that are no value which it changes.
var modules = &wordSet{list: "os path posixpath shutil base64 codecs glob Path pathlib Base64 Dir File FileUtils Buffer bytes String shlex fs process require Array itertools builtins Kernel Process ENV environ urllib json math util fsp Deno Bun"}

// isModule reports whether a node names something of which a method is no method
// of a value.
func (p *Program) isModule(n int32) bool {
	k := p.nodes[n].kind
	return (k == nameNode || k == memberNode) && modules.has(p.nodes[n].text) && p.vars[p.nodes[n].text] == nil
}

// listed returns what listing a directory yields: each path below it.
func (p *Program) listed(of int32, args []Value, depth int) Value {
	dir := open
	if of != 0 && !p.isModule(of) {
		dir = p.evaluate(of, depth)
	}
	dir = subject(dir, args)
	out := Value{Each: true}
	for _, d := range dir.Texts {
		if strings.HasPrefix(d, "/") || strings.HasPrefix(d, "~") {
			out.Texts = append(out.Texts, strings.TrimSuffix(d, "/")+"/*")
		}
	}
	if out.Texts == nil {
		return open
	}
	return out
}

func globbed(_ *Program, of Value, args []Value) Value {
	v := subject(Value{}, args)
	if of.Texts != nil && of.Texts[0] != Unknown { // Path("/").glob("*")
		v = combined([]Value{of, v}, "/")
	}
	v.Each = true
	return v
}

func globbedBelow(_ *Program, of Value, args []Value) Value {
	if len(args) != 1 || !has(args[0], "*") && !has(args[0], "**") && !has(args[0], "**/*") {
		return open
	}
	v := combined([]Value{of, text("*")}, "/")
	v.Each = true
	return v
}

// joinTexts is join of Python, whose object is the separator, and of others.
func joinTexts(_ *Program, of Value, args []Value) Value {
	list, separator := of, text("")
	switch {
	case of.Items != nil && len(args) > 0:
		separator = args[0]
	case of.Items != nil:
	case len(args) > 1: // of Perl and PHP
		separator = args[0]
		if list = args[1]; list.Items == nil {
			list = Value{Items: args[1:]}
		}
	case len(args) == 1:
		list, separator = args[0], of
	}
	if len(separator.Texts) != 1 || list.Items == nil {
		return open
	}
	var parts []Value
	for i, item := range list.Items {
		if i > 0 {
			parts = append(parts, separator)
		}
		parts = append(parts, item)
	}
	return combined(parts, "")
}

// splitText is split: the words of a text, or its parts.
func splitText(_ *Program, of Value, args []Value) Value {
	source := subject(of, args)
	if len(source.Texts) == 0 {
		return open
	}
	separator := ""
	for _, a := range args {
		if len(a.Texts) == 1 && len(a.Texts[0]) == 1 {
			separator = a.Texts[0]
			if source.Texts[0] == separator && len(args) > 1 { // split(" ", text) of Perl
				source = args[1]
			}
		}
	}
	out := Value{Items: []Value{}}
	parts := strings.Fields(source.Texts[0])
	if separator != "" && separator != " " {
		parts = strings.Split(source.Texts[0], separator)
	}
	for _, part := range parts[:min(len(parts), 256)] {
		out.Items = append(out.Items, text(part))
	}
	return out
}

func decoding(decode func(string) string) fold {
	return func(_ *Program, of Value, args []Value) Value { return mapped(subject(of, args), decode) }
}

// decodeAs is decode and from, of which an argument may say how.
func decodeAs(_ *Program, of Value, args []Value) Value {
	source := subject(of, args)
	for _, a := range args {
		switch {
		case has(a, "base64") || has(a, "base64url"):
			return mapped(source, decode64)
		case has(a, "hex"):
			return mapped(source, decode16)
		case has(a, "rot13") || has(a, "rot_13"):
			return mapped(source, decode13)
		}
	}
	return source
}

func decode64(s string) string {
	s = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/", "\n", "").Replace(s), "=")
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil || !utf8.Valid(b) {
		return Unknown
	}
	return string(b)
}

func decode16(s string) string {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil || !utf8.Valid(b) {
		return Unknown
	}
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

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// characters is chr and its like: the characters of numbers.
func characters(_ *Program, _ Value, args []Value) Value {
	out := ""
	for _, a := range args {
		if len(a.Texts) != 1 {
			return open
		}
		n, err := strconv.ParseInt(a.Texts[0], 0, 32)
		if err != nil || n < 0 || n > utf8.MaxRune {
			return open
		}
		out += string(rune(n))
	}
	return text(out)
}

func replaceText(_ *Program, of Value, args []Value) Value {
	if len(args) > 2 && (len(of.Texts) == 0 || of.Texts[0] == Unknown) { // str_replace(a, b, text)
		of, args = args[2], args[:2]
	}
	if len(args) < 2 || len(args[0].Texts) != 1 || len(args[1].Texts) != 1 || args[0].Texts[0] == "" || args[0].Texts[0] == Unknown {
		return open
	}
	return mapped(of, func(s string) string {
		if s = strings.ReplaceAll(s, args[0].Texts[0], args[1].Texts[0]); len(s) > maxText {
			return Unknown
		}
		return s
	})
}

func formatText(_ *Program, of Value, args []Value) Value {
	if source := subject(of, args); len(args) > 0 && len(source.Texts) > 0 && has(args[0], source.Texts[0]) {
		return formatted(source, args[1:])
	}
	return formatted(of, args)
}

// environment is getenv and its like, of the variable HOME.
func environment(p *Program, _ Value, args []Value) Value {
	switch {
	case len(args) > 0 && has(args[0], "HOME"):
		return p.home()
	case len(args) > 0 && has(args[0], "USER"):
		return userName(p, open, nil)
	}
	return open
}

func expandHome(p *Program, of Value, args []Value) Value {
	home := p.home().Texts[0]
	return mapped(subject(of, args), func(s string) string {
		if s == "~" || strings.HasPrefix(s, "~/") {
			s = home + s[1:]
		}
		return strings.NewReplacer("${HOME}", home, "$HOME", home).Replace(s)
	})
}

func userName(p *Program, _ Value, _ []Value) Value {
	i := strings.LastIndexByte(p.env.Home, '/')
	if i < 0 {
		return open
	}
	return text(p.env.Home[i+1:])
}
