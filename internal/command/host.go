package command

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
)

// LoopsBack reports whether a command that runs others on another host connects
// to this machine. Another port than that of sshd often leads into a virtual
// machine.
func (c *Command) LoopsBack() bool {
	if c.Args.Has("J", "F", "W") {
		return false
	}
	host, port, ok := c.connects()
	if !ok || port != "" && port != "22" && port != "ssh" {
		return false
	}
	several := strings.FieldsFunc(host, func(r rune) bool { return r == ',' || r == ' ' }) // of pdsh and its like
	return slices.ContainsFunc(several, IsLoopback)
}

// connects returns the host and the port to which a command connects by its
// words; ok is false where they, or an option, may lead elsewhere.
func (c *Command) connects() (host, port string, ok bool) {
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleHost && host == "" {
			_, host, port = hostOf(&c.Words[o.At])
		}
	}
	for i := range c.Args.Options {
		o := &c.Args.Options[i]
		v, known := o.Arg.Literal()
		switch {
		case o.Spec == nil || !o.HasArg:
			continue
		case o.Spec.Role == program.RoleHost:
			_, host, _ = hostOf(&o.Arg)
			continue
		case o.Is(c.How("port")):
			port = v
			continue
		case !o.Is("o") || o.Spec.Role != program.RoleConfig:
			continue
		}
		key, value, _ := strings.Cut(strings.Replace(v, " ", "=", 1), "=")
		switch key = strings.ToLower(key); {
		case !known || strings.HasPrefix(key, "proxy"):
			return "", "", false
		case key == "hostname":
			host = strings.TrimSpace(value)
		case key == "port":
			port = strings.TrimSpace(value)
		}
	}
	return host, port, host != ""
}

// hostOf returns the parts of [USER@]HOST or ssh://[USER@]HOST[:PORT]; of a word
// of which only the host is known, too.
func hostOf(w *shell.Word) (user, host, port string) {
	v := ""
	if len(w.Values) > 0 {
		v = w.Values[0]
	} else if strings.Contains(w.Partial, shell.UnknownText+"@") {
		v = w.Partial
	}
	for _, each := range w.Values {
		if IsLoopback(hostName(each)) {
			v = each
		}
	}
	v, isURL := strings.CutPrefix(v, "ssh://")
	at := strings.LastIndexByte(v, '@')
	if at >= 0 {
		user = v[:at]
	}
	host = strings.TrimRight(v[at+1:], "/")
	if end := strings.LastIndexByte(host, ':'); isURL && end > strings.LastIndexByte(host, ']') {
		host, port = host[:end], host[end+1:]
	}
	return user, strings.Trim(host, "[]"), port
}

func hostName(v string) string {
	v = strings.TrimPrefix(v, "ssh://")
	return strings.Trim(v[strings.LastIndexByte(v, '@')+1:], "[]/")
}

// NamesSelf reports whether a word names this machine as a host, with a user or
// without.
func NamesSelf(w *shell.Word) bool {
	_, host, port := hostOf(w)
	return host != "" && (port == "" || port == "22") && IsLoopback(host)
}

// IsLoopback reports whether a host is this machine, by name or by an address in
// any of the forms that inet_aton(3) reads. systemd calls it .host.
func IsLoopback(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	switch host {
	case "localhost", "ip6-localhost", "ip6-loopback", "localhost.localdomain", ".host":
		return true
	}
	if strings.HasSuffix(host, ".localhost") {
		return true
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().IsLoopback() || a.IsUnspecified()
	}
	first, _, dotted := strings.Cut(host, ".")
	n, err := strconv.ParseUint(first, 0, 32)
	return err == nil && (n == 127 && dotted || n == 0 || !dotted && n>>24 == 127) && strings.Trim(host, "0123456789abcdefx.") == ""
}

// HomeThere returns the home directory of the user as whom a command connects
// to this machine, or runs another; home is that of who runs the line.
func (c *Command) HomeThere(home string) shell.Set {
	user := ""
	if p := c.Args.Program; p.Homes != "" {
		user = c.runsAs()
	}
	for _, o := range c.Args.Operands {
		if o.Role == program.RoleHost && user == "" {
			user, _, _ = hostOf(&c.Words[o.At])
		}
	}
	if o := c.Args.Option("l"); o != nil && o.HasArg && user == "" && c.Args.Program.Homes == "" {
		user, _ = o.Arg.Literal()
	}
	return shell.Set{Values: []string{homeOf(user, home)}, Open: true}
}

// homeOf returns the home directory of a user, and home for "".
func homeOf(user, home string) string {
	switch {
	case user == "root":
		home = "/root"
	case user != "" && user != shell.UnknownText && strings.Contains(home, "/"):
		home = DirName(home) + "/" + user
	}
	return home
}

// runsAs returns the user as whom a command runs others, root where it names none.
func (c *Command) runsAs() string {
	for _, name := range [...]string{"u", "user", "uid"} {
		if o := c.Args.Option(name); o != nil && o.HasArg {
			user, _ := o.Arg.Literal()
			return user
		}
	}
	for _, o := range c.Args.Operands {
		if v, ok := c.Words[o.At].Literal(); o.Role == program.RoleData && v != "-" {
			if !ok || strings.HasPrefix(v, "-") {
				break
			}
			return v
		}
	}
	return "root"
}
