package auth

import "golang.org/x/sys/unix"

// peerOf returns the user that connected to a socket. The process is not told.
func peerOf(fd int) (uid uint32, pid int, ok bool) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil || cred.Version != 0 { // the one version that there is
		return 0, 0, false
	}
	return cred.Uid, 0, true
}
