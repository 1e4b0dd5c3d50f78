package program

// machines run a command in a virtual machine, in a system container, on a
// phone, or by a program that they bring along (the tools' own help).
var machines = []*Program{
	{Names: "lxc incus",
		Kinds: "deletes-machines?>delete,>rm,>image>delete,>storage>delete,>storage>volume>delete,>network>delete,>project>delete," +
			">snapshot>delete,>restore,>rebuild", NoGrant: "*",
		Options: "h,help~ version~ project= force-local debug q,quiet v,verbose",
		Subs: []*Program{{Names: "exec", Operands: "data " +
			"dashed", enclosing: enclosing{Context: Container},
			Options: "h,help~ cwd=dir n,disable-stdin env= t,force-interactive T,force-noninteractive mode= user= " +
				"group="}}},
	{Names: "multipass", Kinds: "deletes-machines?>delete,>purge", NoGrant: "*", Options: "h,help~ v,verbose",
		Subs: []*Program{{Names: "exec", Operands: "data " +
			"dashed", enclosing: enclosing{Context: Container},
			Options: "h,help~ d,working-directory=dir n,no-map-working-directory"}}},
	{Names: "limactl", Kinds: "deletes-machines?>delete,>factory-reset,>reset",
		Options: "h,help~ v,version~ debug log-level= tty?",
		Subs: []*Program{{Names: "shell", Style: Stop, Operands: "data " +
			"payload", enclosing: enclosing{Context: Container}, Options: "h,help~ shell= workdir=dir preserve-env"}}},
	{Names: "lima", Style: Stop, Operands: "payload", enclosing: enclosing{Context: Container},
		Options: "h,help~ v,version~"},
	{Names: "colima", Kinds: "deletes-machines?>delete,>factory-reset,>reset",
		Options: "h,help~ p,profile= v,verbose very-verbose",
		Subs: []*Program{{Names: "ssh", Operands: "data* " +
			"dashed", enclosing: enclosing{Context: Container}, Options: "h,help~"}}},
	{Names: "vagrant", Kinds: "destroys-stacks?>destroy,>box>remove,>snapshot>delete,>snapshot>restore " +
		"runs-elsewhere?>ssh>-c,>ssh>--command",
		NoGrant: "*", Options: "h,help~ v,version~ color no-color machine-readable debug",
		Subs: []*Program{{Names: "ssh", Operands: "data* " +
			"dashed", enclosing: enclosing{Context: Remote}, Options: "h,help~ c,command= p,plain t,tty"}}},
	{Names: "adb",
		Kinds: "erases-devices?>uninstall,>sideload,>restore,>disable-verity,>enable-verity,>reboot,>emu>kill,>shell>reboot," +
			">shell>wipe,>shell>dd", Options: "a d e s= t= H= P= L=",
		Subs: []*Program{{Names: "shell exec-out " +
			"exec-in", Style: Stop, Operands: "joined", enclosing: enclosing{Context: Remote}, Options: "e= n T t x"}}},
	{Names: "k3s", Style: Stop, Operands: "payload", Options: "h,help~ v,version~ debug",
		Subs: []*Program{{Names: "server agent check-config etcd-snapshot secrets-encrypt certificate token " +
			"completion help", Operands: "data*"}}},
	{Names: "microk8s", Kinds: "deletes-clusters?>delete,>uninstall,>reset,>cluster>destroy,>cluster>delete",
		Style:    Stop,
		Operands: "payload", Options: "h,help~",
		Subs: []*Program{{Names: "start stop status reset enable disable inspect config add-node join leave " +
			"remove-node addons dashboard-proxy refresh-certs version images dbctl", Operands: "data*"}}},
	{Names: "pdsh", Kinds: "runs-elsewhere?#1", asking: asking{Client: SSH}, Style: Stop, Operands: "joined",
		enclosing: enclosing{Context: Remote},
		Options:   "w=host x= g= X= a A R= l= t= u= f= N b S k d h~ V~ q~ L~ M= P=~ D="},
	{Names: "clush", Kinds: "runs-elsewhere?#1", asking: asking{Client: SSH}, Style: Stop, Operands: "joined",
		enclosing: enclosing{Context: Remote},
		Options: help + "h~ w,nodes=host hostfile=read x,exclude= g,group= X= a,all S,maxrc L b,dshbak B N r,regroup " +
			"G,groupbase s,groupsource= q,quiet v,verbose d,debug nostdin n l,user= f,fanout= t,connect_timeout= " +
			"u,command_timeout= o,options= p,preserve R,worker= c,copy~ rcopy~ dest= mode= pick= conf=read O,option= " +
			"color= diff outdir=write errdir=write P,progress remote= axis="},
	{Names: "pssh parallel-ssh", Kinds: "runs-elsewhere?#1", asking: asking{Client: SSH}, Style: Stop,
		Operands:  "joined",
		enclosing: enclosing{Context: Remote},
		Options: help + "h,hosts=read H,host=host l,user= p,par= o,outdir=write e,errdir=write t,timeout= " +
			"O,option= v,verbose A,askpass x,extra-args= X,extra-arg= i,inline inline-stdout I,send-input P,print"},
	{Names: "fab", Kinds: "lines=python default=fabfile.py hands-line", Operands: "data* dashed",
		enclosing: enclosing{Context: Remote},
		Options: "h,help~ V,version~ l,list~ H,hosts=host i,identity=read c,collection= r,search-root=dir " +
			"f,config=read S,ssh-config=read D,list-depth= F,list-format= e,echo R,dry~ w,warn-only p,pty d,debug " +
			"t,connect-timeout= T,command-timeout= no-dedupe print-completion-script=~ prompt-for-login-password " +
			"prompt-for-passphrase prompt-for-sudo-password write-pyc"},
}
