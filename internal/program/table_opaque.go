package program

// opaque are programs of whose arguments nothing is known, but some facts are.
var opaque = []*Program{
	// What changes the shell, or arranges something in it.
	{Names: "alias unalias export declare typeset local readonly unset shopt setopt enable bind history getopts " +
		"select coproc",
		Kinds: "getopts:sets=options export:sets=values export,declare,typeset:environ=none " +
			"unset,declare,typeset,local,export,readonly,getopts:sums=all readonly:sets=constants " +
			"declare,typeset,local:sets=locals unset:sets=nothing shopt,setopt:globs export,readonly,unset:special " +
			"alias:sets=aliases unalias:sets=fewer unset,export,shopt:quiet " +
			"unset:clears-history?HISTFILE,HISTSIZE,PROMPT_COMMAND,HISTFILESIZE history:clears-history?^-c,^-d,^-cw",
		Opaque: true, NoGrant: "*"},
	// Languages, and what starts programs.
	{Names: "kotlin scala groovy rscript r octave octave-cli julia guile racket runghc elixir iex erl swift dart " +
		"raku clojure clj bb sbcl emacsclient jshell ocaml crystal maxima puppet chef-apply csi gosh clisp ecl janet " +
		"fennel wolframscript swipl rdmd evcxr yaegi gomacro cling matlab scilab gp hy newlisp gsi chibi-scheme " +
		"mit-scheme nim pike io jimsh slsh fsharpi csharp gjs pry psysh texlua sage blender",
		handing: handing{Hands: "run r ."},
		Kinds: "emacsclient:queries rscript,r:default=.Rprofile swift:deletes-cloud?>delete swift:deletes-by-verb " +
			"swift:default=Package.swift dart:publishes?>pub>publish dart:default=pubspec.yaml " +
			"emacsclient:types?>-e,>--eval,>-te,>-ne pry:default=.pryrc",
		Tells: "| --version", Opaque: true, NoGrant: "*", commanding: commanding{Rough: true}},
	{Names: "tclsh wish expect", Kinds: "expect:scripts-windows", Opaque: true, NoGrant: "*",
		commanding: commanding{Commands: tclCommands}},
	{Names: "gnuplot", Opaque: true, NoGrant: "*", commanding: commanding{Commands: plotCommands, Rough: true}},
	{Names: "m4", Opaque: true, NoGrant: "*", commanding: commanding{Commands: macroCommands}},
	{Names: "dc", Opaque: true, NoGrant: "*", commanding: commanding{Commands: dcCommands}},
	// Managers of files, editors and clients of chats with commands of their own.
	{Names: "vifm", Opaque: true, NoGrant: "*", commanding: commanding{Commands: exCommands}},
	{Names: "ranger lf", Opaque: true, NoGrant: "*", commanding: commanding{Commands: managerCommands}},
	{Names: "kak", Kinds: "edits", Opaque: true, NoGrant: "*", commanding: commanding{Commands: kakouneCommands}},
	{Names: "weechat irssi", Opaque: true, NoGrant: "*", asking: asking{Network: "*"},
		commanding: commanding{Commands: chatCommands}},
	{Names: "i3-msg swaymsg", Opaque: true, NoGrant: "*",
		commanding: commanding{Commands: managedCommands, Behind: "exec,exec_always"}},
	{Names: "lein", Kinds: "default=project.clj", Opaque: true, commanding: commanding{Behind: "shell,exec"}},
	{Names: "consul etcdctl",
		Kinds: "consul:deletes-clusters?>kv>delete,>leave,>force-leave,>snapshot>restore,>acl>token>delete,>acl>policy>delete," +
			">services>deregister,>config>delete,>operator>raft>remove-peer consul:enters-clusters?>exec " +
			"etcdctl:deletes-clusters?>del,>rm,>rmdir,>member>remove,>snapshot>restore,>user>delete,>role>delete,>compaction",
		Opaque: true, NoGrant: "*", asking: asking{Network: "*"}, commanding: commanding{Behind: "lock *,watch * --"}},
	{Names: "zellij",
		Kinds: "types?>action>write,>action>write-chars,>action>dump-screen,>action>edit-scrollback,>action>new-pane,>ac>write," +
			">ac>write-chars,>ac>dump-screen,>attach,>a,>pipe", Opaque: true, NoGrant: "*",
		commanding: commanding{Behind: "run --,write-chars"}},
	{Names: "n rvm chruby-exec xdotool",
		Kinds:  "xdotool:types?>type,>key,>keydown,>keyup,>click,>exec,>getactivewindow",
		Opaque: true, NoGrant: "*", commanding: commanding{Behind: "exec,exec *,do,--"}},
	{Names: "openvpn", Opaque: true, NoGrant: "*", asking: asking{Network: "*"},
		commanding: commanding{Behind: "--up=,--down=,--route-up=,--ipchange=,--tls-verify=,--client-connect=,--client-disconnect=,--learn-address=,--auth-user-pass-verify="}},
	{Names: "pppd", Opaque: true, NoGrant: "*", asking: asking{Network: "*"},
		commanding: commanding{Behind: "connect=,disconnect=,pty=,init=,welcome="}},
	{Names: "wpa_cli hostapd_cli", Opaque: true, NoGrant: "*", commanding: commanding{Behind: "-a="}},
	{Names: "dhclient udhcpc dhcpcd", Opaque: true, NoGrant: "*", asking: asking{Network: "*"},
		commanding: commanding{Behind: "-sf=,-s=,-c=,--script="}},
	{Names: "qemu-system-x86_64 qemu-system-i386 qemu-system-aarch64 qemu-kvm kvm virsh",
		Kinds: "virsh:deletes-machines?>undefine,>destroy,>reset,>vol-delete,>vol-wipe,>pool-delete,>pool-destroy,>snapshot-delete," +
			">snapshot-revert,>net-destroy,>net-undefine,>managedsave-remove", Opaque: true, NoGrant: "*",
		commanding: commanding{Commands: machineCommands}},
	{Names: "dvips enscript a2ps", Opaque: true, commanding: commanding{Commands: printerCommands}},
	{Names: "groff troff nroff pic", Opaque: true, commanding: commanding{Commands: typesetterCommands}},
	{Names: "mt", Operands: "data*", Options: help + "f,file=read rsh-command=text"},
	{Names: "dump restore", Opaque: true, NoGrant: "*", commanding: commanding{Behind: "-F="}},
	{Names: "delta", Variables: "PAGER!",
		Tells: "--version", Opaque: true, commanding: commanding{Behind: "--pager="}},
	{Names: "salt salt-ssh",
		Kinds: "runs-elsewhere?>_>cmd.run,>_>cmd.shell,>_>cmd.script,>_>state.apply,>_>state.highstate,>_>system.reboot," +
			">_>service.stop,>_>pkg.remove", Opaque: true, NoGrant: "*", asking: asking{Network: "*"}},
	{Names: "sbt", Kinds: "publish-tasks default=build.sbt", Opaque: true, NoGrant: "*",
		commanding: commanding{Rough: true, Commands: buildCommands}},
	{Names: "symfony", Kinds: "resets-databases?>doctrine:database:drop,>doctrine:schema:drop,>_>doctrine:database:drop,>_>doctrine:schema:drop",
		Opaque: true, NoGrant: "*", commanding: commanding{Behind: "run"}},
	{Names: "fossil", Opaque: true, asking: asking{Network: "*"},
		commanding: commanding{Behind: "editor-command=,pgp-command=,diff-command=,gdiff-command=,ssh-command="}},
	{Names: "incrontab", Opaque: true, NoGrant: "*", commanding: commanding{Commands: incronCommands}},
	{Names: "dotnet",
		Kinds: "resets-databases?>ef>database>drop publishes?>nuget>delete,>nuget>push " +
			"default=Directory.Build.props,Directory.Build.targets", handing: handing{Hands: "run exec"},
		Tells: "| --version --info --help --list-sdks", Opaque: true, NoGrant: "*",
		Loads: "PreBuildEvent PostBuildEvent PreLinkEvent RunCommand RunArguments CscToolPath CscToolExe VbcToolExe " +
			"CustomBeforeMicrosoftCommonTargets CustomAfterMicrosoftCommonTargets DirectoryBuildPropsPath " +
			"DirectoryBuildTargetsPath"},
	{Names: "uvx", Kinds: "fetches-code?run,exec,x,-x,install,--from,eval,tool", Opaque: true, NoGrant: "*",
		handing: handing{Runner: ".", Hands: "."}},
	{Names: "launchctl service forever npm-run-all run-s run-p",
		Kinds: "launchctl:powers?1=reboot service,launchctl:ends=units launchctl:plans-units?>submit " +
			"launchctl:stops-services?>unload,>bootout,>remove,>disable,>stop,>kill " +
			"launchctl:changes-services?>load,>bootstrap,>kickstart,>enable,>start,>setenv,>config " +
			"service:stops-services?stop,--full-restart service:changes-services?start,restart,reload,force-reload",
		Opaque: true, NoGrant: "*"},
	{Names: "cmd", Kinds: "cmd=/c erases-devices?>package>clear,>package>uninstall,>recovery,>testharness>enable",
		Opaque:  true,
		NoGrant: "*", evaluating: evaluating{Language: Prompt}},
	// Clients of the web, and browsers.
	{Names: "http https xh xhs", Secrets: "u: U: a: x@ b;", Opaque: true,
		asking: asking{Client: HTTPie, Channel: Input}},
	{Names: "curlie", Kinds: "web=both", Opaque: true, asking: asking{Client: HTTP, Channel: Files}},
	{Names: "wget2 hurl httpie ab hey wrk siege vegeta k6 axel fetch restish oha bombardier lwp-request newman lynx " +
		"links elinks w3m httrack iwr irm invoke-webrequest invoke-restmethod",
		Opaque: true, asking: asking{Client: HTTP}},
	{Names: "xdg-open", Variables: "BROWSER!", Opaque: true, asking: asking{Network: "*"}},
	{Names: "open chromium chromium-browser google-chrome firefox", Opaque: true, asking: asking{Network: "*"}},
	// Clients of other things.
	{Names: "plink dbclient sshuttle", Opaque: true, asking: asking{Client: SSH}},
	{Names: "ftp lftp tftp", Kinds: "ftp,lftp:queries ftp,lftp:transfers tftp:uploads?>put,>_>put,>_>_>put",
		Opaque:     true,
		commanding: commanding{Commands: transferCommands}, asking: asking{Client: Host, Channel: Files}},
	{Names: "ncftp", Opaque: true, asking: asking{Client: Host}, commanding: commanding{Commands: transferCommands}},
	{Names: "skopeo", Kinds: "pushes-images?>copy,>delete,>sync", Secrets: "login/p", Opaque: true,
		asking: asking{Client: Host}},
	{Names: "grpcurl whois nmap crane oras",
		Kinds: "nmap:lines=lua crane:pushes-images?>push,>cm>push,>copy,>delete,>tag,>image>copy,>tag>delete " +
			"oras:publishes?>manifest>delete,>blob>delete oras:pushes-images?>push,>cm>push", Opaque: true,
		asking: asking{Client: Host}},
	{Names: "genisoimage mkisofs", Opaque: true, listing: listing{Recursive: true}},
	{Names: "litecli", Opaque: true,
		commanding: commanding{Commands: sqliteCommands, Saves: savesSQLite}, asking: asking{Client: SQL}},
	{Names: "pgcli ysqlsh vsql usql", Opaque: true, asking: asking{Client: SQL},
		commanding: commanding{Commands: psqlCommands}},
	{Names: "mycli", Secrets: "p", Opaque: true, asking: asking{Client: SQL},
		commanding: commanding{Commands: mysqlCommands}},
	{Names: "sqlcmd", Secrets: "P", Opaque: true, asking: asking{Client: SQL},
		commanding: commanding{Commands: sqlCommands}},
	{Names: "clickhouse clickhouse-client clickhouse-local isql osql snowsql sqlplus cqlsh hive beeline spark-sql db2",
		Kinds:  "clickhouse:sql=client",
		Opaque: true, asking: asking{Client: SQL}, commanding: commanding{Commands: sqlCommands}},
	{Names: "mssql-cli tsql trino presto dropdb createdb", Kinds: "dropdb:resets-databases?#1", Opaque: true,
		asking: asking{Client: SQL}},
	{Names: "debugfs", Opaque: true,
		commanding: commanding{Saves: "^dump *|^dump -p *|^dump_inode *|^dump_inode -p *|^rdump *|^rdump * " +
			"*|^logdump"}},
	{Names: "smbclient", Kinds: "transfers", Secrets: "U%", Opaque: true,
		commanding: commanding{Commands: transferCommands},
		asking:     asking{Network: "*", Channel: Files}},
	{Names: "drill kdig resolvectl", Kinds: "resolvectl:changes-network?>dns,>revert,>domain,>flush-caches",
		Opaque: true,
		asking: asking{Network: "*", Channel: lookups}},
	{Names: "getent", Kinds: "accounts=named output=accounts", Opaque: true, asking: asking{Channel: lookups}},
	{Names: "gnutls-cli", Opaque: true, asking: asking{Network: "*"}},
	// Filters.
	{Names: "basenc uuencode",
		Kinds:  "uuencode:dumps basenc:decodes?-d,-D,--decode,-di,-id basenc:turns=bases basenc:output=filter",
		Opaque: true, Output: encoded},
	{Names: "gpg age iconv pv", Kinds: "pv:output=filter pv:conducts gpg,age:encrypts " +
		"gpg:deletes-secrets?>--delete-secret-keys,>--delete-secret-key,>--delete-secret-and-public-key,>--delete-keys," +
		">--delete-key " +
		"gpg:prints-secrets?>--export-secret-keys,>--export-secret-key,>--export-secret-subkeys,>--export-secret-ssh-key,>-d," +
		">--decrypt age:prints-secrets?>-d,>--decrypt", Tells: tells, Opaque: true, Output: Contents},
	// Forges, clouds, and what copies to them.
	{Names: "glab hub doctl flyctl fly heroku vercel netlify wrangler firebase supabase pulumi ansible " +
		"ansible-playbook cosign ngrok cloudflared",
		Kinds: "glab:clones heroku:hands=local ansible:hands=module glab:obtains=verbs wrangler:sql=execute " +
			"glab:uploads?>snippet>create " +
			"glab:unforges?>repo>delete,>repo>archive,>release>delete,>issue>delete,>mr>delete,>ci>delete,>variable>delete," +
			">label>delete,>ssh-key>delete,>schedule>delete,>deploy-key>delete,>api>-X=DELETE,>api>--method=DELETE,>api>DELETE," +
			">token>revoke glab:prints-secrets?>auth>token,>auth>status>--show-token,>auth>status>-t " +
			"glab,hub:releases?>release>create,>release>upload,>release>edit " +
			"glab:changes-forge?>variable>set,>ssh-key>add,>auth>login,>deploy-key>add,>token>create,>securefile>create " +
			"glab:approves-changes?>mr>approve,>mr>merge hub:unforges?>delete,>release>delete,>gist>delete " +
			"doctl:runs-elsewhere?>compute>ssh " +
			"doctl:changes-names?>compute>domain>delete,>compute>domain>records>delete,>compute>domain>records>update " +
			"doctl:deploys?>apps>create-deployment " +
			"doctl,flyctl,fly,heroku,vercel,netlify,wrangler,firebase,supabase:deletes-by-verb " +
			"flyctl,fly,supabase:deletes-secrets?>secrets>unset " +
			"flyctl,fly:deletes-cloud?>scale>count>0,>suspend,>machine>kill,>machine>stop " +
			"flyctl,fly:runs-elsewhere?>ssh>console,>ssh>sftp,>machine>exec,>console " +
			"flyctl,fly:changes-secrets?>secrets>set,>secrets>import " +
			"flyctl,fly,firebase:deploys?>deploy,>up,>redeploy,>svc>deploy,>app>deploy,>theme>publish,3>deploy " +
			"heroku:deletes-secrets?>config:unset " +
			"heroku:deletes-cloud?>apps:destroy,>apps:delete,>addons:destroy,>pg:reset,>apps:leave,>ps:stop,>domains:remove," +
			">releases:rollback,>maintenance:on,>pipelines:destroy " +
			"heroku:runs-elsewhere?>run,>run:detached,>run:inside,>ps:exec " +
			"heroku:prints-secrets?>config,>config:get heroku:changes-secrets?>config:set,>config:edit " +
			"heroku:deploys?>releases:rollback,>container:release,>pipelines:promote heroku:statements " +
			"vercel:deletes-cloud?>delete,>remove,>rm vercel:prints-secrets?>env>pull " +
			"vercel:changes-secrets?>env>add " +
			"vercel:deploys?--prod,>promote,>rollback,>alias>set netlify:deletes-secrets?>env:unset " +
			"netlify:deletes-cloud?>sites:delete,>functions:delete,>blobs:delete " +
			"netlify:prints-secrets?>env:get,>env:list " +
			"netlify:changes-secrets?>env:set,>env:import netlify:deploys?>deploy&--prod,-p,--prodIfUnlocked " +
			"wrangler:deletes-cloud?>delete,>remove,>rm,>d1>delete,>r2>bucket>delete,>kv>namespace>delete,>kv:namespace>delete," +
			">queues>delete wrangler:changes-secrets?>secret>put,>secret>bulk,>secret:bulk " +
			"wrangler:deploys?>deploy,>publish,>pages>deploy,>rollback " +
			"firebase:deletes-cloud?>firestore:delete,>database:remove,>hosting:disable,>functions:delete,>projects:delete," +
			">apps:delete,>appdistribution:testers:remove supabase:resets-databases?>db>reset " +
			"supabase:deploys?>functions>deploy,>db>push pulumi:prints-secrets?>--show-secrets,>config>get " +
			"pulumi:destroys-stacks?>destroy,>down,>stack>rm,>cancel " +
			"pulumi:approves-unseen?>up,>update,>refresh&--yes,-y,-f,--skip-preview " +
			"pulumi:edits-state?>state>delete,>state>edit,>stack>import,>state>unprotect " +
			"ansible:runs-elsewhere?>-m>shell,>-m>command,>-m>raw,>-m>script,>-m>reboot,>-m>apt,>-m>file,>-m>service," +
			">-a&!>--check,>-C,>--list-hosts,>--syntax-check " +
			"ansible-playbook:runs-elsewhere?#1&!>--check,>-C,>--list-hosts,>--list-tasks,>--list-tags,>--syntax-check " +
			"ansible-playbook:lines=modules ngrok:tunnels?!>config,>version,>help,>authtoken " +
			"cloudflared:tunnels?>tunnel,>access",
		Tells: "| --version --help version", Opaque: true, asking: asking{Network: "*"}},
	// Package managers.
	{Names: "zypper port flatpak nix-env aptitude emerge choco winget scoop",
		Kinds: "zypper:trusts-sources?>addrepo,>ar " +
			"zypper,port,flatpak,choco,winget,scoop:removes-packages?>remove,>purge,>autoremove,>erase,>del,>uninstall,>rm," +
			">autopurge,>dist-upgrade,>full-upgrade,>cleanup flatpak:trusts-sources?>remote-add " +
			"nix-env:removes-packages?-e,--uninstall " +
			"aptitude:removes-packages?>remove,>purge,>autoremove,>erase,>del,>uninstall,>rm,>autopurge,>dist-upgrade," +
			">full-upgrade,>cleanup&!:dry-run,--dry-run emerge:removes-packages?-C,--unmerge,--depclean,-c " +
			"choco,winget:trusts-sources?>source>add scoop:trusts-sources?>bucket>add", Opaque: true, Packages: System,
		asking: asking{Network: "*"}},
	{Names: "rpm rpmbuild rpmspec", Kinds: "rpm:trusts-sources?--import rpm:removes-packages?^-e,^--erase",
		Opaque:     true,
		commanding: commanding{Rough: true, Commands: rpmCommands, Behind: "--pipe="}, Packages: System},
	{Names: "gem",
		Kinds: "picks-index?:index-url,:extra-index-url,:registry,:default-index,^--index-url=,^--extra-index-url=,^--registry=," +
			"^--default-index= " +
			"picks-index?set&registry,global.index-url,global.extra-index-url,script-shell,^registry=,^script-shell= " +
			"picks-index?install,update&-s,--source,^--source= trusts-sources?>sources>--add,>sources>-a " +
			"publishes?>push,>yank,>owner checks-certificates", Variables: "RUBYOPT!ruby",
		asking: asking{Service: gemService, Network: "*"}, Packages: Library, Operands: "data*",
		Options: "h,help~ V,verbose q,quiet v,version= no-verbose silent config-file=read backtrace debug norc " +
			"l,local r,remote a,all d,details no-details versions no-versions i,installed e,exact pre,prerelease " +
			"no-prerelease s,source=host p,http-proxy= n,bindir=write B,bulk-threshold= clear-sources"},
	{Names: "twine", Kinds: "publishes-py?>upload", Secrets: "upload/p", Opaque: true, asking: asking{Network: "*"}},
	{Names: "composer", Kinds: "subs checks-certificates lines=scripts default=composer.json",
		Tells: "| --version -V --help", Packages: Library, Opaque: true, commanding: commanding{Behind: "exec,exec --"},
		NoGrant: "exec,global,run-script", asking: asking{Network: "install,update,require,create-project"}},
	{Names: "mix", handing: handing{Hands: "run"},
		Kinds: "subs publishes?>hex.publish,>hex.retire,>hex.owner resets-databases?ecto.drop,ecto.reset " +
			"default=mix.exs",
		Opaque: true, commanding: commanding{Behind: "cmd", Rough: true}, Loads: "-e --eval", NoGrant: "run,eval",
		asking: asking{Network: "deps.get,archive.install"}},
	{Names: "opam", Kinds: "subs publishes?>publish", Opaque: true, commanding: commanding{Behind: "exec,exec --"},
		NoGrant: "exec",
		asking:  asking{Network: "install,update,upgrade"}},
	{Names: "stack", handing: handing{Hands: "run"}, Kinds: "subs publishes?>upload default=stack.yaml", Opaque: true,
		commanding: commanding{Behind: "exec,exec --"}, NoGrant: "exec,runghc,ghci",
		asking: asking{Network: "upgrade"}},
	{Names: "cabal", handing: handing{Hands: "run"}, Kinds: "subs publishes?>upload default=cabal.project",
		Opaque:     true,
		commanding: commanding{Behind: "exec,exec --"}, NoGrant: "exec,repl",
		asking: asking{Network: "install,update"}},
	{Names: "dune", Kinds: "subs default=dune-project", Opaque: true, commanding: commanding{Behind: "exec,exec --"},
		NoGrant: "exec"},
	{Names: "pod", Kinds: "subs publishes?>trunk>push,>trunk>delete,>repo>push", Opaque: true,
		asking: asking{Network: "install,update"}},
	{Names: "zig", handing: handing{Hands: "run"}, Kinds: "subs default=build.zig", Opaque: true,
		asking: asking{Network: "fetch"}},
	{Names: "jj", Kinds: "subs", Opaque: true, commanding: commanding{Behind: "util exec,util exec --"},
		asking: asking{Network: "git"}},
	// What builds, checks and converts.
	{Names: "pylint", Kinds: "default=.pylintrc", Opaque: true, Loads: "--init-hook --load-plugins"},
	{Names: "mypy", Kinds: "default=mypy.ini", Tells: tells, Opaque: true,
		Loads: "--install-types --python-executable"},
	{Names: "gotestsum", Opaque: true, Loads: "--post-run-command --raw-command"},
	{Names: "cypress", Kinds: "lines=javascript default=cypress.config.js,cypress.config.ts", Opaque: true,
		Loads: "--record"},
	{Names: "bmake", Opaque: true,
		Loads: "- -f- -E -e install install-strip uninstall SHELL .SHELLFLAGS MAKEFLAGS MAKE"},
	{Names: "ninja meson",
		Kinds: "meson:subs ninja:builds ninja:lines=command ninja:default=build.ninja meson:default=meson.build",
		Tells: tells, Opaque: true, commanding: commanding{Behind: "devenv,devenv --,devenv -C * --"},
		Loads: "install uninstall"},
	{Names: "ctest", Opaque: true, commanding: commanding{Behind: "--test-command"},
		Loads: "-S -SP --script --build-and-test --test-command"},
	{Names: "task go-task",
		Kinds: "lines=steps default=Taskfile.yml,Taskfile.yaml,taskfile.yml go-task:default=Taskfile.yml,Taskfile.yaml",
		Same:  "go-task", Opaque: true, Loads: "-g --global install uninstall"},
	{Names: "rake", Kinds: "builds publishes?release " +
		"resets-databases?db:drop,db:reset,db:drop:all,db:migrate:reset,db:schema:load,db:purge " +
		"default=Rakefile,rakefile", Variables: "RUBYOPT!ruby",
		Opaque: true, commanding: commanding{Rough: true},
		Loads: "-e --execute -E --execute-continue -p --execute-print"},
	{Names: "bazel bazelisk", Same: "bazelisk", Kinds: "bazel:subs default=MODULE.bazel,WORKSPACE,BUILD.bazel,BUILD",
		Opaque: true, commanding: commanding{Behind: "--run_under=,--workspace_status_command=,--shell_executable="},
		Loads: "--override_repository --run_under --workspace_status_command --shell_executable"},
	{Names: "pandoc", Opaque: true, Loads: "-F --filter -L --lua-filter --pdf-engine"},
	{Names: "ssh-add", Variables: "SSH_ASKPASS!",
		Opaque: true, NoGrant: "*", Loads: "-D -s --pkcs11"},
	{Names: "rustc", Tells: "| --version -V --help -vV", Opaque: true, Loads: "linker -Clinker -Z"},
	{Names: "ghc ghci", Opaque: true, NoGrant: "*",
		commanding: commanding{Commands: haskellCommands, Behind: "-pgmF=,-pgmP=,-pgmL=,-pgmc=,-pgma=,-pgml=", Rough: true},
		Loads:      "-e -F -pgmF -pgmP -pgmL -pgmc -pgma -pgml -fplugin"},
	{Names: "latexmk", Opaque: true, Loads: "-e -r -pdflatex -latex -xelatex -lualatex -usepretex " + texLoads},
	{Names: "tex latex pdftex pdflatex xelatex lualatex", commanding: commanding{Commands: texCommands}, Opaque: true,
		Loads: texLoads},
	{Names: "gs", Opaque: true, commanding: commanding{Commands: postscriptCommands},
		Loads: "-c -dNOSAFER -dDELAYSAFER"},
	{Names: "as bison flex ld nasm protoc buf shellcheck staticcheck tokei scc cloc", Kinds: "buf:publishes?>push",
		Tells: tells, Opaque: true},
	{Names: "diff3 sdiff e2fsck fsck blkid mountpoint sync logger renice",
		Kinds: "blkid:devices e2fsck,fsck:repairs?#1", Tells: tells, Opaque: true},
	{Names: "useradd usermod", Kinds: "changes-accounts?#1", Secrets: "p", Opaque: true},
	{Names: "tsc", Kinds: "default=tsconfig.json", Variables: "NODE_OPTIONS!node",
		Tells: tells + " -v", Opaque: true},
	// What only has a name, and a kind.
	{Names: "turbo", Kinds: "subs default=turbo.json,package.json", Opaque: true},
	{Names: "flutter", Kinds: "subs publishes?>pub>publish default=pubspec.yaml", Opaque: true},
	{Names: "pre-commit", Kinds: "subs default=.pre-commit-config.yaml", Opaque: true},
	{Names: "jupyter", Kinds: "subs", Opaque: true},
	{Names: "pass", Kinds: "subs shows=entry deletes-secrets?>rm,>delete,>remove " +
		"changes-secrets?>insert,>edit,>generate,>mv,>rename,>cp,>copy,>import,>init", Opaque: true},
	{Names: "gopass", Kinds: "subs deletes-secrets?>rm,>delete,>remove prints-secrets?>show,>cat,>otp,>grep,>-o " +
		"changes-secrets?>insert,>edit,>generate,>mv,>rename,>cp,>copy,>import,>init", Opaque: true},
	{Names: "xcrun", Kinds: "subs deletes-machines?>simctl>erase,>simctl>delete,>devicectl>device>uninstall",
		Opaque: true},
	{Names: "code subl micro hx helix joe gedit kate zed mcedit dos2unix unix2dos chflags",
		Kinds: "edits chflags:alters=flags chflags:deep?+R", Opaque: true},
	{Names: "oil ion murex", Kinds: "shells", Opaque: true},
	{Names: "cowsay cowthink figlet toilet banner lolcat say espeak spd-say notify-send wall ntfy apprise slackcat " +
		"zenity dialog whiptail kdialog yad",
		Kinds: "cites", Opaque: true},
	{Names: "tldr cheat explain explainshell howdoi wtf apropos whatis fortune abbr bd tk todo todo.sh jira linear " +
		"llm aichat", Kinds: "cites", Opaque: true},
	{Names: "sift pt semgrep ast-grep comby apt-file cspell codespell vale aspell hunspell proselint", Kinds: "cites",
		Opaque: true},
	{Names: "lsscsi pvs swapon", Kinds: "devices swapon:changes-mounts?#1&!--show,-s,--summary", Opaque: true},
	{Names: "newfs_hfs newfs_apfs newfs_msdos newfs_exfat newfs_udf mkexfatfs mkreiserfs mkudffs mkf2fs jfs_mkfs",
		Kinds: "formats newfs_hfs,newfs_apfs,newfs_msdos,newfs_exfat,newfs_udf:bare " +
			"newfs_hfs,newfs_apfs,newfs_msdos:looks?-N",
		Opaque: true},
	{Names: "make_f2fs make-bcache xfs_mdrestore bcwipe scrub", Kinds: "formats bcwipe:overwrites", Opaque: true},
	{Names: "pvcreate vgcreate", Kinds: "blocks formats looks?-t,--test fills", Opaque: true},
	{Names: "bcachefs", Kinds: "blocks formats?1=format changes-volumes?>fsck>-y,>fsck>-p,>fsck>-f,>device>remove",
		Opaque: true},
	{Names: "hdparm", Kinds: "wipes?--security-erase,--security-erase-enhanced,--trim-sector-ranges,--make-bad-sector,--write-sector,--repair-sector,--dco-restore,--security-set-pass,--fwdownload,--sanitize-block-erase,--sanitize-crypto-scramble,--sanitize-overwrite",
		Opaque: true},
	{Names: "nvme", Kinds: "wipes?format,sanitize,write-zeroes,write-uncor,delete-ns,write", Opaque: true},
	{Names: "badblocks", Kinds: "wipes?+w/o", Opaque: true},
	{Names: "sg_format sg_sanitize sg_unmap sg_write_same", Kinds: "wipes", Opaque: true},
	{Names: "gpart gpt", Kinds: "erases?1=destroy,1=delete&#2", Opaque: true},
	{Names: "asr", Kinds: "wipes?-erase,--erase", Opaque: true},
	{Names: "sedutil-cli",
		Kinds:  "wipes?%--yesireallywanttoeraseallmydatausingthepsid,%--reverttper,%--psidrevert,%--revertnoerase",
		Opaque: true},
	{Names: "flashrom", Kinds: "erases?-w,--write,-E,--erase&!-p^,--programmer^ " +
		"erases?-w,--write,-E,--erase&-p^internal,--programmer^internal " +
		"changes-boot", Opaque: true},
	{Names: "mtd", Kinds: "erases?erase", Opaque: true},
	{Names: "storcli storcli64 perccli perccli64 ssacli hpacucli arcconf tw_cli sas2ircu sas3ircu",
		Kinds: "erases?%del,%delete&!%help " +
			"storcli,storcli64,ssacli:changes-volumes?>del,>delete,>init,>clear,>_>del,>_>delete,>-CfgLdDel,>-CfgClr," +
			">-CfgForeign,>-LDInit", Opaque: true},
	{Names: "megacli megacli64", Kinds: "erases?%^-cfgclr,%^-cfglddel,%^-ldinit " +
		"megacli:changes-volumes?>del,>delete,>init,>clear,>_>del,>_>delete,>-CfgLdDel,>-CfgClr,>-CfgForeign,>-LDInit",
		Opaque: true},
	{Names: "wbadmin", Kinds: "erases?%delete deletes-backups?>delete", Opaque: true},
	{Names: "nwipe", Kinds: "erases?--autonuke", Opaque: true},
	{Names: "nvram", Kinds: "erases?-c changes-boot?#1&!-v,-p,--info,-x", Opaque: true},
	{Names: "dmsetup", Kinds: "drops?remove_all,wipe_table " +
		"changes-volumes?>remove,>remove_all,>wipe_table,>suspend,>clear", Opaque: true},
	{Names: "qemu-img ddrescue", Kinds: "blocks qemu-img:deletes-machines?>snapshot>-d,>snapshot>-a ddrescue:fills",
		Opaque: true},
	{Names: "journalctl", Kinds: "clears-audit?^--vacuum,^--rotate,^--flush", Variables: "PAGER! SYSTEMD_PAGER!",
		Opaque: true},
	{Names: "glow ri pydoc perldoc", Kinds: "ri:spoils ri:unixy", Variables: "PAGER!", Opaque: true},
	{Names: "visudo vipw vigr edquota ansible-vault chezmoi",
		Kinds: "visudo:changes-accounts?!-c,--check vipw,vigr:changes-accounts " +
			"ansible-vault:prints-secrets?>decrypt,>view " +
			"ansible-vault:changes-secrets?>rekey", Variables: "EDITOR! VISUAL!", Opaque: true},
	{Names: "sudoedit", Variables: "EDITOR! VISUAL! SUDO_EDITOR! SUDO_ASKPASS!", Opaque: true},
	{Names: "sensible-browser", Variables: "BROWSER!", Opaque: true},
	{Names: "mysqladmin mysqlimport mysqlcheck mariadb-admin mongodump mongorestore htpasswd",
		Kinds: "mongodump:dumps mysqladmin:sql=drop " +
			"mysqladmin,mariadb-admin:resets-databases?>drop,>_>drop,>shutdown " +
			"mongorestore:resets-databases?>--drop",
		Secrets: "p", Opaque: true},
	{Names: "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd", Secrets: "w", Opaque: true},
	{Names: "bcp mosquitto_pub mosquitto_sub ipmitool", Kinds: "ipmitool:powers?!-H&power&off,cycle,reset,soft",
		Secrets: "P", Opaque: true},
	{Names: "rpcclient net",
		Kinds:   "net:stops-services?>stop,>delete,>config,>pause net:changes-services?>start,>create net:word",
		Secrets: "U%", Opaque: true},
	{Names: "cf",
		Kinds: "deletes-cloud?>delete,>delete-org,>delete-space,>delete-service,>stop runs-elsewhere?>ssh,>run-task " +
			"deploys?>push " +
			"deletes-by-verb", Secrets: "login/p", Opaque: true},
	{Names: "cvs", Variables: "CVS_RSH!", Opaque: true},
	{Names: "next", Kinds: "lines=javascript default=next.config.js,next.config.mjs,next.config.ts",
		Variables: "NODE_OPTIONS!node", Opaque: true},
	{Names: "vite", Kinds: "lines=javascript default=vite.config.js,vite.config.mjs,vite.config.ts",
		Variables: "NODE_OPTIONS!node", Opaque: true},
	{Names: "jest", Kinds: "lines=javascript default=jest.config.js,jest.config.cjs,jest.config.mjs,jest.config.ts",
		Variables: "NODE_OPTIONS!node", Opaque: true},
	{Names: "vitest", Kinds: "lines=javascript default=vitest.config.js,vitest.config.ts,vite.config.js,vite.config.ts",
		Variables: "NODE_OPTIONS!node", Opaque: true},
	{Names: "mocha", Kinds: "lines=javascript default=.mocharc.js,.mocharc.cjs", Variables: "NODE_OPTIONS!node",
		Opaque: true},
	{Names: "eslint", Kinds: "lines=javascript " +
		"default=eslint.config.js,eslint.config.mjs,eslint.config.cjs,.eslintrc.js,.eslintrc.cjs",
		Variables: "NODE_OPTIONS!node", Opaque: true},
	{Names: "webpack", Kinds: "lines=javascript " +
		"default=webpack.config.js,webpack.config.cjs,webpack.config.mjs,webpack.config.ts",
		Variables: "NODE_OPTIONS!node", Opaque: true},
	{Names: "rspec", Kinds: "default=.rspec,spec/spec_helper.rb", Variables: "RUBYOPT!ruby", Opaque: true},
	{Names: "prove cpan cpanm", Variables: "PERL5OPT!perl", Opaque: true},
	{Names: "exiftool", Opaque: true, Loads: "-config -if -@"},
	{Names: "clang-tidy", Opaque: true, Loads: "-load"},
	{Names: "cppcheck", Opaque: true, Loads: "--addon --clang"},
	{Names: "ctags", Opaque: true, Loads: "--options --_xcmd"},
	// What is only known for what it may do.
	{Names: "stop-computer restart-computer", Kinds: "unread powers?!%-whatif,%-computername", Opaque: true},
	{Names: "rundll32", Kinds: "unread powers?~ExitWindows,~SetSuspendState", Opaque: true},
	{Names: "busctl dbus-send gdbus qdbus qdbus6 qdbus-qt5", Kinds: "unread powers=calls messages", Opaque: true},
	{Names: "systemd-shutdown", Kinds: "unread powers?poweroff,reboot,halt,kexec", Opaque: true},
	{Names: "openrc-shutdown s6-linux-init-shutdown s6-reboot s6-poweroff s6-halt fasthalt", Kinds: "unread powers",
		Opaque: true},
	{Names: "runit-init", Kinds: "unread powers?0,6", Opaque: true},
	{Names: "openrc", Kinds: "unread powers?shutdown,reboot", Opaque: true},
	{Names: "dinitctl", Kinds: "unread powers?shutdown stops-services?>stop,>disable " +
		"changes-services?>start,>restart,>enable,>reload", Opaque: true},
	{Names: "uadmin", Kinds: "unread powers?1=2", Opaque: true},
	{Names: "ctrlaltdel", Kinds: "unread powers?hard", Opaque: true},
	{Names: "s6-linux-init-hpr", Kinds: "unread powers?-p,-r,-h", Opaque: true},
	{Names: "herd", Kinds: "unread powers?shepherd,root&power-off,reboot,halt,kexec,stop", Opaque: true},
	{Names: "psshutdown psshutdown64", Kinds: `unread powers?%-r,%-s,%-k&!%-a&!~\\`, Opaque: true},
	{Names: "gnome-session-quit cinnamon-session-quit", Kinds: "unread powers?--power-off,--reboot", Opaque: true},
	{Names: "xfce4-session-logout", Kinds: "unread powers?--halt,--reboot,-h,-r", Opaque: true},
	{Names: "kexec", Kinds: "unread powers?-e,--exec " +
		"changes-kernel?#1&!-n,--dry-run,-D,--show-depends,-c,--showconfig,-R,status,list,show,prog,-V,>static-nodes",
		Opaque: true},
	{Names: "rtcwake", Kinds: "unread powers?off,--mode=off,-moff&!-n,--dry-run", Opaque: true},
	{Names: "fdesetup", Kinds: "unread powers?authrestart unguards?>disable", Opaque: true},
	{Names: "wmic", Kinds: "unread powers?%os&%reboot,%shutdown&!~/node: ruins?%shadowcopy&%delete cmd=/tr",
		Opaque: true},
	{Names: "fuser", Kinds: "unread ends=users uses=mounts output=processes tells-names", Opaque: true},
	{Names: "taskkill", Kinds: "unread ends=tasks", Opaque: true},
	{Names: "stop-process spps", Kinds: "unread ends=objects", Opaque: true},
	{Names: "rc-service sv", Kinds: "unread ends=units rc-service:stops-services?stop,--full-restart " +
		"rc-service:changes-services?start,restart,reload,force-reload " +
		"sv:stops-services?>stop,>down,>shutdown,>remove,>force-stop " +
		"sv:changes-services?>start,>restart,>reload,>up,>update", Opaque: true},
	{Names: "skill slay", Kinds: "unread ends=owners skill:ends-many?:u,:U,:euid,:uid slay:ends-many?#1", Opaque: true},
	{Names: "diskpart clear-disk format-volume initialize-disk remove-partition", Kinds: "unread ruins", Opaque: true},
	{Names: "vssadmin", Kinds: "unread ruins?%delete", Opaque: true},
	{Names: "bcdedit", Kinds: "unread ruins?%/delete,%/deletevalue changes-boot?^/set,^/delete,^/create", Opaque: true},
	{Names: "cipher", Kinds: "unread ruins?%^/w", Opaque: true},
	{Names: "reg", Kinds: "unread " +
		`ruins?%delete&%hklm,%hkey_local_machine,%hklm\system,%hklm\software,%hkey_local_machine\system,` +
		`%hkey_local_machine\software,%hklmsystem,%hklmsoftware ` +
		"changes-settings?>add,>delete,>import,>copy,>restore,>load,>unload", Opaque: true},
	{Names: "format rd del erase sdelete", Kinds: "unread spoils rd,del,erase:internal del:razes?#1", Opaque: true},
	{Names: "remove-item", Kinds: "unread spoils unixy", Opaque: true},
	{Names: "takeown", Kinds: "unread spoils?%/r", Opaque: true},
	{Names: "icacls", Kinds: "unread spoils?%/t opens-acl?/grant,/setowner,/reset,/G,/T", Opaque: true},
	{Names: "tmpwatch tmpreaper", Kinds: "unread deletes1?!-t,--test", Opaque: true},
	{Names: "gio", Kinds: "unread deletes1?trash,remove", Opaque: true},
	{Names: "bleachbit", Kinds: "unread deletes0?-s,--shred", Opaque: true},
	{Names: "chcon", Kinds: "unread alters=label deep?+R", Opaque: true},
	{Names: "lvm", Kinds: "unread hands=words", Opaque: true},
	{Names: "kitten", Kinds: "unread hands=typed " +
		"types?>@>send-text,>@>send-key,>@>get-text,>@>launch,>@>run,>@>kitten,>+kitten>@,>+kitten>remote",
		Opaque: true},
	{Names: "start", Kinds: "unread cmd=words internal", Opaque: true},
	{Names: "forfiles", Kinds: "unread cmd=quoted", Opaque: true},
	{Names: "schtasks", Kinds: "unread cmd=/tr plans-units?/create,/change,/delete,/Create,/Change,/Delete,/run",
		Opaque: true},
	{Names: "get-process gps", Kinds: "unread finds=objects", Opaque: true},
	{Names: "tasklist", Kinds: "unread finds=tasks", Opaque: true},
	{Names: "passage", Kinds: "unread shows=entry", Opaque: true},
	{Names: "print", Kinds: "unread sums=name sets=printed output=dashed", Opaque: true},
	{Names: "wait integer float nameref shift",
		Kinds: "unread sums=all float:sets=locals integer:sets=integers nameref:sets=references shift:sets=shifted " +
			"wait:sets=waited shift:special wait,shift:quiet wait:waits wait:pauses",
		Opaque: true},
	{Names: "chdir", Kinds: "unread moves=perhaps", Opaque: true},
	{Names: "unsetopt options", Kinds: "unread globs", Opaque: true},
	{Names: "hostnamectl",
		Kinds: "unread host?1=hostname&!#2 output=host " +
			"changes-host?^set-,^hostname,^chassis,^icon-name,^deployment,^location", Opaque: true},
	{Names: "usleep", Kinds: "unread waits=seconds", Opaque: true},
	{Names: "vared getln sysread zstyle zparseopts strftime zstat", Kinds: "unread sets=among", Opaque: true},
	{Names: "cockroach", Kinds: "unread sql=sql", Opaque: true},
	{Names: "bq", Kinds: "unread sql=query clouds=google deletes-cloud?>rm", Opaque: true},
	{Names: "turso", Kinds: "unread sql=shell deletes-by-verb", Opaque: true},
	{Names: "cygpath wslpath wslvar", Kinds: "unread output=windows wslvar:path=variables", Opaque: true},
	{Names: "inotifywait", Kinds: "unread pauses", Opaque: true},
}

// texLoads are the options with which TeX runs programs.
const texLoads = "-shell-escape -enable-write18"
