package auth

import (
	"context"
	"net"
	"strings"
)

// originKey is the key of a function that returns the process at the other end
// of a connection, 0 where it is unknown.
type originKey struct{}

// maxAncestors bounds how many processes above the one that asks are looked at.
const maxAncestors = 64

// agentOf returns the agent of whom the process at the other end of a
// connection descends, "" where there is none or the system does not tell. It
// is a second line: a program that leaves its parents behind descends from
// nobody.
func agentOf(ctx context.Context, agents []string) string {
	process, ok := ctx.Value(originKey{}).(func() int)
	if !ok || len(agents) == 0 {
		return ""
	}
	pid := process()
	for range maxAncestors {
		if pid < 1 { // in a container, the first process may be the agent
			return ""
		}
		words, parent, ok := lookProcess(pid)
		if !ok {
			return ""
		}
		if name := agentIn(words, agents); name != "" {
			return name
		}
		pid = parent
	}
	return ""
}

// agentIn returns the agent whose program the first words of a command line
// start: by the name of the program or of the script, or by the package in
// which the script lies.
func agentIn(words, agents []string) string {
	for i, word := range words[:min(len(words), 2)] {
		if i == 1 && strings.HasPrefix(word, "-") {
			break
		}
		elems := strings.Split(strings.ReplaceAll(word, `\`, "/"), "/")
		packaged := false
		for k, e := range elems {
			base := k == len(elems)-1
			e = strings.TrimSuffix(strings.TrimSuffix(e, ".js"), ".exe")
			for _, a := range agents {
				if (base || packaged) && (e == a || packaged && strings.HasPrefix(e, a+"-")) {
					return a
				}
			}
			packaged = packaged || e == "node_modules"
		}
	}
	return ""
}

// loopbackPair returns the two ends of a connection within this machine.
func loopbackPair(c net.Conn) (remote, local *net.TCPAddr, ok bool) {
	remote, isTCP := c.RemoteAddr().(*net.TCPAddr)
	local, alsoTCP := c.LocalAddr().(*net.TCPAddr)
	return remote, local, isTCP && alsoTCP && remote.IP.IsLoopback() && local.IP.IsLoopback()
}
