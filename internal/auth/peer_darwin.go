package auth

import "golang.org/x/sys/unix"

// peerUID returns the user that connected to a socket.
func peerUID(fd int) (uid uint32, ok bool) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil || cred.Version != 0 { // the one version that there is
		return 0, false
	}
	return cred.Uid, true
}
