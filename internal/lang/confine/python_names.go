package confine

import (
	"strings"
	"sync"
)

// pythonKeywords are those that a confined script may have. Where from and import
// stand is looked at, and async and await are left out: what they call is called
// by others.
var pythonKeywords = sync.OnceValue(func() words {
	return wordsOf(`False None True and as assert break class continue def del elif else except finally for from global if in is
		lambda nonlocal not or pass raise return try while with yield`)
})

// pythonBuiltins are the names that every script finds and that do nothing but
// compute and print. open is looked at where it is called.
var pythonBuiltins = sync.OnceValue(func() words {
	return wordsOf(`print len range sorted reversed list dict set frozenset tuple str int float complex bool bytes bytearray enumerate zip map
		filter sum min max abs round any all repr ascii chr ord hex oct bin isinstance issubclass iter next slice divmod pow hash id callable
		object super property staticmethod classmethod exit quit __name__ Ellipsis NotImplemented
		BaseException Exception ArithmeticError AssertionError AttributeError EOFError FileExistsError FileNotFoundError ImportError IndexError
		IOError IsADirectoryError KeyError KeyboardInterrupt LookupError NameError NotADirectoryError NotImplementedError OSError OverflowError
		PermissionError RecursionError RuntimeError StopIteration SyntaxError SystemExit TimeoutError TypeError UnicodeDecodeError
		UnicodeEncodeError UnicodeError ValueError Warning ZeroDivisionError`)
})

// pythonOthers are the names that every script finds and that are refused wherever
// they stand, also bound by the script: in another scope they may be the
// language's.
var pythonOthers = sync.OnceValue(func() words {
	return wordsOf(`aiter anext breakpoint compile copyright credits delattr dir eval exec format getattr globals hasattr help input license
		locals memoryview setattr type vars case async await
		apply execfile raw_input reload`) // the last four are those of Python 2, which python may be
})

// pythonFixed are names on whose meaning what is known of paths rests: the script
// may not bind them.
var pythonFixed = sync.OnceValue(func() words {
	return wordsOf("open sorted list set tuple reversed str range enumerate")
})

// pythonModules are the names of each module that do nothing but compute, and those
// whose calls are looked at.
var pythonModules = sync.OnceValue(func() map[string]words {
	all := map[string]words{}
	for line := range strings.Lines(pythonModuleNames) {
		if name, names, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			all[name] = wordsOf(names)
		}
	}
	return all
})

