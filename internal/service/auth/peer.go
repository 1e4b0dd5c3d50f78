package auth

import (
	"context"
	"fmt"
	"net"
	"sync"
)

type peerKey struct{}

// PeerConn is the ConnContext of an [net/http.Server]: it notes the user at
// the other end of a Unix socket, and how to find the process there. Where the
// system does not tell there is none.
func PeerConn(ctx context.Context, c net.Conn) context.Context {
	socket, ok := c.(*net.UnixConn)
	if !ok {
		if t, isTLS := c.(interface{ NetConn() net.Conn }); isTLS {
			c = t.NetConn()
		}
		return context.WithValue(ctx, originKey{}, sync.OnceValue(func() int { return processAt(c) }))
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return ctx
	}
	var uid uint32
	pid, known := 0, false
	err = raw.Control(func(fd uintptr) { uid, pid, known = peerOf(int(fd)) })
	if err != nil || !known {
		return ctx
	}
	ctx = context.WithValue(ctx, originKey{}, func() int { return pid })
	return context.WithValue(ctx, peerKey{}, uid)
}

// peerPrefix is what the names of peers begin with.
const peerPrefix = "uid:"

// nobody is the uid that Linux shows for users that a container does not know;
// the last one means that there is none.
const (
	nobody  = 65534
	invalid = 1<<32 - 1
)

// peerIdentity returns the identity of the other end of a Unix socket. Only
// the user of the service itself has one, and never to approve. Root has none
// where the service is not root's: its programs send a token as others do.
func peerIdentity(ctx context.Context, own int) (Identity, bool) {
	uid, ok := ctx.Value(peerKey{}).(uint32)
	if !ok || int64(uid) != int64(own) || uid == nobody || uid == invalid {
		return Identity{}, false
	}
	return Identity{Name: fmt.Sprintf("%s%d", peerPrefix, uid), Scopes: Submit | Read}, true
}
