"""Runs the scripts of a file and tells of each what it does beyond its proof."""
import io, json, os, re, signal, sys

# What the library does of its own at its first use must not be taken for the scripts'.
import ast, base64, binascii, bisect, calendar, cmath, collections, contextlib, copy, csv, dataclasses, datetime, decimal, difflib, enum
import fnmatch, fractions, functools, glob, hashlib, heapq, hmac, html, html.parser, itertools, keyword, linecache, math, operator, os.path
import pathlib, pprint, random, secrets, shlex, statistics, string, struct, textwrap, time, traceback, typing, unicodedata, urllib.parse
import uuid, zipfile, zlib, zoneinfo, _strptime

QUIET = {"import", "marshal.loads", "os.listdir", "os.scandir", "glob.glob", "glob.glob/2", "pathlib.Path.glob", "pathlib.Path.rglob",
         "builtins.id", "code.__new__", "time.sleep", "sys.unraisablehook", "sys.excepthook", "object.__getattr__", "sys._getframe"}
CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
active, events = False, []


def hook(event, args):
    if active and event not in QUIET:
        events.append((event, args))


def named(path, opens, changes):
    if not isinstance(path, (str, bytes, os.PathLike)):
        return False
    path = os.path.abspath(os.fsdecode(path))
    for x in opens:
        if changes and x["Act"] <= 1:
            continue
        parts = re.split(r"(\*\*/|\*\*|\*)", os.path.abspath(x["Path"])) if x["Each"] else [os.path.abspath(x["Path"])]
        pattern = "".join({"**/": "(.*/)?", "**": ".*", "*": "[^/]*"}.get(p, re.escape(p)) if x["Each"] else re.escape(p) for p in parts)
        if re.fullmatch(pattern, path):
            return True
    return False


def wrong(event, args, opens):
    if event == "open":
        # A traceback and a warning look for the text of the script itself.
        return str(args[0]) not in ("<script>", "<unknown>", "<string>") and not str(args[0]).startswith(sys.prefix + "/") and not named(args[0], opens, args[2] & CHANGES)
    if event == "os.remove":
        return not named(args[0], opens, True)
    if event == "os.mkdir":  # also those above
        return not any(x["Act"] == 2 and os.path.abspath(x["Path"]).startswith(os.path.abspath(args[0])) for x in opens)
    if event == "exec":  # of a module, or of what a data class is made from
        return not getattr(args[0], "co_filename", "").startswith((sys.prefix, "<frozen", "<script>", "<string>"))
    if event == "compile":
        return args[1] not in ("<script>", "<unknown>", "<string>") and not str(args[1]).startswith("<string>")
    return True


class Late(Exception):
    pass


def late(*_):
    raise Late


signal.signal(signal.SIGALRM, late)
sys.addaudithook(hook)
ran, found, real = 0, [], sys.stdout
for line in open(sys.argv[1]).read().splitlines():
    row = json.loads(line)
    try:
        code = compile(row["Text"], "<script>", "exec")
    except Exception:
        continue
    events, streams = [], (sys.stdout, sys.stderr, sys.stdin)
    sys.stdout, sys.stderr, sys.stdin = io.StringIO(), io.StringIO(), io.StringIO("{}")
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        active = True
        exec(code, {"__name__": "__main__"})
    except BaseException:
        pass
    finally:
        active = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdout, sys.stderr, sys.stdin = streams
    ran += 1
    for event, args in events:
        if wrong(event, args, row["Opens"]) and len(found) < 20:
            found.append(f"{event} {args!r:.200} is not one of {row['Opens']} in:\n{row['Text']}")
json.dump({"Ran": ran, "Wrong": found}, real)
