package auth

import "golang.org/x/sys/unix"

// peerUID returns the user that connected to a socket.
func peerUID(fd int) (uid uint32, ok bool) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, false
	}
	return cred.Uid, true
}
