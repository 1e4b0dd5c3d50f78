/* The driver runs lines in shells, inside of the throw-away root: each shell
 * in a process namespace of its own, without rights, with limits.
 *
 * usage: driver ROOT UID WATCHED...
 *
 * A job on the standard input is: the number of shells (one byte), their
 * numbers, the line, and names for which there must be a recorder, each text
 * with its length before it. An answer is, for each of the shells: a byte that
 * says whether its time was up, the records, and the file events, each with
 * its length before it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { milliseconds = 1500, most = 1 << 20, watches = 32 };

static const char *const shells[][5] = {
	{ "/shells/bash", "bash", "-c" },
	{ "/shells/dash", "dash", "-c" },
	{ "/shells/zsh", "zsh", "-c" },
	{ "/shells/busybox", "ash", "-c" },
	{ "/shells/mksh", "mksh", "-c" },
	{ "/shells/ksh93", "ksh93", "-c" },
};

static char *const environment[] = {
	"PATH=/bin:/lbin", "HOME=/home/dev", "PWD=/home/dev/project", "USER=dev", "LANG=C.UTF-8", "TERM=dumb",
	"TMPDIR=/scratch", "TMPPREFIX=/scratch/zsh", NULL,
};

static uid_t uid;
static int logfile, notify;
static char *watched[watches];
static char log_text[most], events[most];

static void die(const char *what)
{
	fprintf(stderr, "driver: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void need(int fd, char *to, size_t n)
{
	while (n > 0) {
		ssize_t got = read(fd, to, n);
		if (got == 0)
			exit(0);
		if (got < 0 && errno != EINTR)
			die("read");
		if (got > 0)
			to += got, n -= got;
	}
}

static char *text(void)
{
	uint32_t n;
	need(0, (char *)&n, 4);
	if (n > most)
		die("a text that is too long");
	char *s = malloc(n + 1);
	need(0, s, n);
	s[n] = 0;
	return s;
}

static void answer(const void *from, size_t n)
{
	for (const char *p = from; n > 0;) {
		ssize_t put = write(1, p, n);
		if (put < 0 && errno != EINTR)
			die("write");
		if (put > 0)
			p += put, n -= put;
	}
}

static void answer_text(const char *s, uint32_t n)
{
	answer(&n, 4);
	answer(s, n);
}

static void limit(int what, rlim_t n)
{
	struct rlimit l = { n, n };
	if (setrlimit(what, &l) < 0)
		die("setrlimit");
}

/* become gives up every right and runs a shell. */
static void become(int shell, const char *line)
{
	const char *argv[8];
	int n = 0;
	for (; shells[shell][n + 1]; n++)
		argv[n] = shells[shell][n + 1];
	argv[n++] = line;
	argv[n] = NULL;
	setsid();
	int null = open("/dev/null", O_RDWR);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		_exit(126);
	close_range(3, ~0U, 0);
	limit(RLIMIT_CPU, 2);
	limit(RLIMIT_NPROC, 64);
	limit(RLIMIT_FSIZE, 256 << 10);
	limit(RLIMIT_NOFILE, 64);
	limit(RLIMIT_AS, 512 << 20);
	limit(RLIMIT_CORE, 0);
	if (setgroups(0, NULL) < 0 || setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || chdir("/home/dev/project") < 0)
		_exit(126);
	execve(shells[shell][0], (char **)argv, environment);
	_exit(127);
}

/* run runs a line in a shell until nothing of it is left; it returns whether
 * the time was up before. */
static char run(int shell, const char *line)
{
	int pidfd;
	pid_t init = syscall(SYS_clone, CLONE_NEWPID | CLONE_PIDFD | SIGCHLD, 0, &pidfd, 0, 0);
	if (init < 0)
		die("clone");
	if (init == 0) {
		pid_t pid = fork();
		if (pid == 0)
			become(shell, line);
		while (wait(NULL) >= 0 || errno == EINTR)
			;
		_exit(0);
	}
	struct pollfd p = { pidfd, POLLIN, 0 };
	char late = poll(&p, 1, milliseconds) == 0;
	if (late)
		kill(init, SIGKILL);
	while (waitpid(init, NULL, 0) < 0 && errno == EINTR)
		;
	close(pidfd);
	return late;
}

