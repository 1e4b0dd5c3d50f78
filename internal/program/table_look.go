package program

const (
	procps  = "procps 4.0 manual pages"
	iproute = "iproute2 6.1 manual pages"
)

// ipShow are the options of the objects of ip.
const ipShow = "4 6 0 br brief j json p pretty d details s stats o oneline c color h human "

// lookers are programs that look at processes, users, hardware and the
// network's state. None of them asks another host, except where a peer's name
// is looked up.
var lookers = []*Program{
	{Names: "id groups", Kinds: "id:user?:u&:n&!* id:user-number?:u&!:n&!* blind id:output=user",
		Operands: "data*", Reads: &Reading{Free: true, Source: coreutils, Options: "help version u,user g,group " +
			"G,groups n,name r,real z,zero p a",
			Proved: []string{"id -u", "id dev", "groups"},
			Not:    []string{"id -x", "id > f", "id & ls"},
		}},
	{Names: "whoami tty nproc uptime logname users", Kinds: "whoami,logname:user blind whoami,logname:output=user",
		Reads: &Reading{Source: coreutils + ", uptime(1) procps 4.0", Options: "help version all ignore= " +
			"s,since,silent,quiet p,pretty",
			Proved: []string{"whoami", "nproc --all", "uptime -p"},
			Not:    []string{"whoami x", "whoami > f", "whoami & ls"},
		}},
	// On macOS it runs its operands, as -x86_64 or -arm64.
	{Names: "arch", Kinds: "blind",
		Style: Stop, Operands: "payload", Options: "x 8 6 _ 4 a r m 3 i c h d= e=",
		Reads: &Reading{Operands: "none", Source: coreutils, Options: help,
			Proved: []string{"arch", "arch; ls", "arch 2>/dev/null"},
			Not:    []string{"arch ./p", "arch -x86_64 ls", "arch > f"},
		}},
	{Names: "uname", Kinds: "host?:n host?1=-n&!#2 blind output=host",
		Reads: &Reading{Free: true, Source: coreutils, Options: "help version a,all s,kernel-name n,nodename " +
			"r,kernel-release v,kernel-version m,machine p,processor i,hardware-platform o,operating-system",
			Proved: []string{"uname", "uname -a", "uname -sm"},
			Not:    []string{"uname x", "uname -x", "uname > f"},
		}},
	// -f, -d and -i ask the resolver.
	{Names: "hostname", Kinds: "host blind output=host changes-host?1>*,-F,-b,--file,--boot",
		Reads: &Reading{Source: "hostname(1) 3.23", Options: "s,short I,all-ip-addresses",
			Proved: []string{"hostname", "hostname -s", "hostname -I"},
			Not:    []string{"hostname evil", "hostname -F f", "hostname -b", "hostname -f"},
		}},
	{Names: "who w last",
		Reads: &Reading{Source: "who(1) coreutils 9.1, w(1) procps 4.0, last(1) util-linux 2.38", Options: "a b H h " +
			"l m q r s t T u i o f n= # F R x",
			Proved: []string{"who", "w", "last -n 5"},
			Not:    []string{"who --lookup", "last -d", "last -f f", "w > f"},
		}},
	{Names: "ps", Kinds: "finds=table blind output=processes",
		Operands: "data*",
		Reads: &Reading{Free: true, Check: "psWords", Source: "ps(1) procps 4.0", Options: "a A d e f F l j u x w o= " +
			"p= C= U= G= H t= L M T sort= no-headers,no-heading ppid= forest N k= O= r m",
			Proved: []string{"ps aux", "ps -ef", "ps -p 1 -o pid,cmd", "ps -eo pid,comm --sort=-rss", "ps axo " +
				"pid,command"},
			Not: []string{"ps auxe", "ps > f", "ps axeww", "ps --frob", "ps eww", "ps -o environ", "ps $X"},
		}},
	{Names: "pgrep", Kinds: "finds=patterns inverts blind output=processes",
		Operands: "data*", Options: "user= e,echo signal= w,wait I,interactive q,quiet r,regexp # 9 15 1 2 K L T E H",
		Reads: &Reading{Free: true, Source: "pgrep(1) procps 4.0", Options: "a,list-full c,count d,delimiter= f,full " +
			"g,pgroup= G,group= i,ignore-case l,list-name n,newest o,oldest P,parent= s,session= t,terminal= u,euid= " +
			"U,uid= v,inverse x,exact help~ V,version~",
			Proved: []string{"pgrep node", "pgrep -af 'go run'", "pgrep -u dev"},
			Not:    []string{"pgrep -F f", "pgrep --sig x", "pgrep x > f"},
		}},
	{Names: "pidof", Kinds: "finds=names", Tells: tells, Operands: "data*",
		Reads: &Reading{Source: "pidof(1) sysvinit 3.06", Options: "s x",
			Proved: []string{"pidof node", "pidof -s nginx", "pidof -x run.sh"},
			Not:    []string{"pidof -k x", "pidof -U x", "pidof > f", "pidof $X"},
		}},
	{Names: "pstree", Operands: "data*",
		Reads: &Reading{Source: "pstree(1) psmisc 23.6", Options: "p a u n h l c A U g s t T",
			Proved: []string{"pstree -p", "pstree -ap 1", "pstree dev"},
			Not:    []string{"pstree --frob", "pstree -N pid", "pstree > f"},
		}},
	{Names: "lsof", Kinds: "uses=files output=processes tells-names", Operands: "data*",
		Options: "r? D= g= o O x? b C E K M N V X A= S=",
		Reads: &Reading{Free: true, Check: "lsofWords", Source: "lsof(8) 4.95", Options: "n P i? p= t u= a c= d= l R " +
			"s? U w h~ v T? F?",
			Proved: []string{"lsof -i :3000", "lsof -nP -iTCP:3000 -sTCP:LISTEN", "lsof -ti:8080", "lsof -ti :$PORT"},
			Not:    []string{"lsof -r 1", "lsof -D b", "lsof +m", "lsof -i @evil.example.com", "lsof -i $X"},
		}},
	{Names: "free", Kinds: "blind",
		Reads: &Reading{Source: procps, Options: "b,bytes k,kibi m,mebi g,gibi h,human t,total w,wide l,lohi L,line " +
			"v,committed si help V,version",
			Proved: []string{"free", "free -h", "free -m"},
			Not:    []string{"free -x", "free > f", "free -s 1"},
		}},
	{Names: "vmstat", Tells: tells, Operands: "data*",
		Reads: &Reading{Max: 2, Check: "counts", Source: procps, Options: "a,active s,stats m,slabs d,disk " +
			"D,disk-sum w,wide t,timestamp n,one-header h,help V,version",
			Proved: []string{"vmstat", "vmstat -s", "vmstat 1 2"},
			Not:    []string{"vmstat 1", "vmstat 1 2 3", "vmstat > f", "vmstat -x"},
		}},
	{Names: "mount", Kinds: "alias=mount devices=attached output=devices changes-mounts?*,:a,:all",
		Operands: "read write",
		Options: "a,all B,bind R,rbind M,move f,fake n o,options= r,read-only w,rw L,label= U,uuid= v,verbose O= " +
			"T=read target=write source=read",
		Reads: &Reading{Operands: "none", Source: "mount(8) util-linux 2.38", Options: "l,show-labels t,types= " +
			"h,help~ V,version~",
			Proved: []string{"mount", "mount | grep ext4", "mount -l"},
			Not: []string{"mount /dev/sdb /mnt", "mount -a", "mount -o remount,rw /", "mount > f", "mount -t ext4 " +
				"/mnt"},
		}},
	{Names: "findmnt", Kinds: "devices=mounted output=devices",
		Operands: "data*",
		Reads: &Reading{Free: true, Source: "findmnt(8) util-linux 2.38", Options: "a,ascii A,all b,bytes D,df " +
			"e,evaluate f,first-only J,json l,list n,noheadings o,output= P,pairs r,raw R,submounts s,fstab t,types= " +
			"T,target= k,kernel m,mtab h,help V,version",
			Proved: []string{"findmnt", "findmnt -T .", "findmnt -no FSTYPE /"},
			Not:    []string{"findmnt --poll", "findmnt > f", "findmnt -x"},
		}},
	// -l runs a pager on a terminal, as git does. dpkg runs dpkg-query.
	{Names: "dpkg dpkg-query",
		Kinds: "dpkg:delegates?:f,:showformat,:W,:show dpkg:removes-packages?-r,-P,--remove,--purge",
		Tells: tells, Packages: System, Operands: "data*",
		Options: "pre-invoke=text post-invoke=text status-logger=text x,extract,X,vextract,R,raw-extract*write " +
			"c,contents*read I,info*read e,control*read ",
		Reads: &Reading{Check: "queries", Source: "dpkg-query(1) 1.21", Options: "l,list s,status L,listfiles " +
			"S,search W,show f,showformat= help version",
			Proved: []string{"dpkg -l | grep python", "dpkg -L coreutils", "dpkg-query -W -f '${Package}\\n' " +
				"git", "dpkg -S /bin/ls"},
			Not: []string{"dpkg -i x.deb", "dpkg -r x", "dpkg --configure -a", "dpkg -l > f", "dpkg x", "dpkg -f x"},
		}},
	{Names: "lscpu", Operands: "read*", Options: "s,sysroot=dir", Reads: &Reading{Source: "lscpu(1) util-linux 2.38",
		Options: "a,all b,online c,offline B,bytes C? e? J,json p? x,hex y,physical output-all h,help V,version",
		Proved:  []string{"lscpu | grep Model", "lscpu -J", "lscpu -e=CPU,NODE"},
		Not:     []string{"lscpu --sysroot d", "lscpu -s d", "lscpu -xs d", "lscpu > f"},
	}},
	{Names: "lsblk", Kinds: "devices=blocks output=devices", Operands: "read*",
		Reads: &Reading{Source: "lsblk(8) util-linux 2.38",
			Options: "a,all b,bytes d,nodeps e,exclude= I,include= i,ascii J,json l,list m,perms n,noheadings o,output= " +
				"O,output-all p,paths P,pairs r,raw " +
				"s,inverse S,scsi t,topology T? x,sort= w,width= h,help V,version",
			Proved: []string{"lsblk -o NAME,SIZE", "lsblk -po NAME", "lsblk -e 7 -x SIZE"},
			Not:    []string{"lsblk -f", "lsblk --sysroot d", "lsblk > f"},
		}},
	{Names: "lsmod", Operands: "read*",
		Reads: &Reading{Source: "lsmod(8) kmod 30", Proved: []string{"lsmod | head", "lsmod", "lsmod | grep " +
			"kvm"}, Not: []string{"lsmod > f", "lsmod -v", "lsmod $X"}}},
	{Names: "locale getconf", Operands: "data*",
		Reads: &Reading{Source: "locale(1), getconf(1) glibc 2.36", Options: "a,all-locales c,category-name " +
			"k,keyword-name",
			Proved: []string{"locale", "locale -a", "getconf PAGESIZE"},
			Not:    []string{"getconf -v POSIX_V7 PAGESIZE", "locale > f", "getconf $X"},
		}},
	{Names: "stty", Reads: &Reading{Unopened: true, Source: coreutils, Options: "a,all g,save",
		Proved: []string{"stty -a", "stty -g", "stty --all"},
		Not:    []string{"stty -echo", "stty raw", "stty -F /dev/tty1", "stty sane"},
	}},
	{Names: "sysctl", Operands: "data*",
		Reads: &Reading{Check: "noAssignment", Source: "sysctl(8) procps 4.0", Options: "a,all n,values e,ignore " +
			"N,names",
			Proved: []string{"sysctl -a | grep somaxconn", "sysctl -n vm.swappiness", "sysctl kern.ostype"},
			Not:    []string{"sysctl -w a=1", "sysctl a=1", "sysctl -p f", "sysctl --system", "sysctl $X"},
		}},
	{Names: "sw_vers", Style: Words,
		Reads: &Reading{Source: "sw_vers(1) macOS 14", Options: "productName productVersion buildVersion",
			Proved: []string{"sw_vers", "sw_vers -productVersion", "sw_vers --productVersion"},
			Not:    []string{"sw_vers -x", "sw_vers f", "sw_vers > f"},
		}},
	{Names: "namei lsattr getfacl", Tells: tells, Operands: "data*",
		Reads: &Reading{Free: true, Source: "namei(1) util-linux 2.38, lsattr(1) e2fsprogs 1.47, getfacl(1) " +
			"2.3", Options: "l,long m,modes o,owners n v x a,access d,default c,omit-header e,all-effective " +
			"t,tabular p,absolute-names",
			Proved: []string{"namei -l /home/dev/project", "lsattr f", "getfacl -p f"},
			Not:    []string{"lsattr -q", "getfacl --frob f", "namei f > g"},
		}},
	// A netlink socket of this kernel shows them; nothing is sent out.
	{Names: "ip", Kinds: "hands=space " +
		"changes-network?2>add,2>del,2>delete,2>set,2>flush,2>change,2>replace,2>append,2>addbr,2>delbr,2>exec",
		Style: Words,
		Reads: &Reading{
			Source: iproute, Options: ipShow,
			Proved: []string{"ip addr", "ip -br a", "ip -4 addr show eth0", "ip route get 192.0.2.1"},
			Not: []string{"ip link set eth0 down", "ip addr add 192.0.2.1/24 dev eth0", "ip netns exec x ls", "ip " +
				"-batch f", "ip r del default", "ip link s eth0 down", "ip link -4", "ip -force addr flush"},
		},
		Subs: []*Program{
			{Names: "addr address a link l route r neigh neighbour rule maddress", Style: Words, Operands: "data*",
				Reads: &Reading{Check: "ipVerb"}},
			{Names: "netns vrf", Subs: []*Program{{Names: "exec", Style: Stop, parsing: parsing{StopAt: 2}, Operands: "data payload"},
				{Names: "add delete list show identify pids monitor set attach", Operands: "data*"}}},
		},
	},
	{Names: "ss", Operands: "data*",
		Reads: &Reading{Check: "ssFilter", Source: iproute, Options: "t,tcp u,udp l,listening n,numeric p,processes " +
			"a,all s,summary i,info e,extended o,options m,memory x,unix w,raw 4,ipv4 6,ipv6 H,no-header O,oneline",
			Proved: []string{"ss -tlnp", "ss -tulpn | grep 3000", "ss -tn 'sport = :3000'"},
			Not: []string{"ss -K dst 192.0.2.1", "ss --kill", "ss -D f", "ss dst evil.example.com", "ss -r", "ss " +
				"-E"},
		}},
	{Names: "netstat",
		Reads: &Reading{Check: "numeric", Source: "netstat(8) net-tools 2.10, netstat(1) macOS 14", Options: "a,all " +
			"n,numeric t,tcp u,udp l,listening p,programs r,route i,interfaces s,statistics e,extend v,verbose " +
			"x,unix 4 6 L W,wide",
			Proved: []string{"netstat -tlnp", "netstat -an | grep LISTEN", "netstat -rn"},
			Not:    []string{"netstat -tl", "netstat -c", "netstat -f f", "netstat -an > f"},
		}},
	{Names: "ifconfig", Kinds: "changes-network?#2&!-a,-s", Operands: "data*",
		Reads: &Reading{Max: 1, Check: "oneInterface", Source: "ifconfig(8) net-tools 2.10", Options: "a s v",
			Proved: []string{"ifconfig", "ifconfig -a", "ifconfig eth0"},
			Not:    []string{"ifconfig eth0 down", "ifconfig -a down", "ifconfig $X", "ifconfig eth0 192.0.2.1"},
		}},
	{Names: "dmesg", Kinds: "clears-audit?-C,-c,--clear,--read-clear",
		Reads: &Reading{Source: "dmesg(1) util-linux 2.38", Options: "T,ctime k,kernel u,userspace x,decode l,level= " +
			"f,facility= r,raw t,notime d,show-delta since= until=",
			Proved: []string{"dmesg | tail", "dmesg -T --level=err", "dmesg -k"},
			Not:    []string{"dmesg -C", "dmesg -c", "dmesg -n 1", "dmesg -H", "dmesg -F f"},
		}},
}
