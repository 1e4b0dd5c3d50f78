package program

import (
	"strings"
	"sync"
)

// HasVariable reports whether a mark stands behind a variable among [Program.Variables].
func (p *Program) HasVariable(name string, mark byte) bool {
	for field := range strings.FieldsSeq(p.Variables) {
		if end := strings.IndexByte(field, mark); end > 0 && FitsVariable(field[:end], name) {
			return true
		}
	}
	return false
}

// IsPlainValue reports whether a value of a variable is one word in which no program finds a
// path, an address or a command.
func IsPlainValue(v string) bool {
	return !strings.ContainsFunc(v, func(r rune) bool {
		return !strings.ContainsRune("._-", r) && (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9')
	})
}

// FitsVariable reports whether a variable has a name in which one * may stand for any
// text.
func FitsVariable(pattern, name string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
}

// Anyone has the variables by which people choose the programs that others start for them,
// such as an editor or what asks for a password: the rows of who starts them do not list
// them all. It has no name.
var Anyone = &Program{
	Variables: "EDITOR! VISUAL! PAGER! BROWSER! HGEDITOR! MANPAGER! LESSOPEN!filter LESSCLOSE!filter *_EDITOR! *_PAGER! *_BROWSER! *_OPENER! *_ASKPASS! " +
		"*_PASSCOMMAND! *_PASSWORD_COMMAND! *_SSH! *_SSH_COMMAND! *_RSH! *_EXTERNAL_DIFF!",
}

// Starts reports whether a program may start what [Anyone] chooses: it is not known to only
// read, and is none of the shell's own.
func Starts(p *Program) bool { return p == nil || p.Reads == nil && !p.InShell }

// runVariables are the variables whose text some program runs.
var runVariables = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, p := range programs {
		for field := range strings.FieldsSeq(p.Variables) {
			if name, _, runs := strings.Cut(field, "!"); runs {
				out[name] = true
			}
		}
	}
	return out
})

// printsOnly are variables that change how programs print or count, and
// never what they run, load, read or write.
func printsOnly(name string) bool {
	switch name {
	case "CI", "COLUMNS", "LINES", "TERM", "COLORTERM", "NO_COLOR",
		"FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LANG", "LANGUAGE", "TZ",
		"NODE_ENV", "RAILS_ENV", "APP_ENV", "GOOS", "GOARCH", "CGO_ENABLED",
		"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GOTRACEBACK", "RUST_BACKTRACE",
		"RUST_LOG", "CARGO_TERM_COLOR", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE",
		"PYTHONHASHSEED", "PYTHONIOENCODING", "PYTHONUTF8", "PORT", "VERBOSE",
		"GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "DEBIAN_FRONTEND", "OMP_NUM_THREADS",
		"npm_config_loglevel", "JEST_WORKERS", "SOURCE_DATE_EPOCH":
		return true
	}
	return false
}

// HarmlessVariable reports whether setting a variable for a command changes nothing
// but how the command prints or counts.
func HarmlessVariable(name string) bool {
	return printsOnly(name) || strings.HasPrefix(name, "LC_")
}

