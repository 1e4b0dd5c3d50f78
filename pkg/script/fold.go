package script

import (
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/pkg/program"
)

// A fold returns what a call is known to return. of is the value before its name,
// and what is open where there is none.
type fold func(p *reading, of Value, args []Value) Value

// folds are the calls whose results follow from what they are given.
var folds = sync.OnceValue(func() map[string]fold {
	out := map[string]fold{}
	for names, f := range map[string]fold{
		"join implode": joinTexts,
		"joinpath":     func(p *reading, of Value, args []Value) Value { return combined(append([]Value{of}, args...), "/") },
		"parent dirname": func(_ *reading, of Value, args []Value) Value {
			return mapped(subject(of, args), path.Dir)
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
		"next": func(_ *reading, of Value, args []Value) Value { return subject(of, args) },
		"int Number parseInt to_i intval tonumber": func(_ *reading, of Value, args []Value) Value { return subject(of, args) },
		"open fopen openSync": func(p *reading, _ Value, args []Value) Value {
			if len(args) == 0 {
				return open
			}
			return p.contents(args[0])
		},
		"read readline readlines readlinesSync gets each_line": func(p *reading, of Value, args []Value) Value {
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
		"map": func(_ *reading, _ Value, args []Value) Value { return last(args) },
		"slice": func(_ *reading, of Value, args []Value) Value {
			if of.Items == nil {
				return subject(of, args)
			}
			from := 0
			if len(args) > 0 {
				from, _ = strconv.Atoi(args[0].first())
			}
			return Value{Items: of.Items[min(max(from, 0), len(of.Items)):]}
		},
		"concat": func(p *reading, of Value, args []Value) Value { return combined(append([]Value{of}, args...), "") },
		"Path PurePath PosixPath Pathname File Paths fileURLToPath URL": func(p *reading, of Value, args []Value) Value { return combined(args, "/") },
		"split words shellsplit": splitText,
		"b64decode atob base64_decode decode64 strict_decode64 urlsafe_decode64 urlsafe_b64decode standard_b64decode decode_base64": decoding(decode64),
		"fromhex hex2bin unhexlify a2b_hex": decoding(decode16),
		"str_rot13":                         decoding(decode13),
		"decode from":                       decodeAs,
		"chr fromCharCode fromCodePoint":    characters,
		"strrev reverse":                    func(p *reading, of Value, args []Value) Value { return mapped(subject(of, args), reversed) },
		"lower toLowerCase downcase lc strtolower": func(p *reading, of Value, args []Value) Value {
			return mapped(subject(of, args), strings.ToLower)
		},
		"replace replaceAll gsub sub str_replace": replaceText,
		"format sprintf":                    formatText,
		"getenv get fetch getenvb":          environment,
		"expandvars expanduser expand_path": expandHome,
		"getuser getlogin username":         userName,
		"glob iglob globSync sync":          globbed,
		"rglob":                             globbedBelow,
		"abspath realpath normpath resolve cleanpath strip lstrip rstrip trim rtrim chomp chop toString to_s to_str to_path str String encode tostring dup freeze unwrap as_posix raw normalize fspath clone b escapeshellcmd escapeshellarg shellescape quote trimEnd trimStart": func(p *reading, of Value, args []Value) Value {
			return subject(of, args)
		},
		"list sorted tuple array Array iter ipairs set reversed to_a toArray c each_slice flatten values": func(p *reading, of Value, args []Value) Value {
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
	name := p.nameOf(callee)
	var of int32
	if p.nodes[callee].kind == memberNode {
		of = p.nodes[callee].first
	}
	args := make([]Value, 0, p.count(p.nodes[callee].next))
	for k := p.nodes[callee].next; k != 0; k = p.nodes[k].next {
		if p.nodes[k].kind != pairNode && p.nodes[k].kind != functionNode {
			args = append(args, p.evaluate(k, depth))
		}
	}
	if v, ok := p.folded(n, name, of, args, depth); ok {
		return v
	}
	return open
}

// folded returns the result of a call by its name.
func (p *reading) folded(n int32, name string, of int32, args []Value, depth int) (Value, bool) {
	object := p.nameOf(of)
	switch {
	case isOneOf(name, homes) && p.env.Home != "" && of != 0:
		return p.home(), true
	case isOneOf(name, listings):
		return p.listed(of, args, depth), true
	case name == "new" && of != 0: // Pathname.new("/")
		name, of = object, 0
	case of == 0 && (name == "gets" || name == "readline" || name == "input" && p.language == program.Python):
		return p.input(), true
	case name == "read" && object == "io":
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

// isModule reports whether a node names something of which a method is no method
// of a value.
func (p *reading) isModule(n int32) bool {
	k := p.nodes[n].kind
	return (k == nameNode || k == memberNode) && p.nodeIn(n, modules) && len(p.vars(p.nodes[n].text)) == 0
}
