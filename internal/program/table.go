package program

import "slices"

// Options that recur.
const (
	ghVerbs = "f,env-file=read y,yes confirm public private internal d,description= t,title= n,notes= " +
		"F,notes-file=read b,body= target= draft prerelease cleanup-tag source= push remote= web p,pattern= " +
		"D,dir=write O,output=write clobber"
	help    = "help~ version~ "
	tells   = "--version --help" // as Tells
	kubectl = "n,namespace= context= cluster= kubeconfig=read user= s,server=host token= as= request-timeout= " +
		"l,selector= o,output= f,filename=read v= help~ "
)

// shellReads are the options of shells of the families of Bourne and of csh with
// which they run nothing, shellOptions the others.
const (
	shellReads   = help + "n~ "
	shellOptions = "c@text l,login i s@data e u x v f h k m p r a b t B C E H P T O= o= D,dump-strings " +
		"dump-po-strings init-file=exec rcfile=exec noediting noprofile norc posix restricted verbose no-rcs"
)

// bourneFiles are what most shells of the family of Bourne run as they start.
var bourneFiles = Startup{Interactive: ".shinit .kshrc .mkshrc", Login: ".profile", LoginIf: "l"}

// programs is the table: one row a program.
var programs = slices.Concat(basics, readers, builtins, archivers, lookers, privileged, users, sandboxes, tracers, environments, terminals, machines, starters, writers, copiers, opaque, risky)

