package program

// writers make or change files that their operands name, or options whose names
// do not say so (the tools' own manual pages and help).
var writers = []*Program{
	// What is copied, moved or put away.
	{Names: "ditto", listing: listing{Recursive: true}, Operands: "read* write",
		Options: "h~ v V X c x k z j bom=read arch= rsrc extattr qtn acl nocache keepParent sequesterRsrc password"},
	{Names: "exch", Operands: "move move", Options: help},
	{Names: "robocopy xcopy", Kinds: "robocopy:spoils?%/mir,%/purge&!%/l robocopy:second", Style: Plain,
		listing: listing{Recursive: true}, Operands: "read write data*"},
	{Names: "bindfs", Kinds: "changes-mounts?#1", Operands: "read write",
		Options: "h,help~ V,version~ o= f d r,no-allow-other p,perms= u,force-user= g,force-group= m,mirror= " +
			"M,mirror-only="},
	{Names: "sshfs", Kinds: "config=parts changes-mounts?#1", Operands: "data write",
		Options: "h,help~ V,version~ o=config p= C F=read f d s"},
	{Names: "nbdcopy", Operands: "read write",
		Options: "help~ version~ C,connections= T,threads= R,requests= S,sparse= p,progress v,verbose flush " +
			"synchronous allocated target-is-zero destination-is-zero queue-size= request-size="},
	{Names: "virtualenv", NoGrant: "*", listing: listing{Recursive: true}, Operands: "write*",
		Options: help + "h~ v,verbose q,quiet p,python= clear system-site-packages symlinks copies always-copy " +
			"no-download download seeder= no-seed prompt= extra-search-dir= pip= setuptools= wheel= app-data= " +
			"activators= without-pip",
		copying: copying{Mirrors: "clear"}},
	{Names: "losetup", Kinds: "alias=device changes-mounts?#1&!-a,-l,--list,-j,--all", Tells: tells,
		Operands: "data data",
		Options: "h,help~ V,version~ a,all d,detach D,detach-all f,find c,set-capacity j,associated= L,nooverlap " +
			"o,offset= P,partscan r,read-only sizelimit= b,sector-size= show direct-io? v,verbose J,json l,list " +
			"n,noheadings O,output= output-all raw"},
	{Names: "fallocate", Touches: NamedFiles, Operands: "write",
		Options: "h,help~ V,version~ c,collapse-range d,dig-holes i,insert-range l,length= n,keep-size o,offset= " +
			"p,punch-hole x,posix z,zero-range v,verbose"},
	{Names: "setfattr", Operands: "alter*",
		Options: "n,name= v,value= x,remove= h,no-dereference restore=read raw help~ version~"},
	{Names: "setcap", Kinds: "grants-rights?#1,^--addamb,^--inh,^--keep", Operands: "data alter*",
		Options: "h~ q v n= r f"},
	{Names: "logrotate", Kinds: "clears-audit?-f,--force lines=whole", NoGrant: "*", Operands: "read*",
		Options: "help~ usage~ version~ s,state=write l,log=write m,mail=text d,debug f,force v,verbose " +
			"skip-state-lock wait-for-state-lock"},

	{Names: "ssh-keygen", Secrets: "N P", Loads: "-D -s --pkcs11", copying: copying{Inward: "l y B e L Q"}, Style: Stop,
		Operands: "data*", Options: "A a= B b= C= c D= e E= F= f=write G= g H h I= i K= k L l M= m= n= N= O= P= p Q= " +
			"q r= R= s= t= U u V= v w= x= Y= y Z= z="},
	{Names: "ssh-copy-id", asking: asking{Client: SSH}, Operands: "data*",
		Options: "h~ ?~ f n s x i?write p= F=read o=config t="},

	// What gives files other names: perl's own take code first.
	{Names: "rename prename perl-rename file-rename", Operands: "data move*",
		Options: "h,help~ m~ man~ V,version~ v,verbose 0,null n,no-act,dry-run,just-print,nono*data f,force " +
			"d,filename,nopath,nofullpath path,fullpath e,expr=! E= s,symlink o,no-overwrite i,interactive l,last " +
			"a,all u,unicode?"},
	{Names: "mmv mcp mad mln", Operands: "move write", Options: "h D p g d o t v n*data m x r c a l s"},
	{Names: "zmv zcp zln", Operands: "move data", Options: "C L M Q W f i n*data o= p= P= s v w"},
	{Names: "vidir qmv qcp imv", NoGrant: "*", listing: listing{Recursive: true}, Operands: "move*",
		Options: help + "v,verbose f= format= do e= editor= R,recursive"},

	// Archives.
	{Names: "ar gcc-ar llvm-ar", Tells: "ar,llvm-ar:--version,--help", Subs: []*Program{
		{Names: "x xo xv xvo vx", filling: filling{Fills: "output"}, Operands: "read data*", Options: "output=write"},
		{Names: "p pv t tv", Operands: "read data*"},
		{Names: "r rc rcs rcsv rcu rcus rcv rs ru rus rv cr crs cru crv csr q qc qcs cq cqs d ds dv m s",
			Operands: "write read*"},
	}},
	{Names: "jar", Subs: []*Program{{Names: "x xf xvf xfv", filling: filling{Fills: "C dir"}, Operands: "read " +
		"data*", Options: "C,dir=write"},
		{Names: "c cf cvf cfv cfm cfe u uf uvf", Operands: "write data*", Options: "C=read"}}},
	{Names: "unsquashfs", Style: Words, filling: filling{Fills: "d dest", FillsNot: "l ls ll lls lc llc s stat cat"},
		Operands: "read data*",
		Options:  "d=write dest=write f force l ls ll lls lc llc s stat cat e= ef=read n no-progress p= q quiet"},
	{Names: "mksquashfs", Style: Words, listing: listing{Recursive: true}, Operands: "read* write",
		Options: "comp= b= e= ef=read noappend no-progress processors= all-root root-becomes= p= pf=read sort=read " +
			"quiet info mem= force-uid= force-gid= wildcards regex no-xattrs Xcompression-level="},
	{Names: "dpkg-deb", Operands: "read*",
		Options: help + "x,extract,X,vextract,R,raw-extract,e,control*write b,build*write c,contents I,info W,show " +
			"f,field Z= z= S= v,verbose D,debug nocheck root-owner-group"},
	{Names: "cabextract", filling: filling{Fills: "d directory", FillsNot: "l list t test p pipe"}, Operands: "read*",
		Options: "h,help~ v,version~ d,directory=write l,list t,test p,pipe f,fix q,quiet s,single L,lowercase " +
			"F,filter= e="},
	{Names: "pigz unpigz", Kinds: "pigz:turns=gzip pigz:output=filter pigz:unpacks", showing: showing{Edits: true},
		Operands: "write*", copying: copying{Suffix: ".gz"}, Options: packer + repacker},
	{Names: "lzma unlzma", Kinds: "unpacks", showing: showing{Edits: true}, Operands: "write*",
		copying: copying{Suffix: ".lzma"}, Options: packer + repacker},
	{Names: "compress uncompress", showing: showing{Edits: true}, Operands: "write*", copying: copying{Suffix: ".Z"},
		Options: packer + repacker},
	{Names: "lzip lzop pbzip2 plzip", showing: showing{Edits: true}, Operands: "write*", Options: packer + repacker},
	{Names: "lz4 unlz4", Kinds: "unpacks", Operands: "read write",
		Options: "h,help~ V,version~ d,decompress z,compress c,stdout t,test l f,force k,keep m,multiple*write r v q " +
			"1 9 B= D=read b e i rm content-size no-frame-crc"},

	// What is fetched.
	{Names: "rclone", Kinds: "deletes1?purge,delete&!-n copies=any takes?-,rcat,pipe uploads?>rcat " +
		"copies-away?>copy,>copyto,>move,>moveto,>sync,>bisync " +
		"deletes-cloud?>sync,>delete,>purge,>deletefile,>rmdirs,>rmdir,>move,>cleanup&!>-n deletes-by-verb",
		Variables: "RCLONE_PASSWORD_COMMAND! RCLONE_SFTP_SSH!",
		asking:    asking{Client: Host, Away: true}, listing: listing{Recursive: true},
		Options: help + "password-command=text sftp-ssh=text metadata-mapper=text v,verbose q,quiet P,progress " +
			"n,dry-run i,interactive config=read log-file=write transfers= checkers= include= exclude= filter= " +
			"u,update",
		Subs: []*Program{
			{Names: "copy copyto bisync", Operands: "read write"}, {Names: "sync", Operands: "read write",
				copying: copying{Mirrors: ".", MirrorsNot: "n dry-run"}}, {Names: "copyurl", Operands: "host write",
				Options: "a,auto-filename no-clobber stdout print-filename"}, {Names: "move moveto",
				Operands: "move write"},
		}},
	{Names: "aria2c", asking: asking{Client: HTTP}, filling: filling{Fills: "d dir"}, Operands: "host*",
		Options: "v,version~ h,help? d,dir=write o,out=write i,input-file=read l,log=write " +
			"j,max-concurrent-downloads= x,max-connection-per-server= s,split= k,min-split-size= c,continue? " +
			"m,max-tries= t,timeout= q,quiet? U,user-agent= header= referer= load-cookies=read save-cookies=write " +
			"save-session=write seed-time= max-overall-download-limit= check-certificate? allow-overwrite? " +
			"auto-file-renaming? console-log-level= summary-interval= Z,force-sequential? T,torrent-file=read " +
			"M,metalink-file=read on-download-complete=exec on-download-start=exec on-download-error=exec " +
			"on-download-stop=exec conf-path=read S,show-files?"},

	// Converters whose last operand is what they make.
	{Names: "ffmpeg", Tells: tells, Style: Words, Operands: "write*",
		Options: "h~ help~ version~ formats~ codecs~ encoders~ decoders~ filters~ i=read f= c= codec= c:v= c:a= c:s= " +
			"vcodec= acodec= scodec= b= b:v= b:a= ab= r= s= t= to= ss= sseof= itsoffset= vf= af= filter= filter:v= " +
			"filter:a= filter_complex= lavfi= map= map_metadata= metadata= preset= crf= tune= profile:v= level= " +
			"pix_fmt= q= q:v= q:a= qscale= qscale:v= loglevel= v= ar= ac= aspect= g= bf= threads= framerate= " +
			"frames:v= vframes= loop= stream_loop= movflags= pass= passlogfile=write maxrate= bufsize= vsync= " +
			"fps_mode= async= disposition:a= attach=read progress=write vstats_file=write bsf:v= bsf:a= hwaccel= " +
			"safe= protocol_whitelist= segment_time= start_number= y n an vn sn dn re nostdin hide_banner nostats " +
			"stats shortest report"},
	{Names: "convert magick gm", Style: Words, Operands: "read* write",
		Options: "help~ version~ list=~ resize= quality= density= crop= rotate= size= depth= format= fill= stroke= " +
			"font= pointsize= gravity= annotate= geometry= background= extent= colors= colorspace= blur= thumbnail= " +
			"compress= alpha= delay= loop= define= set= type= scale= sample= threshold= append flatten strip trim " +
			"negate auto-orient monochrome"},
	{Names: "mogrify", Style: Words, Operands: "write*",
		Options: "help~ version~ path=write resize= quality= density= crop= rotate= format= strip trim auto-orient " +
			"colors= colorspace= thumbnail= define= gravity= background= extent="},
	{Names: "sox", Operands: "read* write",
		Options: help + "h~ r,rate= b,bits= c,channels= e,encoding= t,type= v,volume= L B x S q V? n,null m,combine= " +
			"G R D"},
	{Names: "qpdf", Style: Words, Operands: "read data* write",
		Options: "help~ version~ replace-input@write pages linearize qdf decrypt check show-npages empty"},
	{Names: "pdftotext pdftohtml pdftoppm pdftocairo pdfseparate pdfimages", Style: Words, Operands: "read write",
		Options: "h~ help~ v~ f= l= r= x= y= W= H= opw= upw= enc= eol= scale-to= scale-to-x= scale-to-y= layout raw " +
			"nopgbrk png jpeg svg pdf singlefile bbox tsv"},
	{Names: "pdfunite", Operands: "read* write", Options: "h~ v~"},
	{Names: "wkhtmltopdf wkhtmltoimage", Operands: "data* write",
		Options: "h,help~ V,version~ q,quiet s,page-size= O,orientation= T,margin-top= B,margin-bottom= " +
			"L,margin-left= R,margin-right= d,dpi= t,title= enable-local-file-access format= width= height= quality= " +
			"cookie-jar=write"},

	// What is changed where it lies, or goes away.
	{Names: "srm wipe rimraf del-cli trash trash-cli trash-put rmtrash rip rm-rf rmrf rm-cli premove empty-dir-cli " +
		"safe-rm",
		Kinds:   "rimraf,trash:deletes expands srm,wipe:overwrites rimraf,del-cli:razes?#1",
		listing: listing{Recursive: true}, Operands: "delete*",
		Options: help + "f,force r,R,recursive v,verbose i,interactive q,quiet dry-run*data"},
	{Names: "fs-extra-cli fs-extra", listing: listing{Recursive: true}, Operands: "data*", Options: help,
		Verbs: []*Program{{Names: "remove,emptyDir", listing: listing{Recursive: true}, Operands: "delete*"}, {Names: "move", Operands: "move write"}}},
	{Names: "objcopy llvm-objcopy", Kinds: "objcopy:hands-on", Operands: "read write",
		Options: help + "I,input-target= O,output-target= F,target= B,binary-architecture= j,only-section= " +
			"R,remove-section= K,keep-symbol= N,strip-symbol= L,localize-symbol= W,weaken-symbol= w S,strip-all " +
			"g,strip-debug x,discard-all X p v add-section= update-section= dump-section= rename-section= " +
			"set-section-flags= add-gnu-debuglink=read redefine-sym= prefix-symbols= change-addresses= set-start= " +
			"gap-fill= pad-to= only-keep-debug"},
	{Names: "strip llvm-strip", Kinds: "strip:hands-on", Operands: "write*",
		Options: help + "o=write*read F,target= I,input-target= O,output-target= K,keep-symbol= N,strip-symbol= " +
			"R,remove-section= j= s,strip-all g,S,d,strip-debug strip-unneeded strip-dwo x X w p D U v " +
			"only-keep-debug"},
	{Names: "sd", Operands: "data data write*",
		Options: "h,help~ V,version~ p,preview*read F,fixed-strings,s,string-mode f,flags= n,max-replacements="},
	{Names: "merge", Operands: "write read*", Options: "A E e L= p@read q V~"},
	{Names: "crudini", Operands: "read data*",
		Options: "help~ version~ set@write del@write merge@write get format= output=write existing? inplace list " +
			"verbose ini-options="},
	{Names: "dasel", Operands: "data*",
		Options: "f,file=read s,selector= r,read= w,write= p,parser= n,plain c,compact m,multiple null colour",
		Subs: []*Program{{Names: "put delete", Operands: "data*", Options: "f,file=write o,out=write s,selector= " +
			"r,read= w,write= p,parser= v,value= t,type="}}},

	// What is built.
	{Names: "cc c++ gcc g++ clang clang++", Kinds: "config=commas", Tells: tells, Loads: "-wrapper -fplugin -specs",
		Style:    Words,
		Operands: "read*", Options: "wrapper=config help~ version~ o=write MF=write Wp:-MD=write Wp:-MMD=write " +
			"Wl:-o=write Wl:-Map=write Wl:--output=write Wa:-o=write MT= MQ= MJ=write dumpdir=write aux-info=write " +
			"include=read imacros=read isystem=read idirafter=read iquote=read I=read L=read l= D= U= x= T=read " +
			"Xlinker= Xassembler= Xpreprocessor= arch= target= isysroot=read framework= u= z= specs=read " +
			"wrapper=exec serialize-diagnostics=write dependency-file=write index-store-path=write"},
	{Names: "cmake", Kinds: "hands=tool tasks=commands default=CMakeLists.txt", Tells: tells,
		Loads: "--install install -E",
		Style: Words, Operands: "data*",
		Options: "help~ h~ version~ B=write S=read P=exec E C=exec D= U= G= T= A= install-prefix=write prefix=write " +
			"graphviz=write toolchain=exec build=read install=read open=read preset= target= t= j= parallel? config= " +
			"component= trace-redirect=write profiling-output=write log-level= N L LA LH LAH Wdev Wno-dev fresh",
		Verbs: []*Program{
			{Names: "copy,copy_if_different,copy_if_newer", Style: Words, copying: copying{Into: true},
				Operands: "read* write", Options: "t=write"},
			{Names: "copy_directory,copy_directory_if_different,copy_directory_if_newer", Style: Words,
				listing:  listing{Recursive: true},
				Operands: "read* write"},
			{Names: "create_symlink,create_hardlink", Style: Words,
				Operands: "read write"}, {Names: "touch,touch_nocreate,make_directory",
				Style: Words, Operands: "write*"},
		}},

	// What is recorded or dumped.
	{Names: "tcpdump", NoGrant: "*", Operands: "data*",
		Options: "help~ h~ version~ w=write r=read i,interface= c= C= G= W= s,snapshot-length= F=read V=read z=text " +
			"Z= E= B= j= m= M= T= y= n v x X A e q t S l p U K D~ L~ O N I"},
	{Names: "tshark dumpcap", NoGrant: "*", Operands: "data*",
		Options: "help~ h~ version~ v~ w=write r=read i= f= Y= R= c= a= b= T= e= E= d= o= s= y= G? z= q n V x l p P " +
			"Q 2"},
	{Names: "pg_dumpall", Kinds: "dumps", asking: asking{Network: "*"}, Operands: "data*",
		Options: "help~ ?~ V,version~ f,file=write h,host=host p,port= U,username= d,dbname= l,database= E,encoding= " +
			"S,superuser= a,data-only " +
			"s,schema-only c,clean g,globals-only r,roles-only " +
			"t,tablespaces-only v,verbose w W O x if-exists inserts column-inserts no-owner no-acl no-privileges " +
			"exclude-database= role="},
	{Names: "pg_restore", Kinds: "resets-databases?>-c,>--clean", asking: asking{Network: "*"}, Operands: "data*",
		Options: "help~ ?~ V,version~ f,file=write h,host=host p,port= U,username= d,dbname= F,format= n,schema= " +
			"N,exclude-schema= t,table= T,trigger= " +
			"I,index= P,function= S,superuser= j,jobs= L,use-list=read " +
			"l,list a,data-only s,schema-only c,clean C,create e,exit-on-error 1,single-transaction v,verbose w W O " +
			"x if-exists no-owner no-acl no-privileges section= role="},
	{Names: "pg_dump", Kinds: "dumps",
		asking: asking{Network: "*"}, Operands: "data*",
		Options: "help~ ?~ V,version~ f,file=write h,host=host p,port= U,username= d,dbname= F,format= n,schema= N= " +
			"t,table= T= E,encoding= S,superuser= j,jobs= Z,compress= l,database= L,use-list=read a,data-only " +
			"s,schema-only c,clean C,create v,verbose w W b B O x if-exists inserts column-inserts no-owner no-acl " +
			"no-privileges exclude-table= exclude-table-data= role="},
	{Names: "mysqldump mariadb-dump", Kinds: "dumps",
		Secrets: "p", asking: asking{Network: "*"}, Operands: "data*",
		Options: "help~ V,version~ r,result-file=write T,tab=write h,host=host u,user= p,password? P,port= S,socket= " +
			"B,databases A,all-databases d,no-data t,no-create-info R,routines E,events single-transaction quick q " +
			"ignore-table= where= w= log-error=write defaults-file=read defaults-extra-file=read skip-lock-tables " +
			"column-statistics= set-gtid-purged="},
	{Names: "iptables-save ip6tables-save ebtables-save", Operands: "data*",
		Options: "h,help~ V,version~ f,file=write t,table= c,counters M,modprobe=exec"},
}

// repacker are the options of programs like gzip of which nothing is known that
// only reads.
const repacker = "c,stdout,to-stdout*read d,decompress,uncompress l,list*read t,test*read f,force k,keep q,quiet " +
	"v,verbose h,help~ p,processes= b,blocksize= #"
