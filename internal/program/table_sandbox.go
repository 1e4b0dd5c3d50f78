package program

// sandboxes run a command in other namespaces or below another root (the
// manual pages of bubblewrap 0.9, firejail 0.9, proot 5 and systemd 256, and the tools' own help). What
// the first three run may still reach this machine's files.
var sandboxes = []*Program{
	{Names: "bwrap", Style: Stop, Operands: "payload",
		Options: "help~ version~ args= argv0= level-prefix unshare-all share-net unshare-user unshare-user-try " +
			"unshare-ipc unshare-pid unshare-net unshare-uts unshare-cgroup unshare-cgroup-try userns= userns2= " +
			"disable-userns assert-userns-disabled pidns= uid= gid= hostname= chdir=dir clearenv setenv=+ unsetenv= " +
			"lock-file= sync-fd= bind=+ bind-try=+ dev-bind=+ dev-bind-try=+ ro-bind=+ ro-bind-try=+ bind-fd=+ " +
			"ro-bind-fd=+ remount-ro= overlay-src= overlay=+ tmp-overlay= ro-overlay= exec-label= file-label= proc= " +
			"dev= tmpfs= mqueue= dir= file=+ bind-data=+ ro-bind-data=+ symlink=+ seccomp= add-seccomp-fd= block-fd= " +
			"userns-block-fd= info-fd= json-status-fd= new-session die-with-parent as-pid-1 cap-add= cap-drop= " +
			"perms= size= chmod=+"},
	{Names: "firejail", Style: Stop, Operands: "payload",
		Options: help + "h~ list~ tree~ top~ c q,quiet noprofile private? net? profile? name? join? shutdown?~ caps? " +
			"seccomp? x11? bind? overlay? chroot? env? whitelist? blacklist? read-only? read-write? tmpfs? " +
			"rlimit-as? timeout? output? nodbus nosound noroot allow-debuggers ignore? apparmor? appimage build? " +
			"debug? dns? ip? hostname? nice? shell? tracelog"},
	{Names: "proot", Style: Stop, Operands: "payload",
		enclosing: enclosing{Context: Container, Shares: true, Roots: "r R S"},
		Options: help + "h~ V,about~ r,rootfs= b,bind,m,mount= q,qemu= w,pwd,cwd=dir v,verbose= k,kernel-release= " +
			"0,root-id i,change-id= p,port= n,netcoop l,link2symlink kill-on-exit R= S="},
	{Names: "systemd-nspawn", Style: Stop, Operands: "payload",
		enclosing: enclosing{Context: Container, Roots: "D i M template"},
		Options: help + "h~ q,quiet no-pager settings= D,directory= template= x,ephemeral i,image= image-policy= " +
			"oci-bundle= read-only volatile? root-hash= root-hash-sig= verity-data= pivot-root= a,as-pid2 b,boot " +
			"chdir= E,setenv= u,user= kill-signal= notify-ready= suppress-sync= M,machine= hostname= uuid= S,slice= " +
			"property= register= keep-unit U private-users? private-users-ownership= private-network " +
			"network-interface= network-macvlan= network-ipvlan= n,network-veth network-veth-extra= network-bridge= " +
			"network-zone= network-namespace-path= p,port= capability= drop-capability= ambient-capability= " +
			"no-new-privileges= system-call-filter= Z,selinux-context= L,selinux-apifs-context= rlimit= " +
			"oom-score-adjust= cpu-affinity= personality= resolv-conf= timezone= link-journal= j bind= bind-ro= " +
			"inaccessible= tmpfs= overlay= overlay-ro= bind-user= console= P,pipe background= set-credential= " +
			"load-credential="},
	{Names: "schroot", Operands: "data* dashed",
		Options: help + "h~ l,list~ i,info~ c,chroot= n,session-name= u,user= d,directory=dir s,shell=exec " +
			"p,preserve-environment q,quiet v,verbose a,all b,begin-session r,run-session e,end-session o,option="},
	{Names: "nixos-enter", Operands: "data* dashed", Options: "help~ root=dir c,command=text system=dir silent"},
	{Names: "minijail0", Style: Stop, Operands: "payload",
		Options: "h~ help~ a= b= B= c= C= D e? E= f=write F g= G H i I J k= K? l L m? M? n N o p P= r R= S= t? T= u= " +
			"U v V= w x Y z"},
	{Names: "nsjail", Operands: "data* dashed",
		Options: "h,help~ M,mode= C,config=read x,exec_file=exec e,execute_fd c,chroot= rw u,user= g,group= " +
			"H,hostname= D,cwd= t,time_limit= q,quiet Q,really_quiet R,bindmount_ro= B,bindmount= T,tmpfsmount="},
	{Names: "sandbox-exec", Style: Stop, Operands: "payload", Options: "f=read n= p= D="},
	{Names: "flatpak-spawn", Style: Stop, Operands: "payload",
		Options: help + "v,verbose clear-env watch-bus env= forward-fd= directory=dir host no-network sandbox " +
			"latest-version sandbox-expose= sandbox-expose-ro= expose-pids share-pids"},
	{Names: "toolbox distrobox", Options: help + "h~ v,verbose y,assumeyes", Subs: []*Program{
		{Names: "run", Style: Stop, Operands: "payload", Options: "c,container= d,distro= r,release= preserve-fds="},
		{Names: "enter", Operands: "data* dashed",
			Options: "n,name= r,root e=rest T,no-tty no-workdir a,additional-flags="},
		{Names: "list create rm stop init-container", Operands: "data*"},
	}},
	{Names: "distrobox-host-exec", Style: Stop, Operands: "payload", Options: "h,help~ V,version~ Y,yes v,verbose"},
	{Names: "distrobox-enter", Operands: "data* dashed",
		Options: "h,help~ V,version~ n,name= r,root e=rest T,no-tty v,verbose"},
	{Names: "buildah", Kinds: "pushes-images?>push,>cm>push,>manifest>push", Secrets: "login/p",
		Options: "h,help~ v,version~",
		Subs: []*Program{{Names: "unshare", Style: Stop, Operands: "payload", Options: "m,mount="},
			{Names: "run", Style: Stop, Operands: "data payload", enclosing: enclosing{Context: Container},
				Options: "v,volume= user= workingdir=dir isolation= cap-add= t,tty"},
			{Names: "bud build from add copy commit config images inspect push pull rm rmi tag containers login logout",
				Operands: "data*"}}},
	{Names: "wsl", Kinds: "powers?:shutdown changes-volumes?>--unregister", Style: Stop, Operands: "payload",
		Options: help + "e,exec d,distribution= u,user= cd=dir shell-type= system l,list~ s,set-default=~ " +
			"t,terminate=~ shutdown~ status~ install~ update~ export~ import~ unregister~"},
	{Names: "ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1",
		Style:    Stop,
		Operands: "payload",
		Options: help + "list~ verify~ list-tunables~ list-diagnostics~ preload=read library-path= inhibit-cache " +
			"inhibit-rpath= audit= argv0= glibc-hwcaps-prepend= glibc-hwcaps-mask="},
	{Names: "wine wine64 box64 box86 fexinterpreter fexloader", Style: Stop, Operands: "payload", Options: help},
	{Names: "qemu-x86_64 qemu-i386 qemu-aarch64 qemu-arm qemu-riscv64 qemu-x86_64-static qemu-aarch64-static " +
		"qemu-arm-static",
		Style: Stop, Operands: "payload",
		Options: "h,help~ version~ L= cpu= E= U= g= s= 0= r= B= R= d= D=write p= strace"},
}
