package script

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/program"
)

// A fold returns what a call is known to return. of is the value before its name,
// and what is open where there is none.
type fold func(p *reading, of Value, args []Value) Value

// folds are the calls whose results follow from what they are given.
var folds = sync.OnceValue(func() map[string]fold {
	out := map[string]fold{}
	for names, f := range map[string]fold{
		"join implode": joinTexts,
		"joinpath": func(_ *reading, of Value, args []Value) Value {
			if !slices.ContainsFunc(of.Texts, IsKnown) && len(args) > 1 { // a function of Julia
				return combined(args, "/")
			}
			return combined(append([]Value{of}, args...), "/")
		},
		"parent dirname": func(_ *reading, of Value, args []Value) Value {
			return mapped(subject(of, args), parentOf)
		},
		"parents": func(_ *reading, of Value, _ []Value) (out Value) {
			for len(of.Texts) > 0 && len(out.Items) < maxValues {
				of = mapped(of, parentOf)
				out.Items = append(out.Items, of)
			}
			return out
		},
		"getcwd cwd pwd": func(*reading, Value, []Value) Value { return text(".") },
		"resolve": func(_ *reading, of Value, args []Value) Value {
			if subject(of, nil).first() == Unknown && len(args) > 1 {
				return combined(args, "/")
			}
			return subject(of, args)
		},
		"shift first": func(_ *reading, of Value, args []Value) Value {
			if v := subject(of, args); len(v.Items) > 0 {
				return v.Items[0]
			}
			return open
		},
		"pop last": func(_ *reading, of Value, args []Value) Value {
			if v := subject(of, args); len(v.Items) > 0 {
				return v.Items[len(v.Items)-1]
			}
			return open
		},
		"at": func(_ *reading, of Value, args []Value) Value {
			if len(args) != 1 || len(of.Items) == 0 {
				return open
			}
			i, err := strconv.Atoi(args[0].first())
			if i < 0 {
				i += len(of.Items)
			}
			if err != nil || i < 0 || i >= len(of.Items) {
				return open
			}
			return of.Items[i]
		},
		"range xrange upto downto times step": counted,
		"process_iter pids":                   func(*reading, Value, []Value) Value { return text(Many) },
		"paste":                               func(_ *reading, _ Value, args []Value) Value { return combined(args, " ") },
		"paste0":                              func(_ *reading, _ Value, args []Value) Value { return combined(args, "") },
		"anchor":                              func(*reading, Value, []Value) Value { return text("/") },
		"next":                                func(_ *reading, of Value, args []Value) Value { return subject(of, args) },
		"int Number parseInt to_i intval tonumber": func(_ *reading, of Value, args []Value) Value { return subject(of, args) },
		"open fopen openSync": func(p *reading, _ Value, args []Value) Value {
			if len(args) == 0 {
				return open
			}
			return p.contents(args[0])
		},
		"read readline readlines readlinesSync gets each_line lines splitlines": func(p *reading, of Value, args []Value) Value {
			if len(args) > 0 && IsKnown(args[0].first()) {
				return p.contents(args[0])
			}
			return of
		},
		"read_text readFileSync readTextFileSync file_get_contents": func(p *reading, of Value, args []Value) Value {
			return p.contents(subject(of, args))
		},
		"bytes bytearray": func(p *reading, _ Value, args []Value) Value {
			if len(args) == 1 && args[0].Items != nil {
				return characters(p, open, args[0].Items)
			}
			return subject(last(args), nil)
		},
		"map":                    func(_ *reading, _ Value, args []Value) Value { return last(args) },
		"slice substring substr": partOf,
		"concat": func(p *reading, of Value, args []Value) Value {
			if len(args) > 0 && args[0].Items != nil {
				return joinTexts(p, last(args[1:]), args[:1]) // table.concat(list, separator)
			}
			return combined(append([]Value{of}, args...), "")
		},
		"Path PurePath PurePosixPath PosixPath Pathname File Paths file catdir catfile": func(p *reading, of Value, args []Value) Value { return combined(args, "/") },
		"fileURLToPath URL": func(_ *reading, _ Value, args []Value) Value {
			return mapped(combined(args, "/"), func(s string) string { return strings.TrimPrefix(s, "file://") })
		},
		"rootdir":                func(*reading, Value, []Value) Value { return text("/") },
		"split words shellsplit": splitText,
		"b64decode atob base64_decode decode64 strict_decode64 urlsafe_decode64 urlsafe_b64decode standard_b64decode decode_base64": decoding(decode64),
		"fromhex hex2bin unhexlify a2b_hex b16decode": decoding(decode16),
		"b32decode": decoding(decode32),
		"unquote unquote_plus decodeURIComponent decodeURI unescape urldecode rawurldecode": decoding(decodeURL),
		"pack":                                packed,
		"unpack unpack1":                      unpacked,
		"chop":                                func(_ *reading, of Value, args []Value) Value { return part(subject(of, args), 0, -1) },
		"str_rot13":                           decoding(decode13),
		"decode from":                         decodeAs,
		"chr fromCharCode fromCodePoint char": characters,
		"strrev reverse reversed":             func(p *reading, of Value, args []Value) Value { return mapped(subject(of, args), reversed) },
		"lower toLowerCase downcase lc strtolower tolower": func(p *reading, of Value, args []Value) Value {
			return mapped(subject(of, args), strings.ToLower)
		},
		"replace replaceAll gsub sub str_replace":                   replaceText,
		"format sprintf format_map substitute safe_substitute":      formatText,
		"getenv get fetch getenvb setdefault":                       environment,
		"expandvars expanduser expand_path expand-file-name expand": expandHome,
		"getuser getlogin username":                                 userName,
		"glob iglob globSync sync fg globby fastGlob":               globbed,
		"rglob":                      globbedBelow,
		"strip trim chomp":           trimming(strings.TrimSpace, strings.Trim),
		"lstrip ltrim trimStart":     trimming(func(s string) string { return strings.TrimLeft(s, " \t\r\n") }, strings.TrimLeft),
		"rstrip rtrim trimEnd":       trimming(func(s string) string { return strings.TrimRight(s, " \t\r\n") }, strings.TrimRight),
		"removeprefix delete_prefix": trimming(nil, strings.TrimPrefix),
		"removesuffix delete_suffix": trimming(nil, strings.TrimSuffix),
		"abspath realpath normpath cleanpath scalar relpath getPathname getRealPath RecursiveIteratorIterator toString to_s to_str to_path str String encode tostring dup freeze unwrap as_posix raw normalize fspath clone b escapeshellcmd escapeshellarg shellescape quote Template": func(p *reading, of Value, args []Value) Value {
			return subject(of, args)
		},
		"zip": func(_ *reading, of Value, args []Value) Value {
			if of.Items != nil {
				args = append(args[:len(args):len(args)], of)
			}
			if v, ok := concatenated(args); ok {
				return v
			}
			return open
		},
		"Process Cmd list sorted tuple array Array iter ipairs set Set to_a toArray c each_slice Map flatten values items entries pairs enumerate each_with_index each_pair": func(p *reading, of Value, args []Value) Value {
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
func (p *reading) result(n int32, depth int) Value {
	callee := p.nodes[n].first
	to := p.alias(callee)
	name := p.nameOf(to)
	var of int32
	if p.nodes[to].kind == memberNode {
		of = p.nodes[to].first
	}
	args := make([]Value, 0, p.count(p.nodes[callee].next))
	for k := p.nodes[callee].next; k != 0; k = p.nodes[k].next {
		if p.nodes[k].kind != pairNode && p.nodes[k].kind != functionNode {
			args = append(args, p.argument(k, depth))
		}
	}
	if v, ok := p.folded(n, name, of, args, depth); ok {
		return v
	}
	return p.returned(depth, p.functionsOf(callee)...)
}

// alias returns what a name stands for that is another name, or a member.
func (p *reading) alias(n int32) int32 {
	for range maxAliases {
		held := p.vars(p.nodes[n].text)
		if p.nodes[n].kind != nameNode || len(held) != 1 || p.nodes[held[0]].kind != nameNode && p.nodes[held[0]].kind != memberNode {
			break
		}
		n = held[0]
	}
	return n
}

// maxAliases bounds how far names are followed that stand for others.
const maxAliases = 4

// argument returns what an argument is known to be: also what a call makes of each
// element of a list, chr(x) for x in list.
func (p *reading) argument(n int32, depth int) Value {
	d := p.nodes[n]
	if d.kind != callNode || p.nodes[d.first].next == 0 || p.nodes[d.first].next != d.last {
		return p.evaluate(n, depth)
	}
	held := p.vars(p.nodes[d.last].text)
	f := folds()[p.nameOf(d.first)]
	if p.nodes[d.last].kind != nameNode || len(held) != 1 || p.nodes[held[0]].kind != eachNode || f == nil {
		return p.evaluate(n, depth)
	}
	list := p.evaluate(p.nodes[held[0]].first, depth)
	if list.Items == nil {
		return p.evaluate(n, depth)
	}
	return Value{Items: each(list.Items, func(v Value) Value { return f(p, open, []Value{v}) })}
}

// returned returns what functions of the program return.
func (p *reading) returned(depth int, functions ...int32) Value {
	var out []Value
	for _, f := range functions {
		if d := &p.nodes[f]; d.last != d.first {
			out = append(out, p.evaluate(d.last, depth))
		}
	}
	if out == nil {
		return open
	}
	return either(out[:min(len(out), maxValues)])
}

// folded returns the result of a call by its name.
func (p *reading) folded(n int32, name string, of int32, args []Value, depth int) (Value, bool) {
	object := p.moduleOf(of)
	switch {
	case name == "items" || name == "values" || name == "keys" || name == "each_key" || name == "entries" || name == "pairs" || name == "each_pair":
		from := of
		if first := p.nodes[p.nodes[n].first].next; p.nodes[n].kind == callNode && first != 0 {
			from = first
		}
		if v, ok := p.held(from, depth); ok {
			return v, true
		}
	case (name == "get" || name == "fetch") && of != 0 && len(args) > 0:
		if v, ok := p.memberOf(of, args[0].first(), depth); ok {
			return v, true
		}
	case name == "map" && len(args) > 1 && args[len(args)-1].Items != nil:
		if f := folds()[p.nameOf(p.nodes[p.nodes[n].first].next)]; f != nil {
			return Value{Items: each(args[len(args)-1].Items, func(v Value) Value { return f(p, open, []Value{v}) })}, true
		}
	}
	if f := dotted()[object+"."+name]; f != nil {
		return f(p, open, args), true
	}
	switch {
	case isOneOf(name, homes) && p.env.Home != "" && (of != 0 || p.language == program.NoLanguage && p.nodes[n].kind == callNode):
		return p.home(), true
	case name == "path" && p.language == program.Perl && of == 0: // of Path::Tiny
		return combined(args, "/"), true
	case name == "split" && object == "path" && len(args) == 1:
		return Value{Items: []Value{mapped(args[0], parentOf), mapped(args[0], path.Base)}}, true
	case isOneOf(name, listings):
		return p.listed(of, args, depth), true
	case name == "new" && of != 0: // Pathname.new("/")
		name, of = object, 0
	case of == 0 && (name == "gets" || name == "readline" || name == "input" && p.language == program.Python):
		return p.input(), true
	case (name == "read" || name == "lines" && len(args) == 0) && object == "io":
		return p.input(), true
	case name == "fgets" || name == "fread" || name == "stream_get_contents":
		if len(args) > 0 {
			return args[0], true
		}
		return open, false
	case name == "" || name == "quotemeta":
		return open, false
	}
	f := folds()[name]
	if f == nil && p.runs(name) {
		return printedBy(args), true
	} else if f == nil {
		return open, false
	}
	before := open
	if of != 0 && !p.isModule(of) {
		before = p.evaluate(of, depth)
	}
	if isOneOf(name, formats) && p.nodes[n].kind == callNode {
		first := p.nodes[p.nodes[n].first].next
		switch {
		case of == 0 && len(args) > 0: // format("%{x}", x: …)
			before, args, first = args[0], args[1:], p.nodes[first].next
		case name != "format":
			before, args = mapped(before, bracedNames), nil
		}
		if named := p.nodes[p.nodes[n].last]; named.kind == pairNode { // "{x}".format(x=…)
			return formatted(before, args, func(key string) (Value, bool) { return p.argumentValue(n, key, depth) }), true
		} else if of != 0 && name != "format" && first != 0 { // "{x}".format_map({"x": …})
			return formatted(before, args, func(key string) (Value, bool) { return p.memberOf(first, key, depth) }), true
		}
	}
	if name == "join" && (object == "path" || object == "File" || object == "posix" || object == "filepath") {
		return combined(args, "/"), true
	}
	return f(p, before, args), true
}

// isModule reports whether a node names something of which a method is no method
// of a value.
func (p *reading) isModule(n int32) bool {
	k := p.nodes[n].kind
	return (k == nameNode || k == memberNode) && p.nodeIn(n, modules) && len(p.vars(p.nodes[n].text)) == 0
}

// argumentValue returns what a call is given by a name.
func (p *reading) argumentValue(n int32, name string, depth int) (Value, bool) {
	if v := p.argumentNamed(p.nodes[p.nodes[n].first].next, name); v != 0 {
		return p.evaluate(v, depth), true
	}
	return open, false
}