// settings are variables that tell the programs of a project how to test, build, log or
// listen, and that name nothing to run, to load or to ask; * stands for any text. Those of
// addresses name a server, which may be one of this machine.
const (
	settings = "CONTINUOUS_INTEGRATION COVERAGE HEADLESS UPDATE_SNAPSHOT UPDATE_SNAPSHOTS UPDATE_GOLDEN WATCH DEBUG DEBUG_COLORS TRACE QUIET SILENT V " +
		"LOG LOGLEVEL LOG_LEVEL LOG_FORMAT *_LOG_LEVEL *_LOGLEVEL " +
		"TEST_ENV ENVIRONMENT RACK_ENV BABEL_ENV MIX_ENV FLASK_ENV FLASK_DEBUG DJANGO_DEBUG ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT DOTNET_NOLOGO " +
		"HOST SERVER_PORT API_PORT " +
		"DO_NOT_TRACK *_TELEMETRY_DISABLED *_DISABLE_TELEMETRY *_TELEMETRY_OPTOUT *_FORCE_COLOR *_NO_COLOR NODE_DISABLE_COLORS NODE_NO_WARNINGS " +
		"GO111MODULE GOEXPERIMENT GOARM GOAMD64 CARGO_INCREMENTAL CARGO_BUILD_JOBS CARGO_NET_OFFLINE CARGO_TERM_* RUST_TEST_THREADS RUST_MIN_STACK " +
		"RUST_LOG_STYLE INSTA_UPDATE INSTA_FORCE_PASS " +
		"PYTEST_TIMEOUT HYPOTHESIS_PROFILE PYTHONFAULTHANDLER PYTHONDEVMODE PYTHONASYNCIODEBUG PYTHONTRACEMALLOC PYTHONNOUSERSITE PYTHONSAFEPATH " +
		"MYPY_FORCE_COLOR COVERAGE_CORE VIRTUAL_ENV_DISABLE_PROMPT MPLBACKEND " +
		"OPENBLAS_NUM_THREADS MKL_NUM_THREADS NUMEXPR_NUM_THREADS CUDA_VISIBLE_DEVICES TOKENIZERS_PARALLELISM HF_HUB_OFFLINE TRANSFORMERS_OFFLINE " +
		"TF_CPP_MIN_LOG_LEVEL " +
		"BROWSERSLIST_IGNORE_OLD_DATA WATCHPACK_POLLING CHOKIDAR_USEPOLLING DISABLE_ESLINT_PLUGIN GENERATE_SOURCEMAP FAST_REFRESH NX_SKIP_NX_CACHE " +
		"NX_VERBOSE_LOGGING NX_DAEMON NX_TUI NX_NO_CLOUD PWDEBUG PLAYWRIGHT_HTML_OPEN UV_THREADPOOL_SIZE " +
		"CTEST_OUTPUT_ON_FAILURE CTEST_PARALLEL_LEVEL CMAKE_BUILD_PARALLEL_LEVEL CMAKE_BUILD_TYPE CMAKE_EXPORT_COMPILE_COMMANDS CMAKE_COLOR_DIAGNOSTICS " +
		"GTEST_FILTER GTEST_COLOR PARALLEL_WORKERS DISABLE_SPRING SPEC TEST"
	addresses = "API_URL BASE_URL APP_URL SERVER_URL BACKEND_URL FRONTEND_URL SITE_URL *_BASE_URL *_API_URL NEXTAUTH_URL PUBLIC_URL"
)

// SettingVariable reports whether a variable only tells programs of a project how to work.
func SettingVariable(name string) bool {
	return HarmlessVariable(name) || amongVariables(settings, name)
}

// AddressVariable reports whether a variable tells programs of a project where a server is.
func AddressVariable(name string) bool { return amongVariables(addresses, name) }

func amongVariables(list, name string) bool {
	for pattern := range strings.FieldsSeq(list) {
		if FitsVariable(pattern, name) {
			return true
		}
	}
	return false
}

