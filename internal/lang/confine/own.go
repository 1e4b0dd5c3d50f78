package confine

import (
	"slices"
	"strings"
)

// isOwn reports whether a module may be one of the project: none of its names is that
// of a module of Python's own, which the project would only hand on.
func (p *python) isOwn(name string) bool {
	return p.own && pythonModules()[name] == nil && !slices.ContainsFunc(strings.Split(name, "."), func(part string) bool { return Shadows(part) })
}

// importOwn notes a module of the project that the script imports whole, and returns
// the index behind it.
func (p *python) importOwn(name string, from, end int) (int, *Refusal) {
	first, _, _ := strings.Cut(name, ".")
	as, end, r := p.alias(end, first)
	if r == nil {
		p.runs(name, from)
		r = p.bindOwn(as, from)
	}
	return end, r
}

// bindOwn binds what is in a module of the project, of which nothing is known.
func (p *python) bindOwn(as string, i int) *Refusal {
	if p.bound[as]++; p.bound[as] > 1 || pythonBuiltins()[as] || pythonOthers()[as] || as == "open" || strings.HasPrefix(as, "_") {
		return refuse(p.at(i), "the name "+shown(as)+" stands for several things")
	}
	return nil
}

func (p *python) runs(module string, i int) {
	p.out = append(p.out, Access{Path: strings.ReplaceAll(module, ".", "/"), Act: Runs, At: p.at(i).at})
}

// searches reads a statement that adds a directory to those in which Python looks for
// modules: sys.path.insert(0, "lib") or sys.path.append("lib").
func (p *python) searches(i int) {
	if !p.own || !p.begins(i) || !p.at(i).is("sys") || p.modules["sys"] != "sys" {
		return
	}
	k := i
	for _, want := range [...]string{"sys", ".", "path", "."} {
		if !p.at(k).is(want) {
			return
		}
		k++
	}
	at := k + 2
	switch {
	case !p.at(k + 1).is("("):
		return
	case p.at(k).is("insert") && p.at(k+2).text == "0" && p.at(k+3).is(","):
		at = k + 4
	case !p.at(k).is("append"):
		return
	}
	if dir := p.at(at); dir.kind != stringToken || !dir.plain || p.tokens[k+1].match != at+1 || p.ends(at+2) != nil {
		return
	}
	p.out = append(p.out, Access{Path: p.at(at).value, Act: Searches, At: p.at(i).at})
	for ; i <= at+1; i++ {
		p.done[i] = true
	}
}

// isPower reports whether a name, taken out of what is not known, may lead to what runs
// programs or code, or is known to: the name of a module of Python's own, or of what
// stands in one, or a part of the interpreter's own objects.
func isPower(name string) bool {
	switch name {
	case "requests", "httpx", "aiohttp", "urllib3", "paramiko", "boto3", "psutil", "pexpect", "pip", "fs", "vm", "net", "dgram", "tls", "https", "worker_threads",
		"environ", "environb", "getenv", "putenv", "system", "popen", "Popen", "exec", "eval", "compile", "execfile", "check_output", "check_call", "getoutput", "getstatusoutput", "import_module",
		"rename", "renames", "chmod", "lchmod", "chown", "symlink_to", "hardlink_to", "link_to", "extractall", "extract", "rmdir", "move", "move_into", "copy_into", "copytree",
		"rmtree", "unlink", "fork", "forkpty", "startfile", "builtins", "mro", "format_map", "modules", "globals", "locals", "urlopen", "urlretrieve",
		"execSync", "execFile", "execFileSync", "spawn", "spawnSync", "mainModule", "child_process", "createRequire", "binding", "dlopen":
		return true
	}
	for _, prefix := range [...]string{"_", "gi_", "f_", "tb_", "cr_", "ag_", "co_", "func_", "im_", "execv", "spawn", "posix_spawn"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return Shadows(name) && !slices.Contains(harmlessParts, name)
}

// harmlessParts are names of modules that are those of many other things, and lead to
// nothing of the kind.
var harmlessParts = []string{"json", "time", "copy", "string", "test", "token", "queue", "calendar", "types", "random", "statistics", "fractions", "decimal", "email", "tokenize", "parser", "config", "html", "xml", "csv"}

// isRelative reports whether a module of JavaScript is a file beside the script.
func isRelative(name string) bool {
	return strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
}

// requireOwn notes a file of the project that is loaded by require or import, whose
// bracket stands behind a token, and reports whether there is one.
func (s *javascript) requireOwn(i int) bool {
	path := s.at(i + 2)
	if !s.own || !s.at(i+1).is("(") || path.kind != stringToken || !path.plain || !isRelative(path.value) || !s.at(i+3).is(")") {
		return false
	}
	s.out = append(s.out, Access{Path: path.value, Act: Runs, At: s.at(i).at})
	return true
}

// importOwn reads a declaration of import at a token, and notes what it binds.
func (s *javascript) importOwn(i int) {
	if !s.own || !isKeyword(s.at(i), "import") || s.isMember(i) || s.at(i+1).is("(") || s.at(i-1).kind == nameToken && !s.at(i).line {
		return
	}
	var names []int
	k := i + 1
	for ; !isKeyword(s.at(k), "from"); k++ {
		t := s.at(k)
		switch {
		case t.kind == nameToken && isKeyword(s.at(k+1), "as"):
			if isPower(t.text) {
				return
			}
			k++
		case t.kind == nameToken:
			names = append(names, k)
		case t.is("*") && isKeyword(s.at(k+1), "as"):
			k++
		case t.is("{"), t.is("}"), t.is(","):
		default:
			return
		}
	}
	path := s.at(k + 1)
	if path.kind != stringToken || !path.plain || !isRelative(path.value) {
		return
	}
	for _, n := range names {
		s.bound[s.at(n).text] = append(s.bound[s.at(n).text], n)
	}
	s.out = append(s.out, Access{Path: path.value, Act: Runs, At: s.at(i).at})
	s.pass(i, k+1)
}