// basics are the programs of every machine. Sources are the manual pages of GNU coreutils 9, util-linux 2.39, findutils 4.9, git 2.45, and the
// tools' own help, unless a line says otherwise.
var basics = []*Program{
	// Wrappers: they run the command that follows their own arguments.
	{Names: "env", Kinds: "environ=bare splits output=variables starts-files", Tells: tells,
		starting: starting{Clears: "i", Unsets: "u"}, NoGrant: "*", Style: Stop, Operands: "env* payload",
		enclosing: enclosing{Transparent: true},
		Options: help + "i,-,ignore-environment 0,null u,unset= C,chdir=dir S,split-string=text block-signal? " +
			"default-signal? ignore-signal? list-signal-handling v,debug a,argv0="},
	{Names: "nohup", Tells: tells, Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true},
		Options: help},
	{Names: "ionice", Tells: tells, Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true},
		Options: help + "c,class= n,classdata= p,pid~ P,pgid~ t,ignore u,uid~"},
	{Names: "time", Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true},
		Options: "help~ V,version~ a,append f,format= o,output=write p,portability q,quiet v,verbose"},
	{Names: "setsid", Kinds: "forks=option",
		Tells: tells, Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true},
		Options: "h,help~ V,version~ c,ctty f,fork w,wait"},
	{Names: "chrt", Tells: tells, Style: Stop, Operands: "data payload",
		Options: "h,help~ V,version~ a,all-tasks b,batch d,deadline f,fifo i,idle m,max~ o,other p,pid~ r,rr " +
			"R,reset-on-fork T,sched-runtime= P,sched-period= D,sched-deadline= v,verbose"},
	{Names: "taskset", Tells: tells, Style: Stop, Operands: "data payload",
		Options: "h,help~ V,version~ a,all-tasks c,cpu-list p,pid~"},
	{Names: "numactl", Style: Stop, Operands: "payload",
		Options: "H,hardware~ s,show~ i,interleave= m,membind= N,cpunodebind= C,physcpubind= l,localalloc " +
			"p,preferred="},
	{Names: "unshare", Tells: tells, raising: raising{Starts: "."}, Style: Stop, Operands: "payload",
		enclosing: enclosing{Context: Container, Shares: true, Roots: "R"},
		Options: help + "h~ V~ m u i n p U C T mount? uts? ipc? net? pid? user? cgroup? time? f,fork " +
			"r,map-root-user c,map-current-user map-auto map-user= map-group= map-users= map-groups= kill-child? " +
			"mount-proc? propagation= setgroups= keep-caps R,root= w,wd=dir S,setuid= G,setgid= monotonic= boottime= " +
			"l,load-interp="},
	{Names: "nsenter", Kinds: "enters", Tells: tells, raising: raising{Starts: "."}, Style: Stop, Operands: "payload",
		Options: help + "h~ V~ a,all t,target= m,mount? u,uts? i,ipc? n,net? p,pid? U,user? C,cgroup? T,time? " +
			"S,setuid= G,setgid= preserve-credentials r,root? w,wd?dir W,wdns=dir e,env F,no-fork Z,follow-context " +
			"c,join-cgroup user-parent"},
	{Names: "chroot arch-chroot jchroot switch_root", Tells: "chroot:--version,--help", NoGrant: "*",
		raising: raising{Starts: "."},
		Style:   Stop, Operands: "dir payload", enclosing: enclosing{Context: Container, Shares: true},
		Options: help + "h~ N r u= groups= userspec= skip-chdir"},
	{Names: "strace", Kinds: "traces?:p,:attach,:pid", Tells: tells, NoGrant: "*",
		commanding: commanding{Behind: "-o=|,-o=!,--output=|,--output=!"}, Style: Stop, Operands: "payload",
		Options: "h,help~ V,version~ A,output-append-mode C,summary c,summary-only D daemonize? d,debug F " +
			"f,follow-forks i,instruction-pointer k stack-traces? n,syscall-number N,arg-names q quiet= silent= " +
			"silence= r relative-timestamps? T syscall-times? t absolute-timestamps? v,no-abbrev " +
			"w,summary-wall-clock x strings-in-hex? Y decode-pids= y decode-fds? Z,failed-only z,successful-only " +
			"a,columns= b,detach-on= E,env= e= I,interruptible= O,summary-syscall-overhead= o,output=write " +
			"P,trace-path= p,attach= S,summary-sort-by= s,string-limit= U,summary-columns= u,user= " +
			"X,const-print-style= abbrev= decode-pid= fault= inject= kvm= raw= read= signal= status= trace= verbose= " +
			"write= output-separately pidns-translation secontext? seccomp-bpf tips? kill-on-exit"},
	{Names: "ltrace", Kinds: "traces?:p,:attach,:pid", Tells: tells, NoGrant: "*", Style: Stop, Operands: "payload",
		Options: "h,help~ V,version~ a,align= A= b,no-signals c C,demangle D,debug= e= f F,config= i l,library= L " +
			"n,indent= o,output=write p= r s= S t T u= w,where= x="},
	{Names: "builtin", NoGrant: "*", Style: Stop, Operands: "payload",
		enclosing: enclosing{Transparent: true, InShell: true}},
	{Names: "exec", Kinds: "special flow=replace",
		starting: starting{Clears: "c"}, NoGrant: "*", Style: Stop, Operands: "payload",
		enclosing: enclosing{Transparent: true, InShell: true}, Options: "c l a="},
	{Names: "parallel", Kinds: "completes",
		Tells: tells, NoGrant: "*", raising: raising{Starts: "."}, Style: Stop, Operands: "joined", Input: RoleEnv,
		Options: "help~ version~ j,jobs= k,keep-order a,arg-file=read colsep= dry-run~ I= N= n= L= X m q " +
			"r,no-run-if-empty t,verbose u halt= joblog=write results=write S,sshlogin=host pipe block= tag bar eta " +
			"timeout= d,delimiter= 0,null wd,workdir=dir"},
	{Names: "watch", Tells: tells, Style: Stop, Operands: "joined",
		Options: "h,help~ v,version~ b,beep c,color d,differences? e,errexit g,chgexit n,interval= p,precise " +
			"q,equexit= t,no-title w,no-wrap x,exec"},
	{Names: "flock", Kinds: "says-line=-c,--command", Tells: tells, Style: Stop, Operands: "write payload",
		Options: "h,help~ V,version~ c,command=text E,conflict-exit-code= F,no-fork e,x,exclusive n,nb,nonblock " +
			"o,close s,shared u,unlock w,wait,timeout= verbose"},
	{Names: "noglob nocorrect", Style: Stop, Operands: "payload",
		enclosing: enclosing{Transparent: true, InShell: true}},
	{Names: "busybox toybox uutils uu-coreutils rust-coreutils sbase-box ubase-box 9base", Style: Stop,
		Operands: "payload",
		Options:  "help~ list~ list-full~ install~"},
	{Names: "coreutils", Style: Stop, Operands: "payload",
		Options: help + "coreutils-prog=rest coreutils-prog-shebang=rest"},
	{Names: "script", Tells: tells, NoGrant: "*", Operands: "write payload",
		Options: "h,help~ V,version~ a,append c,command=text E,echo= e,return f,flush force I,log-in=write " +
			"O,log-out=write B,log-io=write m,logging-format= o,output-limit= q,quiet t,timing? T,log-timing=write"},
	{Names: "eval", Kinds: "special output=evaluated flow=perhaps evaluates", NoGrant: "*", Style: Stop,
		Operands: "joined", enclosing: enclosing{InShell: true}},
	{Names: "fc", Kinds: "clears-history?-p,-W,-R", Variables: "EDITOR! VISUAL! FCEDIT!",
		NoGrant: "*", Style: Stop, Operands: "data*", Options: "e=text l n r s E= D I L R W A d f i m t=",
		enclosing: enclosing{InShell: true}},
	{Names: "sched", NoGrant: "*", Style: Stop, Operands: "data joined"},
	{Names: "zpty", NoGrant: "*", Style: Stop, Operands: "data joined", Options: "b e d w r L n t m"},
	{Names: "repeat", Kinds: "braces", NoGrant: "*", Style: Stop, Operands: "data payload",
		enclosing: enclosing{InShell: true}},
	{Names: "emulate", Kinds: "globs", NoGrant: "*", Operands: "data*", Options: "c=text L R l",
		enclosing: enclosing{InShell: true}},
	{Names: "compgen complete", Kinds: "sets=completions",
		NoGrant: "*", Style: Stop, Operands: "data*",
		Options:   "A= C=text D E F= G= I P= S= V= W= X= a b c d e f g j k o= p r s u v",
		enclosing: enclosing{InShell: true}},
	{Names: "source .", Kinds: "globs .:special evaluates", NoGrant: "*", Style: Stop, Operands: "exec data*",
		enclosing: enclosing{InShell: true}},
	{Names: "trap", Kinds: "special quiet late", NoGrant: "*", Style: Stop, Operands: "text data*", Options: "l~ p~"},
	{Names: "setarch", Style: Stop, Operands: "payload",
		Options: "h,help~ V,version~ B,32bit F,fdpic-funcptrs I,short-inode L,addr-compat-layout R,addr-no-randomize " +
			"S,whole-seconds T,sticky-timeouts X,read-implies-exec Z,mmap-page-zero 3,3gb 4gb uname-2.6 v,verbose " +
			"list~"},
	{Names: "linux32 linux64 i386 i486 i586 i686 x86_64 uname26 arm64 armv7l armv8l aarch64 ppc ppc64 ppc64le s390 " +
		"s390x riscv32 riscv64 mips mips64 sparc sparc64 fakeroot",
		Style: Stop, Operands: "payload",
		Options: "h,help~ V,version~ v~ B F I L R S T X Z 3 p l,lib=read s=write i=read u b= c,faked="},
	{Names: "unbuffer", NoGrant: "*", Style: Stop, Operands: "payload", Options: "h~ p"},
	{Names: "prlimit", Tells: tells, Style: Stop, Operands: "payload",
		Options: "h,help~ V,version~ p,pid= o,output= noheadings raw verbose c,core? d,data? e,nice? f,fsize? " +
			"i,sigpending? l,memlock? m,rss? n,nofile? q,msgqueue? r,rtprio? s,stack? t,cpu? u,nproc? v,as? x,locks? " +
			"y,rttime?"},
	{Names: "dbus-run-session", Style: Stop, Operands: "payload", Options: help + "config-file=read dbus-daemon=exec"},
	{Names: "hyperfine", Operands: "text*",
		Options: "h,help~ V,version~ w,warmup= m,min-runs= M,max-runs= r,runs= s,setup=text p,prepare=text " +
			"c,cleanup=text P,parameter-scan= D,parameter-step-size= L,parameter-list= S,shell=exec N " +
			"i,ignore-failure style= sort= u,time-unit= export-json=write export-csv=write export-markdown=write " +
			"export-asciidoc=write show-output output= input=read n,command-name="},
	{Names: "caffeinate", Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true},
		Options: "d i m s u t= w="},
	{Names: "entr", Kinds: "completes", Style: Stop, Operands: "payload", Options: "a c d n p r s@text x z"},

	// Shells and interpreters.
	{Names: "rbash", Variables: "PROMPT_COMMAND! PS0!prompt PS1!prompt PS2!prompt PS4!prompt BASH_ENV!file",
		evaluating: evaluating{Shell: Bourne},
		Startup: Startup{Interactive: ".bashrc", Login: ".bash_profile .bash_login .profile " +
			".bash_logout", LoginIf: "l"},
		Style: Stop, Operands: "exec data*", Input: RoleText, Options: shellReads + shellOptions},
	{Names: "zsh", Kinds: "speaks=zsh", Variables: "PS1!prompt PS2!prompt PS4!prompt",
		Tells: tells, evaluating: evaluating{Shell: Bourne},
		Startup:  Startup{Always: ".zshenv", Interactive: ".zshrc", Login: ".zprofile .zlogin .zlogout", LoginIf: "l"},
		Style:    Stop,
		Operands: "exec data*", Input: RoleText, Options: shellReads + shellOptions},
	{Names: "dash ash ksh mksh ksh93 lksh pdksh oksh loksh rksh brush",
		Variables:  "PS1!prompt PS2!prompt PS4!prompt ENV!file",
		evaluating: evaluating{Shell: Bourne}, Startup: bourneFiles, Style: Stop, Operands: "exec data*",
		Input: RoleText, Options: shellReads + shellOptions},
	{Names: "hush", evaluating: evaluating{Shell: Bourne}, Style: Stop, Operands: "exec data*", Input: RoleText,
		Options: shellReads + shellOptions},
	{Names: "csh tcsh", Kinds: "shells",
		evaluating: evaluating{Shell: Other},
		Startup:    Startup{Always: ".cshrc .tcshrc", Login: ".login .logout", LoginIf: "l"}, Style: Stop,
		Operands: "exec data*", Input: RoleText, Options: shellReads + shellOptions},
	{Names: "yash rc es osh ysh posh nu xonsh elvish", Kinds: "shells",
		evaluating: evaluating{Shell: Other}, Style: Stop, Operands: "exec data*", Input: RoleText,
		Options: shellReads + shellOptions + " commands=text execute=text"},
	{Names: "fish", Kinds: "speaks=fish unfed?:c", evaluating: evaluating{Shell: Other},
		Startup: Startup{Always: ".config/fish/config.fish"}, Style: Stop,
		Operands: "exec data*", Input: RoleText,
		Options: help + "h~ v~ c,command=text C,init-command=text d,debug= o,debug-output=write f,features= " +
			"i,interactive l,login n,no-execute N,no-config p,profile=write profile-startup=write P,private " +
			"D,debug-stack-frames= print-debug-categories~ print-rusage-self"},
	{Names: "python python3 python2 pythonw py pypy ipython jython micropython",
		Kinds: "ipython:magics python:deletes-queues?>-m>celery>purge " +
			"python:resets-databases?>manage.py>flush,>manage.py>reset_db,>manage.py>migrate>_>zero " +
			"python:resets-databases?~manage.py&flush,reset_db,sqlflush " +
			"python:breaks-packages?install,uninstall,sync&--break-system-packages,--system,--prefix=/usr,--prefix=/usr/local," +
			"--target=/usr/lib python:publishes-py?:m=twine,:m=flit,:m=poetry,:m=hatch,:m=pdm,:m=maturin&upload,publish",
		Same:      "python3 python2 pythonw py",
		Variables: "BROWSER! PYTHONSTARTUP!python PYTHONPATH!path:sitecustomize.py,usercustomize.py",
		Tells:     "python:--version,--help,-V", Loads: "-i -c --command --execute",
		evaluating: evaluating{Language: Python}, Style: Stop,
		Operands: "exec data*", Input: RoleCode,
		Options: "help~ version~ V~ h~ c=code! m=exec! W= X= b B d E i I O q s S u v x P Q=",
		Verbs:   pythonModules},
	{Names: "node nodejs tsx ts-node zx qjs", Kinds: "tsx,ts-node:strips nodejs:shared", Same: "nodejs",
		Variables: "NODE_OPTIONS!node",
		Tells:     "node,nodejs:--version,--help,-v",
		Loads: "-r --require --import --loader --experimental-loader -i --interactive --env-file " +
			"--env-file-if-exists --inspect --inspect-brk --inspect-port",
		evaluating: evaluating{Language: JavaScript}, Style: Stop, Operands: "exec data*", Input: RoleCode,
		Options: nodeOptions},
	{Names: "bun", Kinds: "forges fetches-code?run,exec,x,-x,install,--from,eval,tool " +
		"picks-index?--registry,--index-url,--extra-index-url,:index-url,:extra-index-url,:registry,:default-index," +
		"^--index-url=,^--extra-index-url=,^--registry=,^--default-index= " +
		"picks-index?set&registry,global.index-url,global.extra-index-url,script-shell,^registry=,^script-shell= " +
		"installs-globally?:g,:global,:location,-g,--global&>install,>i,>add,>update,>up,>upgrade,>link,>uninstall,>remove," +
		">rm,>un publishes-js?>publish,>npm>publish,>release>publish lines=scripts default=package.json", Tells: tells,
		Loads: "-e --eval -p --print -i --interactive -r --require --preload --import --inspect --inspect-brk " +
			"upgrade repl",
		Packages: Library, handing: handing{Runner: "exec x dlx", Hands: "run run-script exec x dlx ."},
		evaluating: evaluating{Language: JavaScript},
		Style:      Stop, Operands: "exec data*", Input: RoleCode, Options: nodeOptions},
	{Names: "deno", Kinds: "hands=task fetches-code?run,exec,x,-x,install,--from,eval,tool " +
		"installs-globally?>install,>uninstall&-g,--global " +
		"publishes-js?>publish&!--dry-run", Tells: tells + " -V", commanding: commanding{Rough: true},
		Loads: "--unsafely-ignore-certificate-errors --v8-flags", Packages: Library,
		evaluating: evaluating{Language: JavaScript}, Style: Stop, Operands: "exec data*", Input: RoleCode,
		Options: nodeOptions,
		Verbs: []*Program{{Names: "eval", evaluating: evaluating{Language: JavaScript}, Operands: "code " +
			"data*", Options: nodeOptions}}},
	{Names: "perl", Variables: "PERL5OPT!perl",
		Tells: tells + " -v", evaluating: evaluating{Language: Perl}, Style: Stop, Operands: "exec data*",
		Input: RoleCode,
		Options: "e=code!*read E=code!*read n p i?*write a w W X c l # s S t T u U v~ V~ h~ I= m=exec M=exec F= C? " +
			"x? d? D= f"},
	{Names: "ruby jruby irb", Kinds: "irb:default=.irbrc", Variables: "RUBYOPT!ruby",
		Tells: "ruby:--version,--help,-v", Loads: "-C", evaluating: evaluating{Language: Ruby}, Style: Stop,
		Operands: "exec data*", Input: RoleCode,
		Options: "help~ version~ e=code!*read n p i?*write a l w W? c s S v r=exec I= C=dir E= F= # K= x? T? d h~ y"},
	{Names: "php",
		Kinds: "resets-databases?>doctrine:database:drop,>doctrine:schema:drop,>_>doctrine:database:drop,>_>doctrine:schema:drop," +
			">artisan>migrate:fresh,>artisan>migrate:reset,>artisan>db:wipe,migrate:fresh,migrate:reset,db:wipe,migrate:refresh",
		Tells: tells + " -v", evaluating: evaluating{Language: PHP}, Style: Stop, Operands: "exec data*",
		Input: RoleCode,
		Options: "help~ v,version~ h~ r=code! R=code B=code E=code f,file=exec! i~ m~ l n q s w z= c=read d= a S= " +
			"t=dir",
		Verbs: []*Program{{Names: "artisan " +
			"tinker", evaluating: evaluating{Language: PHP}, Operands: "exec*", Options: help + "execute=code"}}},
	{Names: "rails", Kinds: "subs resets-databases?db:drop,db:reset,db:drop:all,db:migrate:reset,db:schema:load,db:purge", Variables: "RUBYOPT!ruby",
		NoGrant: "runner,console", Operands: "data*", Options: help + "h~",
		Verbs: []*Program{{Names: "runner,r", evaluating: evaluating{Language: Ruby}, Operands: "code " +
			"data*", Options: "e,environment= h,help~ w,skip-executor"}}},
	{Names: "manage.py django-admin", Kinds: "resets-databases?>migrate>_>zero,flush,reset_db,sqlflush",
		Operands: "data*",
		Options:  help, Verbs: []*Program{{Names: "shell,shell_plus", evaluating: evaluating{Language: Python}, Operands: "data*", Options: djangoShell}}},
	{Names: "lua luajit", Variables: "LUA_INIT!lua", Tells: tells, evaluating: evaluating{Language: Lua}, Style: Stop,
		Operands: "exec data*",
		Input:    RoleCode, Options: "e=code l= i v~ E W"},
	{Names: "osascript", Kinds: "powers=events tongues scripts-windows", evaluating: evaluating{Language: AppleScript},
		Style: Stop, Operands: "exec data*",
		Input: RoleCode, Options: "e=code! l= i s="},
	{Names: "pwsh powershell", Same: "powershell", evaluating: evaluating{Language: powerShell}, NoGrant: "*",
		asking: asking{Network: "*"}, Style: Words, Operands: "code",
		Options: "Command=code c=code File=exec f=exec EncodedCommand=code NoProfile NonInteractive ExecutionPolicy="},
	{Names: "make gmake remake", Same: "gmake remake",
		Kinds:     "builds make:dir=C goals starts-files runs-settings default=GNUmakefile,makefile,Makefile",
		Variables: "MAKEFLAGS!word GNUMAKEFLAGS!word MAKEFILES!options:-f",
		Tells:     tells, Loads: "- -f- -E --eval -e --environment-overrides install install-strip uninstall SHELL " +
			".SHELLFLAGS MAKEFLAGS GNUMAKEFLAGS MAKEFILES MAKE",
		Operands: "data*",
		Options: "h,help~ v,version~ B,always-make C,directory=dir d debug? e,environment-overrides E,eval=code " +
			"f,file,makefile=exec i,ignore-errors I,include-dir=read j,jobs? k,keep-going l,load-average? " +
			"n,just-print,dry-run,recon o,old-file= O,output-sync? p,print-data-base q,question r,no-builtin-rules R " +
			"s,silent,quiet S t,touch trace w,print-directory W="},

	// Files.
	{Names: "rm", Kinds: "deletes itself quiet",
		Inside: &Inside{Manner: "removes", Options: "r R recursive f force v verbose d dir"},
		Tells:  tells, Touches: NamedFiles, Operands: "delete*",
		Options: help + "f,force i I interactive? one-file-system no-preserve-root preserve-root? r,R,recursive " +
			"d,dir v,verbose P x W"},
	{Names: "rmdir", Kinds: "deletes spoils spares quiet",
		Inside: &Inside{Manner: "removes", Check: "emptied", Options: "v verbose ignore-fail-on-non-empty"},
		Tells:  tells, Touches: Named, Operands: "delete*",
		Options: help + "ignore-fail-on-non-empty p,parents v,verbose"},
	{Names: "link", Kinds: "alias=name", copying: copying{Links: "."}, Touches: NamedFiles, Operands: "read write",
		Options: help},
	{Names: "unlink", Kinds: "deletes",
		Inside: &Inside{Manner: "removes"},
		Tells:  tells, Touches: NamedFiles, Operands: "delete", Options: help},
	{Names: "shred", Kinds: "deletes overwrites",
		Tells: tells, Touches: NamedFiles, Operands: "delete*",
		Options: help + "f,force n,iterations= random-source=read s,size= u remove? v,verbose x,exact z,zero"},
	{Names: "truncate", Kinds: "empties",
		Inside: &Inside{Manner: "puts", Options: "s size c no-create"},
		Tells:  tells, Touches: NamedFiles, Operands: "write*",
		Options: help + "c,no-create o,io-blocks r,reference=read s,size="},
	{Names: "cp", Kinds: "alias=copy whole?:parents quiet",
		Inside: &Inside{Manner: "into", Plants: true, Deep: "r R recursive a archive", Options: "r R recursive a " +
			"archive f force v verbose p preserve n no-clobber u update T no-target-directory t target-directory"},
		Tells: tells, copying: copying{Links: "link", Into: true}, Touches: Named, Operands: "read* write",
		Options: help + "a,archive attributes-only backup? b copy-contents d f,force i,interactive H l,link " +
			"L,dereference n,no-clobber P,no-dereference p preserve? no-preserve= parents R,r,recursive reflink? " +
			"remove-destination sparse= strip-trailing-slashes s,symbolic-link S,suffix= t,target-directory=write! " +
			"T,no-target-directory u update? v,verbose x,one-file-system Z context? debug c"},
	{Names: "mv", Kinds: "replaces quiet",
		Inside: &Inside{Manner: "into", Plants: true, Options: "f force n no-clobber v verbose u update T " +
			"no-target-directory t target-directory"},
		Tells: tells, listing: listing{Recursive: true}, Touches: Named, copying: copying{Into: true},
		Operands: "move* write",
		Options: help + "backup? b debug exchange f,force i,interactive n,no-clobber no-copy strip-trailing-slashes " +
			"S,suffix= t,target-directory=write! T,no-target-directory u update? v,verbose Z,context"},
	{Names: "install", Kinds: "replaces",
		Inside: &Inside{Manner: "into", Options: "m mode d directory D v verbose C compare p preserve-timestamps T " +
			"no-target-directory t target-directory"},
		Tells: tells, Touches: Named, copying: copying{Into: true}, Operands: "read* write",
		Options: help + "backup? b C,compare c d,directory!*write D g,group= m,mode= o,owner= p,preserve-timestamps " +
			"s,strip strip-program=exec S,suffix= t,target-directory=write! T,no-target-directory v,verbose Z " +
			"context?"},
	{Names: "ln", Kinds: "replaces alias=name quiet",
		Inside: &Inside{Manner: "puts", Check: "linksInside", Plants: true, Options: "s symbolic v verbose n " +
			"no-dereference T no-target-directory r relative"},
		Tells: tells, copying: copying{Links: ".", LinksNot: "symbolic", Into: true}, Touches: Named,
		Operands: "read* write",
		Options: help + "backup? b d F,directory f,force i,interactive L,logical n,no-dereference P,physical " +
			"r,relative s,symbolic S,suffix= t,target-directory=write! T,no-target-directory v,verbose h"},
	{Names: "mkdir", Kinds: "quiet",
		Inside: &Inside{Manner: "creates", Options: "p parents v verbose m mode"},
		Tells:  tells, Touches: Named, Operands: "write*", Options: help + "m,mode= p,parents v,verbose Z context?"},
	{Names: "mkfifo mknod", Kinds: "replaces mknod:alias=node", Tells: tells, Operands: "write data*",
		Options: help + "m,mode= Z context?"},
	{Names: "touch", Kinds: "quiet",
		Inside: &Inside{Manner: "creates", Options: "a c no-create d date m t r reference"},
		Tells:  tells, Touches: NamedFiles, Operands: "write*",
		Options: help + "a c,no-create d,date= f h,no-dereference m r,reference=read t= time="},
	{Names: "tee sponge", Kinds: "tee:passes=all tees tee:output=file tee:conducts",
		Inside: &Inside{Manner: "puts", Under: "appends a append", Options: "a append i ignore-interrupts p"},
		Tells:  tells, Output: Contents, Touches: NamedFiles, Operands: "write*",
		Options: help + "a,append i,ignore-interrupts p output-error?"},
	{Names: "dd", Kinds: "output=filter writes-over", Tells: tells, Output: Contents, Style: Pairs, Operands: "data*"},
	{Names: "chmod", Kinds: "alters=mode quiet",
		Inside: &Inside{Manner: "creates", Check: "plainChmod", Under: "removes R recursive", Options: "c changes f " +
			"silent quiet v verbose R recursive"},
		Tells: tells, Touches: Named, Operands: "data alter*",
		Options: help + "c,changes f,silent,quiet v,verbose no-preserve-root preserve-root reference=read! " +
			"R,recursive H L P x! w! r! X! s! t! u! g! o! a!"},
	{Names: "chown chgrp", Kinds: "alters=owner chown:quiet owns", Tells: tells, Touches: Named,
		Operands: "data alter*",
		Options: help + "c,changes f,silent,quiet v,verbose dereference h,no-dereference from= no-preserve-root " +
			"preserve-root reference=read! R,recursive H L P"},
	{Names: "chattr", Kinds: "edits alters=attributes",
		Tells: tells, Style: GNU, Operands: "data alter*",
		Options: "R V f v= p= a! A! c! C! d! D! e! F! i! j! m! P! s! S! t! T! u! x!"},
	{Names: "setfacl", Kinds: "alters=access opens-acl?:modify,:modify-file,:set,:set-file,:restore,:recursive,:M,:m",
		Tells:    tells,
		Operands: "alter*",
		Options: help + "b,remove-all k,remove-default m,modify= M,modify-file=read x,remove= X,remove-file=read " +
			"R,recursive d,default n s,set= S,set-file=read restore=read t,test~ L,logical P,physical"},
	{Names: "rsync",
		Kinds: "replaces packs-away?:remove-source-files,:remove-sent-files&!:n,:dry-run slashes copies=host " +
			"rehearses?:dry-run,:list-only whole?:relative names?:T,:files-from",
		Variables: "RSYNC_RSH! RSYNC_CONNECT_PROG!",
		Tells:     tells, listing: listing{Recursive: true},
		asking: asking{Channel: Files, Network: "*", Away: true},
		copying: copying{Mirrors: "del delete delete-before delete-during delete-delay delete-after " +
			"delete-excluded", MirrorsNot: "n dry-run list-only", Into: true},
		Operands: "read* write",
		Options: help + "v,verbose q,quiet a,archive r,recursive R,relative b,backup backup-dir=write suffix= " +
			"u,update inplace append l,links L,copy-links H,hard-links p,perms E,executability chmod= A,acls " +
			"X,xattrs o,owner g,group D t,times O,omit-dir-times S,sparse n,dry-run W,whole-file x,one-file-system " +
			"B= e,rsh=text rsync-path=text existing ignore-existing remove-source-files del delete delete-before " +
			"delete-during delete-delay delete-after delete-excluded ignore-errors force max-delete= max-size= " +
			"min-size= partial partial-dir=write P,progress prune-empty-dirs m numeric-ids timeout= contimeout= " +
			"I,ignore-times size-only T,temp-dir=write y,fuzzy compare-dest=read copy-dest=read link-dest=read " +
			"z,compress compress-level= C,cvs-exclude f,filter= F exclude= exclude-from=read include= " +
			"include-from=read files-from=read 0,from0 s,protect-args address= port= stats 8 h,human-readable " +
			"i,itemize-changes out-format= log-file=write password-file=read list-only bwlimit= M,remote-option= " +
			"4,ipv4 6,ipv6 info= debug= mkpath"},
	{Names: "scp", Kinds: "copies=host lines=proxies", asking: asking{Channel: Files, Network: "*", Away: true},
		copying: copying{Into: true}, Operands: "read* write",
		Options: "3 4 6 A B C D=text c= F=read i=read J=host l= o=config O P= p q r,recursive S=text T v X="},
	{Names: "sftp", Kinds: "queries copies=host transfers=batch lines=proxies",
		commanding: commanding{Commands: transferCommands}, asking: asking{Client: Host, Channel: Files},
		Operands: "host write",
		Options:  "4 6 A a C f N p q r v B= b=read c= D=text F=read i=read J=host l= o=config P= R= S=text s= X="},
	{Names: "uudecode", Kinds: "decodes", Operands: "read*", Options: help + "o,output-file=write c i r"},
	{Names: "zip", Kinds: "packs-away?:m,:move names?:@,:names-stdin", Secrets: "P",
		Inside: &Inside{Manner: "puts", Check: "zips", Options: "r recurse-paths q quiet 9 0 1 j x i y symlinks"},
		Tells:  tells, Output: encoded, Operands: "write read*",
		Options: "r,recurse-paths q,quiet m,move*move O,output-file=write u,update d,delete e,encrypt P= x= i= " +
			"j,junk-paths 9 0 1 v T,test TT,unzip-command=text y"},
	{Names: "7z 7za 7zr 7zz", Kinds: "7z:deletes2?-sdel packs-away?-sdel", Same: "7za 7zr 7zz", Secrets: "p+",
		listing: listing{Recursive: true}, Output: encoded, Subs: []*Program{
			{Names: "x e", filling: filling{Fills: "o"}, Operands: "read data*",
				Options: "o=dir y a? p? r? x? i? t= so~"},
			{Names: "a u d", Operands: "write read*", Options: "o=dir y p? r? x? i? t= mx= sdel*move"},
			{Names: "l t h i b", Operands: "data*", Options: "p? r? x? i? t="},
		}},
	{Names: "unrar rar", Kinds: "rar:deletes2?m,-df rar:packs-away?1=m,1=mf,-df,-dr,-dw", Secrets: "p+",
		Subs: []*Program{{Names: "x e", filling: filling{Fills: "."}, Operands: "read data*", Options: "o? y p? r x? " +
			"n? inul"},
			{Names: "l t v lb lt vt p", Operands: "data*", Options: "p? inul"}}},
	{Names: "cpio", Kinds: "dumps names",
		Tells: tells, Output: encoded,
		filling:  filling{Fills: "D", FillsIf: "extract pass-through", FillsNot: "t to-stdout"},
		Operands: "data*",
		Options: help + "i,extract o,create p,pass-through@write t,list D,directory=dir d,make-directories " +
			"v,verbose m,preserve-modification-time u,unconditional F,file=write I=read O=write H,format= 0,null a A " +
			"B b c C= E=read f k l,link L M= n R,owner= r s S to-stdout no-absolute-filenames absolute-filenames " +
			"quiet"},
	{Names: "apply_patch applypatch", Kinds: "patches",
		Inside:   &Inside{Names: "apply_patch", Manner: "edits", Check: "patchesFiles"},
		Operands: "data*"},
	{Names: "patch", Kinds: "edits dir=d first patches",
		Inside: &Inside{Check: "patches", Options: "p strip s silent quiet N forward"},
		Tells:  tells, filling: filling{Fills: "d", FillsNot: "dry-run C check o output"}, Operands: "write read",
		Options: help + "p,strip= i,input=read o,output=write d,directory=dir r,reject-file=write b,backup B,prefix= " +
			"z,suffix= V,version-control= Y,basename-prefix= c,context e,ed n,normal u,unified D,ifdef= " +
			"E,remove-empty-files f,force F,fuzz= g,get= l,ignore-whitespace N,forward R,reverse s,quiet,silent " +
			"t,batch T,set-time Z,set-utc verbose dry-run C,check posix binary merge? follow-symlinks quoting-style= " +
			"reject-format= read-only= backup-if-mismatch no-backup-if-mismatch"},
	{Names: "split", Kinds: "hands-on", Tells: tells, Loads: "--filter", Operands: "read write",
		Options: help + "a,suffix-length= additional-suffix= b,bytes= C,line-bytes= d numeric-suffixes? x " +
			"hex-suffixes? e,elide-empty-files filter=text l,lines= n,number= t,separator= u,unbuffered verbose #"},
	{Names: "csplit", Tells: tells, Operands: "read data*",
		Options: help + "b,suffix-format= f,prefix=write k,keep-files suppress-matched n,digits= s,quiet,silent " +
			"z,elide-empty-files"},
	{Names: "mktemp", Kinds: "dir=p output=temporary",
		Tells: tells, filling: filling{Fills: "p tmpdir", FillsIf: "p tmpdir"}, Operands: "write",
		Options: help + "d,directory u,dry-run~ q,quiet p=dir tmpdir?dir suffix= t V"},

	// Reading.
	{Names: "eza exa", Kinds: "eza:flat", Same: "exa", Tells: tells, Operands: "read*",
		Options: help + "a,all A,almost-all author b,escape block-size= B,ignore-backups c C color? d,directory " +
			"D,dired f F classify? file-type format= full-time g group-directories-first G,no-group h,human-readable " +
			"si H dereference-command-line-symlink-to-dir hide= hyperlink? i,inode I,ignore= indicator-style= " +
			"k,kibibytes l L,dereference m n,numeric-uid-gid N,literal o p q,hide-control-chars show-control-chars " +
			"Q,quote-name quoting-style= r,reverse R,recursive s,size S sort= t time= time-style= T,tabsize= u U v " +
			"w,width= x X Z,context zero 1"},
	{Names: "zgrep", Kinds: "inverts tests", Operands: "data read*",
		Options: "help~ V,version~ E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp=! " +
			"f,file=read! i,y,ignore-case no-ignore-case v,invert-match w,word-regexp x,line-regexp c,count " +
			"color,colour? L,files-without-match l,files-with-matches m,max-count= o,only-matching q,quiet,silent " +
			"s,no-messages b,byte-offset H,with-filename h,no-filename label= n,line-number T,initial-tab Z,null " +
			"A,after-context= B,before-context= C,context= # a,text binary-files= D,devices= d,directories= exclude= " +
			"exclude-from=read exclude-dir= I include= r,recursive R,dereference-recursive line-buffered U,binary " +
			"z,null-data u"},
	{Names: "ag", Kinds: "searches",
		listing:  listing{Paths: "l L g", Walk: Walk{Hidden: "hidden u unrestricted a all-types"}, Recursive: true},
		Operands: "data read*", Options: "pager=text help~ version~ i l c n A= B= C= G= g=! w v Q s S r R H h o"},
	{Names: "ack ugrep ug", listing: listing{Paths: "l L g f", Recursive: true}, Operands: "data read*",
		Options: "pager=text help~ version~ f! i l L c n A= B= C= G= g=! w v Q s S r R H h o"},
	{Names: "locate plocate mlocate slocate", Kinds: "index",
		listing:  listing{Paths: ".", PathsNot: "c n l limit S", Recursive: true},
		Operands: "data*",
		Options: "help~ version~ A,all b,basename c,count d,database=read e,existing i,ignore-case l,n,limit= " +
			"q,quiet r regexp regex w,wholename 0,null S,statistics"},
	{Names: "colordiff", Operands: "read*",
		Options: help + "q,brief s,report-identical-files c C,context= u U,unified= e,ed n,rcs y,side-by-side " +
			"W,width= left-column suppress-common-lines p,show-c-function F,show-function-line= label= t,expand-tabs " +
			"T,initial-tab tabsize= l,paginate r,recursive no-dereference N,new-file unidirectional-new-file " +
			"ignore-file-name-case x,exclude= X,exclude-from=read S,starting-file= from-file=read to-file=read " +
			"i,ignore-case E,ignore-tab-expansion Z,ignore-trailing-space b,ignore-space-change w,ignore-all-space " +
			"B,ignore-blank-lines I,ignore-matching-lines= a,text strip-trailing-cr D,ifdef= d,minimal " +
			"horizon-lines= speed-large-files color? palette= output= suppress-blank-empty"},
	{Names: "tsort", Operands: "read*",
		Options: help + "D= F= I= L= M= S= a b c d e f= g= h i= j= k l m n= o= p= q r s t= v w= x= A= N= J"},
	{Names: "less most", Kinds: "pages", Variables: "EDITOR! VISUAL! LESSOPEN!filter LESSCLOSE!filter LESS!options",
		Tells: "less:--version", Output: Contents, commanding: commanding{Commands: pagerCommands}, Operands: "read*",
		Options: help + "N n S R F X i I e E p= t= o=write O=write k=exec #"},
	{Names: "more", Kinds: "pages", Variables: "EDITOR! VISUAL! LESSOPEN!filter LESSCLOSE!filter", Output: Contents,
		commanding: commanding{Commands: pagerCommands}, Operands: "read*",
		Options: help + "V d,silent l,logical e,exit-on-eof f,no-pause p,print-over c,clean-print s,squeeze u,plain " +
			"n,lines= #"},
	{Names: "bat batcat", Same: "batcat", Variables: "PAGER! BAT_PAGER!",
		Tells: "--version", Output: Contents, Operands: "read*",
		Options: help + "N n A,show-all p,plain l,language= P r,line-range= H,highlight-line= style= paging= " +
			"pager=text color= theme= file-name= d,diff"},
	{Names: "view rview gview rgview eview vimdiff gvimdiff", Output: Contents,
		commanding: commanding{Commands: exCommands, Rough: true, Saves: savesEditor}, NoGrant: "*", Operands: "read*",
		Options: help + "c= s=exec S=exec e E R n u= N p? o? O? b d"},
	{Names: "ed red", Kinds: "inserts", showing: showing{Edits: true},
		commanding: commanding{Commands: exCommands, Saves: savesEditor}, NoGrant: "*",
		Operands: "write*", Options: help + "c= p= prompt= s,quiet,silent v,verbose l,loose-exit-status r,restricted " +
			"G,traditional E R n u="},
	{Names: "ex", Kinds: "inserts", showing: showing{Edits: true},
		commanding: commanding{Commands: exCommands, Rough: true, Saves: savesEditor},
		NoGrant:    "*", Operands: "write*",
		Options: help + "c= p= prompt= s,quiet,silent v,verbose l,loose-exit-status r,restricted G,traditional E R n " +
			"u="},
	{Names: "vi vim nvim gvim rvim evim rgvim mvim vimx neovim",
		Kinds:   "vim,nvim:queries vi,vim,nvim,gvim:types?>--remote-send,>--remote-expr,>--remote-ui",
		showing: showing{Edits: true}, commanding: commanding{Commands: exCommands, Rough: true, Saves: savesEditor},
		NoGrant: "*", Operands: "write*",
		Options: help + "c= s=exec S=exec e E R n u= N p? o? O? b"},
	{Names: "nano", Tells: tells, showing: showing{Edits: true}, commanding: commanding{Saves: savesEditor},
		NoGrant: "*", Operands: "write*",
		Options: help + "c= s=exec S=exec e E R n u= N p b"},
	{Names: "emacs xemacs", Kinds: "queries",
		showing: showing{Edits: true}, commanding: commanding{Rough: true, Saves: savesEditor}, NoGrant: "*",
		Operands: "write*",
		Options:  help + "c= s=exec S=exec e E R n u= N p b"},
	{Names: "man", Variables: "PAGER! MANPAGER! MANOPT! BROWSER! LESSOPEN!filter LESSCLOSE!filter",
		Loads: "-P --pager -H --html", Operands: "data*",
		Options: help + "P,pager=text H,html?text C,config-file=read k,apropos f,whatis w,where,path M,manpath= " +
			"L,locale= S,s,sections= K a l,local-file*read t T?"},
	{Names: "pushd popd", Kinds: "pushd:moves=push popd:moves=pop pushd:quiet",
		Style: GNU, Touches: Named, Operands: "dir", Options: "L P e n #",
		Reads: &Reading{Free: true, Max: 1, Source: "bash(1) 5.2",
			Proved: []string{"pushd src && ls && popd", "pushd src > /dev/null; popd > /dev/null", "pushd src && " +
				"pushd ../b && popd && popd"},
			Not: []string{"pushd", "pushd +1", "pushd -n src", "popd +1", "pushd a > f"},
		}},
	{Names: "top htop", Kinds: "top:uses=screen top:output=processes", Style: Plain, Operands: "data*"},

	// Processes, services, power.
	{Names: "kill", Kinds: "powers=signals ends=numbers flow=perhaps", Style: Plain, Operands: "data*"},
	{Names: "killall", Kinds: "ends=names ends-many?:u,:user,:r,:regexp", Tells: tells, Operands: "data*",
		Options: help + "e,exact I,ignore-case g,process-group y,younger-than= o,older-than= i,interactive l,list " +
			"n,ns= q,quiet r,regexp s,signal= " +
			"u,user= v,verbose w,wait Z,context= t= c= # 9 15 1 2 K L T E H"},
	{Names: "pkill", Kinds: "ends=patterns ends-many?:u,:U,:euid,:uid", Tells: tells, Operands: "data*",
		Options: help + "f,full x,exact u,euid,user= U,uid= g,pgroup= G,group= P,parent= s,session= t,terminal= " +
			"n,newest o,oldest O,older= l,list-name a,list-full c,count v,inverse i,ignore-case e,echo signal= " +
			"w,wait I,interactive q,quiet r,regexp # 9 15 1 2 K L T E H"},
	{Names: "killall5", Kinds: "ends=everything", Operands: "data*", Options: "o= # h~"},
	{Names: "shutdown", Kinds: "powers?!:c,:k,:show&!/a timed", Operands: "data*",
		Options: "help~ H,halt P,poweroff r,reboot h k c no-wall f F n t="},
	{Names: "reboot poweroff halt", Kinds: "powers?!:w",
		Options: "help~ version~ p,poweroff reboot halt f,force w,wtmp-only~ d,no-wtmp n,no-sync no-wall i"},
	{Names: "init telinit", Kinds: "powers?#1&!#4&$=0,$=6", Operands: "data", Options: "help~ no-wall"},
	{Names: "systemctl", Kinds: "powers=units ends=units " +
		"stops-services?@stop,@disable,@mask,@kill,@reset-failed,@revert " +
		"changes-services?@start,@restart,@reload,@enable,@reenable,@unmask,@try-restart,@reload-or-restart,@daemon-reexec," +
		"@daemon-reload,@edit,@set-property,@set-default,@preset,@link,@set-environment,@import-environment " +
		"ends-session?@rescue,@emergency,@suspend,@hibernate,@hybrid-sleep,@suspend-then-hibernate,@exit,@switch-root " +
		"ends-session?@isolate&#2", Variables: "PAGER! SYSTEMD_PAGER! EDITOR! VISUAL! SYSTEMD_EDITOR!",
		Tells: "--version", NoGrant: "*", Operands: "data*",
		Options: "h,help~ version~ t,type= state= p,property= P= a,all l,full r,recursive reverse after before " +
			"with-dependencies job-mode= i,ignore-inhibitors signal= s= what= kill-whom= now f,force no-wall " +
			"message= root=dir n,lines= o,output= plain q,quiet no-block wait runtime no-reload no-legend no-pager " +
			"no-ask-password user system global H,host=host M,machine= preset-mode= when= firmware-setup " +
			"boot-loader-menu= timestamp= dry-run~ check-inhibitors=",
		Subs: []*Program{
			{Names: "isolate start stop restart status is-active show cat enable disable mask kill", Operands: "data*"},
			{Names: "poweroff reboot halt kexec rescue emergency suspend hibernate soft-reboot switch-root exit",
				Operands: "data*"},
		}},
	{Names: "loginctl", Kinds: "powers=sessions ends=sessions ends-session?@suspend,@hibernate,@lock-sessions " +
		"changes-accounts?@kill-user,@terminate-user,@enable-linger,@kill-session,@terminate-session",
		Variables: "PAGER! SYSTEMD_PAGER!",
		Operands:  "data*", Options: help + "no-pager H,host=host M,machine=",
		Subs: []*Program{{Names: "poweroff reboot halt suspend hibernate kill-session kill-user terminate-session " +
			"terminate-user list-sessions", Operands: "data*"}}},
	{Names: "crontab fcrontab", Variables: "EDITOR! VISUAL!",
		commanding: commanding{Commands: cronCommands}, NoGrant: "*", Operands: "read", Options: "u= e l~ r i s n="},
	{Names: "at batch", Kinds: "unfed?:f,:l,:r,:c plans-jobs?#1&!:l,:c", NoGrant: "*", Operands: "data*",
		Input:   RoleText,
		Options: "f=exec l~ q= d= r= c= m M t= v"},

	// Disks.
	{Names: "mkfs mke2fs mkswap newfs mkdosfs mkntfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.ext4dev mkfs.xfs mkfs.btrfs " +
		"mkfs.bcachefs mkfs.vfat mkfs.fat mkfs.msdos mkfs.ntfs mkfs.f2fs mkfs.exfat mkfs.minix mkfs.cramfs mkfs.jfs " +
		"mkfs.reiserfs mkfs.bfs mkfs.udf mkfs.nilfs2 mkfs.hfs mkfs.hfsplus mkfs.apfs mkfs.zonefs mkfs.gfs2 " +
		"mkfs.ocfs2 mkfs.erofs",
		Kinds: "formats newfs:bare mke2fs,mkfs.ext2,mkfs.ext3,mkfs.ext4,mkfs.ext4dev,mkfs.ntfs,mkntfs,mkfs.nilfs2,mkfs.ocfs2:looks?:n,:no-action,:dry-run mkfs:looks?:n&!:t mkfs:looks?:n&:t=ext2,:t=ext3,:t=ext4,:t=ntfs mkfs.xfs,newfs:looks?-N mkfs:loud",
		Tells: "mkswap:--version,--help", NoGrant: "*", Operands: "write data*",
		Options: "help~ V,version~ h~ t,type= v,verbose L,label= U,uuid= F f,force q c n m= N= O= E= b= i= j I= J= " +
			"T= d=read s= p K M= R= r= G= g= S P"},
	{Names: "wipefs", Kinds: "wipes?:a,:o&!:n looks?!:all,:offset looks?:no-act",
		Tells: tells, NoGrant: "*", Operands: "write*",
		Options: "h,help~ V,version~ a,all b,backup f,force i,noheadings J,json l lock? n,no-act o,offset= O,output= " +
			"p,parsable q,quiet t,types="},
	{Names: "blkdiscard", Kinds: "wipes",
		Tells: tells, Operands: "write",
		Options: "h,help~ V,version~ f,force l,length= o,offset= p,step= s,secure v,verbose z,zeroout"},
	{Names: "sfdisk", Kinds: "wipes?!:n,:V&!:l,:d,:D,:J,:s,:F&< wipes?!:n,:V&--delete " +
		"looks?:list,:dump,:json,:no-act,:verify",
		Tells: tells, NoGrant: "*", Operands: "write data*",
		Options: "h,help~ v,version~ A,activate J,json d,dump F,list-free r,reorder V,verify T,list-types " +
			"g,show-geometry s,show-size l,list X,label= Y,label-nested= a,append b,backup bytes color? lock? delete " +
			"disk-id discard-free f,force L,Linux N,partno= n,no-act~ o,output= O,backup-file=write no-reread " +
			"no-tell-kernel move-data? part-label part-type part-uuid part-attrs q,quiet u,unit= w,wipe= " +
			"W,wipe-partitions= D,DOS E H= C= S= c G R"},
	{Names: "sgdisk gdisk fdisk cfdisk parted",
		Kinds: "fdisk,parted:devices sgdisk:wipes?!:P&:Z,:z,:o,:d,:n,:g,:l,:load-backup,:R,:replicate " +
			"parted:wipes?.mklabel,.mktable,.rm,.mkpart,.resizepart fdisk,gdisk,cfdisk:wipes?!:l,:d,:D,:J,:s,:V,:F&< " +
			"fdisk,gdisk,cfdisk:wipes?--delete " +
			"parted:looks?!.mklabel,.mktable,.mkpart,.rm,.resizepart,.set,.name,.disk_set " +
			"fdisk,gdisk,cfdisk:looks?:list,:dump,:json,:no-act,:verify sgdisk:looks?:print,:pretend,:info,:verify",
		Tells: "sgdisk,fdisk:--version,--help", NoGrant: "*", Operands: "write data*",
		Options: "help~ V,version~ h~ P,pretend Z,zap-all z,zap o,clear p,print l,list s,script n,new= d,delete= " +
			"t,typecode= c,change-name= g,mbrtogpt G u,unit= i,info= v,verify a,align= D,dump f,force b,backup= A= e " +
			"E F L w= W= m N="},
	{Names: "cryptsetup", Kinds: "blocks wipes?@luksFormat,@luksErase,@erase,@reencrypt,@luksHeaderRestore " +
		"changes-volumes?>luksKillSlot,>luksRemoveKey,>luksChangeKey,>luksAddKey",
		Tells: tells, Operands: "data*",
		Options: "help~ version~ V~ q,batch-mode y,verify-passphrase d,key-file=read S,key-slot= c,cipher= h,hash= " +
			"s,key-size= type= M=",
		Subs: []*Program{
			{Names: "luksFormat luksErase erase luksKillSlot reencrypt", Operands: "write data*"},
			{Names: "open luksOpen close luksClose status luksDump isLuks", Operands: "read data*"},
		}},
	{Names: "lvremove vgremove pvremove", Kinds: "drops?!:t,:test&#1",
		Operands: "write*", Options: "h,help~ version~ f,force y,yes t,test~ v,verbose q,quiet S,select="},
	{Names: "zpool zfs", Kinds: "zpool:blocks zpool:bare zpool:formats?@create&!:n " +
		"zpool:drops?@destroy,@labelclear&* zfs:drops=datasets " +
		"zpool:changes-volumes?>import>-F,>import>-X,>offline,>detach,>export,>remove,>split,>replace,>upgrade " +
		"zfs:changes-volumes?>rollback,>promote,>receive>-F,>recv>-F zfs:changes-volumes?@destroy&!:n",
		Operands: "data*", Options: "h,help~ version~",
		Subs: []*Program{{Names: "destroy labelclear", Operands: "data*", Options: "f r R n~ v p d"},
			{Names: "list get status create snapshot send receive scrub", Operands: "data*",
				Options: "H p o= t= r s= S= d="}}},
	{Names: "btrfs", Kinds: "drops=subvolumes " +
		"changes-volumes?>filesystem>resize,>fi>resize,>balance,>rescue,>replace,>check>--repair,>check>--init-csum-tree," +
		">check>--init-extent-tree,>subvolume>delete,>subvolume>del,>sub>delete,>sub>del,>su>del,>su>de,>device>remove," +
		">device>delete,>device>replace",
		Operands: "data*", Options: help,
		Subs: []*Program{{Names: "restore", Operands: "read write", Options: "s,snapshots x,xattr m,metadata " +
			"S,symlinks v i o t= f= u= r= d l D,dry-run path-regex= c"},
			{Names: "receive", Operands: "write", Options: "f=read e C,chroot E,max-errors= m= force-decompress dump"},
			{Names: "subvolume device filesystem balance", Operands: "data*",
				Subs: []*Program{{Names: "delete remove", Operands: "delete*", Options: "c C i= v q subvolid= " +
					"commit-after commit-each"},
					{Names: "list show create snapshot usage df", Operands: "read*"}}}}},
	{Names: "mdadm", Kinds: "blocks wipes?:zero-superblock,:C,:create " +
		"changes-volumes?>--fail,>-f,>--remove,>-r,>--stop,>-S,>--assemble>--force,>-A>--force,>--grow,>-G",
		Operands: "write*", Options: help + "zero-superblock S,stop f,fail r,remove a,add C,create A,assemble " +
			"D,detail~ E,examine~ Q,query~ v,verbose force"},
	{Names: "diskutil", Kinds: "drops=disks " +
		"changes-volumes?>repairVolume,>repairDisk,>repairvolume,>repairdisk,>resizeVolume,>apfs>resizeContainer",
		Operands: "data*", Subs: []*Program{{Names: "eraseDisk eraseVolume zeroDisk randomDisk secureErase " +
			"partitionDisk reformat", Operands: "data*"},
			{Names: "list info mount unmount mountDisk unmountDisk", Operands: "data*"},
			{Names: "apfs", Subs: []*Program{{Names: "deleteContainer deleteVolume eraseVolume", Operands: "data*"},
				{Names: "list", Operands: "data*"}}}}},
	{Names: "umount", Kinds: "changes-mounts?#1", Tells: tells, Operands: "data*",
		Options: help + "a,all f,force l,lazy R,recursive r,read-only t= v q d n"},

	// Network and other hosts.
	{Names: "mosh et", Kinds: "mosh:port=p", asking: asking{Client: SSH}, Operands: "host dashed",
		enclosing: enclosing{Context: Remote},
		Options: help + "4 6 a n p,port= ssh=text client=text server= predict= family= bind-server= no-init " +
			"no-ssh-pty local experimental-remote-ip="},
	{Names: "ssh slogin hpnssh rsh remsh autossh",
		Kinds:     "ssh:obtains=output port=p ssh,autossh:tunnels?:R,:w,-R,^-R ssh:shared ssh,autossh:lines=proxies",
		Same:      "slogin hpnssh",
		Variables: "SSH_ASKPASS! AUTOSSH_PATH!",
		Tells:     "-V", asking: asking{Client: SSH, Channel: Input}, Style: Stop, parsing: parsing{StopAt: 2},
		raising: raising{Starts: "."}, Operands: "host joined",
		enclosing: enclosing{Context: Remote},
		Options: "4 6 A a B= b= C c= D= E=write e= F=read f G g I= i=read J=host K k L= l= M m= N n O= o=config P= " +
			"p= Q=~ q R= S= s T t V~ v W=host w= X x Y y"},
	{Names: "curl", Kinds: "web=curl reroutes=k,insecure,resolve,connect-to,unix-socket " +
		"lands?:O,:remote-name,:remote-name-all",
		Secrets: "u: U: a: x@ b;", asking: asking{Service: curlService, Client: HTTP, Channel: Files},
		Loads: "-K --config", Tells: "--version -V --help", Operands: "host*",
		Options: "help? V,version~ o,output=write O,remote-name remote-name-all output-dir=write create-dirs d,data= " +
			"data-raw= data-binary= data-ascii= data-urlencode= json= F,form= form-string= T,upload-file=send " +
			"X,request= H,header= b,cookie= c,cookie-jar=write K,config=read u,user= U,proxy-user= x,proxy=host " +
			"L,location f,fail fail-with-body s,silent S,show-error v,verbose i,include I,head k,insecure " +
			"m,max-time= connect-timeout= retry= retry-delay= retry-max-time= retry-all-errors retry-connrefused " +
			"A,user-agent= e,referer= G,get w,write-out= D,dump-header=write E,cert=read key=read cacert=read " +
			"capath=read z,time-cond= C,continue-at= r,range= compressed N,no-buffer n,netrc netrc-file=read " +
			"p,proxytunnel 4,ipv4 6,ipv6 0,http1.0 http1.1 http2 http3 1 2 3 resolve= connect-to= unix-socket=write " +
			"interface= url=host trace=write trace-ascii=write stderr=write libcurl=write etag-save=write " +
			"etag-compare=read hsts=write alt-svc=write q,disable Q,quote= P= t= y= Y= j a l B g,globoff " +
			"J,remote-header-name R,remote-time Z,parallel max-redirs= limit-rate= oauth2-bearer= aws-sigv4= " +
			"no-progress-meter # progress-bar location-trusted"},
	{Names: "wget", Kinds: "web=wget reroutes=no-check-certificate config=useaskpass " +
		"lands?!:O,:output-document,:spider",
		Secrets: "u: U: a: x@ b;", Variables: "SSH_ASKPASS! WGET_ASKPASS!",
		Tells: tells, asking: asking{Service: wgetService, Client: HTTP, Channel: Files},
		Loads: "-e --execute --config", Operands: "host*",
		Options: help + "O,output-document=write o,output-file=write a,append-output=write P,directory-prefix=write " +
			"i,input-file=read q,quiet v,verbose nv S,server-response spider c,continue N,timestamping t,tries= " +
			"T,timeout= w,wait= U,user-agent= header= method= body-data= body-file=send post-data= post-file=send " +
			"r,recursive l,level= k,convert-links p,page-requisites m,mirror np,no-parent nc nd nH A,accept= " +
			"R,reject= D,domains= e,execute=config no-check-certificate save-cookies=write load-cookies=read " +
			"use-askpass=text x 4 6 b content-disposition"},
	{Names: "websocat", Kinds: "relays",
		asking: asking{Client: Host, Channel: Input}, Operands: "host*",
		Options: "h,help~ V,version~ b,binary t,text n E,exit-on-eof 1,one-message k,insecure H,header= v q"},
	{Names: "telnet", Kinds: "keys pipes-to-port", commanding: commanding{Commands: transferCommands},
		asking:   asking{Client: Host, Channel: Input},
		Operands: "host data*", Options: "4 6 8 E K L X= a c d e= k= l= n=write r x"},
	{Names: "mail mailx s-nail", commanding: commanding{Commands: mailCommands},
		asking: asking{Channel: Input, Network: "*"}, Operands: "data*",
		Options: help + "A,a,attach=send q=send s,subject= b,bcc= c,cc= r= f? u= S= n i v t E M="},
	{Names: "mutt neomutt", commanding: commanding{Commands: mailCommands},
		asking: asking{Channel: Input, Network: "*"}, Operands: "data*",
		Options: "h~ v~ a=send i=send H=send s= b= c= e= F=read f= m= n p x z Z D"},
	{Names: "sendmail msmtp ssmtp", asking: asking{Channel: Input, Network: "*"}, Operands: "data*",
		Options: "help~ version~ t i a,account= f,from= F= C,file=read o? b? v d debug host=host q?"},
	{Names: "swaks", asking: asking{Network: "*", Channel: Files}, Style: Words, Operands: "data*",
		Options: "help~ version~ to= from= server=host s=host attach=send attach-body=send body=send data=send h= " +
			"header= au= ap= auth-user= auth-password= tls"},
	{Names: "pastebinit", asking: asking{Network: "*", Channel: Input}, Operands: "send*",
		Options: "h,help~ v,version~ l~ i=send b=host a= t= f= u= p= P= E V"},
	{Names: "croc", Kinds: "copies=any", asking: asking{Network: "*", Channel: Files},
		Options: "h,help~ version~ yes overwrite pass= relay=host out=write debug no-compress",
		Subs:    []*Program{{Names: "send", Operands: "send*", Options: "h,help~ c,code= t,text= zip hash= ask"}}},
	{Names: "wormhole magic-wormhole wormhole-william", Kinds: "wormhole:copies=any", Same: "magic-wormhole",
		asking:  asking{Network: "*", Channel: Files},
		Options: "h,help~ version~ relay-url=host appid= dump-timing=write tor",
		Subs: []*Program{{Names: "send", Operands: "send*", Options: "h,help~ c,code-length= code= text= " +
			"hide-progress ignore-unsendable-files verify"},
			{Names: "receive recv rx", Operands: "data*", Options: "h,help~ o,output-file=write accept-file"}}},
	{Names: "transfer onionshare-cli", asking: asking{Network: "*", Channel: Files}, Operands: "send*",
		Options: "h,help~ v~ version~ receive~ website website-dir= chat~ local-only title= persistent=write public " +
			"auto-stop-timer= verbose"},
	{Names: "ffsend", asking: asking{Network: "*", Channel: Files}, Options: "h,help~ v~ version~",
		Subs: []*Program{{Names: "upload u", Operands: "send*", Options: "p,password? a,archive h,host=host n,name= " +
			"d,downloads= e,expiry-time= q,quiet I y"},
			{Names: "download d delete info exists version receive", Operands: "data*"}}},
	{Names: "nc ncat netcat", Kinds: "nc,ncat:relays ncat:hands=value nc:probes?:z keys listens pipes-to-port",
		Same:   "netcat",
		asking: asking{Client: Host, Channel: Input}, Operands: "host data*",
		Options: "h,help~ l,listen! k,keep-open n,nodns u,udp v,verbose w,wait= p,source-port= s,source= z e=text " +
			"c=text sh-exec=text exec=text lua-exec=exec U,unixsock N q= x=host X= 4 6 d b r t C,crlf D S " +
			"i,idle-timeout= I= O= P= T= M= m,max-conns= o,output=write proxy=host proxy-type= proxy-auth= ssl " +
			"ssl-verify send-only recv-only"},
	{Names: "socat", Kinds: "relays=addresses listens pipes-to-port", commanding: commanding{Commands: socketCommands},
		asking:   asking{Client: Host, Channel: Input},
		Operands: "host*",
		Options:  "h~ l k n u v w= p= s= z e=exec c=text sh-exec=text exec=exec lua-exec=exec U N q= x= X= 4 6 d"},
	{Names: "ping dig nslookup host traceroute", asking: asking{Channel: lookups, Network: "*"}, Style: Plain,
		Operands: "host*"},

	// Containers and clusters.
	{Names: "docker podman nerdctl finch com.docker.cli",
		Kinds: "changes-swarms?>swarm>leave,>swarm>init>--force-new-cluster,>stack>rm,>stack>remove,>stack>down,>service>rm," +
			">service>remove,>node>rm,>node>remove,>node>demote,>secret>rm,>secret>remove,>config>rm,>config>remove,>context>rm," +
			">context>remove,>plugin>rm,>plugin>disable,>network>rm>-f,>kube>down,>pod>rm " +
			"prints-secrets?>compose>config,>compose>convert,>swarm>join-token,>swarm>unlock-key," +
			">secret>inspect>--showsecret&!>-q,>--quiet,>--services,>--volumes,>--networks,>--images,>--profiles,>--hash," +
			">--variables,>--help docker,podman:changes-secrets?>secret>create " +
			"docker,podman:deletes-machines?>machine>rm,>machine>reset " +
			"pushes-images?@push,@image_push,@compose_push,@manifest_push " +
			"pushes-images?@build,@buildx,@buildx_build,@buildx_bake,@builder_build,@image_build&:push " +
			"removes-volumes?@compose_down&:volumes,:v,:rmi removes-volumes?@compose_rm&:volumes,:v " +
			"removes-volumes?@compose_up&:V,:renew-anon-volumes " +
			"docker:drains?>node>update>drain,>node>update>--availability=drain " +
			"nerdctl:deletes-clusters?>images>rm,>images>delete,>image>rm,>i>rm,>containers>delete,>containers>rm,>c>delete," +
			">c>rm,>tasks>kill,>tasks>delete,>t>kill,>t>delete,>snapshots>rm,>namespaces>remove,>ns>rm " +
			"finch:deletes-machines?>vm>remove,>vm>rm", Same: "com.docker.cli", Secrets: "login/p",
		Tells:  "--version -v",
		asking: asking{Service: engineService, Engine: true},
		Aliases: "container ls=ps,container list=ps,container ps=ps,container=,image ls=images,image " +
			"list=images,image rm=rmi,image remove=rmi,image push=push,image pull=pull,image build=build,image " +
			"save=save,image load=load,image tag=tag",
		working: working{Plain: "compose up,compose build,compose create,compose start,compose stop,compose " +
			"restart,compose pull"},
		parsing: parsing{Equals: true},
		Options: "help~ v,version~ H,host=host c,context= config=read D,debug l,log-level= tls tlscacert=read " +
			"tlscert=read tlskey=read tlsverify",
		Subs: []*Program{
			{Names: "run create", Style: Stop, Operands: "data payload", enclosing: enclosing{Context: Container},
				Options: dockerRun},
			{Names: "unshare", Style: Stop, Operands: "payload", Options: "rootless-netns"},
			{Names: "exec", Style: Stop, Operands: "data payload", enclosing: enclosing{Context: Container},
				Options: "d,detach detach-keys= e,env= env-file=read i,interactive privileged t,tty u,user= " +
					"w,workdir=dir l,latest"},
			{Names: "container", Subs: []*Program{
				{Names: "run create", Style: Stop, Operands: "data payload", enclosing: enclosing{Context: Container},
					Options: dockerRun},
				{Names: "exec", Style: Stop, Operands: "data payload", enclosing: enclosing{Context: Container},
					Options: "d,detach detach-keys= e,env= env-file=read i,interactive privileged t,tty u,user= " +
						"w,workdir=dir"},
				{Names: "ls list ps top stats port diff", Operands: "data*", Options: dockerReads}, {Names: "logs",
					Operands: "data*",
					Options:  dockerReads + "f,follow n,tail="}, {Names: "inspect", Operands: "data*",
					Options: dockerReads + "f,format="},
				{Names: "rm prune kill stop start restart pause unpause", Operands: "data*",
					Options: "f,force v,volumes l,link filter= s,signal= t,time= a,attach i,interactive"},
			}},
			{Names: "compose",
				Options: "f,file=read p,project-name= profile= env-file=read project-directory=dir ansi= parallel= " +
					"progress= compatibility dry-run",
				Subs: []*Program{
					{Names: "run", Style: Stop, Operands: "data payload", enclosing: enclosing{Context: Container},
						Options: "d,detach e,env= entrypoint= i,interactive l,label= name= no-deps p,publish= " +
							"quiet-pull rm T,no-TTY u,user= v,volume= w,workdir=dir build service-ports use-aliases"},
					{Names: "exec", Style: Stop, Operands: "data payload", enclosing: enclosing{Context: Container},
						Options: "d,detach e,env= index= privileged T,no-TTY u,user= w,workdir=dir"},
					{Names: "ps images top ls version port", Operands: "data*",
						Options: dockerReads + "f,file=read"}, {Names: "logs",
						Operands: "data*", Options: dockerReads + "f,follow n,tail="},
					{Names: "up down build pull push start stop restart rm config kill", Operands: "data*",
						Options: "d,detach build v,volumes f,follow,force tail= rmi= q,quiet remove-orphans no-deps " +
							"force-recreate V,renew-anon-volumes always-recreate-deps abort-on-container-exit scale= " +
							"wait a,all services format= s t,timestamps,timeout="},
				}},
			{Names: "ps images top stats port diff history search events", Operands: "data*",
				Options: dockerReads + "limit="},
			{Names: "logs", Operands: "data*",
				Options: dockerReads + "f,follow n,tail="}, {Names: "inspect version info",
				Operands: "data*", Options: dockerReads + "f,format="},
			{Names: "rm rmi kill stop start restart pause unpause rename tag pull push login logout save load import " +
				"export commit wait attach update",
				Operands: "data*",
				Options: "f,force v,volumes l,link s,signal= t,time= a,all,all-tags,author= q,quiet o,output=write " +
					"i,input=read u,username= p,password= password-stdin m,message= c,change= platform="},
			{Names: "buildx", Options: "builder= D,debug", Subs: []*Program{
				{Names: "build b", Operands: "dir", Options: dockerBuild},
				{Names: "ls", Operands: "data*", Options: dockerReads + "bootstrap timeout="},
				{Names: "bake create du imagetools inspect prune rm stop use version history", Operands: "data*",
					Options: "f,file=read set= push load no-cache pull progress= q,quiet print all force " +
						"a,all-builders use name= driver= driver-opt= platform= bootstrap node= config= append leave " +
						"verbose keep-state keep-daemon filter= metadata-file=write"},
			}},
			{Names: "build", Operands: "dir", Loads: "-f --file --build-context --secret --ssh --allow",
				Options: dockerBuild},
			{Names: "cp", copying: copying{Into: true}, Operands: "read write",
				Options: "a,archive L,follow-link q,quiet"},
			{Names: "system volume network image builder context plugin", Subs: []*Program{
				{Names: "prune", Operands: "data*", Options: "a,all f,force filter= volumes"}, {Names: "rm remove",
					Operands: "data*", Options: "f,force"},
				{Names: "ls list df events history show", Operands: "data*",
					Options: dockerReads}, {Names: "inspect info", Operands: "data*",
					Options: dockerReads + "f,format="}, {Names: "create connect disconnect use tag pull push build " +
					"load save import",
					Operands: "data*"},
			}},
		}},
	{Names: "kubectl oc",
		Kinds:   "enters-clusters?>node-shell prints-secrets?>view-secret,>config>view>--raw,>extract>--to",
		Secrets: "login/p", Variables: "EDITOR! VISUAL! KUBE_EDITOR! KUBECTL_EXTERNAL_DIFF!",
		asking: asking{Service: clusterService}, parsing: parsing{Equals: true}, Options: kubectl, Subs: []*Program{
			{Names: "exec", Operands: "data dashed", enclosing: enclosing{Context: Container},
				Options: "c,container= i,stdin t,tty q,quiet pod-running-timeout="},
			{Names: "run debug", Operands: "data dashed", enclosing: enclosing{Context: Container},
				Options: "image= i,stdin t,tty rm restart= env= port= labels= overrides= command attach it " +
					"c,container= target= share-processes copy-to= profile= q,quiet dry-run?"},
			{Names: "api-resources api-versions", Operands: "data*",
				Options: kubectlReads + "api-group= namespaced verbs= categories= sort-by= no-headers"},
			{Names: "get describe logs top explain version cluster-info diff wait events auth", Operands: "data*",
				Options: kubectlReads + "A,all-namespaces w,watch show-labels sort-by= field-selector= c,container= " +
					"f,follow,filename= p,previous tail= since= since-time= timestamps R,recursive prefix " +
					"all-containers max-log-requests= chunk-size= for= timeout= raw= no-headers ignore-not-found " +
					"k,kustomize=read"},
			{Names: "delete", Operands: "data*",
				Options: "all A,all-namespaces cascade? force grace-period= ignore-not-found now wait? timeout= " +
					"dry-run? k,kustomize=read R,recursive"},
			{Names: "apply create replace patch edit label annotate scale autoscale expose set drain cordon uncordon " +
				"taint",
				Operands: "data*",
				Options: "dry-run? force k,kustomize=read R,recursive prune server-side p,patch= type= overwrite " +
					"replicas= ignore-daemonsets delete-emptydir-data grace-period= timeout= record save-config " +
					"from-literal= from-file=read from-env-file=read image= port= cascade? wait? validate?"},
			{Names: "rollout", Operands: "data*",
				Options: "h revision= to-revision= show-managed-fields w,watch timeout= dry-run? k,kustomize=read " +
					"R,recursive"},
			{Names: "cp", copying: copying{Into: true}, Operands: "read write",
				Options: "c,container= no-preserve retries="},
			{Names: "config",
				Subs: []*Program{{Names: "view current-context get-contexts get-clusters " +
					"get-users", Operands: "data*", Options: "h no-headers minify raw flatten"},
					{Names: "use-context set-context set set-cluster set-credentials delete-context delete-cluster " +
						"unset rename-context", Operands: "data*"}}},
			{Names: "port-forward proxy attach", Operands: "data*",
				Options: "address= p,port= c,container= i,stdin t,tty"},
		}},
	{Names: "terraform tofu",
		Kinds: "prints-secrets?>state>pull,>output>-json,>show>-json destroys-stacks?@destroy " +
			"destroys-stacks?@apply&:destroy " +
			"approves-unseen?@apply,@refresh&:auto-approve " +
			"edits-state?@state_rm,@state_mv,@state_push,@state_replace-provider,@force-unlock,@workspace_delete,@taint,@untaint " +
			"lines=local-exec default=main.tf", working: working{Plain: "fmt,validate"},
		Tells: "| version -version --version -help --help", asking: asking{Network: "*"},
		Style: Words, Options: "chdir=dir help~ version~", Subs: []*Program{
			{Names: "plan apply destroy refresh import", Style: Words, Operands: "data*",
				Options: "auto-approve destroy var= var-file=read target= out=write input= lock= refresh= " +
					"parallelism= state=write compact-warnings no-color json replace= refresh-only detailed-exitcode " +
					"lock-timeout="},
			{Names: "init validate fmt show output version providers graph get console test login logout " +
				"force-unlock taint untaint",
				Style: Words, Operands: "data*",
				Options: "upgrade reconfigure backend= backend-config= input= json no-color check diff recursive " +
					"write= list= raw migrate-state force"},
			{Names: "state workspace", Style: Words,
				Subs: []*Program{{Names: "list show pull select new", Style: Words, Operands: "data*"},
					{Names: "rm mv push delete replace-provider", Style: Words, Operands: "data*",
						Options: "force dry-run lock="}}},
		}},
	{Names: "helm",
		Kinds: "prints-secrets?>get>values,>get>all,>get>manifest pushes-images?>push,>cm>push " +
			"uninstalls?@uninstall,@delete,@rollback,>uninstall,>delete,>rollback,>un,>del uninstalls?>upgrade&--force",
		Secrets: "registry,login/p", Tells: "--version | version --help",
		Aliases: "del=uninstall,delete=uninstall,un=uninstall",
		Loads:   "--post-renderer", NoGrant: "*", asking: asking{Network: "*"}, parsing: parsing{Equals: true},
		Options: "n,namespace= kube-context= kubeconfig=read debug h,help~", Subs: []*Program{
			{Names: "install upgrade", Operands: "data data read*",
				Options: "f,values=read set= set-string= set-file= i,install wait timeout= version= dry-run? " +
					"create-namespace atomic reuse-values reset-values repo= post-renderer=exec"},
			{Names: "template lint", Kinds: "fetched", Operands: "data*",
				Options: "f,values=read set= set-string= set-file= set-json= s,show-only= output-dir=write repo=host " +
					"version= include-crds skip-tests validate is-upgrade a,api-versions= kube-version= " +
					"g,generate-name name-template= dependency-update post-renderer=exec devel dry-run? no-hooks " +
					"strict quiet with-subcharts release-name"},
			{Names: "pull fetch", Operands: "data*",
				Options: "d,destination=write untar untardir=write version= repo= verify keyring=read prov username= " +
					"password= devel"},
			{Names: "uninstall delete rollback", Operands: "data*",
				Options: "dry-run wait timeout= keep-history no-hooks"},
			{Names: "list ls status get history show search version env repo dependency", Operands: "data*",
				Options: "A,all-namespaces a,all o,output= f,values=read set= filter= q,short version= revision="},
		}},

	// Version control and packages.
	git,
	{Names: "gh", Kinds: "clones downloads?@api,@gist_view,@release_download obtains=verbs " +
		"copies?@gist_create,@release_upload,@release_create takes strews?@release_download " +
		"uploads?>gist>create,>gist>edit " +
		"unforges?>repo>sync>--force,>repo>deploy-key>delete,>repo>autolink>delete,>project>item-delete," +
		">project>field-delete,>ruleset>delete,>workflow>disable,>repo>archive,@repo_delete,@release_delete,@issue_delete," +
		"@gist_delete,@label_delete,@run_delete,@cache_delete,@secret_delete,@secret_remove,@variable_delete,@ssh-key_delete," +
		"@gpg-key_delete,@project_delete,@codespace_delete,@repo_archive,@repo_rename,@release_delete-asset," +
		"@workflow_disable unforges?@repo_edit&:visibility " +
		"prints-secrets?>auth>token,>auth>status>--show-token,>auth>status>-t " +
		"releases?@release_create,@release_upload,@release_edit " +
		"changes-forge?@secret_set,@ssh-key_add,@gpg-key_add,@repo_deploy-key_add,@auth_login,@auth_refresh,@auth_token," +
		"@auth_setup-git,@variable_set approves-changes?@pr_merge&:admin approves-changes?@pr_review&:approve,:a",
		Secrets:   "secret/b secret/body",
		Variables: "GH_TOKEN~ GITHUB_TOKEN~ GH_PAGER= PAGER! GH_PAGER! GH_EDITOR! GH_BROWSER! EDITOR! VISUAL! BROWSER!",
		asking:    asking{Service: forgeService, Network: "*"}, parsing: parsing{Equals: true},
		Options: "R,repo= help~ version~ hostname=", Subs: []*Program{
			{Names: "pr issue", Subs: []*Program{
				{Names: "list view status diff checks", Operands: "data*",
					Options: ghReads + "s,state= l,label= L,limit= a,assignee= A,author= S,search= json= q,jq= " +
						"t,template= c,comments w,web B,base= H,head= d,draft name-only patch watch required " +
						"i,interval= color= fail-fast app= m,milestone= mention="},
				{Names: "create edit close reopen merge comment review checkout ready lock unlock delete transfer " +
					"pin unpin develop",
					Operands: "data*",
					Options: "t,title= b,body= F,body-file=read B,base= H,head= d,draft,delete-branch f,fill " +
						"l,label= a,assignee,approve r,reviewer,reason,rebase,request-changes s,squash " +
						"m,merge,milestone= c,comment= auto admin add-label= remove-label= w,web p,project= yes"},
			}},
			{Names: "run workflow",
				Subs: []*Program{{Names: "list view watch " +
					"download", Operands: "data*",
					Options: ghReads + "w,workflow= b,branch= s,status= L,limit= json= q,jq= log log-failed j,job= " +
						"v,verbose exit-status i,interval= D,dir=write n,name= p,pattern= e,event= u,user= " +
						"a,attempt= c,commit= y,yaml"},
					{Names: "rerun cancel delete run enable disable", Operands: "data*",
						Options: "failed j,job= d,debug f,field= F,raw-field= r,ref= json"}}},
			{Names: "gist", Subs: []*Program{
				{Names: "list view clone delete rename", Operands: "data*",
					Options: ghReads + "L,limit= f,filename= r,raw w,web files public secret filter= include-content " +
						"y,yes"},
				{Names: "create new", Operands: "send*", Options: "d,desc= f,filename= p,public w,web"},
				{Names: "edit", Operands: "data send", Options: "a,add=send d,desc= f,filename= r,remove="},
			}},
			{Names: "release",
				Subs: []*Program{{Names: "create upload new", Operands: "data send*", Options: "t,title= n,notes= " +
					"F,notes-file=read target= d,draft p,prerelease latest? verify-tag notes-from-tag " +
					"notes-start-tag= discussion-category= generate-notes clobber"},
					{Names: "list view download delete edit delete-asset verify", Operands: "data*",
						Options: ghReads + ghVerbs}}},
			{Names: "repo secret variable auth config alias extension label project codespace cache ssh-key gpg-key " +
				"ruleset", Subs: []*Program{
				{Names: "list view status get", Operands: "data*",
					Options: ghReads + "L,limit= json= q,jq= t,template= w,web visibility= source archived language= " +
						"topic="},
				{Names: "clone", Operands: "data write", Options: "u,upstream-remote-name="},
				{Names: "create delete edit fork archive rename set remove login logout refresh token sync upload " +
					"download install upgrade exec setup-git add",
					Operands: "data*", Options: ghVerbs},
			}},
			{Names: "api", Operands: "host",
				Options: ghReads + "X,method= f,raw-field= F,field= H,header= i,include input=read q,jq= t,template= " +
					"paginate slurp silent p,preview= cache= verbose"},
			{Names: "browse", Operands: "data*"}, {Names: "status", Operands: "data*",
				Options: ghReads}, {Names: "search",
				Subs: []*Program{{Names: "code commits issues prs repos", Operands: "data*", Options: ghReads}}},
		}},
	{Names: "npm pnpm yarn", Kinds: "builds shows=setting npm:project forges npm:fetches-code?>exec,>x " +
		"picks-index?:index-url,:extra-index-url,:registry,:default-index,^--index-url=,^--extra-index-url=,^--registry=," +
		"^--default-index= " +
		"picks-index?set&registry,global.index-url,global.extra-index-url,script-shell,^registry=,^script-shell= " +
		"installs-globally?:g,:global,:location,-g,--global&>install,>i,>add,>update,>up,>upgrade,>link,>uninstall,>remove," +
		">rm,>un publishes-js?>publish,>npm>publish,>release>publish " +
		"withdraws-js?>unpublish,>deprecate,>dist-tag>add,>dist-tag>rm,>owner>add,>owner>rm,>access,>npm>tag,>token>create," +
		">token>revoke checks-certificates lines=scripts default=package.json pnpm,yarn:fetches-code?>dlx " +
		"yarn:installs-globally?>global>add,>global>remove,>global>upgrade",
		Variables:  "npm_config_script_shell! NPM_CONFIG_SCRIPT_SHELL! NODE_OPTIONS!node",
		asking:     asking{Service: npmService, Network: "install,i,add,ci,clean-install,update,up,upgrade,publish,unpublish,deprecate,dist-tag,owner,access,token,adduser,login,logout,dlx,create,init,audit,link,dedupe,team"},
		working:    working{Plain: "install,i,add,ci,clean-install,remove,rm,uninstall,un,update,up,upgrade,dedupe,prune,rebuild,run,run-script,test,t,tst,start,stop,restart,build,lint,dev,typecheck", Within: "--prefix"},
		commanding: commanding{Behind: "script-shell=,--script-shell=,foreach exec,foreach * exec"},
		Aliases:    "pu~publish,unp~unpublish,dep~deprecate,i=install,in=install,ins~install,add=install,isntall=install,it=install,install-test=install,cit=ci,install-ci-test=ci,un=uninstall,uni~uninstall,rm=uninstall,r=uninstall,remove=uninstall,unlink=uninstall,up=update,upgrade=update,x=exec,run-script=run,rum=run,urn=run,t=test,tst=test,c=config,author=owner",
		Tells:      "npm:--version,-v",
		Loads:      "-g --global --prefix --location --shell --use-yarnrc env", Packages: Library,
		handing: handing{Runner: "exec x dlx", Hands: "run run-script exec x dlx ."},
		NoGrant: "config set,exec,x,explore,edit,node,workspace,workspaces",
		Options: "h,help~ v,version~ prefix=dir C,dir=dir g,global w,workspace= workspaces ws s,silent q loglevel= " +
			"registry=host json cwd=dir filter= r,recursive y,yes d D,save-dev S,save E,save-exact O,save-optional " +
			"save-peer no-save dry-run force f legacy-peer-deps ignore-scripts if-present omit= include= production " +
			"prod frozen-lockfile no-audit no-fund offline prefer-offline depth= long p,parseable package= " +
			"c,call=text otp= tag= access= scope= userconfig=read cache=write script-shell=exec",
		Subs: []*Program{
			{Names: "run run-script rum urn", Operands: "data data*"}, {Names: "test t tst start stop restart",
				Operands: "data*"},
			{Names: "install i add ci clean-install isntall remove rm uninstall un update up upgrade link dedupe " +
				"prune rebuild", Operands: "data*"},
			{Names: "ls list la ll v view info show outdated search audit fund why explain root prefix bin ping " +
				"whoami doctor",
				Operands: "data*",
				Options: "l,long a,all g,global dev only= F,filter= no-progress color? no-color link " +
					"package-lock-only pattern= only-projects no-optional P D compatible latest format= level= " +
					"version searchlimit= searchexclude= description no-description"},
			{Names: "exec x", Style: Stop, Operands: "payload", Options: "p,package="}, {Names: "explore", Style: Stop,
				parsing:  parsing{StopAt: 2},
				Operands: "data payload"}, {Names: "dlx create init", Operands: "data*", Options: "p,package="},
			{Names: "publish unpublish deprecate dist-tag owner access token adduser login logout version pack team",
				Operands: "data*"},
			{Names: "config c cache", Subs: []*Program{{Names: "get list ls verify dir", Operands: "data*"},
				{Names: "set delete edit clean add fix rm", Operands: "data*"}}},
		}},
	{Names: "npx bunx pnpx", Kinds: "modules fetches-code?run,exec,x,-x,install,--from,eval,tool " +
		"npx:resets-databases?--force-reset,--accept-data-loss,>migrate>reset,db:drop,schema:drop,db:migrate:undo:all",
		Variables: "NODE_OPTIONS!node",
		Tells:     "| --version -v", Loads: "-y --yes -p --package -c --call --shell", handing: handing{Runner: "."},
		NoGrant: "*",
		Style:   Stop, Operands: "exec data*",
		Options: help + "y,yes no-install p,package= c,call=text q,quiet no shell= ignore-existing"},
	{Names: "go", Kinds: "versions compiles links-flags rewrites?1=fmt starts-files",
		handing: handing{Hands: "run tool"}, Variables: "GOFLAGS!options:test",
		asking: asking{Service: goService, Network: "get,install,mod download,mod tidy,mod vendor,generate"},
		working: working{Plain: "build,test,vet,fmt,run,generate,get,mod tidy,mod download,mod vendor,mod " +
			"verify,work sync"},
		Packages: Library, Style: Words, Subs: []*Program{
			{Names: "build install run test vet list generate", Style: Words, Operands: "data*", Options: goBuild},
			{Names: "version env", Loads: "-w -u", Style: Words, Operands: "data*",
				Options: "h help m v json w u changed"},
			{Names: "doc fmt fix bug clean get help tool work telemetry", Style: Words, Operands: "data*",
				Options: "h help all c cmd short src u n x mod= modcache cache testcache fuzzcache i r t d v http"},
			{Names: "mod", Style: Words,
				Subs: []*Program{{Names: "tidy download edit graph init vendor verify " +
					"why", Style: Words, Operands: "data*",
					Options: "v e x go= compat= json diff require= replace= droprequire= dropreplace= exclude= fmt " +
						"print module= m vendor o=write reuse="}}},
		}},
	{Names: "black",
		Inside: &Inside{Manner: "edits", Options: "q quiet v verbose l line-length S t target-version"},
		Tells:  tells, showing: showing{Edits: true}, Operands: "write*",
		Options: "h,help~ version~ check diff q,quiet v,verbose l,line-length= S,skip-string-normalization " +
			"t,target-version= config=read c,code= include= exclude= force-exclude= stdin-filename= W,workers= fast " +
			"safe preview pyi ipynb color no-color"},
	{Names: "isort",
		Inside:   &Inside{Manner: "edits", Options: "q quiet profile l line-length"},
		Operands: "write*",
		Options: "h,help~ V,version~ c,check,check-only d,diff q,quiet v,verbose profile= l,line-length= " +
			"sp,settings-path=read s,skip= p= o= f= float-to-top stdout jobs="},
	{Names: "ruff",
		Inside: &Inside{Manner: "edits", Check: "formats", Options: "q quiet fix line-length select ignore"},
		Tells:  tells + " -V",
		Subs: []*Program{{Names: "format " +
			"check", showing: showing{Edits: true}, Operands: "write*",
			Options: "h,help~ check diff fix no-fix unsafe-fixes q,quiet v,verbose line-length= select= ignore= " +
				"extend-select= config=read target-version= exclude= output-format= o,output-file=write n,no-cache " +
				"cache-dir=write watch preview statistics show-fixes exit-zero stdin-filename="}}},
	{Names: "shfmt",
		Inside: &Inside{Manner: "edits", Writing: "w write", Options: "w write i s ci bn sr kp ln"},
		Tells:  tells, Operands: "read*",
		Options: "help~ version~ w*write l d s i= ci bn sr kp fn ln= p f filename= mn tojson"},
	{Names: "clang-format",
		Inside:   &Inside{Manner: "edits", Writing: "i", Options: "i style"},
		Operands: "read*",
		Options: "help~ version~ i*write style= n,dry-run Werror files=read fallback-style= assume-filename= lines= " +
			"offset= length= sort-includes verbose"},
	{Names: "rustfmt",
		Inside:   &Inside{Manner: "edits", Options: "q quiet v verbose edition"},
		Operands: "write*",
		Options: "h,help~ V,version~ q,quiet v,verbose check edition= config= config-path=read emit= " +
			"print-config=write files-with-diff l color= backup"},
	{Names: "gofmt goimports",
		Inside: &Inside{Manner: "edits", Writing: "w write", Options: "w write s l d r local"},
		Tells:  "| -h --help", Operands: "read*", Options: "d e l r= s w*write local= cpuprofile=write"},
	{Names: "cargo", Kinds: "config=cargo", handing: handing{Hands: "run r"},
		Variables: "RUSTC! RUSTC_WRAPPER! RUSTC_WORKSPACE_WRAPPER! RUSTDOC! CARGO_TARGET_*_RUNNER! " +
			"CARGO_TARGET_*_LINKER!",
		asking: asking{Service: cargoService, Network: "install,add,update,publish,yank,owner,login,search,fetch"},
		working: working{Plain: "build,test,check,clippy,run,fmt,doc,bench,add,remove,update,nextest run,nextest " +
			"list"},
		Aliases:  "b=build,c=check,t=test,r=run,d=doc,rm=remove",
		Loads:    "--delete-unreferenced-snapshots --unreferenced --config -Z +",
		Packages: Library,
		Options: "+= h,help~ V,version~ list~ explain= v,verbose q,quiet color= frozen locked offline config=config " +
			"Z= C=dir manifest-path=read p,package= workspace all exclude= j,jobs= r,release profile= F,features= " +
			"all-features no-default-features target= target-dir=write message-format= lib bins bin= examples " +
			"example= tests test= benches bench= all-targets keep-going",
		Subs: []*Program{
			{Names: "build b check c test t bench doc d clippy fmt fix run r", Operands: "data*",
				Options: "no-run no-fail-fast open no-deps allow-dirty allow-staged fix check"},
			{Names: "publish yank owner login logout install uninstall add remove update new init clean package vendor",
				Operands: "data*",
				Options: "token= dry-run allow-dirty version= git= branch= tag= rev= path=dir root= f,force index= " +
					"registry= vers= undo bin lib dev build optional edition= name= precise="},
			{Names: "watch", Operands: "data* dashed",
				Options: "s,shell=text x,exec= w,watch=read i,ignore= c,clear d,delay= B= why no-gitignore " +
					"no-restart watch-when-idle postpone"},
			{Names: "tree metadata search pkgid locate-project verify-project read-manifest version help info",
				Operands: "data*",
				Options: "no-dedupe charset= i,invert= e,edges= d,duplicates depth= prefix= f,format= " +
					"format-version= no-deps filter-platform= limit="},
		}},
	{Names: "pip pip2 pip3",
		Kinds: "picks-index?:index-url,:extra-index-url,:registry,:default-index,^--index-url=,^--extra-index-url=,^--registry=," +
			"^--default-index= " +
			"picks-index?set&registry,global.index-url,global.extra-index-url,script-shell,^registry=,^script-shell= " +
			"breaks-packages?install,uninstall,sync&--break-system-packages,--system,--prefix=/usr,--prefix=/usr/local," +
			"--target=/usr/lib checks-certificates lines=python default=setup.py", Same: "pip2 pip3",
		Tells:  tells + " -V",
		asking: asking{Service: pipService, Network: "*"}, working: working{Plain: "install,check"}, Packages: Library,
		Options: pipOptions, Subs: pipSubs},
	{Names: "uv",
		Kinds: "fetches-code?run,exec,x,-x,install,--from,eval,tool " +
			"picks-index?:index-url,:extra-index-url,:registry,:default-index,^--index-url=,^--extra-index-url=,^--registry=," +
			"^--default-index= " +
			"picks-index?set&registry,global.index-url,global.extra-index-url,script-shell,^registry=,^script-shell= " +
			"breaks-packages?install,uninstall,sync&--break-system-packages,--system,--prefix=/usr,--prefix=/usr/local," +
			"--target=/usr/lib publishes-py?>publish checks-certificates surrounds", Tells: tells + " -V",
		working: working{Plain: "run,sync,add,remove,lock,pip install,pip check", Within: "--directory --project"},
		Loads: "--with --with-requirements --with-editable --index --default-index --find-links --env-file " +
			"--directory --project -s --script",
		Packages: Library, handing: handing{Runner: "run tool"},
		asking:  asking{Network: "sync,add,lock,publish,pip,tool,install,download"},
		Options: pipOptions + " directory=dir", Subs: pipSubs},
	{Names: "lerna nx", Kinds: "nx:subs lerna:publishes-js?>publish,>npm>publish,>release>publish " +
		"lerna:default=lerna.json,package.json " +
		"nx:publishes-js?>release>publish,>release nx:default=nx.json,package.json",
		Options: "scope= ignore= parallel concurrency= stream since? no-bail",
		Subs: []*Program{{Names: "exec", Style: Stop, Operands: "joined", Options: "scope= ignore= parallel " +
			"concurrency= stream since? no-bail"},
			{Names: "run build test list ls bootstrap publish version graph lint affected show", Operands: "data*"}}},
	{Names: "poetry pipenv hatch rye pdm",
		Kinds: "poetry:picks-index?:index-url,:extra-index-url,:registry,:default-index,^--index-url=,^--extra-index-url=," +
			"^--registry=,^--default-index= " +
			"poetry,pdm:picks-index?set&registry,global.index-url,global.extra-index-url,script-shell,^registry=,^script-shell= " +
			"poetry,hatch,rye,pdm:publishes-py?>publish poetry:checks-certificates lines=entries surrounds " +
			"pipenv:default=Pipfile hatch,pdm:default=pyproject.toml " +
			"pdm:picks-index?--registry,--index-url,--extra-index-url,:index-url,:extra-index-url,:registry,:default-index," +
			"^--index-url=,^--extra-index-url=,^--registry=,^--default-index=",
		working: working{Plain: "install,run,add,remove,lock,update,check,build,sync"}, Packages: Library,
		handing: handing{Runner: "run"},
		asking:  asking{Network: "install,add,update,lock,publish"},
		Subs: []*Program{{Names: "run", Style: Stop, Operands: "payload"},
			{Names: "install add remove update lock show build publish shell env config check init new",
				Operands: "data*"}}},
	{Names: "bundle",
		Kinds: "publishes?>exec>gem>push,>exec>rake>release " +
			"resets-databases?db:drop,db:reset,db:drop:all,db:migrate:reset,db:schema:load,db:purge " +
			"checks-certificates surrounds", Variables: "RUBYOPT!ruby",
		working: working{Plain: "install,exec,update,add,check"}, Tells: "| --version -v --help", Packages: Library,
		asking: asking{Network: "install,update,add"},
		Subs: []*Program{{Names: "exec", Style: Stop, Operands: "payload", Options: "keep-file-descriptors gemfile="},
			{Names: "install update show list outdated config check add remove", Operands: "data*"}}},
	{Names: "direnv", Kinds: "lines=whole default=.envrc", NoGrant: "*",
		Subs: []*Program{{Names: "exec", Style: Stop, Operands: "dir payload"},
			{Names: "allow deny reload status hook", Operands: "data*"}}},
	{Names: "java", Kinds: "shared starts-files", Tells: "| -version --version -help",
		Loads: "-javaagent: -agentpath: -agentlib: -Xbootclasspath: -Xbootclasspath/a: -Xbootclasspath/p: " +
			"-Xrunjdwp: -Dcom.sun.management.jmxremote -Dcom.sun.management.jmxremote.port onerror " +
			"onoutofmemoryerror flags vmoptionsfile",
		NoGrant: "*", Style: Words, Operands: "exec data*",
		Options: "help~ version~ jar=exec! cp=read classpath=read class-path=read p=read module-path=read m=exec! " +
			"module=exec! agentlib= agentpath=exec javaagent=exec ea da server client showversion add-modules= " +
			"add-opens= add-exports= enable-preview"},
	{Names: "javac", Tells: "| -version --version -help",
		Loads: "-J-javaagent -J-agentpath -J-agentlib -XDplugin -Xplugin",
		Style: Words, Operands: "read*",
		Options: "help~ version~ d=write s=write h=write cp=read classpath=read sourcepath=read processor=exec " +
			"processorpath=read proc= source= target= release= encoding= g verbose nowarn Werror parameters"},
	{Names: "mvn mvnw mvnd", Kinds: "goals publishes?deploy,deploy:deploy,release:perform default=pom.xml",
		Same: "mvnw mvnd", Loads: "exec:exec dependency:get -Dexec.executable -gs -s --settings --global-settings",
		Operands: "data*", Options: buildOptions},
	{Names: "gradle gradlew", Kinds: "goals publish-tasks default=build.gradle,build.gradle.kts", Same: "gradlew",
		Loads: "-I --init-script", Operands: "data*", Options: buildOptions},
	{Names: "golangci-lint", Tells: tells,
		Subs: []*Program{{Names: "run fmt", Operands: "read*", Options: "c,config=read fix v,verbose E,enable= " +
			"D,disable= timeout= out-format= new-from-rev= build-tags= j,concurrency= tests fast " +
			"max-issues-per-linter= max-same-issues="},
			{Names: "linters help version cache config custom completion", Operands: "data*",
				Options: "c,config=read"}}},
	{Names: "coverage", Options: help + "h~", Subs: []*Program{
		{Names: "run", evaluating: evaluating{Language: Python}, Style: Stop, Operands: "exec data*",
			Options: "m,module=exec! a,append branch concurrency= context= data-file=write include= omit= L,pylib " +
				"p,parallel-mode rcfile=read source= source-pkgs= timid debug="},
		{Names: "report html xml json lcov annotate combine erase debug", Operands: "data*",
			Options: "d,directory=write o=write data-file= rcfile=read i,ignore-errors m,show-missing include= omit= " +
				"skip-covered skip-empty fail-under= precision= sort= format= q,quiet keep a,append title= " +
				"show-contexts contexts= pretty-print"},
	}},
	{Names: "pytest", Kinds: "lines=python default=conftest.py,test_*.py,*_test.py,tests/conftest.py,tests/test_*.py",
		Loads: "-p -c --rootdir --confcutdir --pyargs -o --override-ini --pdbcls --pdb --trace --pastebin " +
			"--basetemp --tx --rsyncdir",
		Operands: "exec*",
		Options: help + "h~ v,verbose q,quiet k= m= x,exitfirst maxfail= s l,showlocals tb= lf,last-failed ff n= " +
			"p=exec c=read rootdir=dir basetemp=write tx= rsyncdir= junitxml=write cov? cov-report= durations= " +
			"collect-only co r= o= W= capture= pdb no-header no-cov"},
	{Names: "conda mamba micromamba",
		Kinds:    "checks-certificates removes-packages?>env>remove,>remove>--all&!:dry-run,--dry-run",
		Packages: Library, asking: asking{Network: "*"},
		Options: "h,help~ V,version~ n,name= p,prefix=dir y,yes q,quiet json",
		Subs: []*Program{{Names: "run", Style: Stop, Operands: "payload", Options: "n,name= p,prefix=dir " +
			"no-capture-output live-stream cwd=dir v"},
			{Names: "install create remove update uninstall env activate deactivate config clean", Operands: "data*",
				Options: "c,channel= f,file=read"},
			{Names: "list info search", Operands: "data*"}}},
	{Names: "tmux byobu", Kinds: "tmux:queries multiplexes=tmux tmux:shared",
		Tells: "tmux:--version,--help,-V", commanding: commanding{Commands: tmuxCommands},
		Options: "2 C D l N u v V~ c=text f=read L= S=write T=",
		Subs: []*Program{{Names: "new-session new new-window neww split-window splitw respawn-pane respawn-window " +
			"run-shell run pipe-pane if-shell display-popup popup", Style: Stop, Operands: "joined",
			Options: "A b d D E P X a k Z h v f I c=dir e= F= n= s= t= x= y= l= C w= o O"},
			{Names: "save-buffer saveb", Operands: "write", Options: "a b="},
			{Names: "load-buffer loadb", Operands: "read", Options: "b= t= w"},
			{Names: "send-keys send", Operands: "joined", Options: "F H K l M R X N= c= t="},
			{Names: "ls list-sessions list-windows lsw list-panes lsp capture-pane capturep has-session has " +
				"kill-session kill-window kill-pane kill-server attach attach-session a detach select-window " +
				"select-pane display-message display show-options show-buffer set-option set resize-pane " +
				"rename-session rename-window source-file",
				Operands: "data*", Options: "a d p e F= t= S= E= J q g s= b= n= l= x= y= f= Z"}}},
	{Names: "nginx", Operands: "data*", Options: "h~ v~ V~ t T q s= p=dir c=read g= e=write"},
	{Names: "plantuml", Loads: "-o -output -odir -graphvizdot", Tells: "| -version -help", Style: Words,
		Operands: "read*",
		Options:  "help~ version~ tsvg tpng o=write output=write pipe"},
	{Names: "hash", Kinds: "hashes", NoGrant: "*", Operands: "data*", Options: "p= d t l r"},
	{Names: "mapfile readarray", Kinds: "sets=lines sums=all", NoGrant: "*", Style: Stop, Operands: "data*",
		Options: "d= n= O= s= t u= C= c="},
	{Names: "apt apt-get", Kinds: "config=packages " +
		"removes-packages?>remove,>purge,>autoremove,>erase,>del,>uninstall,>rm,>autopurge,>dist-upgrade,>full-upgrade," +
		">cleanup&!:dry-run,--dry-run", Packages: System, asking: asking{Network: "*"}, Operands: "data*",
		Options: "h,help~ v,version~ y,yes,assume-yes q,quiet s,simulate,dry-run d,download-only f,fix-broken " +
			"reinstall purge no-install-recommends " +
			"allow-downgrades t= o=config c= U S R Q n u i l a m"},
	{Names: "yum dnf",
		Kinds: "trusts-sources?>config-manager>--add-repo,>config-manager>addrepo,>copr>enable " +
			"removes-packages?>remove,>purge,>autoremove,>erase,>del,>uninstall,>rm,>autopurge,>dist-upgrade,>full-upgrade," +
			">cleanup", Packages: System, asking: asking{Network: "*"}, Operands: "data*",
		Options: help + "y,assumeyes assumeno q,quiet v,verbose d,debuglevel= e,errorlevel= R,randomwait= " +
			"c,config=config x,exclude= C,cacheonly b,best " +
			"enablerepo= disablerepo= installroot=dir releasever= setopt= downloadonly downloaddir=dir t,tolerant " +
			"nogpgcheck allowerasing skip-broken refresh"},
	{Names: "apk brew pacman snap", Kinds: "brew:ends=units apk:trusts-sources?--repository,-X " +
		"apk,brew,snap:removes-packages?>remove,>purge,>autoremove,>erase,>del,>uninstall,>rm,>autopurge,>dist-upgrade," +
		">full-upgrade,>cleanup brew:trusts-sources?>tap brew:stops-services?>services>stop,>services>kill " +
		"brew:changes-services?>services>start,>services>restart pacman:removes-packages?^-R,^--remove",
		Packages: System,
		asking:   asking{Network: "*"}, Operands: "data*",
		Options: "h,help~ v,version~ y,yes,assume-yes q,quiet s,simulate,dry-run d,download-only f,fix-broken " +
			"reinstall purge no-install-recommends " +
			"allow-downgrades t= o=config c= U S R Q n u i l a m"},
	{Names: "duckdb", Kinds: "queries",
		showing:    showing{Edits: true},
		commanding: commanding{Commands: sqliteCommands, Saves: savesSQLite + "|copy ... to '|export database '"},
		Style:      Words, asking: asking{Client: SQL}, Input: RoleCode, Operands: "write code*",
		Options: help + "c=code s=code cmd=code f=exec init=exec batch bail column header noheader csv json " +
			"jsonlines line list markdown box table separator= nullvalue= newline= readonly safe unsigned no-stdin " +
			"interactive"},
	{Names: "sqlite3 sqlite sqlcipher", Kinds: "queries",
		Tells: tells, showing: showing{Edits: true},
		commanding: commanding{Commands: sqliteCommands, Saves: savesSQLite}, Style: Words, asking: asking{Client: SQL},
		Input: RoleCode, Operands: "write code*",
		Options: help + "cmd=code init=exec batch bail column header noheader csv json line list separator= readonly " +
			"safe"},
	{Names: "psql", Kinds: "queries", Variables: "PAGER! PSQL_PAGER! PSQL_EDITOR! EDITOR! VISUAL!",
		commanding: commanding{Commands: psqlCommands, Saves: `\o|\out|\w|\write|\g|\gx|\s|\copy ... to|copy ... to '`},
		asking:     asking{Client: SQL, Network: "*"}, Input: RoleCode, Operands: "data*",
		Options: "help? V,version~ c,command=code d,dbname= f,file=exec l,list h,host=host p,port= U,username= w W q " +
			"t A X x,expanded o,output=write L,log-file=write v= F= R= 1 s S a b e n"},
	{Names: "mysql mariadb", Same: "mariadb", Kinds: "queries", Secrets: "p", Variables: "PAGER! EDITOR! VISUAL!",
		commanding: commanding{Commands: mysqlCommands, Saves: `^tee|\t|outfile '|dumpfile '`},
		asking:     asking{Client: SQL, Network: "*"}, Input: RoleCode, Operands: "data*",
		Options: "help~ V,version~ e,execute=code h,host=host u,user= p? P,port= D,database= N B s t E v " +
			"defaults-file=read tee=write pager?text"},
	{Names: "mongosh mongo", Kinds: "documents", Secrets: "p", commanding: commanding{Rough: true},
		asking: asking{Network: "*"}, Input: RoleCode,
		Operands: "code*", Options: help + "h=host host=host port= u= p= eval=code f,file=exec quiet norc nodb"},
	{Names: "redis-cli valkey-cli keydb-cli", Kinds: "keys redis-cli:lines=lua", Secrets: "a",
		asking: asking{Network: "*"}, Input: RoleCode,
		Operands: "code*", Options: help + "h=host p= a= n= eval=code u=host rdb=write functions-rdb=write"},
}

