package program

// tracers run a command to measure, debug or record it, now or once they are
// told to (the manual pages of valgrind 3.22, perf 6, gdb 14, rr 5 and
// heaptrack 1, and the tools' own help).
var tracers = []*Program{
	{Names: "valgrind", Style: Stop, Operands: "payload",
		Options: help + "h,help-debug~ q,quiet v,verbose d tool? leak-check? log-file?write xml? xml-file?write " +
			"track-origins? show-leak-kinds? error-exitcode? trace-children? suppressions?read"},
	{Names: "perf", Options: help + "h~ v~ no-pager debug= buildid-dir= paginate", Subs: []*Program{
		{Names: "stat", Style: Stop, Operands: "payload",
			Options: "a,all-cpus A,no-aggr B,big-num C,cpu= D,delay= d,detailed e,event= G,cgroup= g,group " +
				"I,interval-print= i,no-inherit j,json-output M,metrics= n,null o,output=write p,pid= r,repeat= " +
				"S,sync t,tid= T,transaction v,verbose x,field-separator= filter= post=text pre=text control= " +
				"log-fd= quiet summary timeout= topdown td-level= interval-count= interval-clear per-core per-socket " +
				"per-thread table append no-scale no-merge metric-only"},
		{Names: "record trace", Style: Stop, Operands: "payload",
			Options: "a,all-cpus A,all-user b,branch-any B,no-buildid C,cpu= c,count= D,delay= d,data e,event= " +
				"F,freq= filter-pids= G,cgroup= g I,intr-regs? i,no-inherit j,branch-filter= k,clockid= " +
				"m,mmap-pages= N,no-buildid-cache n,no-samples o,output=write P,period p,pid= q,quiet R,raw-samples " +
				"r,realtime= S,snapshot? s,stat T,timestamp t,tid= u,uid= v,verbose W,weight w,no-kernel-syscalls " +
				"z,compression-level? call-graph= filter= max-stack= min-stack= duration= timestamp-filename " +
				"switch-output? max-size= control= overwrite"},
		{Names: "lock mem kvm sched c2c kmem timechart",
			Subs: []*Program{{Names: "record", Style: Stop, Operands: "payload", Options: "e,event= a,all-cpus k u " +
				"o,output=write v g C,cpu= p,pid= t= l,ldlat="},
				{Names: "report script latency map replay info", Operands: "data*"}}},
		{Names: "report annotate script list bench diff top test buildid-list probe archive evlist inject",
			Operands: "data*"},
	}},
	{Names: "heaptrack", Style: Stop, Operands: "payload",
		Options: "h,help~ v,version~ d,debug r,raw o,output=write p,pid=~ a,analyze~ use-inject record-only q,quiet " +
			"asan"},
	{Names: "gdb cgdb gdbtui lldb",
		Kinds: "queries gdb,lldb:types?>-p,>--pid,>-pid,>attach,>process>attach,>--attach-pid gdb,lldb:debugs",
		commanding: commanding{Commands: debuggerCommands, Rough: true, Saves: "^dump memory|^dump value|^dump * " +
			"memory|^dump * value|^append memory|^append value|^append * memory|^append * value|^set logging " +
			"file|^save breakpoints|^save gdb-index|^save tracepoints|^gcore|^generate-core-file|--outfile|process " +
			"save-core"},
		NoGrant: "*", Style: Words, Operands: "exec data*",
		Options: "help~ h~ version~ v~ args=rest batch b batch-silent q quiet silent ex=data eval-command= x=exec " +
			"command=exec iex= init-eval-command= ix=exec init-command=exec o= one-line= s=read source=exec p= pid= " +
			"c=read core=read cd=dir d=dir directory=dir se=read symbols=read exec=read nx n nh nw w tty= " +
			"return-child-result readnow write l= f= file="},
	{Names: "rr", Style: Stop, Operands: "payload",
		Options: help + "D= U S,suppress-environment-warnings L,log= M,mark-stdio N F K E T= resource-path=",
		Subs: []*Program{
			{Names: "record", Style: Stop, Operands: "payload",
				Options: "c,num-cpu-ticks= h,chaos i,ignore-signal= n,no-syscall-buffer num-cores= " +
					"o,output-trace-dir=write p,print-trace-dir= t,continue-through-signal= u,cpu-unbound " +
					"bind-to-cpu= v,env= w,wait nested= s,always-switch setuid-sudo stap-sdt asan tsan"},
			{Names: "replay dump ps ls pack rm sources explicit-sources cpufeatures buildid traceinfo filter",
				Operands: "data*"},
		}},
	{Names: "samply uftrace py-spy memray", Kinds: "py-spy:types?>dump", Options: help + "h~ V~", Subs: []*Program{
		{Names: "record top run live", Style: Stop, Operands: "payload",
			Options: "o,output=write d,data=write r,rate= P,profile= F,filter= D,depth= p,pid= f,format= s,save-only " +
				"n,no-open S N= native subprocesses duration="},
		{Names: "load report replay dump graph flamegraph table tree stats", Operands: "data*"},
	}},
	{Names: "bpftrace stap dtrace", Operands: "data*", Options: "c,cmd=text e=code n= o=write x= p= v q w"},
	{Names: "sem", NoGrant: "*", Style: Stop, Operands: "joined",
		Options: "help~ version~ j,jobs= id,semaphorename= fg bg wait~ st,semaphoretimeout= k,keep-order u t,verbose " +
			"q dry-run~ halt= timeout= pipe"},
	{Names: "concurrently", NoGrant: "*", Operands: "text*",
		Options: "h,help~ v,V,version~ m,max-processes= n,names= name-separator= s,success= r,raw no-color hide= " +
			"g,group timings P,passthrough-arguments p,prefix= c,prefix-colors= l,prefix-length= t,timestamp-format= " +
			"k,kill-others kill-others-on-fail kill-signal= restart-tries= restart-after= i,handle-input"},
	{Names: "watchexec", Style: Stop, Operands: "joined",
		Options: "h,help~ V,version~ w,watch=read W,watch-non-recursive=read F,watch-file=read c,clear? " +
			"o,on-busy-update= r,restart s,signal= stop-signal= stop-timeout= map-signal= d,debounce= stdin-quit " +
			"no-vcs-ignore no-project-ignore no-global-ignore no-default-ignore no-discover-ignore ignore-nothing " +
			"p,postpone delay-run= poll? shell= n no-environment emit-events-to= only-emit-events E,env= " +
			"wrap-process= N,notify color= timings q,quiet bell project-origin=dir workdir=dir e,exts= f,filter= " +
			"filter-file=read j,filter-prog= i,ignore= ignore-file=read fs-events= no-meta print-events v,verbose " +
			"log-file? manual completions=~"},
	{Names: "nodemon", Kinds: "shells",
		NoGrant: "*", Style: Stop, Operands: "exec data*",
		Options: "help~ h~ v,version~ x,exec=rest w,watch=read e,ext= i,ignore= d,delay= config=read cwd=dir q,quiet " +
			"V,verbose I,no-stdin C,on-change-only L,legacy-watch s,signal= r,require=exec inspect? spawn dump " +
			"exitcrash polling-interval="},
}
