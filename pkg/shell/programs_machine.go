package shell

// machines run a command in a virtual machine, in a system container, on a
// phone, or by a program that they bring along (the tools' own help).
var machines = []*Program{
	{Names: "lxc incus", Options: "h,help~ version~ project= force-local debug q,quiet v,verbose", Subs: []*Program{{Names: "exec", Operands: "data dashed", Context: Container, Options: "h,help~ cwd=dir n,disable-stdin env= t,force-interactive T,force-noninteractive mode= user= group="}}},
	{Names: "multipass", Options: "h,help~ v,verbose", Subs: []*Program{{Names: "exec", Operands: "data dashed", Context: Container, Options: "h,help~ d,working-directory=dir n,no-map-working-directory"}}},
	{Names: "limactl", Options: "h,help~ v,version~ debug log-level= tty?", Subs: []*Program{{Names: "shell", Style: Stop, Operands: "data payload", Context: Container, Options: "h,help~ shell= workdir=dir preserve-env"}}},
	{Names: "lima", Style: Stop, Operands: "payload", Context: Container, Options: "h,help~ v,version~"},
	{Names: "colima", Options: "h,help~ p,profile= v,verbose very-verbose", Subs: []*Program{{Names: "ssh", Operands: "data* dashed", Context: Container, Options: "h,help~"}}},
	{Names: "vagrant", Options: "h,help~ v,version~ color no-color machine-readable debug", Subs: []*Program{{Names: "ssh", Operands: "data* dashed", Context: Remote, Options: "h,help~ c,command= p,plain t,tty"}}},
	{Names: "adb", Options: "a d e s= t= H= P= L=", Subs: []*Program{{Names: "shell exec-out exec-in", Style: Stop, Operands: "joined", Context: Remote, Options: "e= n T t x"}}},
	{Names: "k3s", Style: Stop, Operands: "payload", Options: "h,help~ v,version~ debug", Subs: []*Program{{Names: "server agent check-config etcd-snapshot secrets-encrypt certificate token completion help", Operands: "data*"}}},
	{Names: "microk8s", Style: Stop, Operands: "payload", Options: "h,help~", Subs: []*Program{{Names: "start stop status reset enable disable inspect config add-node join leave remove-node addons dashboard-proxy refresh-certs version images dbctl", Operands: "data*"}}},
}
