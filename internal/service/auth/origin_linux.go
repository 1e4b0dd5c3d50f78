package auth

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// lookProcess returns the command line of a process and its parent (proc(5)).
func lookProcess(pid int) (words []string, parent int, ok bool) {
	dir := fmt.Sprintf("/proc/%d/", pid)
	line, err := os.ReadFile(dir + "cmdline")
	if err != nil {
		return nil, 0, false
	}
	for w := range bytes.SplitSeq(bytes.TrimRight(line, "\x00"), []byte{0}) {
		words = append(words, string(w))
	}
	stat, err := os.ReadFile(dir + "stat")
	end := bytes.LastIndexByte(stat, ')') // the name before it may hold anything
	fields := bytes.Fields(stat[end+1:])
	if err != nil || end < 0 || len(fields) < 2 {
		return nil, 0, false
	}
	parent, err = strconv.Atoi(string(fields[1]))
	return words, parent, err == nil
}

// processAt returns the process that holds the far end of a connection within
// this machine, 0 where it is not found: the files of other users are not
// looked into.
func processAt(c net.Conn) int {
	remote, local, ok := loopbackPair(c)
	if !ok {
		return 0
	}
	for _, table := range [2]string{"/proc/net/tcp", "/proc/net/tcp6"} {
		if inode := inodeOf(table, remote, local); inode != "" {
			return holderOf("socket:[" + inode + "]")
		}
	}
	return 0
}

// inodeOf returns the inode of a socket by its own address and that of the
// other end.
func inodeOf(table string, own, other *net.TCPAddr) string {
	text, err := os.ReadFile(table)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) > 9 && isAddress(f[1], own) && isAddress(f[2], other) {
			return f[9]
		}
	}
	return ""
}

// isAddress reports whether a field of the table, whose groups of four bytes
// stand in the order of the machine, is an address.
func isAddress(field string, a *net.TCPAddr) bool {
	host, port, _ := strings.Cut(field, ":")
	n, err := strconv.ParseUint(port, 16, 16)
	raw, bad := hex.DecodeString(host)
	if err != nil || bad != nil || int(n) != a.Port || len(raw)%4 != 0 {
		return false
	}
	same, swapped := make(net.IP, len(raw)), make(net.IP, len(raw))
	for i := range raw {
		same[i], swapped[i] = raw[i], raw[i/4*4+3-i%4]
	}
	return a.IP.Equal(same) || a.IP.Equal(swapped)
}

// holderOf returns a process of this user that has a file open.
func holderOf(file string) int {
	links, _ := filepath.Glob("/proc/[0-9]*/fd")
	for _, dir := range links {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if to, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil && to == file {
				pid, _ := strconv.Atoi(strings.Split(dir, "/")[2])
				return pid
			}
		}
	}
	return 0
}
