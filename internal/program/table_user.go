package program

// users are programs that run a command with other limits and identifiers of
// its process (the manual pages of systemd 256, runit,
// s6, daemontools, Debian's dpkg and libcgroup, and the tools' own help).
var users = []*Program{
	{Names: "setuidgid s6-setuidgid envuidgid s6-envuidgid envdir s6-envdir", Style: Stop, Operands: "data payload",
		Options: help + "h~ v~"},
	{Names: "chpst", Style: Stop, Operands: "payload",
		Options: "u= U= b= e=read /=dir C=dir n= l=write L=write m= d= o= p= f= c= r= t= P v V~ 0 1 2"},
	{Names: "softlimit s6-softlimit", Style: Stop, Operands: "payload",
		Options: "a= c= d= f= h H l= m= o= p= r= s= t="},
	{Names: "setlock s6-setlock", Style: Stop, Operands: "write payload", Options: "n N x X r w t= d="},
	{Names: "runcon", Style: Stop, Operands: "data payload",
		Options: help + "c,compute! t,type=! u,user=! r,role=! l,range=!"},
	{Names: "capsh", Kinds: "hands-to=bash grants-rights?^--addamb,^--inh,^--keep", Operands: "data* dashed",
		Options: help + "h~ print decode= supports= drop= caps= user= uid= gid= groups= chroot=dir keep= secbits= " +
			"inh= addamb= delamb= mode? shell=exec"},
	{Names: "aa-exec", Style: Stop, Operands: "payload",
		Options: help + "h~ p,profile= n,namespace= d,debug i,immediate v,verbose"},
	{Names: "choom", Style: Stop, Operands: "payload", Options: "h,help~ V,version~ n,adjust= p,pid=~"},
	{Names: "uclampset", Style: Stop, Operands: "payload",
		Options: "h,help~ V,version~ m= M= a,all-tasks p,pid=~ s,system~ R,reset-on-fork v,verbose"},
	{Names: "schedtool", Operands: "data*", Options: "e=rest r v h~ N F= R= B I D E n= a= p= M= d= t="},
	{Names: "cgexec", Style: Stop, Operands: "payload", Options: "h,help~ g= b r sticky"},
	{Names: "cpulimit", Style: Stop, Operands: "payload",
		Options: "h,help~ l,limit= p,pid=~ e,exe=~ P,path=~ c,cpu= b,background f,foreground k,kill r,restore " +
			"s,signal= q,quiet S,same-pidns v,verbose z,lazy i,include-children m,monitor-forks"},
	{Names: "tini dumb-init catatonit", Style: Stop, Operands: "payload",
		Options: help + "h~ V~ s g v w l p= e= c,single-child r,rewrite= P L"},
	{Names: "start-stop-daemon", Operands: "data*",
		Options: "S,start K,stop~ T,status~ H,h,help~ V,version~ t,test~ pid= ppid= p,pidfile=write x,exec=program " +
			"a,startas=program n,name= u,user= g,group= c,chuid= s,signal= r,chroot=dir d,chdir=dir N,nicelevel= " +
			"P,procsched= I,iosched= k,umask= b,background notify-await notify-timeout= C,no-close O,output=write " +
			"m,make-pidfile remove-pidfile R,retry= o,oknodo q,quiet v,verbose"},
	{Names: "daemon", starting: starting{Slash: "."}, Style: Stop, Operands: "payload",
		Options: help + "h~ V~ n,name= D,chdir=dir U,unsafe u,user= r,respawn o,output=write O,stdout=write " +
			"E,stderr=write X,command=text F,pidfile=write P,pidfiles= stop~ running~ restart~ list~ i,inherit " +
			"e,env= c,config=read"},
	{Names: "daemonize", Kinds: "forks",
		starting: starting{Slash: "."}, Style: Stop, Operands: "payload",
		Options: "a c=dir e=write o=write E= l=write p=write u= v"},
	{Names: "lockf lckdo", Style: Stop, Operands: "write payload", Options: "k n s t= p w W= e E= q x Q"},
	{Names: "eatmydata catchsegv chronic ifne dbus-launch ssh-agent fakechroot", Style: Stop, Operands: "payload",
		Options: help + "h~ n v k~ c s d D a= t= e E= P= O= exit-with-session autolaunch= sh-syntax csh-syntax " +
			"binary-syntax close-stderr use-system"},
	{Names: "xvfb-run", Style: Stop, Operands: "payload",
		Options: "h,help~ a,auto-servernum e,error-file=write f,auth-file=write n,server-num= l,listen-tcp " +
			"p,xauth-protocol= s,server-args= w,wait="},
	{Names: "faketime datefudge", Style: Stop, Operands: "data payload",
		Options: "h,help~ v~ m f,exclude-monotonic p,disable-shm s,static date-prog="},
	{Names: "sshpass", Secrets: "p", Style: Stop, Operands: "payload", Options: "h~ V~ p= f=read d= e? P= v"},
	{Names: "proxychains proxychains4 socksify torsocks torify tsocks trickle", Style: Stop, Operands: "payload",
		Options: help + "h~ V~ q,quiet f= v s d= u= w= t= l= L= n= i,isolate a,address= p,pass= P,port= D,debug"},
}
