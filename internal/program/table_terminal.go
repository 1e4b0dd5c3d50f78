package program

// terminals run a command in a window or a session of its own (the manual
// pages of GNU screen 4.9, xterm 390 and GNOME Terminal 3, and the tools' own
// help).
var terminals = []*Program{
	{Names: "screen", Kinds: "queries multiplexes=screen",
		Tells: tells, commanding: commanding{Behind: "-X stuff,-X exec,-X screen,-X * stuff,-X * exec,-X * screen,-X " +
			"* * stuff,-X * * exec,-X * * screen"},
		NoGrant: "*", Style: Stop, Operands: "payload",
		Options: "help~ version~ v~ 4 6 A a c=read d D e= f? h= i l? list~ ls~ L -Logfile=write m O p= q Q~ r~ R RR " +
			"s=exec S= t= T= U wipe~ x~ X~"},
	{Names: "dtach", Kinds: "types?>-a,>-p,>-A types?#1&!>--help,>--version", Style: Stop, parsing: parsing{StopAt: 2},
		Operands: "write payload",
		Options:  "a~ A c n N p~ e= E r= z"},
	{Names: "abduco", Kinds: "types?>-a,>-p,>-A types?#1&!>--help,>--version", Style: Stop, parsing: parsing{StopAt: 2},
		Operands: "data payload",
		Options:  "a~ A c n e= f r l p q v"},
	{Names: "rlwrap", Style: Stop, Operands: "payload",
		Options: help + "h~ v~ a? always-readline? A? b,break-chars= c,complete-filenames C,command-name= " +
			"D,history-no-dupes= e,extra-char-after-completion= E f,file=read F g,forget-matching= " +
			"H,history-filename=write i,case-insensitive I l,logfile=write m? M n,no-warnings N N o,one-shot " +
			"O,only-cook= p? P,pre-given= q,quote-characters= r,remember R S,substitute-prompt= s,histsize= " +
			"t,set-term-name= T U w,wait-before-prompt= W? X z,filter=exec"},
	{Names: "xterm uxterm lxterm rxvt urxvt aterm eterm mrxvt st", Kinds: "xterm:shells",
		Style: Words, Operands: "data*",
		Options: "help~ version~ v~ e=rest hold bg= fg= fn= fa= fs= geometry= g= title= T= t= n= name= display= d= " +
			"xrm= class= tn= sl= cr= bd= bw= w= ls iconic rv sb f= c= i= o=write l= u"},
	{Names: "gnome-terminal mate-terminal xfce4-terminal terminator tilix lxterminal kgx ptyxis",
		Operands: "data* dashed",
		Options: help + "h~ tab window e,command=text x,execute=rest t,title= working-directory=dir profile= " +
			"hide-menubar show-menubar maximize full-screen geometry= zoom= active wait q,quiet H,hold T= m b f " +
			"l,layout= p= u s,standalone preferences"},
	{Names: "konsole alacritty qterminal terminology deepin-terminal wezterm-gui", Operands: "data*",
		Options: "h,help~ v,V,version~ e,command=rest hold,noclose workdir=dir working-directory=dir profile= " +
			"layout= new-tab tabs-from-file=read p= T,title= t= class= config-file=read o,option= q d,print-events " +
			"separate background-mode"},
	{Names: "kitty foot ghostty", Kinds: "kitty:hands=typed " +
		"kitty:types?>@>send-text,>@>send-key,>@>get-text,>@>launch,>@>run,>@>kitten,>+kitten>@,>+kitten>remote",
		Style:    Stop,
		Operands: "payload",
		Options: "help~ h~ v,version~ e=rest class= name= T,title= c,config=read o,override= " +
			"d,D,directory,working-directory=dir detach detached-log= session=read hold,H 1,single-instance " +
			"instance-group= wait-for-single-instance-window-close listen-on=host start-as= t,term= a,app-id= " +
			"w,window-size-pixels= W,window-size-chars= m,maximized F,fullscreen L,login-shell s,server? f,font="},
}