// steering are variables that shells and common programs take options, files to
// load or search paths from (bash(1), ld.so(8), git(1), and the programs' own
// manuals). Those that name programs are in the rows of what runs them.
func steering(name string) bool {
	switch name {
	case "PATH", "IFS", "CDPATH", "BASHOPTS", "SHELLOPTS", "BASH_XTRACEFD", "FPATH",
		"ZDOTDIR", "HISTFILE", "HISTFILESIZE", "HISTSIZE", "SAVEHIST", "HISTCMD", "MAIL", "MAILPATH", "EXECIGNORE", "FIGNORE",
		"GLOBIGNORE", "HOME", "SHELL", "LESSKEY", "MORE", "NULLCMD", "READNULLCMD",
		"TMPDIR", "TMPPREFIX", "TERMINFO", "TERMCAP", "NLSPATH", "LOCPATH", "GCONV_PATH",
		"MALLOC_TRACE", "HOSTALIASES", "RESOLV_HOST_CONF", "POSIXLY_CORRECT", "PYTHONPATH",
		"PYTHONHOME", "PYTHONINSPECT", "NODE_PATH", "PERL5LIB", "PERL5DB", "RUBYLIB",
		"CLASSPATH", "GOROOT", "GOPATH", "GOTOOLDIR", "GOPROXY", "GOENV", "CC",
		"CXX", "LD", "RUSTFLAGS",
		"RIPGREP_CONFIG_PATH", "KUBECONFIG", "DOCKER_HOST", "DOCKER_CONFIG", "AWS_PROFILE",
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy",
		"INPUTRC", "AWKPATH", "AWKLIBPATH", "SSH_AUTH_SOCK", "DISPLAY", "COPROC", "TAPE",
		"RSH", "TIMEFORMAT", "TMOUT", "WGETRC", "CURL_HOME", "NETRC", "GNUPGHOME",
		"OPENSSL_CONF", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS",
		"XDG_DATA_DIRS", "OLDPWD", "MAGIC", "PYTEST_PLUGINS", "TOX_OVERRIDE", "PERLLIB",
		"PYTHONWARNINGS", "PYTHONBREAKPOINT", "UNZIP", "UNZIPOPT", "ZIPINFO", "ZIPINFOOPT",
		"ZIPOPT", "GZIP", "BZIP", "BZIP2", "XZ_OPT", "XZ_DEFAULTS", "BC_ENV_ARGS",
		"JQ_LIBRARY_PATH", "OPENSSL_MODULES", "OPENSSL_ENGINES", "DEBUGINFOD_URLS",
		"SSLKEYLOGFILE", "GLIBC_TUNABLES", "TERMINFO_DIRS", "TZDIR", "_POSIX2_VERSION",
		"EXINIT", "VIMINIT", "VIMRUNTIME", "MYVIMRC", "EMACSLOADPATH", "LUA_INIT",
		"LUA_PATH", "LUA_CPATH", "PHPRC", "PHP_INI_SCAN_DIR", "GCC_EXEC_PREFIX",
		"COMPILER_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
		"PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "ERL_LIBS", "R_PROFILE",
		"GOTOOLCHAIN", "GOINSECURE", "GOSUMDB", "GONOSUMDB", "GONOSUMCHECK", "GONOPROXY", "RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "RUSTUP_DIST_SERVER", "BAT_CONFIG_PATH",
		"GH_HOST", "GH_CONFIG_DIR", "GH_TOKEN", "GH_REPO", "BUNDLE_GEMFILE", "GEM_HOME", "GEM_PATH", "PYTHONUSERBASE", "PYTHONPLATLIBDIR",
		"VIRTUAL_ENV", "CONDA_PREFIX", "COMPOSER", "COMPOSER_HOME", "DENO_DIR", "BUN_CONFIG_REGISTRY", "YARN_RC_FILENAME",
		"R_PROFILE_USER", "R_ENVIRON", "JULIA_LOAD_PATH", "GUILE_LOAD_PATH":
		return true
	}
	return false
}

// ActiveVariable reports whether a variable may change what later commands run, load,
// or write.
func ActiveVariable(name string) bool {
	if steering(name) || runVariables()[name] {
		return true
	}
	for _, p := range []string{"LD_", "DYLD_", "GIT_", "BASH_", "PS", "NPM_CONFIG_", "npm_config_", "PIP_", "UV_", "CARGO_", "POLICYCTL_", "JAVA_", "_JAVA_"} {
		if strings.HasPrefix(name, p) && !printsOnly(name) {
			return true
		}
	}
	return strings.HasSuffix(name, "OPTIONS") || strings.HasSuffix(name, "_OPTS") || strings.HasSuffix(name, "OPTS")
}

// TiedVariable reports whether a variable is one that only zsh knows: other names of PATH
// and its like, of prompts, and the tables of what a name runs or stands for (zshparam(1),
// zsh/parameter in zshmodules(1)).
func TiedVariable(name string) bool {
	switch name {
	case "path", "cdpath", "fpath", "fignore", "module_path", "MODULE_PATH", "prompt", "PROMPT", "PROMPT2", "PROMPT3", "PROMPT4", "RPROMPT", "RPROMPT2", "RPS1", "RPS2", "SPROMPT",
		"PROMPT_EOL_MARK", "histchars", "mailpath", "STTY", "ARGV0",
		"aliases", "dis_aliases", "galiases", "dis_galiases", "saliases", "dis_saliases", "functions", "dis_functions", "commands", "builtins", "options",
		"nameddirs", "dirstack", "widgets", "modules":
		return true
	}
	return strings.HasSuffix(name, "_functions")
}