// Commands of shells for SQLite and of editors behind which they name a file.
const (
	savesSQLite = "^.output|^.once|^.backup|^.backup *|^.save|^.save *|^.log|^.open|^.clone|^.trace|vacuum ... into " +
		"'|attach ... '|writefile '"
	savesEditor = "^w|^wq|^write|^update|^up|^x|^xit|^exit|^sav|^saveas|^redir|^mks|^mksession|^mkexrc|^mkvimrc|^wundo|^silent w|^silent write|^silent! w|^silent! write|^sil w|^sil! w|^noautocmd w|^noa w|^keepalt w"
)

// pythonModules are the modules of Python that write what they are given, and what
// evaluates code in the place of the interpreter (docs.python.org).
var pythonModules = []*Program{
	{Names: "manage.py shell,manage.py shell_plus", evaluating: evaluating{Language: Python}, Operands: "data*",
		Options: djangoShell},
	{Names: "-m zipfile,-m tarfile", evaluating: evaluating{Language: Python}, listing: listing{Recursive: true},
		Operands: "data*",
		Options: "h,help~ l,list*read t,test*read e,extract@read*write c,create@write*read v,verbose " +
			"metadata-encoding= filter="},
	{Names: "-m json.tool", evaluating: evaluating{Language: Python}, Operands: "read write",
		Options: "h,help~ sort-keys json-lines indent= tab no-indent compact no-ensure-ascii"},
	{Names: "-m venv,-m virtualenv", evaluating: evaluating{Language: Python}, listing: listing{Recursive: true},
		Operands: "write*",
		Options: "h,help~ clear upgrade system-site-packages symlinks copies without-pip prompt= upgrade-deps " +
			"without-scm-ignore-files p,python=",
		copying: copying{Mirrors: "clear"}},
	{Names: "-m zipapp", evaluating: evaluating{Language: Python}, Operands: "read",
		Options: "h,help~ o,output=write m,main= p,python= c,compress info"},
	{Names: "-m cProfile,-m profile,-m trace", evaluating: evaluating{Language: Python}, Style: Stop,
		Operands: "exec data*",
		Options: "h,help~ o,outfile=write s,sort= m=exec! count t,trace l,listfuncs T,trackcalls f,file=write " +
			"C,coverdir=write R,no-report m,missing s,summary g,timing ignore-module= ignore-dir= r,report"},
	{Names: "-m pip", evaluating: evaluating{Language: Python}, Operands: "data*",
		Options: "h,help~ V,version~ v,verbose q,quiet r,requirement=read c,constraint=read e,editable=dir " +
			"t,target=write prefix=write root=write d,dest=write w,wheel-dir=write i,index-url=host " +
			"extra-index-url=host cache-dir=write log=write report=write python= proxy= timeout= find-links= " +
			"upgrade-strategy= only-binary= no-binary="},
}