const pythonModuleNames = `
	ast: parse walk dump unparse literal_eval iter_child_nodes iter_fields get_docstring get_source_segment NodeVisitor AST Module FunctionDef AsyncFunctionDef ClassDef Return Delete Assign AugAssign AnnAssign For While If With Raise Try Assert Import ImportFrom Expr Call Name Attribute Constant Str Num List Tuple Dict Set BinOp BoolOp Compare Lambda arg keyword alias Subscript Starred JoinedStr
	base64: b64encode b64decode urlsafe_b64encode urlsafe_b64decode b32encode b32decode b16encode b16decode
	binascii: hexlify unhexlify crc32 b2a_hex a2b_hex
	bisect: bisect bisect_left bisect_right insort insort_left insort_right
	calendar: monthrange isleap month_name month_abbr day_name day_abbr timegm monthcalendar
	cmath: sqrt exp log phase polar rect pi e
	collections: Counter OrderedDict defaultdict deque namedtuple ChainMap
	contextlib: suppress contextmanager nullcontext
	copy: copy deepcopy
	csv: reader writer DictReader DictWriter QUOTE_ALL QUOTE_MINIMAL QUOTE_NONNUMERIC QUOTE_NONE Sniffer field_size_limit excel excel_tab Error
	dataclasses: dataclass field asdict astuple replace
	datetime: datetime date time timedelta timezone UTC MINYEAR MAXYEAR
	decimal: Decimal ROUND_HALF_UP ROUND_HALF_EVEN ROUND_DOWN ROUND_UP getcontext
	difflib: unified_diff ndiff context_diff SequenceMatcher get_close_matches Differ
	enum: Enum IntEnum Flag IntFlag auto
	fnmatch: fnmatch fnmatchcase filter translate
	fractions: Fraction
	functools: reduce lru_cache cache wraps cmp_to_key total_ordering cached_property
	glob: glob iglob escape
	hashlib: sha1 sha224 sha256 sha384 sha512 md5 blake2b blake2s sha3_256 sha3_512
	heapq: heappush heappop heapify nlargest nsmallest merge heapreplace heappushpop
	hmac: compare_digest
	html: escape unescape
	html.parser: HTMLParser
	io: StringIO BytesIO
	itertools: accumulate chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest batched
	json: load loads dump dumps JSONDecodeError JSONEncoder JSONDecoder
	keyword: iskeyword kwlist
	math: acos asin atan atan2 ceil comb copysign cos cosh degrees dist e erf exp fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan perm pi pow prod radians remainder sin sinh sqrt tan tanh tau trunc
	operator: itemgetter add sub mul truediv floordiv mod and_ or_ xor neg not_ eq ne lt le gt ge contains getitem
	os: sep linesep getcwd listdir walk path makedirs mkdir remove unlink
	os.path: join basename dirname exists isfile isdir islink split splitext relpath abspath normpath realpath getsize getmtime commonpath commonprefix sep isabs
	pathlib: Path PurePath PurePosixPath PosixPath
	pprint: pprint pformat pp
	random: random randint choice choices shuffle sample uniform seed randrange gauss Random
	re: compile search match fullmatch findall finditer sub subn split escape purge error I IGNORECASE M MULTILINE S DOTALL X VERBOSE A ASCII U UNICODE Pattern Match
	secrets: token_hex token_urlsafe token_bytes choice randbelow compare_digest
	shlex: split quote join
	statistics: mean median stdev pstdev variance pvariance mode quantiles fmean median_low median_high multimode
	string: ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable whitespace
	struct: pack unpack unpack_from pack_into calcsize iter_unpack
	sys: argv exit stdin stdout stderr version version_info maxsize platform byteorder getsizeof setrecursionlimit getrecursionlimit implementation maxunicode float_info int_info
	textwrap: dedent indent fill wrap shorten
	time: time perf_counter perf_counter_ns monotonic process_time time_ns sleep strftime strptime localtime gmtime mktime ctime asctime
	tomllib: load loads TOMLDecodeError
	typing: Any Callable Dict Generator Iterable Iterator List Literal NamedTuple Optional Sequence Set Tuple TypedDict Union cast
	unicodedata: normalize category name lookup combining east_asian_width bidirectional numeric decimal digit
	urllib.parse: quote unquote quote_plus unquote_plus urlencode urljoin urlparse urlsplit urlunparse urlunsplit parse_qs parse_qsl
	uuid: uuid4 uuid3 uuid5 UUID NAMESPACE_DNS NAMESPACE_URL
	zipfile: ZipFile BadZipFile ZIP_DEFLATED is_zipfile
	zlib: crc32 adler32 compress decompress
	zoneinfo: ZoneInfo
`