static int discard(const char *path, const struct stat *info, int kind, struct FTW *at)
{
	(void)info, (void)kind, (void)at;
	remove(path);
	return 0;
}

/* restore makes a file what it was at first. */
static void restore(const char *path)
{
	char kept[5000], content[8192], target[4096];
	struct stat info;
	nftw(path, discard, 16, FTW_DEPTH | FTW_PHYS);
	snprintf(kept, sizeof kept, "/kept%s", path);
	if (lstat(kept, &info) < 0)
		return;
	if (S_ISLNK(info.st_mode)) {
		ssize_t n = readlink(kept, target, sizeof target - 1);
		if (n < 0 || (target[n] = 0, symlink(target, path)) < 0)
			die(path);
		return;
	}
	int in = open(kept, O_RDONLY | O_CLOEXEC), out = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	ssize_t n = read(in, content, sizeof content);
	if (n < 0 || write(out, content, n) != n || fchown(out, uid, uid) < 0 || fchmod(out, info.st_mode & 0777) < 0)
		die(path);
	close(in);
	close(out);
}

enum { changes = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE | IN_MOVE | IN_ATTRIB };

/* drain reads the file events as "changed" or "opened", a path, and a line
 * end; where keep is not set it only forgets them. */
static size_t drain(int keep)
{
	static char buffer[64 << 10] __attribute__((aligned(8)));
	size_t used = 0;
	ssize_t n;
	while ((n = read(notify, buffer, sizeof buffer)) > 0)
		for (char *p = buffer; keep && p < buffer + n;) {
			struct inotify_event *e = (void *)p;
			p += sizeof *e + e->len;
			if (e->len == 0 || e->wd >= watches || (e->mask & IN_ISDIR && !(e->mask & changes)) || used > most - 8192)
				continue;
			const char *what = e->mask & changes ? "changed" : "opened";
			used += sprintf(events + used, "%s %s/%s", what, watched[e->wd], e->name) + 1;
		}
	return used;
}

static void mend(size_t n)
{
	int mended = 0;
	for (char *p = events; p < events + n; p += strlen(p) + 1)
		if (strncmp(p, "changed ", 8) == 0)
			restore(p + 8), mended = 1;
	if (mended)
		drain(0);
}

static void enter(const char *root)
{
	if (chdir(root) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		die("entering the root");
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, "hidepid=2,subset=pid") < 0)
		die("/proc");
}

static void link_names(char *names, int make)
{
	for (char *p = names, *end; *p; p = end) {
		char path[512];
		end = strchr(p, '\n');
		if (!end)
			break;
		if (snprintf(path, sizeof path, "/lbin/%.*s", (int)(end - p), p) < (int)sizeof path) {
			int twice = make ? link("/bin/ls", path) : unlink(path);
			(void)twice; /* a name may stand in the list twice */
		}
		end++;
	}
}

int main(int argc, char **argv)
{
	uid = atoi(argv[2]);
	enter(argv[1]);
	umask(022);
	logfile = open("/log/records", O_RDWR | O_CLOEXEC);
	notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (uid == 0 || logfile < 0 || notify < 0)
		die("setting up");
	for (int i = 3; i < argc; i++) {
		int wd = inotify_add_watch(notify, argv[i], changes | IN_OPEN | IN_DONT_FOLLOW);
		if (wd < 0 || wd >= watches)
			die(argv[i]);
		watched[wd] = argv[i];
	}
	for (;;) {
		char count, which[16];
		need(0, &count, 1);
		if (count > 16)
			die("a job with too many shells");
		need(0, which, count);
		char *line = text(), *names = text();
		link_names(names, 1);
		for (int i = 0; i < count; i++) {
			char late = run(which[i], line);
			ssize_t n = pread(logfile, log_text, sizeof log_text, 0);
			if (n < 0 || (n > 0 && ftruncate(logfile, 0) < 0))
				die("log");
			size_t told = drain(1);
			answer(&late, 1);
			answer_text(log_text, n);
			answer_text(events, told);
			mend(told);
		}
		link_names(names, 0);
		free(line);
		free(names);
	}
}