// djangoShell are the options of the shell of Django.
const djangoShell = "h,help~ c,command=code i,interface= no-startup no-imports v,verbosity= settings= pythonpath= " +
	"plain ipython bpython"

const dockerRun = "help~ a,attach= add-host= annotation= c,cpu-shares= cap-add= cap-drop= cgroup-parent= " +
	"cidfile=write cpus= cpuset-cpus= d,detach detach-keys= device= dns= domainname= e,env= entrypoint= " +
	"env-file=read expose= gpus= group-add= health-cmd= h,hostname= i,interactive init ip= ipc= isolation= l,label= " +
	"link= log-driver= log-opt= m,memory= memory-swap= mount= name= net,network= network-alias= no-healthcheck " +
	"oom-kill-disable pid= pids-limit= platform= privileged p,publish= P,publish-all pull= q,quiet read-only " +
	"restart= rm runtime= security-opt= shm-size= sig-proxy? stop-signal= storage-opt= sysctl= t,tty tmpfs= ulimit= " +
	"u,user= userns= uts= v,volume= volume-driver= volumes-from= w,workdir=dir blkio-weight= blkio-weight-device= " +
	"cgroupns= cpu-count= cpu-percent= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= cpuset-mems= " +
	"device-cgroup-rule= device-read-bps= device-read-iops= device-write-bps= device-write-iops= " +
	"disable-content-trust? dns-opt= dns-option= dns-search= health-interval= health-retries= health-start-interval= " +
	"health-start-period= health-timeout= io-maxbandwidth= io-maxiops= ip6= kernel-memory= label-file=read " +
	"link-local-ip= mac-address= memory-reservation= memory-swappiness= oom-score-adj= stop-timeout="

