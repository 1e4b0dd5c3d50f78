package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// harmlessEnv are variables that change how programs print or count, and
// never what they run, load, read or write.
func harmlessEnv(name string) bool {
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

// HarmlessEnv reports whether setting a variable for a command changes nothing
// but how the command prints or counts.
func HarmlessEnv(name string) bool {
	return harmlessEnv(name) || strings.HasPrefix(name, "LC_")
}

// activeEnv are variables that shells and common programs take options, files to
// load or search paths from (bash(1), ld.so(8), git(1), and the programs' own
// manuals). Those that name programs are in [runsVariable].
func activeEnv(name string) bool {
	switch name {
	case "PATH", "IFS", "CDPATH", "BASHOPTS", "SHELLOPTS", "BASH_XTRACEFD", "FPATH",
		"ZDOTDIR", "HISTFILE", "HISTCMD", "MAIL", "MAILPATH", "EXECIGNORE", "FIGNORE",
		"GLOBIGNORE", "HOME", "SHELL", "LESS", "LESSKEY", "MORE", "NULLCMD", "READNULLCMD",
		"TMPDIR", "TMPPREFIX", "TERMINFO", "TERMCAP", "NLSPATH", "LOCPATH", "GCONV_PATH",
		"MALLOC_TRACE", "HOSTALIASES", "RESOLV_HOST_CONF", "POSIXLY_CORRECT", "PYTHONPATH",
		"PYTHONHOME", "PYTHONINSPECT", "NODE_PATH", "PERL5LIB", "PERL5DB", "RUBYLIB",
		"CLASSPATH", "GOFLAGS", "GOROOT", "GOPATH", "GOTOOLDIR", "GOPROXY", "GOENV", "CC",
		"CXX", "LD", "MAKEFLAGS", "MAKEFILES", "RUSTC", "RUSTC_WRAPPER", "RUSTFLAGS",
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
		"GOTOOLCHAIN", "GOINSECURE", "GOSUMDB", "GONOSUMDB", "GONOSUMCHECK", "GONOPROXY", "RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "RUSTUP_DIST_SERVER", "BAT_PAGER", "BAT_CONFIG_PATH",
		"FZF_DEFAULT_COMMAND", "GH_HOST", "GH_CONFIG_DIR", "GH_TOKEN", "GH_REPO", "BUNDLE_GEMFILE", "GEM_HOME", "GEM_PATH", "PYTHONUSERBASE", "PYTHONPLATLIBDIR",
		"VIRTUAL_ENV", "CONDA_PREFIX", "COMPOSER", "COMPOSER_HOME", "DENO_DIR", "BUN_CONFIG_REGISTRY", "YARN_RC_FILENAME",
		"R_PROFILE_USER", "R_ENVIRON", "JULIA_LOAD_PATH", "GUILE_LOAD_PATH":
		return true
	}
	return false
}

// ActiveEnv reports whether a variable may change what later commands run, load,
// or write.
func ActiveEnv(name string) bool {
	if activeEnv(name) || runVariables()[name] {
		return true
	}
	for _, p := range []string{"LD_", "DYLD_", "GIT_", "BASH_", "PS", "NPM_CONFIG_", "npm_config_", "PIP_", "UV_", "CARGO_", "POLICYCTL_", "JAVA_", "_JAVA_"} {
		if strings.HasPrefix(name, p) && !harmlessEnv(name) {
			return true
		}
	}
	return strings.HasSuffix(name, "OPTIONS") || strings.HasSuffix(name, "_OPTS") || strings.HasSuffix(name, "OPTS")
}

// integerEnv reports whether some shell holds a variable as an integer, so that
// it evaluates what the variable is set to as arithmetic.
func integerEnv(name string) bool { return numeric(name) || name == "HISTCMD" || name == "TMOUT" }

// tied are variables that only zsh knows: other names of PATH and its like,
// of prompts, and the tables of what a name runs or stands for (zshparam(1),
// zsh/parameter in zshmodules(1)).
func tied(name string) bool {
	switch name {
	case "path", "cdpath", "fpath", "fignore", "module_path", "MODULE_PATH", "prompt", "PROMPT", "PROMPT2", "PROMPT3", "PROMPT4", "RPROMPT", "RPROMPT2", "RPS1", "RPS2", "SPROMPT",
		"PROMPT_EOL_MARK", "histchars", "mailpath", "STTY", "ARGV0",
		"aliases", "dis_aliases", "galiases", "dis_galiases", "saliases", "dis_saliases", "functions", "dis_functions", "commands", "builtins", "options",
		"nameddirs", "dirstack", "widgets", "modules":
		return true
	}
	return strings.HasSuffix(name, "_functions")
}

// Steers reports whether setting a variable may change what later commands run,
// load or write, or run what it is set to. The shells are named as in [Env.Shell].
func Steers(name, shells string) bool { return steers(name, ShellsOf(shells)) }

func steers(name string, set Shells) bool {
	name = ofElement(name)
	return ActiveEnv(name) || integerEnv(name) || set&InZsh != 0 && tied(name)
}

// ofElement returns the variable of NAME[subscript], and of NAME?prompt, as zsh and
// ksh have read take it.
func ofElement(name string) string {
	if i := strings.IndexAny(name, "[?"); i >= 0 {
		return name[:i]
	}
	return name
}

// setsNumber reports whether what a variable is set to is a number, which
// evaluates to itself where a shell holds the variable as an integer.
func setsNumber(name string, v Set) bool { return integerEnv(name) && (v.Number || allNumbers(v)) }

// ValidName reports whether a shell may have a variable of that name.
func ValidName(name string) bool { return syntax.ValidName(name) }

// surround tells the scope of the line what its surroundings hold.
func (r *reader) surround(sc *scope) {
	for _, v := range r.env.Vars {
		sc.set(r, v.Name, v.Value)
	}
	sc.stdin = r.env.Input
	if r.env.Background {
		sc.place |= Background
	}
}

// inherited returns the variables of the environment as the assignments of a
// command that stands at a place. What changes nothing but how programs print is
// none.
func (r *reader) inherited(at int) (out []Assign) {
	for _, v := range r.env.Vars {
		if !HarmlessEnv(v.Name) {
			out = append(out, Assign{Name: v.Name, Value: v.Value, Span: Span{at, at}})
		}
	}
	return out
}
