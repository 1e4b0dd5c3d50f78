package program

// starters run a command later, again, elsewhere in a queue or behind a
// server, or on what a person picks (the tools' own manuals).
var starters = []*Program{
	{Names: "host-spawn", Style: Stop, Operands: "payload", Options: help + "no-pty pty env= cwd=dir C=dir"},
	{Names: "foreman honcho", Kinds: "lines=procfile default=Procfile", Options: help,
		Subs: []*Program{{Names: "run", Style: Stop, Operands: "payload", Options: "e,env=read d,root=dir " +
			"f,procfile=read"}}},
	{Names: "systemd-inhibit", NoGrant: "*", Style: Stop, Operands: "payload",
		Options: help + "h~ what= who= why= mode= list~ no-pager no-legend no-ask-password"},
	{Names: "systemd-cat", Style: Stop, Operands: "payload",
		Options: help + "h~ t,identifier= p,priority= stderr-priority= level-prefix= namespace="},
	{Names: "tsp ts task-spooler nq", NoGrant: "*", Style: Stop, Operands: "payload",
		Options: "h~ V~ K~ C~ l~ t~ c~ q n g f m d B E i~ L= N= D= W= S= u~ w~ k~ a"},
	{Names: "run-one run-this-one run-one-constantly run-one-until-success run-one-until-failure keep-one-running",
		Style: Stop, Operands: "payload"},
	{Names: "rtk", Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true},
		Options: "h,help~ V,version~ skip-env", Verbs: []*Program{
			{Names: "proxy,err,test,summary", Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true},
				Options: help},
			{Names: "read,smart,json,deps,log", Operands: "read*", Options: help},
			{Names: "gain,discover,init,config,learn,session,telemetry,trust,untrust,verify,rewrite,hook-audit,cc-economics", Operands: "data*"},
		}, Reads: &Reading{Check: "payload",
			Source:  "rtk 0.28, README; it counts in a database of its own what it has saved",
			Options: "v,verbose u,ultra-compact",
			Proved:  []string{"rtk ls -la", "rtk grep x f", "rtk -v wc f"},
			Not:     []string{"rtk ./p", "rtk init -g", "rtk --skip-env ls"},
		}},
	{Names: "retry", Style: Stop, Operands: "payload", Options: help + "h~ t,times= d,delay= m,min= u,until="},
	{Names: "wait-for-it wait-for-it.sh wait-for dockerize", Same: "wait-for-it.sh", Operands: "data* dashed",
		Options: help + "h,host= p,port= s,strict q,quiet t,timeout= wait=+ timeout="},
	{Names: "gum", Options: help + "h~ v~",
		Subs: []*Program{{Names: "spin", Style: Stop, Operands: "payload", Options: "s,spinner= title= show-output " +
			"show-error show-stdout show-stderr a,align= timeout="}}},
	{Names: "mispipe", Operands: "text text"},
	{Names: "systemd-socket-activate", Style: Stop, Operands: "payload",
		Options: help + "h~ l,listen= a,accept d,datagram seqpacket inetd E,setenv= fdname="},
	{Names: "tcpsvd udpsvd tcpserver", Style: Stop, parsing: parsing{StopAt: 3}, Operands: "data data payload",
		Options: "h E v p q Q c= C= b= u= l= x= i= t= g= r="},
	{Names: "bear ccache distcc scan-build", Style: Stop, Operands: "payload",
		Options: help + "h~ o=write output=write V~ s~ C~ c~"},
	{Names: "envconsul consul-template", Style: Stop, Operands: "payload",
		Options: help + "exec=text config=read prefix= secret= consul-addr= vault-addr= template=read once pristine " +
			"upcase sanitize"},
	{Names: "xss-lock", Style: Stop, Operands: "payload",
		Options: "n,notifier=text s,session= l,transfer-sleep-lock q,quiet v,verbose"},
	{Names: "logsave", Style: Stop, parsing: parsing{StopAt: 2}, Operands: "write payload", Options: "a s v"},
	{Names: "multitime", Style: Stop, Operands: "payload", Options: "f= i=text I= n= o=text q r=text s= v"},
	{Names: "coresched", Options: help + "h~ V~ v,verbose",
		Subs: []*Program{{Names: "new", Style: Stop, Operands: "payload", Options: "t,dest-type="}}},
	{Names: "rush", Operands: "text*",
		Options: help + "h~ j,jobs= i,infile=read d,delimiter= k,keep-order dry-run~ verbose"},
	{Names: "execlineb", Operands: "exec data*", Options: "c=text P p S= s= W w e o"},
	{Names: "timelimit", Style: Stop, Operands: "payload", Options: "p q S= s= T= t="},
	{Names: "srun", Style: Stop, Operands: "payload",
		Options: help + "h~ V~ A,account= N,nodes= n,ntasks= c,cpus-per-task= p,partition= t,time= J,job-name= " +
			"o,output=write e,error=write i,input=read G,gpus= w,nodelist= x,exclude= q,qos= u,unbuffered l,label " +
			"k,K,no-kill? D,chdir=dir m,distribution= mem= gres= pty? exclusive? overlap mpi= export= Q,quiet " +
			"v,verbose"},
	{Names: "sbatch", Operands: "exec data*",
		Options: help + "h~ V~ A,account= N,nodes= n,ntasks= c,cpus-per-task= p,partition= t,time= J,job-name= " +
			"o,output=write e,error=write i,input=read G,gpus= w,nodelist= x,exclude= q,qos= D,chdir=dir a,array= " +
			"d,dependency= mem= gres= exclusive? export= wrap=text parsable? test-only W,wait H,hold Q,quiet"},
	{Names: "mpirun mpiexec orterun", Style: Words, Operands: "payload",
		Options: "help~ h~ version~ V~ n= np= c= N= H= host= hosts= hostfile= machinefile= f= x= env=+ genv=+ " +
			"wdir=dir wd=dir mca=+ bind-to= map-by= rank-by= ppn= perhost= oversubscribe allow-run-as-root q v " +
			"tag-output output-filename=write"},
	{Names: "ttyd gotty websocketd", Kinds: "ttyd,gotty:types?#1&!>--help,>--version", Style: Stop, Operands: "payload",
		Options: "help~ h~ version~ v~ p,port= i,interface= address= c,credential= u,uid= g,gid= s,signal= " +
			"w,W,writable,permit-write a,url-arg R,readonly t,client-option= T,terminal-type= O,check-origin " +
			"m,max-clients= o,once q,exit-no-conn b,base-path= I,index=read ssl,S C,ssl-cert=read K,ssl-key=read " +
			"d,debug= cwd=dir dir=dir staticdir=dir cgidir=dir"},
	{Names: "asciinema", Options: help + "h~",
		Subs: []*Program{{Names: "rec stream session", Operands: "write", Options: "c,command=text append raw " +
			"overwrite t,title= i,idle-time-limit= e,env= cols= rows= q,quiet y,yes stdin headless"},
			{Names: "play cat upload auth convert", Operands: "read*"}}},
	{Names: "onchange", Operands: "data* dashed",
		Options: help + "h~ a,add= i,initial e,exclude= k,kill j,jobs= c,change f,filter= d,delay= o,outpipe=text " +
			"p,poll= v,verbose await-write-finish="},
	{Names: "chokidar chokidar-cli", Same: "chokidar-cli", Operands: "data*",
		Options: help + "h~ c,command=text d,debounce= t,throttle= s,follow-symlinks i,ignore= initial p,polling " +
			"poll-interval= silent verbose concurrent"},
	{Names: "watchman-make", Operands: "data*",
		Options: "h,help~ p,pattern= t,target= s,settle= root=dir make=text run=text connect-timeout="},
	{Names: "reflex", Style: Stop, Operands: "payload",
		Options: "h,help~ r,regex= R,inverse-regex= g,glob= G,inverse-glob= s,start-service d,decoration= " +
			"c,config=read e,sequential only-dirs only-files t,shutdown-timeout= v,verbose all substitute="},
	{Names: "shx", Style: Stop, Operands: "payload"},
	{Names: "pm2 pm2-dev pm2-runtime", NoGrant: "*", Options: help + "h~ V~ s,silent",
		Subs: []*Program{{Names: "start", Style: Stop, Operands: "joined", Options: "n,name= i,instances= f,force " +
			"watch? ignore-watch= cwd=dir interpreter=exec node-args= l,log=write o,output=write e,error=write " +
			"no-daemon no-autorestart cron-restart= max-memory-restart= time attach env= namespace= update-env"},
			{Names: "stop restart reload delete list ls status logs monit save resurrect startup unstartup describe " +
				"show flush kill ping", Operands: "data*"}}},
	{Names: "salt-call",
		Options: help + "local l,log-level= c,config-dir=read id= retcode-passthrough out= output= g,grains " +
			"file-root=dir",
		Subs: []*Program{{Names: "cmd.run cmd.shell cmd.run_all cmd.run_stdout cmd.run_stderr " +
			"cmd.retcode", Operands: "text"}}},
	{Names: "fzf sk", Kinds: "config=actions", Variables: "FZF_DEFAULT_COMMAND! FZF_DEFAULT_OPTS!options",
		Tells: tells, Operands: "data*",
		Options: help + "h~ preview=text preview-window= bind=config q,query= f,filter= header= prompt= pointer= " +
			"marker= border? height= layout= d,delimiter= n,nth= with-nth= m,multi? e,exact i x s,no-sort tac ansi " +
			"cycle reverse 1,select-1 0,exit-0 print0 read0 print-query expect= tiebreak= color= history=write " +
			"history-size= walker= walker-root=dir with-shell=exec c,cmd=text"},
	{Names: "pueue", Options: help + "h~ v,verbose color= c,config=read p,profile=",
		Subs: []*Program{{Names: "add", Style: Stop, Operands: "joined", Options: "w,working-directory=dir e,escape " +
			"i,immediate s,stashed d,delay= g,group= a,after= o,priority= l,label= p,print-task-id"},
			{Names: "status log follow start pause kill clean reset remove restart switch stash enqueue edit group " +
				"wait parallel send format-status shutdown completions",
				Operands: "data*"}}},
	{Names: "just", Kinds: "builds tasks=recipes lines=recipes default=justfile,Justfile,.justfile",
		Loads: "-c --command --shell --shell-arg --edit -e --chooser --choose -g --global-justfile install " +
			"uninstall",
		Style: Stop, Operands: "data*", Options: help + "h~ V~ c,command=rest f,justfile=read d,working-directory=dir l,list~ " +
			"n,dry-run~ s,show=~ e,edit~ summary~ dump~ evaluate~ fmt~ choose chooser=text shell=exec shell-arg= " +
			"set=+ q,quiet u,unsorted v,verbose dotenv-path=read unstable yes"},
	{Names: "wezterm", Kinds: "hands=typed types?>cli>send-text,>cli>get-text,>cli>spawn,>connect",
		Options: help + "h~ V~ n,skip-config config-file=read config=",
		Subs: []*Program{{Names: "start", Style: Stop, Operands: "payload", Options: "cwd=dir class= workspace= " +
			"position= no-auto-connect always-new-process domain= attach new-tab"},
			{Names: "cli", Options: "no-auto-start prefer-mux class=",
				Subs: []*Program{{Names: "spawn split-pane", Style: Stop, Operands: "payload", Options: "pane-id= " +
					"domain-name= window-id= new-window cwd=dir workspace= horizontal left right top bottom " +
					"top-level cells= percent="},
					{Names: "list send-text get-text activate-pane kill-pane list-clients", Operands: "data*",
						Options: "pane-id= format= no-paste"}}},
			{Names: "ssh connect serial imgcat show-keys ls-fonts record replay set-working-directory",
				Operands: "data*"}}},
	{Names: "hg chg", Kinds: "hg:subs hg:clones hg:obtains=verbs config=sections",
		Variables: "PAGER! EDITOR! VISUAL! HGEDITOR!",
		Loads:     "--config", Subs: []*Program{{Names: "clone", Operands: "host " +
			"write"}, {Names: "archive", Operands: "write"}},
		asking: asking{Network: "push,pull,clone,incoming,outgoing"}, Operands: "data*",
		Options: "h,help~ version~ R,repository,repo=read cwd=dir y,noninteractive q,quiet v,verbose color= " +
			"config=config debug debugger encoding= encodingmode= traceback time profile hidden pager= m,message= " +
			"u,user= r,rev= e,ssh=text remotecmd=text"},
	{Names: "svn svnadmin svnsync", Kinds: "svn:subs svn:clones svn:obtains=verbs config=files " +
		"svn:unforges?>delete>-m,>rm>-m,>remove>-m,>del>-m,>delete>--message,>rm>--message",
		Variables: "PAGER! EDITOR! VISUAL! SVN_EDITOR! SVN_SSH!",
		Subs:      []*Program{{Names: "checkout co export", Operands: "host write"}},
		asking:    asking{Network: "commit,ci,checkout,co,update,up,switch,export,import"}, Operands: "data*",
		Options: "h,help~ version~ config-option=config config-dir=read username= password= no-auth-cache " +
			"non-interactive trust-server-cert editor-cmd=text diff-cmd=text diff3-cmd=text m,message= F,file=read " +
			"r,revision= N q,quiet v,verbose depth= force"},
	{Names: "tox", Kinds: "lines=commands default=tox.ini", Loads: "-x --override", Operands: "data*",
		Options: help + "h~ c,conf=read e= f= v q workdir=dir root=dir",
		Subs: []*Program{{Names: "exec e", Operands: "data* dashed", Options: "e= f= c,conf=read v q " +
			"no-list-dependencies skip-pkg-install"},
			{Names: "run r run-parallel p list l config c devenv d depends de legacy le", Operands: "data*"}}},
}