const dockerBuild = "t,tag= f,file=read build-arg= target= no-cache pull q,quiet platform= progress= push load " +
	"o,output= cache-from= cache-to= secret= ssh= network= label= iidfile=write rm squash metadata-file=write " +
	"annotation= attest= sbom= provenance= build-context= allow= add-host= cgroup-parent= shm-size= ulimit= D,debug " +
	"check call= no-cache-filter= builder="

const goBuild = "C=dir a n p= race msan asan cover covermode= coverpkg= v work x asmflags= buildmode= buildvcs= " +
	"compiler= gccgoflags= gcflags= installsuffix= json ldflags= linkshared mod= modcacherw modfile=read " +
	"overlay=read pgo=read pkgdir= tags= trimpath toolexec=text o=write exec=text vettool=text run= skip= bench= " +
	"benchmem benchtime= count= short timeout= failfast parallel= cpu= list= fuzz= fuzztime= args c i " +
	"coverprofile=write cpuprofile=write memprofile=write blockprofile=write mutexprofile=write trace=write " +
	"outputdir=write shuffle= vet= fullpath m u f= deps e export find retracted test versions reuse= h help"

const nodeOptions = "help~ v,version~ h~ e,eval=code! p,print=code! pe=code! c,check i,interactive r,require=exec " +
	"import=exec loader=exec experimental-loader=exec input-type= test watch inspect? inspect-brk? " +
	"max-old-space-size= no-warnings env-file=read trace-warnings C,conditions="

