package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

// A mount gives a container a directory of the host.
type mount struct{ host, inside string }

// mounts returns the directories of the host that a container wrapper mounts.
func mounts(c *command.Command) []mount {
	var out []mount
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.HasArg {
			continue
		}
		for _, v := range o.Arg.Values {
			switch {
			case o.Is("v") || o.Is("volume") || o.Is("bind"):
				host, rest, ok := strings.Cut(v, ":")
				inside, _, _ := strings.Cut(rest, ":")
				if !ok && c.Context == program.Local && !c.Is(program.IsEngine) { // the same place
					inside, ok = host, true
				}
				if host = mountedPath(c, host); ok && host != "" && !strings.HasSuffix(rest, ":ro") {
					out = append(out, mount{host, shell.Clean(inside)})
				}
			case o.Is("mount"):
				if m := longMount(c, v); m.host != "" && m.inside != "" {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// mountedPath returns the directory of the host that a mount names, "" for a
// volume, whose name holds no slash.
func mountedPath(c *command.Command, host string) string {
	if !strings.HasPrefix(host, "/") && !strings.HasPrefix(host, ".") || len(c.Dir.Values) == 0 && host[0] == '.' {
		return ""
	}
	return shell.Paths(c.Dir, shell.Set{Values: []string{host}})[0]
}

func longMount(c *command.Command, v string) mount {
	var m mount
	for part := range strings.SplitSeq(v, ",") {
		part = strings.Trim(part, `"`)
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "source", "src":
			m.host = mountedPath(c, value)
		case "target", "dst", "destination":
			m.inside = value
		case "readonly", "ro":
			return mount{}
		}
	}
	return m
}

// onHost returns the path on the host of a path in a container, through every
// container around the command.
func onHost(s *hazard.Scene, c *command.Command, path string) (string, bool) {
	mapped, hostNamespace, given := false, false, false
	for p := c.Parent; p >= 0; p = s.Line.Commands[p].Parent {
		w := &s.Line.Commands[p]
		switch {
		case w.Args.Program != nil && w.Args.Program.Shares:
			if isDevice(path) || path == sysrq { // the same below each root
				mapped = true
				continue
			}
			dir, ok := rootOf(w)
			if !ok {
				return "", false
			}
			given = given || shell.Abs("", dir) == "/"
			path, mapped = shell.Abs("", dir+"/"+path), true
		case w.Of("enters"):
			hostNamespace = entersInit(w)
		case w.Is(program.IsEngine):
			given = true
			if path, mapped = outOf(w, path, hostNamespace); !mapped {
				return "", false
			}
		default:
			if m := mounts(w); len(m) > 0 {
				given = true
				if path, mapped = unmounted(m, path); !mapped {
					return "", false
				}
			}
		}
	}
	return path, mapped && (given || isDevice(path) || path == sysrq) // another root alone holds the files
}

// rootOf returns the directory that a command makes the root of what it runs.
func rootOf(w *command.Command) (dir string, ok bool) {
	for i := range w.Args.Options {
		if o := &w.Args.Options[i]; o.Spec != nil && o.HasArg && program.HasWord(w.Args.Program.Roots, o.Spec.Names[0]) {
			return o.Arg.Literal()
		}
	}
	if len(w.Args.Operands) == 0 || w.Args.Operands[0].Role != program.RoleDir {
		return "", false
	}
	return w.Words[w.Args.Operands[0].At].Literal()
}

// outOf returns the path on the host of a path in a container that docker or
// its like starts. In the name space of the host's first process all paths are
// those of the host.
func outOf(w *command.Command, path string, hostNamespace bool) (string, bool) {
	if o := w.Args.Option("pid"); hostNamespace && o != nil && o.Arg.Has("host") {
		return path, true
	}
	if rest, ok := strings.CutPrefix(path, "/proc/1/root"); ok && gives(w, "pid", "host") && (rest == "" || rest[0] == '/') {
		return shell.Clean("/" + rest), true
	}
	if w.Args.Has("privileged", "device") && (strings.HasPrefix(path, "/dev/") || path == sysrq) {
		return path, true
	}
	return unmounted(mounts(w), path)
}

// unmounted returns the path on the host of a path below one of some mounts.
func unmounted(list []mount, path string) (string, bool) {
	for _, m := range list {
		if rest, ok := strings.CutPrefix(path, m.inside); ok && (rest == "" || rest[0] == '/' || m.inside == "/") {
			return shell.Clean(m.host + "/" + rest), true
		}
	}
	return "", false
}

// entersInit reports whether nsenter enters the mounts of process 1.
func entersInit(w *command.Command) bool {
	t := w.Args.Option("t")
	return t != nil && t.Arg.Has("1") && w.Args.Has("m", "a")
}
