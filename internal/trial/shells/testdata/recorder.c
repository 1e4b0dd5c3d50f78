/* Every program of the throw-away root: it notes how it was started, prints a
 * text that is awkward to substitute, and does nothing else. Programs that only
 * print, and whose output a reader of the line can tell, do print it where
 * somebody reads it; they lie in /real. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

enum { room = 96 << 10, enough = 3 << 10, toomuch = 12 << 10 };

static char record[room];
static size_t used = 4; /* behind the record's length */
static int cut;

static void field(const char *text)
{
	size_t n = strlen(text) + 1;
	if (used + n > room) {
		cut = 1;
		return;
	}
	memcpy(record + used, text, n);
	used += n;
}

/* files lists which of the first descriptors are files below /home or /tmp. */
static void files(void)
{
	static char list[10 * 300];
	char link[32], target[256];
	size_t n = 0;
	for (int fd = 0; fd < 10; fd++) {
		snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		ssize_t size = readlink(link, target, sizeof target - 1);
		if (size <= 0)
			continue;
		target[size] = 0;
		if (strncmp(target, "/home/", 6) == 0 || strncmp(target, "/tmp/", 5) == 0)
			n += snprintf(list + n, sizeof list - n, "%s\n", target);
	}
	field(list);
}

/* print runs the program itself, if there is one. */
static void print(const char *name, char **argv)
{
	char real[300];
	struct stat info;
	if (fstat(1, &info) < 0 || S_ISCHR(info.st_mode))
		return;
	for (char **arg = argv; *arg; arg++)
		if (**arg == '-' && ((strcmp(name, "sort") == 0 && strchr(*arg, 'o')) || (strcmp(name, "grep") == 0 && strpbrk(*arg, "rR"))))
			return; /* it would write, or read other files */
	if (snprintf(real, sizeof real, "/real/%s", name) < (int)sizeof real)
		execv(real, argv);
}

int main(int argc, char **argv)
{
	static const char text[] = "a b\n-x *\n";
	char dir[4096];
	const char *file = (const char *)getauxval(AT_EXECFN);
	const char *base = strrchr(file, '/');
	struct stat info;
	const char *name = base ? base + 1 : file;
	int fails = strcmp(name, "false") == 0;

	signal(SIGPIPE, SIG_IGN);
	field(file);
	field(getcwd(dir, sizeof dir) ? dir : "?");
	files();
	for (int i = 0; i < argc; i++)
		field(argv[i]);
	uint32_t size = used - 4;
	memcpy(record, &size, 4);

	int log = open("/log/records", O_WRONLY | O_APPEND | O_CLOEXEC);
	if (log < 0 || cut || write(log, record, used) != (ssize_t)used || fstat(log, &info) < 0)
		return 1;
	if (info.st_size > toomuch) /* it has told enough, and may have no end */
		kill(-1, SIGKILL);
	if (info.st_size > enough)
		return 1;
	print(name, argv);
	if (write(1, text, sizeof text - 1) < 0)
		return fails;
	return fails;
}