// pythonAttributes are the names that follow a dot behind any value. None of them
// changes anything but the value itself, whatever it is of all that the tables
// here lead to; those that may are looked at where they are called.
var pythonAttributes = sync.OnceValue(func() words {
	return wordsOf(`
	strip lstrip rstrip split rsplit splitlines join lower upper title capitalize casefold swapcase startswith endswith find rfind index
	rindex count encode decode isdigit isalpha isalnum isspace isupper islower isidentifier isnumeric isdecimal istitle isascii isprintable
	zfill ljust rjust center partition rpartition expandtabs translate maketrans removeprefix removesuffix hex fromhex from_bytes to_bytes
	append extend insert pop popitem remove clear sort reverse items keys values get setdefault update add discard union intersection
	difference symmetric_difference issubset issuperset isdisjoint intersection_update difference_update most_common elements total subtract
	fromkeys appendleft popleft extendleft rotate maxlen default_factory
	read readline readlines write writelines seek tell close flush closed buffer getvalue isatty encoding newlines reconfigure
	search match fullmatch findall finditer sub subn group groups groupdict start end span expand pattern flags lastgroup lastindex string
	name stem suffix suffixes parent parents parts exists is_file is_dir is_symlink resolve relative_to is_relative_to with_suffix with_name
	with_stem as_posix glob rglob iterdir joinpath stat st_size st_mtime st_mode absolute is_absolute cwd home expanduser anchor drive
	now utcnow today isoformat strftime strptime timestamp date time year month day hour minute second microsecond weekday isoweekday
	isocalendar total_seconds days seconds microseconds astimezone fromtimestamp utcfromtimestamp fromisoformat fromordinal toordinal combine
	tzinfo utc utcoffset tzname timetuple tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday
	fieldnames writerow writerows writeheader line_num dialect sniff has_header delimiter
	feed handle_starttag handle_endtag handle_data handle_startendtag handle_comment get_starttag_text getpos rawdata convert_charrefs
	body id attr func args keywords value targets target bases decorator_list names module level elts slice ctx test iter orelse asname
	arg returns annotation lineno col_offset end_lineno end_col_offset visit generic_visit n s left right op ops comparators posonlyargs
	kwonlyargs vararg kwarg defaults annotation finalbody handlers items optional_vars context_expr type_comment kind docstring
	namelist infolist filename file_size compress_size getinfo testzip date_time is_dir CRC
	object reason msg strerror errno pos colno doc code
	real imag conjugate numerator denominator bit_length bit_count is_integer as_integer_ratio quantize normalize as_tuple
	hexdigest digest digest_size block_size ratio get_opcodes get_matching_blocks quick_ratio compare
	scheme netloc path query fragment hostname port params username geturl
	cache_clear cache_info major minor micro releaselevel int bytes urn version shuffle choice random randint sample uniform tee choices
	__init__ seed repeat from_iterable max min resolution key
	`)
})

// pythonFiles are the attributes whose calls do something to a file, with what.
var pythonFiles = sync.OnceValue(func() map[string]Act {
	return map[string]Act{
		"read_text": Reads, "read_bytes": Reads, "write_text": Replaces, "write_bytes": Replaces, "mkdir": Creates, "touch": Creates, "unlink": Removes,
	}
})

// pythonCalls are the functions that take a path, with what they do to it. What
// the others do depends on a further argument.
var pythonCalls = sync.OnceValue(func() map[string]Act {
	return map[string]Act{
		"os.makedirs": Creates, "os.mkdir": Creates, "os.remove": Removes, "os.unlink": Removes, "open": Reads, "zipfile.ZipFile": Reads,
	}
})

// pythonLacks returns what modules of Python's own load from a package that does not
// come with Python: copy, and with it dataclasses, looks for org.python, and zoneinfo
// for tzdata.zoneinfo. Such a package needs no __init__.
func pythonLacks(name string) string {
	switch name {
	case "org":
		return "python"
	case "tzdata":
		return "zoneinfo"
	}
	return ""
}

// pythonLibrary are the modules that come with any version of Python since 3.8,
// without those that begin with an underscore, and those that no other imports.
var pythonLibrary = sync.OnceValue(func() words { return wordsOf(pythonLibraryNames) })

const pythonLibraryNames = `
	abc aifc annotationlib  argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins
	bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser
	contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest 
	email encodings  enum errno faulthandler fcntl filecmp fileinput fnmatch  fractions ftplib functools gc genericpath
	getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http  imaplib imghdr imp importlib inspect io ipaddress
	itertools json keyword  linecache locale logging lzma  mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
	multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev  pathlib pdb pickle
	pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat
	queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site
	sitecustomize smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string
	stringprep struct subprocess sunau  symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap  threading
	time timeit  token tokenize tomllib trace traceback tracemalloc tty   types typing unicodedata unittest urllib
	usercustomize uu uuid  warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib
	zoneinfo
`
