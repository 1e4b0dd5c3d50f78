package hardline

import (
	"strings"

	"github.com/policyctl/policyctl/pkg/hazard"
	"github.com/policyctl/policyctl/pkg/shell"
)

// A mount gives a container a directory of the host.
type mount struct{ host, inside string }

// mounts returns the directories of the host that a container wrapper mounts.
func mounts(c *shell.Command) []mount {
	var out []mount
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		if !o.HasArg {
			continue
		}
		for _, v := range o.Arg.Values {
			switch {
			case o.Is("v") || o.Is("volume"):
				host, rest, ok := strings.Cut(v, ":")
				inside, _, _ := strings.Cut(rest, ":")
				if ok && strings.HasPrefix(host, "/") && !strings.HasSuffix(rest, ":ro") {
					out = append(out, mount{shell.Clean(host), shell.Clean(inside)})
				}
			case o.Is("mount"):
				if m, ok := longMount(v); ok {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

func longMount(v string) (mount, bool) {
	var m mount
	for part := range strings.SplitSeq(v, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "source", "src":
			m.host = value
		case "target", "dst", "destination":
			m.inside = value
		case "readonly", "ro":
			return mount{}, false
		}
	}
	return m, strings.HasPrefix(m.host, "/") && m.inside != ""
}

// onHost returns the path on the host of a path in a container.
func onHost(s *hazard.Scene, c *shell.Command, path string) (string, bool) {
	for p := c.Parent; p >= 0; p = s.Line.Commands[p].Parent {
		w := &s.Line.Commands[p]
		if w.Name == "chroot" {
			if len(w.Args.Operands) == 0 {
				return "", false
			}
			dir, ok := w.Words[w.Args.Operands[0].At].Literal()
			return shell.Clean(dir + "/" + path), ok
		}
		if strings.HasPrefix(path, "/dev/") && w.Args.Has("privileged", "device") {
			return path, true
		}
		for _, m := range mounts(w) {
			if rest, ok := strings.CutPrefix(path, m.inside); ok && (rest == "" || rest[0] == '/' || m.inside == "/") {
				return shell.Clean(m.host + "/" + rest), true
			}
		}
	}
	return "", false
}
