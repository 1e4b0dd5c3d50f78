package shell

// sandboxes run a command in other namespaces or below another root (the
// manual pages of bubblewrap 0.9, firejail 0.9, proot 5 and systemd 256). What
// the first three run may still reach this machine's files.
var sandboxes = []*Program{
	{Names: "bwrap", Style: Stop, Operands: "payload", Options: "help~ version~ args= argv0= level-prefix unshare-all share-net unshare-user unshare-user-try unshare-ipc unshare-pid unshare-net unshare-uts unshare-cgroup unshare-cgroup-try userns= userns2= disable-userns assert-userns-disabled pidns= uid= gid= hostname= chdir=dir clearenv setenv=+ unsetenv= lock-file= sync-fd= bind=+ bind-try=+ dev-bind=+ dev-bind-try=+ ro-bind=+ ro-bind-try=+ bind-fd=+ ro-bind-fd=+ remount-ro= overlay-src= overlay=+ tmp-overlay= ro-overlay= exec-label= file-label= proc= dev= tmpfs= mqueue= dir= file=+ bind-data=+ ro-bind-data=+ symlink=+ seccomp= add-seccomp-fd= block-fd= userns-block-fd= info-fd= json-status-fd= new-session die-with-parent as-pid-1 cap-add= cap-drop= perms= size= chmod=+"},
	{Names: "firejail", Style: Stop, Operands: "payload", Options: help + "h~ list~ tree~ top~ c q,quiet noprofile private? net? profile? name? join? shutdown?~ caps? seccomp? x11? bind? overlay? chroot? env? whitelist? blacklist? read-only? read-write? tmpfs? rlimit-as? timeout? output? nodbus nosound noroot allow-debuggers ignore? apparmor? appimage build? debug? dns? ip? hostname? nice? shell? tracelog"},
	{Names: "proot", Style: Stop, Operands: "payload", Context: Container, Roots: "r R S", Options: help + "h~ V,about~ r,rootfs= b,bind,m,mount= q,qemu= w,pwd,cwd= v,verbose= k,kernel-release= 0,root-id i,change-id= p,port= n,netcoop l,link2symlink kill-on-exit R= S="},
	{Names: "systemd-nspawn", Style: Stop, Operands: "payload", Context: Container, Roots: "D i M template", Options: help + "h~ q,quiet no-pager settings= D,directory= template= x,ephemeral i,image= image-policy= oci-bundle= read-only volatile? root-hash= root-hash-sig= verity-data= pivot-root= a,as-pid2 b,boot chdir= E,setenv= u,user= kill-signal= notify-ready= suppress-sync= M,machine= hostname= uuid= S,slice= property= register= keep-unit U private-users? private-users-ownership= private-network network-interface= network-macvlan= network-ipvlan= n,network-veth network-veth-extra= network-bridge= network-zone= network-namespace-path= p,port= capability= drop-capability= ambient-capability= no-new-privileges= system-call-filter= Z,selinux-context= L,selinux-apifs-context= rlimit= oom-score-adjust= cpu-affinity= personality= resolv-conf= timezone= link-journal= j bind= bind-ro= inaccessible= tmpfs= overlay= overlay-ro= bind-user= console= P,pipe background= set-credential= load-credential="},
	{Names: "flatpak-spawn", Style: Stop, Operands: "payload", Options: help + "v,verbose clear-env watch-bus env= forward-fd= directory=dir host no-network sandbox latest-version sandbox-expose= sandbox-expose-ro= expose-pids share-pids"},
	{Names: "toolbox distrobox", Options: help + "h~ v,verbose y,assumeyes", Subs: []*Program{
		{Names: "run", Style: Stop, Operands: "payload", Options: "c,container= d,distro= r,release= preserve-fds="},
		{Names: "enter", Operands: "data* dashed", Options: "n,name= r,root e=rest T,no-tty no-workdir a,additional-flags="},
		{Names: "list create rm stop init-container", Operands: "data*"},
	}},
	{Names: "distrobox-host-exec", Style: Stop, Operands: "payload", Options: "h,help~ V,version~ Y,yes v,verbose"},
	{Names: "distrobox-enter", Operands: "data* dashed", Options: "h,help~ V,version~ n,name= r,root e=rest T,no-tty v,verbose"},
}
