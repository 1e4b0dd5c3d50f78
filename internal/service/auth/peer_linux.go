package auth

import "golang.org/x/sys/unix"

// peerOf returns the user and the process that connected to a socket.
func peerOf(fd int) (uid uint32, pid int, ok bool) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, 0, false
	}
	return cred.Uid, int(cred.Pid), true
}
