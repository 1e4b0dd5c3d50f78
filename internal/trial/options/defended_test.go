package options_test

// defended are differences in which the table is right, or safe, each group with its reason.
var defended = []struct{ keys, why string }{
	{"apt-get c, apt-get o, apt-get t, dpkg f, find D, find O, killall Z, killall context, killall n, killall ns, killall o, killall older-than, " +
		"killall u, killall user, killall y, killall younger-than, llvm-objcopy B, llvm-objcopy F, llvm-objcopy I, llvm-objcopy K, llvm-objcopy L, " +
		"llvm-objcopy N, llvm-objcopy O, llvm-objcopy R, llvm-objcopy W, llvm-objcopy j, llvm-strip K, llvm-strip N, llvm-strip R, perf buildid-dir, " +
		"perf debug, prlimit p, prlimit pid, rg type-add, shasum a, shasum algorithm, ssh-keygen K, ssh-keygen Q, stat c, systemctl P, systemd-run p, " +
		"systemd-run u, uclampset M, uclampset m, uclampset p, uclampset pid, rview s, rvim s, vi s, view s, vim s, cp update, mv update",
		"the page names the option, and its argument elsewhere or only in the text"},
	{"bash a, bash b, bash e, bash f, bash h, bash k, bash n, bash p, bash u, dash b, dash e, dash h, dash k, dash u, dash x, sh b, sh e, sh h, sh " +
		"k, sh u, sh x, mksh B, mksh C, mksh P, mksh T, mksh b, mksh h, mksh k, mksh m, mksh v",
		"the page lists tests of files and names for set -o in the same form"},
	{"complete a, complete d, complete p, complete s, umask S, umask p",
		"fish has a command of that name of its own"},
	{"cp X, date I, ls D, ls group-directories-first, man l, ps M, ps N, ps T, stat f, stat t, diff C, diff U, tail help, tail version",
		"the completion is one for the program of another system, or asks for the operand that follows"},
	{"find ls, fzf border, git config add, git config get-urlmatch, git config rename-section, git for-each-ref ignore-case, git log stat, git log " +
		"unified, git merge s, git status ignore-submodules, git status u, go env u, go env w, go test c, jq exit-status, losetup direct-io, objdump " +
		"demangle, screen X, snap h, snap v, readelf C, vim O, vim o, vim p, terraform init migrate-state, fab R",
		"the completion asks for an argument that is optional, or an operand"},
	{"capsh mode, curl help, du time, node inspect, node inspect-brk, nodejs inspect, nodejs inspect-brk, rg engine, sort C, sort c, sort check, " +
		"strace daemonize, strace decode-fds, strace stack-traces, valgrind error-exitcode, valgrind leak-check, valgrind log-file, valgrind " +
		"show-leak-kinds, valgrind suppressions, valgrind tool, valgrind trace-children, valgrind track-origins, valgrind xml, valgrind xml-file, ls " +
		"p, dir p, vdir p, tree charset, tree filelimit, tree sort, tree timefmt, nsenter wdns, nsenter W",
		"the page does not tell apart whether the argument may be left out or may be a word of its own: the program was asked"},
	{"lsblk T, lscpu C, lscpu e, lscpu p, nsenter C, nsenter T, nsenter U, nsenter i, nsenter m, nsenter n, nsenter p, nsenter r, nsenter u, " +
		"nsenter w, prlimit c, prlimit d, prlimit e, prlimit f, prlimit i, prlimit l, prlimit m, prlimit n, prlimit q, prlimit r, prlimit s, prlimit " +
		"t, prlimit u, prlimit v, prlimit x, prlimit y, watch d",
		"the letter takes what is attached to it, as the long option does"},
	{"mkdosfs F, mkdosfs S, mkdosfs h, mkdosfs n, mkfs.bfs F, mkfs.cramfs E, mkfs.cramfs n, mkfs.cramfs s, mkswap p, pkill q, pgrep q, ncat d, rsh " +
		"D, rsh c, last f, ip c, ex p",
		"programs that share the row, or systems, differ: one operand more is looked at"},
}
