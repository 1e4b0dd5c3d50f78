package program

// sessionFiles are what the shell of another user runs as it starts, of which
// the name is unknown.
const sessionFiles = ".bash_profile .bash_login .profile .zprofile .bash_logout .bashrc .zshenv .zshrc"

// privileged are programs that run a command, or a shell, with the rights of
// another user: most of them for people who are to act as root (the manual
// pages of sudo 1.9, sudo-rs, OpenDoas, util-linux 2.39, shadow 4.13, systemd
// 256, polkit 124, MIT Kerberos and illumos, and the tools' own help).
var privileged = []*Program{
	{Names: "sudo dzdo sudo-rs", Same: "sudo-rs", Variables: "SUDO_EDITOR! SUDO_ASKPASS!",
		Tells: "sudo,sudo-rs:--version,--help", raising: raising{Password: "S stdin", Rights: Raised, Starts: "s i"},
		Startup:  Startup{Login: sessionFiles, LoginIf: "i"},
		starting: starting{Clears: ".", ClearsNot: "E preserve-env", Homes: "i"},
		Style:    Stop, Operands: "env* payload",
		Options: help + "A,askpass B,bell b,background C,close-from= D,chdir=dir E preserve-env? e,edit~ g,group= " +
			"H,set-home h,host= i,login K,remove-timestamp k,reset-timestamp l,list~ N,no-update n,non-interactive " +
			"P,preserve-groups p,prompt= R,chroot=dir r,role= S,stdin s,shell T,command-timeout= t,type= " +
			"U,other-user= u,user= V~ v,validate~"},
	{Names: "doas", starting: starting{Clears: "."}, Style: Stop, Operands: "payload",
		raising: raising{Rights: Raised, Starts: "s"},
		Options: "C=read L n s a= u="},
	{Names: "please", Style: Stop, Operands: "payload", raising: raising{Rights: Raised, Starts: "."},
		Options: help + "h~ v~ a,allowenv= c,check=read~ d,dir=dir e,list-env= g,group= l,list~ n,noprompt p,purge " +
			"r,reason= t,target= u,user= w,warm~"},
	{Names: "gsudo", Style: Stop, Operands: "payload", raising: raising{Rights: Raised, Starts: "."},
		Options: help + "h~ v~ n,new w,wait keepShell keepWindow close u,user= i,integrity= k,reset-timestamp " +
			"ti,trustedinstaller s,system d,direct copyns copyev nologo loglevel= debug chdir=dir"},
	{Names: "pfexec", Style: Stop, Operands: "payload", raising: raising{Rights: Raised}, Options: help + "P="},
	{Names: "pbrun pmrun sesudo", Style: Stop, Operands: "payload", raising: raising{Rights: Raised, Starts: "."},
		Options: help + "h,host= u,user= d= l~ v~ b n p s"},
	{Names: "pkexec", starting: starting{Clears: ".", Homes: ".", HomesNot: "keep-cwd"}, Style: Stop,
		Operands: "payload",
		raising:  raising{Rights: Raised, Starts: "."}, Options: help + "user= disable-internal-agent keep-cwd"},
	{Names: "run0", starting: starting{Clears: "."}, Style: Stop, Operands: "payload",
		raising: raising{Rights: Raised, Starts: "."},
		Options: help + "h~ V~ no-ask-password machine= unit= property= description= slice= slice-inherit u,user= " +
			"g,group= nice= D,chdir=dir setenv=env background= pty pty-late pipe shell-prompt-prefix= i via-shell " +
			"lightweight= area= empower same-root-dir"},
	{Names: "systemd-run", Kinds: "config=unit plans-units?^--on-,^--timer-property",
		starting: starting{Clears: ".", ClearsNot: "scope", Homes: "user", HomesNot: "scope d " +
			"S", Slash: ".", SlashNot: "user scope d S"},
		Style: Stop, Operands: "payload", raising: raising{Rights: Raised, RightsNot: "user", Starts: "."},
		Options: help + "h~ user system scope u,unit= p,property=config description= slice= slice-inherit " +
			"expand-environment= r,remain-after-exit send-sighup service-type= uid= gid= nice= working-directory=dir " +
			"d,same-dir E,setenv=env t,pty pty-late P,pipe q,quiet v,verbose G,collect S,shell on-active= on-boot= " +
			"on-startup= on-unit-active= on-unit-inactive= on-calendar= on-clock-change on-timezone-change " +
			"timer-property= path-property= socket-property= no-ask-password no-pager ignore-failure background= " +
			"job-mode= same-root-dir wait M,machine= C,capsule= H,host=host no-block json="},
	{Names: "gosu su-exec", Style: Stop, parsing: parsing{StopAt: 2}, Operands: "data payload",
		raising: raising{Rights: Raised, Starts: "."}, Options: help + "h~ v~"},
	{Names: "setpriv", Tells: tells, starting: starting{Clears: "reset-env"}, Style: Stop, Operands: "payload",
		raising: raising{Rights: Raised, RightsIf: "reuid ruid euid"},
		Options: "h,help~ V,version~ d,dump~ clear-groups groups= init-groups keep-groups inh-caps= ambient-caps= " +
			"bounding-set= list-caps~ no-new-privs rgid= egid= regid= ruid= euid= reuid= securebits= pdeathsig= " +
			"ptracer= selinux-label= apparmor-profile= landlock-access= landlock-rule= seccomp-filter=read reset-env " +
			"nnp"},

	// Dialogs for a password, which take the command as words or as one text.
	{Names: "kdesu kdesudo", Style: Stop, Operands: "rest", raising: raising{Rights: Raised, Starts: "."},
		Options: help + "help-all~ v~ author~ license~ c=text u= f= i,icon= p= r n s t d attach= priority= " +
			"scheduler= noignorebutton nonewdcop comment= cachePassword"},
	{Names: "gksu gksudo", Style: Stop, Operands: "rest", raising: raising{Rights: Raised, Starts: "."},
		Options: help + "h~ a,always-ask-password D,description= d,debug g,disable-grab i,icon= k,preserve-env " +
			"l,login m,message= P,prompt? p,print-pass~ S,sudo-mode t,title= u,user= w,su-mode"},
	{Names: "lxqt-sudo beesu xdg-su gnomesu ktsuss", Style: Stop, Operands: "rest",
		raising: raising{Rights: Raised, Starts: "."},
		Options: help + "h~ v~ a,doas c,command=text d,sudo l,-,login m P s,su u,user="},

	// Sessions: without a command they start a shell of their own.
	{Names: "su", Kinds: "says-line=-c", Startup: Startup{Login: sessionFiles, LoginIf: "l"},
		starting: starting{Clears: "l", ClearsNot: "m w", Homes: "l"},
		Operands: "data data*", raising: raising{Rights: Switched, Starts: "."},
		Options: help + "h~ c,command=text session-command=text f,fast g,group= G,supp-group= l,-,login " +
			"m,p,preserve-environment P,pty s,shell=exec T,no-pty u,user= w,whitelist-environment="},
	{Names: "runuser", Startup: Startup{Login: sessionFiles, LoginIf: "l"},
		starting: starting{Clears: "l", ClearsNot: "m w", Homes: "l"}, Operands: "data data*",
		raising: raising{Rights: Switched, Starts: "."},
		Options: help + "h~ c,command=text session-command=text f,fast g,group= G,supp-group= l,-,login " +
			"m,p,preserve-environment P,pty s,shell=exec T,no-pty u,user=@payload w,whitelist-environment="},
	{Names: "sux", Startup: Startup{Login: sessionFiles, LoginIf: "l"},
		starting: starting{Clears: "l", ClearsNot: "m w", Homes: "l"}, Operands: "data text",
		raising: raising{Rights: Switched, Starts: "."}, Options: help + "c,command=text l,-,login m,p"},
	{Names: "ksu", Operands: "data*", raising: raising{Rights: Switched, Starts: "."},
		Options: help + "a=rest c= e=rest f F k l= n= p P q r= z Z"},
	{Names: "su-to-root", Operands: "data*", raising: raising{Rights: Switched}, Options: help + "c=text p= X"},
	{Names: "sg", Startup: Startup{Login: sessionFiles, LoginIf: "l"}, Operands: "data text",
		raising: raising{Rights: Switched, Starts: "."}, Options: help + "h~ c,command=text l,-"},
	{Names: "newgrp", Startup: Startup{Login: sessionFiles, LoginIf: "l"}, Operands: "data",
		raising: raising{Rights: Switched, Starts: "."}, Options: help + "h~ c,command=text l,-"},
	{Names: "machinectl", Kinds: "deletes-machines?>remove,>terminate,>poweroff,>clean", Style: Stop, Operands: "data*",
		Options: help + "h~ p,property= a,all value P= l,full uid= E,setenv= kill-whom= s,signal= no-ask-password " +
			"no-legend no-pager q,quiet n,lines= o,output= runner= now V verify= force format= bind mkdir read-only " +
			"H,host=host M,machine= max-addresses=",
		Subs: []*Program{
			{Names: "shell", starting: starting{Clears: ".", Homes: "."}, Style: Stop, parsing: parsing{StopAt: 2},
				Operands:  "host payload",
				raising:   raising{Rights: Switched, Starts: ".", Self: ".host"},
				enclosing: enclosing{Context: Container}},
			{Names: "login", Operands: "host", raising: raising{Rights: Switched}},
		}},
}
