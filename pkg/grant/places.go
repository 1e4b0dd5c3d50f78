package grant

import (
	"path"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/sensitive"
)

// places collects every path that a command names or works in. What may be a
// path counts as one, so that a program that is unknown cannot reach beyond
// the directory either.
type places struct {
	*callJudge
	c    *command.Command
	verb string
	// bases are the directories from which relative paths are seen.
	bases []string
	base  [1]string // the first, where there is but one
	list  []string
	// touches is what the verb touches: where it is named files alone, a path
	// can only be a file, whatever its name.
	touches program.Extent
	// narrow is the directory of the first path, dir that of the command.
	narrow, dir string
}

// maxPlaces bounds how many paths of one command are looked at.
const maxPlaces = 400

// collect fills the list, or says why no entry covers the command.
func (p *places) collect() string {
	dir, ok := p.c.Dir.Literal()
	if !ok || !strings.HasPrefix(dir, "/") {
		return "its directory is unknown"
	}
	if p.dir, ok = p.directory(dir); !ok {
		return "its directory lies behind a link"
	}
	p.base[0] = p.dir
	p.bases, p.touches = p.base[:], extent(p.verb)
	if why := p.options(); why != "" {
		return why
	}
	if why := p.effects(); why != "" {
		return why
	}
	if p.namesAll() {
		return ""
	}
	if why := p.words(); why != "" {
		return why
	}
	if dir, ok := p.scope(); ok {
		p.narrow = dir
		return ""
	}
	p.narrow = p.dir
	return p.add(p.dir, "", false)
}

// scope returns the directory that the first path among the arguments of a
// program without a grammar means: there it works, wherever it is started. ok
// is false where its own directory may say what it does, or whom it talks to.
func (p *places) scope() (dir string, ok bool) {
	if p.c.Args.Program != nil || network(p.verb) || command.ReadsDirectory(p.c.Name) {
		return "", false
	}
	if _, found := sensitive.FindRole(p.dir, p.scene.Home, sensitive.Secret); found {
		return "", false
	}
	for i := 1; i < len(p.c.Words); i++ {
		v, _ := p.c.Words[i].Literal()
		if !isPathLike(v) {
			continue
		}
		if strings.HasPrefix(v, "~") {
			v = p.scene.Home + v[1:]
		}
		clean, ok := p.physical(shell.Abs(p.dir, v))
		return dirOf(clean), ok
	}
	return "", false
}

// namesAll reports whether a command touches nothing but what its operands and
// redirections name: without an operand it means its directory.
func (p *places) namesAll() bool {
	if p.touches == program.Anything || p.c.Args.Unlisted {
		return false
	}
	for _, o := range p.c.Args.Operands {
		switch o.Role {
		case program.RoleRead, program.RoleSend, program.RoleWrite, program.RoleDelete, program.RoleMove, program.RoleAlter, program.RoleDir:
			if !p.c.Words[o.At].Has("-") && p.narrow != "" {
				return true
			}
		}
	}
	return false
}

// options looks at what the grammar knows of the options.
func (p *places) options() string {
	for i := range p.c.Args.Options {
		o := &p.c.Args.Options[i]
		if o.Spec == nil {
			continue
		}
		switch o.Spec.Role {
		case program.RoleData:
			if v, _ := o.Arg.Literal(); p.touches != program.Anything && strings.Contains(v, "/") {
				if why := p.text(v); why != "" {
					return why
				}
			}
		case program.RoleRead, program.RoleSend, program.RoleWrite, program.RoleDelete, program.RoleMove, program.RoleAlter:
			// an effect
		case program.RoleDir:
			v, ok := o.Arg.Literal()
			if !o.HasArg || !ok {
				return "an option names an unknown directory"
			}
			for _, base := range p.bases[:len(p.bases):len(p.bases)] {
				p.bases = append(p.bases, shell.Abs(base, v))
			}
			if why := p.text(v); why != "" {
				return why
			}
		case program.RoleHost:
			if !network(p.verb) {
				return "an option names a host"
			}
		default:
			return "an option names what it runs"
		}
		if len(p.bases) > 16 {
			return "it names too many directories"
		}
	}
	for _, o := range p.c.Args.Operands {
		switch o.Role {
		case program.RoleCode, program.RoleText, program.RoleJoined, program.RoleEnv, program.RoleConfig, program.RoleArgv, program.RoleRest, program.RoleProgram:
			return "an argument is code"
		}
	}
	return ""
}

