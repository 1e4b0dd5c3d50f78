package program

// opaque are programs of whose arguments nothing is known, but some facts are.
var opaque = []*Program{
	// What changes the shell, or arranges something in it.
	{Names: "alias unalias export declare typeset local readonly unset shopt setopt enable complete bind fc history getopts select coproc", Opaque: true, NoGrant: "*"},
	// Languages, and what starts programs.
	{Names: "kotlin scala groovy rscript r octave octave-cli julia guile racket ghci runghc elixir iex erl swift dart raku clojure clj bb sbcl emacsclient jshell ocaml crystal maxima puppet chef-apply csi gosh clisp ecl janet fennel wolframscript swipl rdmd evcxr yaegi gomacro cling", Opaque: true, NoGrant: "*", Rough: true},
	{Names: "tclsh wish expect", Opaque: true, NoGrant: "*", Commands: tclCommands},
	{Names: "gnuplot", Opaque: true, NoGrant: "*", Commands: plotCommands, Rough: true},
	{Names: "m4 gm4", Opaque: true, NoGrant: "*", Commands: macroCommands},
	{Names: "dc", Opaque: true, NoGrant: "*", Commands: dcCommands},
	// Managers of files, editors and clients of chats with commands of their own.
	{Names: "vifm", Opaque: true, NoGrant: "*", Commands: exCommands},
	{Names: "ranger lf", Opaque: true, NoGrant: "*", Commands: managerCommands},
	{Names: "kak", Opaque: true, NoGrant: "*", Commands: kakouneCommands},
	{Names: "weechat irssi", Opaque: true, NoGrant: "*", Network: "*", Commands: chatCommands},
	{Names: "incrontab", Opaque: true, NoGrant: "*", Commands: incronCommands},
	{Names: "dotnet", Opaque: true, NoGrant: "*", Loads: "PreBuildEvent PostBuildEvent PreLinkEvent RunCommand RunArguments CscToolPath CscToolExe VbcToolExe CustomBeforeMicrosoftCommonTargets CustomAfterMicrosoftCommonTargets DirectoryBuildPropsPath DirectoryBuildTargetsPath"},
	{Names: "uvx", Opaque: true, NoGrant: "*", Runner: "."},
	{Names: "launchctl service forever npm-run-all run-s run-p", Opaque: true, NoGrant: "*"},
	{Names: "cmd cmd.exe", Opaque: true, NoGrant: "*", Language: Prompt},
	// Clients of the web, and browsers.
	{Names: "http https xh xhs", Opaque: true, Client: HTTPie, Channel: Input},
	{Names: "curlie", Opaque: true, Client: HTTP, Channel: Files},
	{Names: "wget2 hurl httpie ab hey wrk siege vegeta k6 axel fetch restish oha bombardier lwp-request newman lynx links elinks w3m httrack iwr irm invoke-webrequest invoke-restmethod", Opaque: true, Client: HTTP},
	{Names: "open xdg-open chromium chromium-browser google-chrome firefox", Opaque: true, Network: "*"},
	// Clients of other things.
	{Names: "plink dbclient sshuttle", Opaque: true, Client: SSH},
	{Names: "ftp lftp tftp", Opaque: true, Commands: transferCommands, Client: Host, Channel: Files},
	{Names: "ncftp", Opaque: true, Client: Host, Commands: transferCommands},
	{Names: "grpcurl whois nmap crane skopeo oras", Opaque: true, Client: Host},
	{Names: "genisoimage mkisofs", Opaque: true, Recursive: true},
	{Names: "sqlite litecli", Opaque: true, Commands: sqliteCommands, Client: SQL, Saves: savesSQLite},
	{Names: "pgcli ysqlsh vsql usql", Opaque: true, Client: SQL, Commands: psqlCommands},
	{Names: "mycli", Opaque: true, Client: SQL, Commands: mysqlCommands},
	{Names: "clickhouse-client sqlcmd snowsql sqlplus cqlsh hive beeline spark-sql db2", Opaque: true, Client: SQL, Commands: sqlCommands},
	{Names: "mssql-cli tsql isql osql trino presto dropdb createdb", Opaque: true, Client: SQL},
	{Names: "debugfs", Opaque: true, Saves: "^dump *|^dump -p *|^dump_inode *|^dump_inode -p *|^rdump *|^rdump * *|^logdump"},
	{Names: "smbclient", Opaque: true, Commands: transferCommands, Network: "*", Channel: Files},
	{Names: "drill kdig resolvectl", Opaque: true, Network: "*", Channel: Lookups},
	{Names: "getent", Opaque: true, Channel: Lookups},
	{Names: "gnutls-cli", Opaque: true, Network: "*"},
	// Filters.
	{Names: "basenc gbase64 uuencode", Opaque: true, Output: Encoded},
	{Names: "gpg age iconv pv", Opaque: true, Output: Contents},
	// Forges, clouds, and what copies to them.
	{Names: "glab hub doctl flyctl fly heroku vercel netlify wrangler firebase supabase pulumi ansible ansible-playbook cosign ngrok cloudflared", Opaque: true, Network: "*"},
	// Package managers.
	{Names: "zypper port flatpak nix-env aptitude emerge choco winget scoop", Opaque: true, Packages: System, Network: "*"},
	{Names: "rpm", Opaque: true, Packages: System},
	{Names: "gem", Opaque: true, Packages: Library, Network: "*"},
	{Names: "twine", Opaque: true, Network: "*"},
	{Names: "composer", Packages: Library, Opaque: true, NoGrant: "exec,global,run-script", Network: "install,update,require,create-project"},
	{Names: "mix", Opaque: true, Rough: true, Loads: "-e --eval", NoGrant: "run,eval", Network: "deps.get,archive.install"},
	{Names: "opam", Opaque: true, NoGrant: "exec", Network: "install,update,upgrade"},
	{Names: "stack", Opaque: true, NoGrant: "exec,runghc,ghci", Network: "upgrade"},
	{Names: "cabal", Opaque: true, NoGrant: "exec,repl", Network: "install,update"},
	{Names: "dune", Opaque: true, NoGrant: "exec"},
	{Names: "pod", Opaque: true, Network: "install,update"},
	{Names: "zig", Opaque: true, Network: "fetch"},
	{Names: "jj", Opaque: true, Network: "git"},
	// What builds, checks and converts.
	{Names: "pylint", Opaque: true, Loads: "--init-hook --load-plugins"},
	{Names: "mypy", Opaque: true, Loads: "--install-types --python-executable"},
	{Names: "gotestsum", Opaque: true, Loads: "--post-run-command --raw-command"},
	{Names: "cypress", Opaque: true, Loads: "--record"},
	{Names: "bmake", Opaque: true, Loads: "- -f- -E -e install install-strip uninstall SHELL .SHELLFLAGS MAKEFLAGS MAKE"},
	{Names: "ninja meson", Opaque: true, Loads: "install uninstall"},
	{Names: "ctest", Opaque: true, Loads: "-S -SP --script --build-and-test --test-command"},
	{Names: "task go-task", Opaque: true, Loads: "-g --global install uninstall"},
	{Names: "rake", Opaque: true, Rough: true, Loads: "-e --execute -E --execute-continue -p --execute-print"},
	{Names: "bazel bazelisk", Opaque: true, Loads: "--override_repository --run_under --workspace_status_command --shell_executable"},
	{Names: "pandoc", Opaque: true, Loads: "-F --filter -L --lua-filter --pdf-engine"},
	{Names: "ssh-add", Opaque: true, Loads: "-D -s --pkcs11"},
	{Names: "rustc", Opaque: true, Loads: "linker -Clinker -Z"},
	{Names: "ghc", Opaque: true, Rough: true, Loads: "-e -F -pgmF -pgmP -pgmL -pgmc -pgma -pgml -fplugin"},
	{Names: "latexmk", Opaque: true, Loads: "-e -r -pdflatex -latex -xelatex -lualatex -usepretex " + texLoads},
	{Names: "tex latex pdftex pdflatex xelatex lualatex", Opaque: true, Loads: texLoads},
	{Names: "gs", Opaque: true, Loads: "-c -dNOSAFER -dDELAYSAFER"},
	{Names: "exiftool", Opaque: true, Loads: "-config -if -@"},
	{Names: "clang-tidy", Opaque: true, Loads: "-load"},
	{Names: "cppcheck", Opaque: true, Loads: "--addon --clang"},
	{Names: "ctags", Opaque: true, Loads: "--options --_xcmd"},
}

// texLoads are the options with which TeX runs programs.
const texLoads = "-shell-escape -enable-write18"
