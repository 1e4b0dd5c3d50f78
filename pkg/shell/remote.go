package shell

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/pkg/program"
)

// parted yields the effects of an operand that may name a path of this
// machine, or one elsewhere; it is false once yield is. What is unknown
// counts as both.
func (c *Command) parted(e Effect, isRemote func(string) bool, yield func(Effect) bool) bool {
	if e.Target.isEmpty() {
		return yield(e)
	}
	local, remote := e, Effect{Kind: Connects, Span: e.Span}
	local.Target.Values = nil
	for _, v := range e.Target.Values {
		if isRemote(v) {
			remote.Target.Values = append(remote.Target.Values, v)
		} else {
			local.Target.Values = append(local.Target.Values, v)
		}
	}
	if e.Target.Open {
		begin := e.Target.Prefix
		local.Target.Open = !isRemote(begin)
		remote.Target.Open = !local.Target.Open || !strings.Contains(begin, "/")
		remote.Target.Prefix = begin
	}
	if !local.Target.isEmpty() && !yield(local) {
		return false
	}
	reaches := c.Name == "scp" || c.Name == "rsync" // a host, and no container
	return !reaches || remote.Target.isEmpty() || yield(remote)
}

func (s Set) isEmpty() bool { return len(s.Values) == 0 && !s.Open }

// remotePaths returns what reports whether an operand names a path of another
// host or of a container; nil for programs that take none.
func (c *Command) remotePaths() func(string) bool {
	switch {
	case c.Is(program.NamesAway):
		return isHostPath
	case !isCopy(c.Args.Sub):
	case c.Is(program.IsEngine):
		return isContainerPath
	case c.Is(program.IsCluster):
		return isPodPath
	}
	return nil
}

// copiesToHost reports whether scp or rsync writes what its operands name to another
// host.
func (c *Command) copiesToHost() bool {
	if c.Name != "scp" && c.Name != "rsync" {
		return false
	}
	to, _, ok := c.destination()
	return ok && (slices.ContainsFunc(to.Values, isHostPath) || to.Partial != "" && isHostPath(to.Partial) || isHostPath(to.Prefix))
}

func isCopy(sub string) bool { return sub == "cp" || strings.HasSuffix(sub, " cp") }

// isHostPath reports whether scp and rsync both take an operand for HOST:PATH or a
// URL: a colon stands before the first slash, and not at the beginning.
// Brackets hold an address with colons, or else both take the operand for a
// file.
func isHostPath(v string) bool {
	head, _, _ := strings.Cut(v, "/")
	at := strings.IndexByte(head, ':')
	if strings.Contains(head, "[") {
		host := head[strings.LastIndexByte(head[:strings.IndexByte(head, '[')], '@')+1:]
		at = strings.Index(host, "]:")
		return host[0] == '[' && at > 1 && !strings.ContainsAny(host[1:at], "[]")
	}
	return at > 0
}

// isContainerPath reports whether docker takes an operand for CONTAINER:PATH.
func isContainerPath(v string) bool {
	at := strings.IndexByte(v, ':')
	return at > 0 && v[0] != '.' && !strings.Contains(v[:at], "/")
}

// isPodPath reports whether kubectl takes an operand for [NAMESPACE/]POD:PATH.
func isPodPath(v string) bool {
	at := strings.IndexByte(v, ':')
	return at > 0 && v[0] != '.' && v[0] != '/' && strings.Count(v[:at], "/") <= 1
}