// effects adds the files and directories that the grammar and the redirections
// are known to mean.
func (p *places) effects() (why string) {
	for _, o := range p.c.Args.Operands {
		if o.Role != program.RoleDir {
			continue
		}
		v, _ := p.c.Words[o.At].Literal()
		if v == "-" {
			return "it goes back to an unknown directory"
		}
		if why := p.path(v, false); why != "" {
			return why
		}
	}
	p.c.Effects(func(e command.Effect) bool {
		if e.Kind == command.Connects || p.c.IsProgram(e) {
			return true
		}
		v, ok := e.Target.Literal()
		if !ok {
			why = "it names an unknown file"
			return false
		}
		if e.Target.KeepsNothing() {
			return true
		}
		why = p.path(v, e.Recursive && e.Kind != command.Reads)
		return why == ""
	})
	return why
}

// path adds a path, as it is seen from each base.
func (p *places) path(v string, deep bool) string {
	if v == "~" || strings.HasPrefix(v, "~/") {
		v = p.scene.Home + v[1:]
	}
	if strings.HasPrefix(v, "~") {
		return "it names somebody's home directory"
	}
	if strings.HasPrefix(v, "/") {
		return p.add(v, v, deep)
	}
	for _, base := range p.bases {
		if why := p.add(base+"/"+v, v, deep); why != "" {
			return why
		}
	}
	return ""
}

// add adds an absolute path; written is its spelling, "" for a directory that
// is not spelt.
func (p *places) add(full, written string, deep bool) string {
	if len(p.list) >= maxPlaces {
		return "it names too many files"
	}
	clean := full
	if written != "" {
		var ok bool
		if clean, ok = p.physical(full); !ok {
			return "a link lies on the way to " + middle(shell.Clean(full))
		}
	}
	roles := sensitive.Secret | sensitive.Trigger
	if written == "" && isShallow(clean) {
		roles = sensitive.Secret // to stand in /usr is no change of it; its files are named
	}
	if p.hasRole(clean, roles) {
		return middle(clean) + " is a sensitive path"
	}
	if deep {
		if _, found := sensitive.MayFind(clean+"/**", p.scene.Home, sensitive.Secret|sensitive.Trigger); found {
			return middle(clean) + " may hold a sensitive path"
		}
	}
	p.list = append(p.list, clean)
	if p.narrow == "" && written != "" {
		p.narrow = dirOf(clean)
		if p.touches == program.NamedFiles && !strings.HasSuffix(written, "/") && !strings.HasSuffix(written, ".") {
			p.narrow = path.Dir(clean)
		}
	}
	return ""
}

// directory is [callJudge.physical] for the directory of a command, which most
// commands of a call have in common.
func (j *callJudge) directory(dir string) (clean string, ok bool) {
	if dir != j.dir.asked {
		j.dir = directory{asked: dir}
		j.dir.clean, j.dir.ok = j.physical(dir)
	}
	return j.dir.clean, j.dir.ok
}

// hasRole reports whether a path has one of some roles. The directory of a
// command is that of most commands of a call.
func (p *places) hasRole(clean string, roles sensitive.Role) bool {
	d := &p.callJudge.dir
	if clean == d.clean && d.ok && d.roles == roles {
		return d.found
	}
	_, found := sensitive.FindRole(clean, p.scene.Home, roles)
	if clean == d.clean && d.ok {
		d.roles, d.found = roles, found
	}
	return found
}

// physical returns a path without the links that lead to the call's own
// directory; ok is false where another link lies on the way, or where that is
// not known.
func (j *callJudge) physical(full string) (clean string, ok bool) {
	clean = shell.Clean(full)
	switch {
	case j.logical == j.real, isWithin(clean, j.real):
	case isWithin(clean, j.logical):
		clean = j.real + strings.TrimPrefix(clean, j.logical)
	default:
		return clean, false // behind a link, ".." may mean either parent
	}
	if isTooLong(clean) {
		return clean, true
	}
	real, known := j.links.RealPath(full)
	return clean, known && real == clean
}

// isTooLong reports whether no file can have a path, so that no link lies there.
func isTooLong(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if len(part) > maxName {
			return true
		}
	}
	return false
}

// maxName is the longest name of a file in every file system of note.
const maxName = 255

// isWithin reports whether a clean path is a directory or lies below it.
func isWithin(p, dir string) bool {
	dir = strings.TrimSuffix(dir, "/")
	return strings.HasPrefix(p, dir) && (len(p) == len(dir) || p[len(dir)] == '/')
}

// dirOf returns the directory that a path means: its parent if its extension
// says that it is a file.
func dirOf(p string) string {
	if path.Ext(p) != "" {
		return path.Dir(p)
	}
	return p
}

// middle takes the middle out of a long path, for people.
func middle(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:40]) + "…" + string(r[len(r)-37:])
	}
	return s
}
