//go:build linux

package kernel_test

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A violation is a system call that what only reads does not make.
type violation struct {
	line, program, call string
}

func (v violation) String() string {
	return fmt.Sprintf("%q: %s made the call %s", v.line, v.program, v.call)
}

// An exception is a call that is harmless though it looks otherwise.
type exception struct {
	programs string // base names, blanks between them; "" for all
	call     *regexp.Regexp
	why      string
}

var exceptions = []exception{
	{"", regexp.MustCompile(`^connect\(.*AF_UNIX.*"/var/run/nscd/socket"`), "the C library asks the name service cache for users and groups"},
	{"egrep fgrep", regexp.MustCompile(`^execve\("[a-z/]*/grep", `), "they are scripts that run grep"},
	{"docker", regexp.MustCompile(`^connect\(.*AF_UNIX.*"/var/run/docker.sock"`), "what it shows is what the daemon answers"},
	{"yq", regexp.MustCompile(`^execve\("[a-z/]*/jq", `), "one of its kinds is a script over jq"},
	{"zcat gzcat bzcat xzcat zstdcat gunzip unxz bunzip2 unzstd tar", regexp.MustCompile(`^execve\("[a-z/]*/(gzip|bzip2|xz|zstd)", `), "they unpack with a program of their own"},
	{"dpkg", regexp.MustCompile(`^execve\("[a-z/]*/dpkg-query", `), "that is where its questions are answered"},
	{"xargs", regexp.MustCompile(`^execve\("[a-z/]*/echo", `), "that is what it runs where no program is given"},
	{"", regexp.MustCompile(`^(socket\(AF_NETLINK, [A-Z_|]+, NETLINK_(ROUTE|SOCK_DIAG)\)|bind\([0-9]+, {sa_family=AF_NETLINK, |send(to|msg)\(.*nlmsg_type=(RTM_GET|SOCK_DIAG_BY_FAMILY|(TCP|DCCP)DIAG_GETSOCK))`), "this kernel is asked for its network interfaces and sockets"},
	{"ifconfig netstat", regexp.MustCompile(`^socket\(AF_INET6?, SOCK_DGRAM`), "a socket that is connected to nothing takes the questions for this kernel"},
	{"dmesg", regexp.MustCompile(`^syslog\((3|10) `), "it reads the kernel's messages"},
	{"curl", regexp.MustCompile(`^(socket\(AF_INET, SOCK_DGRAM|connect\(.*sin_port=htons\(53\))`), "its LDAP library looks up the name of this machine, even for the version"},
	{"pip pip3", regexp.MustCompile(`^(socket\(AF_INET6, SOCK_STREAM|bind\(.*sin6_port=htons\(0\).*"::1")`), "a port of this machine, to which nobody listens, tells whether there is IPv6"},
	{"shasum", regexp.MustCompile(`^openat\(.*O_RDWR\|O_CLOEXEC\) = -1 EISDIR`), "Perl opens a directory so; that always fails"},
	{"sort tac file zsh", regexp.MustCompile(`^(openat\(AT_FDCWD, |unlink\()"/tmp/(sort|tac|file\.?|zsh)\w{6}"(, O_RDWR\|O_CREAT\|O_EXCL(\|O_CLOEXEC)?, 0600)?\)`), "a temporary file that is new, private and removed at once, for what does not fit in memory"},
	{"git", regexp.MustCompile(`^(openat\(AT_FDCWD, |unlink\(|rename\()"/home/dev/project/\.git/index\.lock"`), "git keeps in its index what it found out of the files; that is decided to be no change"},
	{"pidof", regexp.MustCompile(`^(connect\([0-9]+, {sa_family=AF_UNIX, sun_path="/dev/log"}|openat\(AT_FDCWD, "/dev/console", O_WRONLY)`), "it tells the system's log of a process that ended while it looked"},
	{"zsh", regexp.MustCompile(`^kill\(-[0-9]+, 0\)`), "the signal 0 asks whether a job lives"},
	{"timeout", regexp.MustCompile(`^kill\(0, `), "it has made a process group of its own, in which is only what it runs"},
}

var (
	writing   = regexp.MustCompile(`O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)`)
	harmless  = regexp.MustCompile(`"/dev/(null|full|tty)"`)
	signalled = regexp.MustCompile(`^(\d+),`)
)

// judge returns the violations of one line of a trace.
func (t trace) judge(n int, line string) []violation {
	var found []violation
	allowed, family := named(line), t.tree(n)
	for _, pid := range slices.Sorted(maps.Keys(t)) {
		p := t[pid]
		of, depth := t.lineOf(pid)
		if of != n || depth == 0 {
			continue
		}
		started := depth > 1 // the shell that runs the line is the test's own
		for i, c := range p.calls {
			if !started {
				started = c.name == "execve" && c.result == "0"
				continue
			}
			c.program = t.programAt(pid, i)
			if !c.innocent(allowed, family) && !c.excepted() {
				found = append(found, violation{line, c.program, c.String()})
			}
		}
	}
	return found
}

func (c call) String() string { return c.name + "(" + c.args + ") = " + c.result }

// innocent reports whether a call changes nothing outside of its line.
func (c call) innocent(allowed *names, family map[string]bool) bool {
	switch c.name {
	case "clone", "clone3", "fork", "vfork":
		return true
	case "open", "openat", "openat2":
		return !writing.MatchString(c.args) || harmless.MatchString(c.args)
	case "execve":
		return allowed.run(firstString(c.args))
	case "socket":
		return strings.HasPrefix(c.args, "AF_UNIX,") // what it connects to is judged
	case "kill", "tkill", "tgkill":
		m := signalled.FindStringSubmatch(c.args)
		return m != nil && family[m[1]]
	}
	return false
}

func (c call) excepted() bool {
	for _, e := range exceptions {
		if e.programs != "" && !word(e.programs, c.program) {
			continue
		}
		if e.call.MatchString(c.String()) {
			return true
		}
	}
	return false
}

func word(list, name string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == name {
			return true
		}
	}
	return false
}

// run reports whether a line that names these programs may run one.
func (n *names) run(file string) bool {
	if n.paths[file] {
		return true
	}
	base := path.Base(file)
	if n.bases["git"] && (file == "/usr/lib/git-core/git" || file == "/usr/libexec/git-core/git") {
		return true
	}
	return n.bases[base] && word(strings.ReplaceAll(searched, ":", " "), path.Dir(file))
}
