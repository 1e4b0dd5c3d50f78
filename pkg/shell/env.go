package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// harmlessEnv are variables that change how programs print or count, and
// never what they run, load, read or write.
var harmlessEnv = map[string]bool{
	"CI": true, "COLUMNS": true, "LINES": true, "TERM": true, "COLORTERM": true, "NO_COLOR": true,
	"FORCE_COLOR": true, "CLICOLOR": true, "CLICOLOR_FORCE": true, "LANG": true, "LANGUAGE": true, "TZ": true,
	"NODE_ENV": true, "RAILS_ENV": true, "APP_ENV": true, "GOOS": true, "GOARCH": true, "CGO_ENABLED": true,
	"GOMAXPROCS": true, "GOGC": true, "GOMEMLIMIT": true, "GOTRACEBACK": true, "RUST_BACKTRACE": true,
	"RUST_LOG": true, "CARGO_TERM_COLOR": true, "PYTHONUNBUFFERED": true, "PYTHONDONTWRITEBYTECODE": true,
	"PYTHONHASHSEED": true, "PYTHONIOENCODING": true, "PYTHONUTF8": true, "PORT": true, "VERBOSE": true,
	"GIT_OPTIONAL_LOCKS": true, "GIT_TERMINAL_PROMPT": true, "DEBIAN_FRONTEND": true, "OMP_NUM_THREADS": true,
	"npm_config_loglevel": true, "JEST_WORKERS": true, "SOURCE_DATE_EPOCH": true,
}

// HarmlessEnv reports whether setting a variable for a command changes nothing
// but how the command prints or counts.
func HarmlessEnv(name string) bool {
	return harmlessEnv[name] || strings.HasPrefix(name, "LC_")
}

// activeEnv are variables that shells and common programs take programs,
// options, files to load or search paths from (bash(1), ld.so(8), git(1),
// and the programs' own manuals).
var activeEnv = map[string]bool{
	"PATH": true, "IFS": true, "CDPATH": true, "ENV": true, "BASH_ENV": true, "BASHOPTS": true, "SHELLOPTS": true,
	"BASH_XTRACEFD": true, "FPATH": true, "ZDOTDIR": true, "HISTFILE": true, "HISTCMD": true, "MAIL": true,
	"MAILPATH": true, "EXECIGNORE": true, "FIGNORE": true, "GLOBIGNORE": true, "PROMPT_COMMAND": true, "HOME": true,
	"PAGER": true, "MANPAGER": true, "EDITOR": true, "VISUAL": true, "BROWSER": true, "SHELL": true, "FCEDIT": true,
	"LESSOPEN": true, "LESSCLOSE": true, "LESS": true, "LESSKEY": true, "MORE": true, "NULLCMD": true,
	"READNULLCMD": true, "TMPDIR": true, "TMPPREFIX": true, "TERMINFO": true, "TERMCAP": true, "NLSPATH": true,
	"LOCPATH": true, "GCONV_PATH": true, "MALLOC_TRACE": true, "HOSTALIASES": true, "RESOLV_HOST_CONF": true,
	"POSIXLY_CORRECT": true, "PYTHONPATH": true, "PYTHONSTARTUP": true, "PYTHONHOME": true, "PYTHONINSPECT": true,
	"NODE_PATH": true, "PERL5LIB": true, "PERL5DB": true, "RUBYLIB": true, "CLASSPATH": true, "GOFLAGS": true,
	"GOROOT": true, "GOPATH": true, "GOTOOLDIR": true, "GOPROXY": true, "GOENV": true, "CC": true, "CXX": true,
	"LD": true, "MAKEFLAGS": true, "MAKEFILES": true, "RUSTC": true, "RUSTC_WRAPPER": true, "RUSTFLAGS": true,
	"RIPGREP_CONFIG_PATH": true, "KUBECONFIG": true, "DOCKER_HOST": true, "DOCKER_CONFIG": true, "AWS_PROFILE": true,
	"HTTP_PROXY": true, "HTTPS_PROXY": true, "ALL_PROXY": true, "http_proxy": true, "https_proxy": true,
	"all_proxy": true, "INPUTRC": true, "AWKPATH": true, "AWKLIBPATH": true, "SSH_ASKPASS": true, "SUDO_ASKPASS": true,
	"SSH_AUTH_SOCK": true, "DISPLAY": true, "COPROC": true, "RSYNC_RSH": true, "RSYNC_CONNECT_PROG": true,
	"CVS_RSH": true, "TAPE": true, "RSH": true, "TIMEFORMAT": true, "TMOUT": true, "SVN_EDITOR": true, "WGETRC": true,
	"CURL_HOME": true, "NETRC": true, "GNUPGHOME": true, "OPENSSL_CONF": true, "XDG_CONFIG_HOME": true,
	"XDG_DATA_HOME": true, "XDG_CONFIG_DIRS": true, "XDG_DATA_DIRS": true, "OLDPWD": true, "MAGIC": true,
	"RUBYOPT": true, "PERL5OPT": true, "PERLLIB": true, "PYTHONWARNINGS": true, "PYTHONBREAKPOINT": true,
	"UNZIP": true, "UNZIPOPT": true, "ZIPINFO": true, "ZIPINFOOPT": true, "ZIPOPT": true, "GZIP": true, "BZIP": true,
	"BZIP2": true, "XZ_OPT": true, "XZ_DEFAULTS": true, "BC_ENV_ARGS": true, "JQ_LIBRARY_PATH": true,
	"OPENSSL_MODULES": true, "OPENSSL_ENGINES": true, "DEBUGINFOD_URLS": true, "SSLKEYLOGFILE": true,
	"GLIBC_TUNABLES": true, "TERMINFO_DIRS": true, "TZDIR": true, "SYSTEMD_PAGER": true, "_POSIX2_VERSION": true,
}

// ActiveEnv reports whether a variable may change what later commands run, load,
// or write.
func ActiveEnv(name string) bool {
	if activeEnv[name] {
		return true
	}
	for _, p := range []string{"LD_", "DYLD_", "GIT_", "BASH_", "PS", "NPM_CONFIG_", "npm_config_", "PIP_", "UV_", "CARGO_", "POLICYCTL_", "JAVA_", "_JAVA_"} {
		if strings.HasPrefix(name, p) && !harmlessEnv[name] {
			return true
		}
	}
	return strings.HasSuffix(name, "OPTIONS") || strings.HasSuffix(name, "_OPTS") || strings.HasSuffix(name, "OPTS")
}

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