const pipOptions = "h,help~ V,version~ v,verbose q,quiet python= proxy= timeout= cache-dir=write no-cache isolated " +
	"require-virtualenv log=write"

// ghReads, dockerReads and kubectlReads are options of what only reads; what follows them
// in a row has its own meaning there.
const (
	ghReads = "L,limit= s,state= json= q,jq= A,author= l,label= assignee= a S,search= B,base= H,head= " +
		"c,comments d,draft milestone= m j,job= log log-failed v,verbose e,event= b,branch= workflow= u,user= " +
		"i,include paginate slurp cache= p,preview= exit-status required name-only patch color= o,order= sort= " +
		"owner= visibility= language= topic= fork source archived no-archived created= updated= commit= status= " +
		"attempt= exclude-drafts exclude-pre-releases h y,yaml r,ref= interval= watch fail-fast mention= app= " +
		"involves= match= filename= extension= size= stars= merged-at= merged closed= review= review-requested= all " +
		"public secret format= followers= number= n active t,template= w,web "
	dockerReads = "a,all q,quiet n,last= tail= l,latest s,size f,filter= format= no-trunc t,timestamps since= " +
		"until= details follow digests tree no-stream type= no-color no-log-prefix services orphans index= v,verbose " +
		"pretty platform= protocol= p,project-name= status= short h "
	kubectlReads = "L,label-columns= show-kind show-managed-fields show-events limit-bytes= api-version= client " +
		"short subresource= list q,quiet types= containers sum h output-watch-events "
)

