package command

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// parted yields the effects of an operand that may name a path of this
// machine, or one elsewhere; it is false once yield is. What is unknown
// counts as both.
func (c *Command) parted(e Effect, isRemote func(string) bool, yield func(Effect) bool) bool {
	if e.Target.IsEmpty() {
		return yield(e)
	}
	local, remote := e, Effect{Kind: Connects, Span: e.Span}
	local.Target.Values = nil
	for _, v := range e.Target.Values {
		if path, ok := c.here(v); ok && (e.Kind != Reads || c.Args.Has("remove-source-files", "remove-sent-files")) {
			local.Target.Values = append(local.Target.Values, path)
		}
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
	if !local.Target.IsEmpty() && !yield(local) {
		return false
	}
	reaches := c.How("copies") == "host" // a host, and no container
	return !reaches || remote.Target.IsEmpty() || yield(remote)
}

// noteHere notes the operands that name paths of this machine by its name or an address
// of it. Another port than that of sshd often leads elsewhere.
func (c *Command) noteHere(home string) {
	if !c.Is(program.NamesAway) || c.otherPort() {
		return
	}
	for _, o := range c.Args.Operands {
		for _, v := range c.Words[o.At].Values {
			user, path, ok := loopbackPath(v)
			if !ok {
				continue
			}
			if !strings.HasPrefix(path, "/") {
				path = homeOf(user, home) + "/" + strings.TrimPrefix(strings.TrimPrefix(path, "~"), "/")
			}
			if c.order().here == nil {
				c.order().here = make(map[string]string)
			}
			c.order().here[v] = path
		}
	}
}

// otherPort reports whether an option leads to another port than that of sshd.
func (c *Command) otherPort() bool {
	return slices.ContainsFunc(c.Args.Options, func(o Option) bool {
		v, ok := o.Arg.Literal()
		switch {
		case !o.HasArg:
			return false
		case o.Is("P"), o.Is("port"):
			return v != "22"
		case o.Is("e"), o.Is("rsh"):
			_, port, found := strings.Cut(v+" ", " -p")
			return !ok || found && strings.TrimSpace(port) != "22" || strings.Contains(v, " -o") || strings.Contains(v, " -J")
		}
		return o.Is("J") || o.Is("F") || o.Is("o")
	})
}

// loopbackPath returns the user and the path of an operand [USER@]HOST:PATH if the host
// is this machine.
func loopbackPath(operand string) (user, path string, ok bool) {
	if !isHostPath(operand) {
		return "", "", false
	}
	at := strings.IndexByte(operand, ':')
	if end := strings.Index(operand, "]:"); end > 0 {
		at = end + 1
	}
	host, path := operand[:at], operand[at+1:]
	user, name, ok := CutLast(host, "@")
	if !ok {
		user, name = "", host
	}
	return user, path, !strings.HasPrefix(path, ":") && IsLoopback(strings.Trim(name, "[]"))
}

// copiesToHost reports whether scp or rsync writes what its operands name to another
// host.
func (c *Command) copiesToHost() bool {
	if c.How("copies") != "host" {
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

// destination returns the word that names where a command writes its operands,
// and its index, or that of the option.
func (c *Command) destination() (to shell.Word, at int, ok bool) {
	if o := c.Args.Option("target-directory"); o != nil {
		return o.Arg, o.At, o.HasArg
	}
	n := len(c.Args.Operands)
	switch {
	case n == 0 || c.Args.Operands[n-1].Role != program.RoleWrite:
		return to, 0, false
	case n == 1 && c.How("alias") == "name":
		return shell.Word{Set: shell.Set{Values: []string{"."}}}, 0, true
	case n == 1:
		return to, 0, false
	}
	at = c.Args.Operands[n-1].At
	return c.Words[at], at, true
}