var pipSubs = []*Program{
	{Names: "install download wheel uninstall sync add remove lock", Operands: "data*",
		Options: "r,requirement=read c,constraint=read e,editable=dir t,target=write user U,upgrade y,yes no-deps " +
			"pre i,index-url=host extra-index-url=host find-links= no-build-isolation force-reinstall I prefix=write " +
			"root=write d,dest=write dev group= extra= system p,python= break-system-packages"},
	{Names: "list show freeze check search index config cache debug inspect hash tree help version", Operands: "data*",
		Options: "include-editable exclude-editable pre disable-pip-version-check no-color no-cache-dir no-input " +
			"json path=dir o,outdated u,uptodate e,editable l,local user format= f,files not-required exclude= all"},
	{Names: "run", Style: Stop, Operands: "payload",
		Options: "with= p,python= extra= group= no-sync frozen locked isolated m,module= env-file=read script " +
			"package= directory=dir project=dir no-project dev"},
	{Names: "pip tool venv init publish build cache self", Operands: "data*"},
}

// buildOptions are those of Maven and Gradle.
const buildOptions = "h,help~ v,version~ f,file=read b,build-file=read p,project-dir=dir P,activate-profiles= D= " +
	"pl,projects= am,also-make amd T,threads= s,settings=read o offline q,quiet U,update-snapshots B,batch-mode " +
	"e,errors X,debug i,info d daemon no-daemon parallel continue dry-run x,exclude-task= I,init-script=exec " +
	"stacktrace scan refresh-dependencies console= g,gradle-user-home=write rerun-tasks tests="
