package program

const (
	coreutils = "GNU coreutils 9.1 manual pages"
	ripgrep   = "rg(1) 13.0"
)

// judged are the options of policyctl that say under which policy a call is
// judged.
const judged = "policy=read set= no-config yolo dir=read home=read project-dir=read session-dir=read audience= "

// readers are the programs for looking at files and text.
var readers = []*Program{
	// Looking at files.
	{Names: "ls dir vdir", Kinds: "flat follows=L,dereference ls:output=entries ls:tells-names", Touches: Named,
		Operands: "read*",
		listing:  listing{Walk: Walk{Hidden: "a A f all almost-all"}},
		Reads: &Reading{Lists: "*", Free: true, Unopened: true, Source: coreutils, Options: help + "a,all " +
			"A,almost-all author b,escape block-size= B,ignore-backups c C color? d,directory D,dired f F classify? " +
			"file-type format= full-time g group-directories-first G,no-group h,human-readable si H " +
			"dereference-command-line-symlink-to-dir hide= hyperlink? i,inode I,ignore= indicator-style= k,kibibytes " +
			"l L,dereference m n,numeric-uid-gid N,literal o p q,hide-control-chars show-control-chars Q,quote-name " +
			"quoting-style= r,reverse R,recursive s,size S sort= t time= time-style= T,tabsize= u U v w,width= x X " +
			"Z,context zero 1 O @ e",
			Proved: []string{"ls", "ls -la src/*.go", "ls -lah --color=never $DIR", "ls 2>/dev/null", "ls -la ~/.ssh " +
				".env"},
			Not: []string{"./ls", "ls > out", "ls --colo=x"},
		}},
	{Names: "cat", Kinds: "passes=all streams blind output=file conducts", Output: Contents, Touches: Named,
		Operands: "read*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "A,show-all b,number-nonblank e E,show-ends " +
			"n,number s,squeeze-blank t T,show-tabs u v,show-nonprinting",
			Proved: []string{"cat README.md", "cat -n \"$f\"", "cat <<'E'\nhi\nE", "cat *.go"},
			Not:    []string{"cat .env", "cat ~/.ssh/id_rsa", "cat x > y", "cat < ~/.netrc", "cat .en*", "cat <(./p)"},
		}},
	{Names: "tac", Kinds: "passes=all blind output=filter", Output: Contents, Touches: Named, Operands: "read*",
		Reads: &Reading{Free: true, Check: "plainFiles", Source: coreutils, Options: help + "b,before r,regex " +
			"s,separator=",
			Proved: []string{"tac f", "tac log.txt | head -5", "tac a b"},
			Not:    []string{"ls | tac", "tac -", "tac .env", "tac < f"},
		}},
	{Names: "head", Kinds: "passes=begin blind output=filter",
		Output: Contents, Touches: Named, Operands: "read*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "c,bytes=size n,lines=lines q,quiet,silent " +
			"v,verbose z,zero-terminated #",
			Proved: []string{"head -50 f", "head -n 5 *.go", "head -c100 f", "head -c 16 /dev/urandom | xxd"},
			Not: []string{"head --line=5 f", "head -x", "head .env", "head -n 5 /dev/zero", "head -c 100G " +
				"/dev/zero"},
		}},
	{Names: "tail", Kinds: "passes=end blind output=filter",
		Output: Contents, Touches: Named, Operands: "read*", Options: "pid= max-unchanged-stats=",
		Reads: &Reading{Free: true, Endless: "f F follow", Source: coreutils, Options: help + "c,bytes= n,lines= " +
			"q,quiet,silent v,verbose z,zero-terminated # r f F follow? retry s,sleep-interval=",
			Proved: []string{"tail -20 log", "tail -n +5 f", "tail -c 10 f", "timeout 5 tail -f log"},
			Not: []string{"tail -f log", "tail -F log", "tail --follow=name x", "timeout 0 tail -f log", "tail -f " +
				"log | head -5"},
		}},
	{Names: "wc", Kinds: "tallies blind", Touches: Named, Operands: "read*", Options: "files0-from=read",
		Reads: &Reading{Lists: "*", Free: true, Source: coreutils, Options: help + "c,bytes m,chars l,lines " +
			"L,max-line-length w,words total=",
			Proved: []string{"wc -l f", "wc -lw *.go", "ls | wc -l", "wc -c ~/.aws/credentials"},
			Not:    []string{"wc --files0-from=f", "wc -z", "wc ./p > f"},
		}},
	{Names: "nl", Kinds: "streams blind conducts", Output: Contents, Operands: "read*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "b,body-numbering= d,section-delimiter= " +
			"f,footer-numbering= h,header-numbering= i,line-increment= l,join-blank-lines= n,number-format= " +
			"p,no-renumber s,number-separator= v,starting-line-number= w,number-width=",
			Proved: []string{"nl -ba f", "nl -w3 f", "nl f | sed -n 1,5p"},
			Not:    []string{"nl --frob", "nl .env", "nl f > g"},
		}},
	{Names: "od", Kinds: "streams blind turns=hex", Output: encoded, Operands: "read*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "A,address-radix= j,skip-bytes= " +
			"N,read-bytes=size S= strings? t,format= v,output-duplicates w,width? a b c d f i l o s x",
			Proved: []string{"od -c f", "od -An -tx1 f", "od -x f"},
			Not:    []string{"od --strings .env", "od --traditional x", "od .env", "od f > g"},
		}},
	{Names: "hexdump hd", Kinds: "hexdump:streams hexdump:blind hexdump:turns=hex", Same: "hd", Output: encoded,
		Operands: "read*",
		Reads: &Reading{Free: true, Source: "hexdump(1) util-linux 2.38", Options: help + "b c C d o x v n=size s= e=",
			Proved: []string{"hexdump -C f", "hexdump -n 16 f", "hexdump -Cv f"},
			Not:    []string{"hexdump -f fmt f", "hexdump .env", "hexdump f > g"},
		}},
	{Names: "xxd", Kinds: "decodes?:revert streams blind output=filter turns=hex", Output: encoded, Style: Words,
		Operands: "read write", Options: "h~ r,revert uppercase v~ R=",
		Reads: &Reading{Leading: true, Operands: "path", Max: 1, Check: "plainPlus", Source: "xxd(1) " +
			"2022", Options: "a,autoskip b,bits c,cols= C,capitalize d E,EBCDIC e g,groupsize= i,include l,len=size " +
			"n,name= o,offset= p,ps,plain postscript s,seek= u version",
			Proved: []string{"xxd f", "xxd -l 16 f", "xxd -p ./f", "xxd -g1 -l64 f", "xxd -s 0x20 -l 16 f"},
			Not: []string{"xxd -r x y", "xxd in out", "xxd -ps in out", "xxd $f", "xxd *", "xxd -s +5 in " +
				"out", "xxd -pr in", "xxd in -p"},
		}},
	{Names: "stat", Kinds: "pointed given tells-names", Touches: Named, Operands: "read*",
		Reads: &Reading{Lists: "*", Free: true, Operands: "data", Source: coreutils, Options: help + "L,dereference " +
			"f,file-system cached= c,format= printf= t,terse x l r q s F n",
			Proved: []string{"stat f", "stat -c %s f", "stat -f ."},
			Not:    []string{"stat --frob f", "stat f > g", "stat --form=x f"},
		}},
	{Names: "file", Kinds: "pointed tells-names", Operands: "read*",
		Reads: &Reading{Lists: "*", Operands: "data", Check: "noDash", Source: "file(1) 5.44", Options: "b,brief " +
			"i,mime mime-type mime-encoding k,keep-going L,dereference h,no-dereference s,special-files 0,print0 " +
			"N,no-pad F,separator= e,exclude= P= r,raw E n v,version~ help~",
			Proved: []string{"file bin", "file -b --mime-type f", "file -- *"},
			Not: []string{"file -C -m x", "file -m magic f", "file *", "file $f", "file -f list", "ls | file " +
				"-", "file -z f.gz"},
		}},
	{Names: "du", Kinds: "sizes pointed follows=L,dereference", Touches: Named, Operands: "read*",
		Options: "files0-from=read X,exclude-from=read", listing: listing{Walk: Walk{Hidden: "a all"}, Recursive: true},
		Reads: &Reading{Lists: "*", Free: true, Operands: "data", Source: coreutils, Options: help + "0,null a,all " +
			"apparent-size B,block-size= b,bytes c,total D,dereference-args d,max-depth= h,human-readable inodes H k " +
			"L,dereference l,count-links m P,no-dereference S,separate-dirs si s,summarize g A I= t,threshold= time? " +
			"time-style= x,one-file-system exclude=",
			Proved: []string{"du -sh .", "du -sh node_modules dist", "du -a -d1 ."},
			Not:    []string{"du --files0-from=f", "du -X f .", "du . > f"},
		}},
	{Names: "df", Kinds: "devices=space pointed output=devices",
		Operands: "read*", Reads: &Reading{Free: true, Operands: "data", Source: coreutils, Options: help + "a,all " +
			"B,block-size= h,human-readable H,si i,inodes k l,local output? P,portability t,type= T,print-type " +
			"x,exclude-type= total v g m b I",
			Proved: []string{"df -h", "df -h .", "df -iT /"},
			Not:    []string{"df --sync", "df -z", "df > f"},
		}},
	{Names: "tree", Kinds: "pointed follows=l trees", Operands: "read*", Options: "R H= T= o=write",
		listing: listing{Walk: Walk{Hidden: "a"}, Recursive: true},
		Reads: &Reading{Lists: "*", Detached: true, Operands: "data", Source: "tree(1) 2.1", Options: help + "a d l " +
			"f x L= P= I= p u g s h D F q N Q r t c U n C i S noreport dirsfirst filesfirst prune du si gitignore " +
			"ignore-case matchdirs charset= filelimit= timefmt= sort= J X",
			Proved: []string{"tree -L 2", "tree -a -I node_modules src", "tree -d ./src", "tree -L2"},
			Not:    []string{"tree -o f", "tree -Lo 2 f", "tree -R -H x", "tree *", "tree --fromfile f"},
		}},
	{Names: "readlink realpath",
		Kinds:    "readlink:resolves?:f,:e,:m realpath:resolves path=real pointed output=path given tells-names",
		Touches:  Named,
		Operands: "read*", Reads: &Reading{Lists: "*", Free: true, Operands: "data", Source: coreutils, Options: help + "f,canonicalize e,canonicalize-existing m,canonicalize-missing n,no-newline q,quiet s,silent,strip,no-symlinks v,verbose z,zero L,logical P,physical relative-to=read relative-base=read",
			Proved: []string{"readlink -f x", "realpath .", "realpath --relative-to=. x"},
			Not:    []string{"readlink -x f", "realpath x > f", "realpath --rel=x y"},
		}},
	{Names: "basename dirname", Kinds: "trims basename:path=names dirname:path=parents blind output=path",
		Operands: "data*", Reads: &Reading{Lists: "*", Free: true, Source: coreutils, Options: help + "a,multiple " +
			"s,suffix= z,zero",
			Proved: []string{"basename /a/b", "dirname \"$f\"", "basename -s .go a.go"},
			Not:    []string{"basename -x a", "dirname a > b", "basename --suf=x a"},
		}},
	{Names: "pwd", Kinds: "path=directory blind output=path",
		Reads: &Reading{Free: true, Source: coreutils, Options: "L,logical P,physical help version",
			Proved: []string{"pwd", "pwd -P", "pwd; ls"},
			Not:    []string{"pwd x", "pwd > f", "pwd -x"},
		}},
	{Names: "cd", Kinds: "moves=there quiet", Touches: Named, Operands: "dir",
		Reads: &Reading{Free: true, Max: 1, Source: "bash(1) 5.2", Options: "L P",
			Proved: []string{"cd src", "cd -P \"$d\"", "cd /tmp && ls"},
			Not:    []string{"cd -x", "cd a > f", "cd a & ls"},
		}},
	// Searching.
	{Names: "grep egrep fgrep",
		Kinds: "searches grep,egrep:passes=some grep:finds=lines inverts blind follows=R,dereference-recursive " +
			"grep:output=filter tests",
		listing: listing{Paths: "l L", PathsNot: "q", Walk: Walk{Hidden: "*", Only: "include", Not: "exclude", NotDir: "exclude-dir"}},
		Output:  Contents, Touches: Named, Operands: "data read*", Options: "u",
		Reads: &Reading{Free: true, Recursive: "r R recursive dereference-recursive d " +
			"directories", Check: "grepPattern", Source: "grep(1) 3.8",
			Options: "help~ V,version~ E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp=! " +
				"f,file=read! i,y,ignore-case no-ignore-case v,invert-match w,word-regexp x,line-regexp c,count " +
				"color,colour? L,files-without-match l,files-with-matches m,max-count= o,only-matching " +
				"q,quiet,silent s,no-messages b,byte-offset H,with-filename h,no-filename label= n,line-number " +
				"T,initial-tab Z,null A,after-context= B,before-context= C,context= # a,text binary-files= " +
				"D,devices= d,directories= exclude= exclude-from=read exclude-dir= I include= r,recursive " +
				"R,dereference-recursive line-buffered U,binary z,null-data",
			Proved: []string{"grep -rn foo src", "grep -E 'a|b' *.go", "grep -c x \"$f\"", "grep -A3 -B2 x f", "ls | " +
				"grep -v x"},
			Not: []string{"grep -r x ~", "grep x .env", "grep -f ~/.netrc x", "grep --colo x f", "grep x f > " +
				"g", "grep -e x .env", "grep -r --include='.env*' x .", "grep -rh --include '*.{pem,key}' x ."},
		}},
	{Names: "rg", Kinds: "searches finds=lines inverts blind follows=L,follow",
		Tells: tells,
		listing: listing{Paths: "files l files-without-match", PathsNot: "q", Walk: Walk{Hidden: "hidden . u " +
			"unrestricted", Only: "g glob iglob", Types: "t type", Depth: "d max-depth maxdepth"}, Recursive: true},
		Output: Contents, Touches: Named, Operands: "data read*",
		Options: "pre=text pre-glob= z,search-zip hostname-bin=text",
		Reads: &Reading{Lists: "files", Recursive: "*", Check: "grepPattern", Source: ripgrep, Options: "h,help~ " +
			"V,version~ e,regexp=! f,file=read! A,after-context= B,before-context= C,context= c,count count-matches " +
			"color= colors= column context-separator= crlf d,max-depth,maxdepth= E,encoding= engine? " +
			"field-context-separator= field-match-separator= files! F,fixed-strings L,follow g,glob= iglob= " +
			"glob-case-insensitive heading no-heading hidden . H,with-filename I,no-filename i,ignore-case " +
			"ignore-file=read v,invert-match json l,files-with-matches files-without-match line-buffered " +
			"n,line-number N,no-line-number x,line-regexp M,max-columns= max-columns-preview m,max-count= " +
			"max-filesize= mmap no-mmap U,multiline multiline-dotall no-config no-ignore no-ignore-vcs " +
			"no-ignore-parent no-ignore-dot no-messages 0,null null-data o,only-matching passthru path-separator= " +
			"P,pcre2 p,pretty q,quiet r,replace= s,case-sensitive S,smart-case sort= sortr= stats debug trace a,text " +
			"j,threads= trim t,type= T,type-not= type-add= type-list~ u,unrestricted vimgrep w,word-regexp " +
			"one-file-system binary block-buffered no-require-git",
			Proved: []string{"rg -n foo src", "rg -l --type go 'x|y' ./src", "rg --files -g '*.go'", "rg foo -- *.go"},
			Not: []string{"rg --pre ./p a f", "rg --pr\\e=./p a", "rg -z x f", "rg $P src", "rg x *", "rg x " +
				".env", "rg --hostname-bin=./p x", "rg --engine --pre=./p f", "rg -g --pre=./p f", "rg x ~", "rg " +
				"--hidden -g '.env*' x", "rg -uug '*.pem' x", "rg --type-add 'e:.env' -te x"},
		}},
	{Names: "find bfs", Same: "bfs", Kinds: "completes find:pointed find:follows=L,follow find:output=entries",
		listing: listing{Recursive: true}, Touches: Named, Style: Expression, Operands: "read*",
		Options: "delete fprint=write fprint0=write fprintf=write fls=write execdir=argv ok=argv okdir=argv " +
			"files0-from=read",
		Reads: &Reading{Lists: "*", Operands: "data", Check: "findExpression", Source: "find(1) findutils " +
			"4.9", Options: help + "H L P O= D= name= iname= path= ipath= wholename= iwholename= regex= iregex= " +
			"lname= ilname= type= xtype= maxdepth= mindepth= size= mtime= atime= ctime= mmin= amin= cmin= newer=read " +
			"anewer=read cnewer=read newermt= newerat= newerct= perm= user= group= uid= gid= links= inum= " +
			"samefile=read fstype= used= context= empty executable readable writable nouser nogroup true false depth " +
			"d daystart mount xdev follow noleaf warn nowarn regextype= not a and o or print print0 printf= ls prune " +
			"quit exec=argv E x s",
			Proved: []string{"find . -name '*.go'", "find . -type f -not -path './x/*' -print0", "find src \\( -name " +
				"a -o -name b \\) -print", "find . -name x -exec grep -l y {} +", "find . -type f -exec file {} " +
				"+", "find . -not -name '.env*' -exec grep -l x {} +", "find src -name '*.go' -exec sed -n 1,5p {} " +
				"\\;"},
			Not: []string{"find . -delete", "find . -exe\\c ./p \\;", "find . -exec rm {} \\;", "find . -fprint " +
				"out", "find . -ok ls \\;", "find . -execdir ls {} \\;", "find . ! ! -name .env -exec cat {} " +
				"+", "find . -newer -not -name .env -exec cat {} +", "find . -type f -exec uniq {} {} \\;", "find $D " +
				"-name x", "find . -fls f", "find . -files0-from x", "find *", "find . -name .env -exec cat {} " +
				"+", "find . -name '.e*' -exec cat {} +"},
		}},
	{Names: "fd fdfind", Same: "fdfind", Kinds: "fd:completes fd:seeks fd:dir=base-directory fd:follows=L,follow",
		Tells: tells,
		listing: listing{Paths: ".", PathsNot: "l x X q 1 max-results S changed-within changed-before " +
			"o", Walk: Walk{Hidden: "H hidden u unrestricted", Not: "E exclude", Extensions: "e " +
			"extension", Depth: "d max-depth exact-depth"}, Recursive: true},
		Touches: Named, Operands: "data read*",
		Options: "l,list-details ignore-file=read x,exec=argv X,exec-batch=argv format=",
		Reads: &Reading{Lists: "*", Operands: "data", Source: "fd 9.0 --help", Options: "h,help~ V,version~ H,hidden " +
			"I,no-ignore u,unrestricted s,case-sensitive i,ignore-case g,glob regex F,fixed-strings a,absolute-path " +
			"L,follow p,full-path d,max-depth= min-depth= exact-depth= t,type= e,extension= S,size= changed-within= " +
			"changed-before= o,owner= E,exclude= c,color= j,threads= 0,print0 1 q,quiet max-results= " +
			"base-directory=dir path-separator= search-path=read prune strip-cwd-prefix",
			Proved: []string{"fd -e go", "fd -t f main ./src", "fd -H config"},
			Not:    []string{"fd -x ./p", "fd -X rm", "fd -Hx ./p", "fd $P", "fd -l", "fd -e go --exec ./p"},
		}},
	{Names: "which type whereis", Kinds: "type:tells?-p,-P which,type:blind which,type:output=some",
		Operands: "data*", Reads: &Reading{Free: true, Source: "which(1) debianutils 5.7, bash(1) 5.2, whereis(1) " +
			"util-linux 2.38", Options: "a s p t P f b m u",
			Proved: []string{"which go", "type -a ls", "which node npm"},
			Not:    []string{"which -x y", "type x > f", "which --help=x"},
		}},
	// Text.
	{Names: "sed gsed", Same: "gsed", Kinds: "sed:passes sed:operand=script sed:blind output=filter conducts",
		Inside: &Inside{Names: "sed", Manner: "edits", Check: "editsInPlace", Writing: "i in-place", Options: "i " +
			"in-place e expression E r regexp-extended n quiet silent s separate z null-data"},
		Tells: tells, Output: Contents, evaluating: evaluating{Language: Sed}, NoGrant: "*", Operands: "code read*",
		Options: "f,file=exec! follow-symlinks i,in-place?*write l,line-length=",
		Reads: &Reading{Operands: "data", Check: "sedScript", Source: "sed(1) 4.9", Options: help + "n,quiet,silent " +
			"e,expression=code! E,r,regexp-extended s,separate u,unbuffered z,null-data posix debug sandbox",
			Proved: []string{"sed -n '1,120p' f", "sed 's/a/b/g' f", "sed -n '/x/,/y/p' ./f", "sed -e 1d -e '$d' " +
				"f", "sed -n 5p \"./$f\"", "sed -n '/^func (s \\*T) x/,/^}/p' f", "sed 's/[^/]*$//' f", "sed -E " +
				"'s#^[[:space:]]+[a-z/]+##;s/x/y/g' f", "sed -n '$p;1{p;q}' f", "sed ':a;N;$!ba;s/x/y/g' f", "sed " +
				"'1i header' f"},
			Not: []string{"sed -l 'w out' p f", "sed -i s/a/b/ f", "sed -n 'w out' f", "sed '1e ./p' f", "sed " +
				"'s/x/y/e' f", "sed -f s f", "sed $S f", "sed 's/a/b/w out' f", "sed --in-pl s/a/b/ f", "sed p " +
				".env", "sed 'r /etc/passwd' f", "sed -n p *", "sed -n '1,3W x' f", "sed 's/[/]/;/e;p#/p' f", "sed " +
				"'s/[[:x:]/]/;/e;p#/p' f", "sed -n '/[/]/;/w x' f", "sed 'p p' f", "sed ':a;w f' g", "sed -n 'ba;e " +
				"ls' f", "sed '1a x\nw f' g"},
		}},
	{Names: "sort", Kinds: "passes=all blind output=filter conducts writes-over",
		Output: Contents, Touches: Named, Operands: "read*",
		Options: "random-source=read batch-size= compress-program=text files0-from=read m,merge o,output=write " +
			"S,buffer-size= T,temporary-directory=write",
		Reads: &Reading{Source: coreutils, Options: help + "b,ignore-leading-blanks d,dictionary-order f,ignore-case " +
			"g,general-numeric-sort i,ignore-nonprinting M,month-sort h,human-numeric-sort n,numeric-sort " +
			"R,random-sort r,reverse sort= V,version-sort c check? C debug k,key= s,stable t,field-separator= " +
			"parallel= u,unique z,zero-terminated",
			Proved: []string{"sort f", "sort -k2,2 -t: f", "du . | sort -rn", "sort -u -- *.txt"},
			Not: []string{"sort -o f f", "sort -of x", "sort --outp=f", "sort --compress-program=./p f", "sort -T " +
				"d f", "sort *", "sort $X", "sort -S 1k f", "sort -m"},
		}},
	{Names: "uniq", Kinds: "passes=all blind output=filter",
		Output: Contents, Touches: Named, Operands: "read write",
		Reads: &Reading{Leading: true, Operands: "path", Max: 1, Source: coreutils, Options: help + "c,count " +
			"d,repeated D all-repeated? f,skip-fields= group? i,ignore-case s,skip-chars= u,unique z,zero-terminated " +
			"w,check-chars=",
			Proved: []string{"sort f | uniq -c", "uniq -d f", "uniq ./f"},
			Not:    []string{"uniq in out", "uniq *", "uniq $X", "uniq in -c"},
		}},
	{Names: "cut", Kinds: "passes=words columns=f streams blind output=filter",
		Output: Contents, Touches: Named, Operands: "read*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "b,bytes= c,characters= d,delimiter= " +
			"f,fields= n complement s,only-delimited output-delimiter= z,zero-terminated",
			Proved: []string{"cut -d: -f1 f", "cut -c1-80 f", "ls | cut -f1"},
			Not:    []string{"cut -x f", "cut -f1 .env", "cut -f1 f > g"},
		}},
	{Names: "tr", Kinds: "turns=letters passes=words streams blind output=filter conducts",
		Output: Contents, Operands: "data*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "c,C,complement d,delete s,squeeze-repeats " +
			"t,truncate-set1",
			Proved: []string{"tr a b", "tr -d '\\n'", "ls | tr -s ' '"},
			Not:    []string{"tr -x a", "tr a b > f", "tr a b & ls"},
		}},
	{Names: "column", Kinds: "blind", Operands: "read*",
		Reads: &Reading{Free: true, Source: "column(1) util-linux 2.38", Options: "t,table s,separator= " +
			"o,output-separator= c,output-width= x,fillrows N,table-columns= R,table-right= H,table-hide= J,json " +
			"table-name= L,keep-empty-lines",
			Proved: []string{"column -t f", "column -t -s, f", "ls | column -c 80"},
			Not:    []string{"column -q", "column -n .env", "column .env", "column f > g"},
		}},
	{Names: "fold expand unexpand", Kinds: "fold:streams fold:blind", Output: Contents, Operands: "read*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "b,bytes s,spaces w,width= i,initial t,tabs= " +
			"a,all first-only",
			Proved: []string{"fold -w 80 f", "expand -t4 f", "fold -sw 60 f"},
			Not:    []string{"fold -x", "expand .env", "fold f > b"},
		}},
	{Names: "fmt", Output: Contents, Operands: "read*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "c,crown-margin s,split-only " +
			"t,tagged-paragraph u,uniform-spacing w,width= #",
			Proved: []string{"fmt -w 72 f", "fmt -s f", "fmt README.md"},
			Not:    []string{"fmt -t .env", "fmt .env", "fmt f > b"},
		}},
	{Names: "pr", Operands: "read*",
		Reads: &Reading{Free: true, Source: coreutils, Options: help + "a,across d,double-space h,header= l,length= " +
			"m,merge n? o,indent= t,omit-header T,omit-pagination w,width= #",
			Proved: []string{"pr -t f", "pr -l 60 f", "pr -mt a b"},
			Not:    []string{"pr -t .env", "pr -d .env", "pr f > b"},
		}},
	{Names: "paste comm rev", Kinds: "rev:turns=reversed rev:streams blind rev,paste:output=filter rev:conducts",
		Output:   Contents,
		Operands: "read*", Reads: &Reading{Free: true, Source: coreutils + ", rev(1) util-linux " +
			"2.38", Options: help + "d,delimiters= s,serial 1 2 3 z,zero-terminated check-order nocheck-order " +
			"output-delimiter= total",
			Proved: []string{"comm -12 a b", "paste -s f", "rev f", "paste -d, a b"},
			Not:    []string{"comm -x", "comm a .env", "paste a > b"},
		}},
	{Names: "join", Kinds: "blind", Operands: "read*",
		Reads: &Reading{Free: true, Max: 2, Source: coreutils, Options: help + "1= 2= a= e= i,ignore-case j= o= t= " +
			"v= check-order nocheck-order header z,zero-terminated",
			Proved: []string{"join -t, -1 1 -2 2 a b", "join a b", "join -v1 a b"},
			Not:    []string{"join -x a b", "join a .env", "join a b > c"},
		}},
	{Names: "shuf", Kinds: "passes=all conducts writes-over", Tells: tells, Output: Contents, Touches: Named,
		Operands: "read*",
		Options:  "o,output=write random-source=read",
		Reads: &Reading{Operands: "data", Check: "shufWords", Source: coreutils, Options: "help version e,echo*data " +
			"i,input-range= n,head-count= r,repeat z,zero-terminated",
			Proved: []string{"shuf -n 5 f", "shuf -i 1-10 -n 1", "ls | shuf -n1"},
			Not:    []string{"shuf -o f f", "shuf --out=f", "shuf *", "shuf .env", "shuf --random-source=f"},
		}},
	{Names: "factor", Operands: "data*",
		Reads: &Reading{Check: "factorEnds", Free: true, Source: coreutils, Options: "help version h,exponents",
			Proved: []string{"factor 12", "factor 360 1024", "factor -h 18446744073709551615"},
			Not: []string{"factor 170141183460469231731687303715884105727", "factor $N", "factor < " +
				"numbers.txt", "factor 1 & ls"},
		}},
	{Names: "numfmt cal ncal", Operands: "data*",
		Reads: &Reading{Free: true, Source: coreutils + ", cal(1) util-linux 2.38", Options: "help version from= to= " +
			"field= header? suffix= padding= d,delimiter= format= grouping invalid= round= from-unit= to-unit= z 1 3 " +
			"y j m w h",
			Proved: []string{"numfmt --to=iec 1048576", "cal -3", "cal"},
			Not:    []string{"cal > f", "numfmt --frob 1", "cal 1 & ./p"},
		}},
	{Names: "bc", Tells: tells, Operands: "read*",
		Reads: &Reading{Check: "sums", Source: "bc(1) 1.07", Options: "l,mathlib q,quiet s,standard w,warn h,help " +
			"v,version",
			Proved: []string{"echo '1/3' | bc -l", "bc <<< '2^10'", "bc <<< 'scale=20; 1/3'", "bc -q f.bc"},
			Not: []string{"bc -i", "bc <<< 'while (1) 1'", "bc <<< '9^9^9'", "bc <<< '2^99999999'",
				"bc -l <<< 'scale = 9999999; a(1)'", "bc .env", "echo 1 | bc > f", "bc $f"},
		}},
	// -l runs pr.
	{Names: "diff", Kinds: "blind follows=r,recursive tests", Touches: Named, Operands: "read*",
		Options: "l,paginate unidirectional-new-file ignore-file-name-case X,exclude-from=read S,starting-file= " +
			"from-file=read to-file=read D,ifdef= horizon-lines= speed-large-files palette= output= " +
			"suppress-blank-empty",
		listing: listing{Walk: Walk{Hidden: "*", Not: "x exclude"}},
		Reads: &Reading{Recursive: "r recursive", Source: "diff(1) 3.8", Options: "help~ v,version~ normal q,brief " +
			"s,report-identical-files c C= context? u U= unified? e,ed n,rcs y,side-by-side W,width= left-column " +
			"suppress-common-lines p,show-c-function F,show-function-line= label= t,expand-tabs T,initial-tab " +
			"tabsize= r,recursive no-dereference N,new-file x,exclude= i,ignore-case E,ignore-tab-expansion " +
			"Z,ignore-trailing-space b,ignore-space-change w,ignore-all-space B,ignore-blank-lines " +
			"I,ignore-matching-lines= a,text strip-trailing-cr d,minimal color? #",
			Proved: []string{"diff a b", "diff -u a b", "diff -rq a b", "diff -i a b"},
			Not: []string{"diff --output=x a b", "diff $A b", "diff a .env", "diff a b > c", "diff -i .env " +
				"a", "diff --unified .env a", "diff -n .env a", "diff -l a b"},
		}},
	{Names: "cmp", Kinds: "blind tests", Touches: Named, Operands: "read*",
		Reads: &Reading{Max: 4, Source: "cmp(1) 3.8", Options: "help~ v,version~ b,print-bytes i,ignore-initial= " +
			"l,verbose n,bytes=size s,quiet,silent",
			Proved: []string{"cmp a b", "cmp -s a b", "cmp -n 10 a b"},
			Not:    []string{"cmp a .env", "cmp $A b", "cmp a b > c"},
		}},
	{Names: "jq", Kinds: "queries operand=filter blind output=query",
		Tells: tells, Output: Contents, Operands: "code read*", Options: "f,from-file=exec! L= args jsonargs",
		Reads: &Reading{Check: "jqFilter", Source: "jq 1.7 manual", Options: "h,help~ V,version~ n,null-input " +
			"R,raw-input s,slurp c,compact-output r,raw-output raw-output0 j,join-output a,ascii-output " +
			"C,color-output M,monochrome-output S,sort-keys tab indent= unbuffered stream e,exit-status seq arg=+ " +
			"argjson=+ slurpfile=+read rawfile=+read",
			Proved: []string{"jq . f.json", "jq -r '.a | keys[]' package.json", "cat f | jq .x", "jq --arg k foo " +
				"'.[$k]' f", "jq -n '[inputs]' a b", "jq --slurpfile a a.json '$a' b.json"},
			Not: []string{"jq -n env", "jq '$ENV.X' f", "jq -f prog f", "jq --rawfile a .env . f", "jq " +
				"--slurpfile a .env . f", "jq $F f", "jq . .env", "jq input_filename f", "jq -n '$ ENV.X'", "jq -n " +
				"'..env'"},
		}},
	// Two programs bear the name, one in Go and one that is a script over jq.
	{Names: "yq", Kinds: "queries operand=filter",
		Output: Contents, Operands: "code read*",
		Options: "i,inplace*write j,tojson n,null-input s,split-exp= f,from-file=exec I,indent= y x",
		Reads: &Reading{Check: "yqFilter", Source: "yq 4.44 (Go) and yq 3.4 (Python) --help", Options: "h,help~ " +
			"V,version~ r,raw-output,unwrapScalar o,output-format= p,input-format= P,prettyPrint C,colors " +
			"M,no-colors e,exit-status c N,no-doc",
			Proved: []string{"yq .a f.yaml", "yq -r '.services | keys' docker-compose.yml", "yq e '.a.b' " +
				"f.yaml", "yq eval .a f.yml", "cat f | yq -o json ."},
			Not: []string{"yq -i .a=1 f", "yq 'load(\"f\")' f", "yq 'env(X)' f", "yq '.a | eval(.b)' f", "yq -s " +
				".a f", "yq ea . f", "yq .a .env", "yq $F f", "yq 'system(\"./p\")' f"},
		}},
	{Names: "awk gawk mawk nawk original-awk",
		Kinds: "awk,gawk,mawk,nawk:operand=program awk:blind output=filter conducts",
		Same:  "gawk mawk nawk original-awk", Tells: tells, Output: Contents, evaluating: evaluating{Language: AWK},
		NoGrant: "*", Style: Stop,
		Operands: "code read*",
		Options: help + "f,file=exec! field-separator= assign= e,source=code! i,include=exec l,load=exec " +
			"o,pretty-print? p,profile? d,dump-variables? b c C h~ n N O P r s S t W= E,exec=exec! V~",
		Reads: &Reading{Check: "awkProgram", Source: "POSIX.1-2017 awk, gawk 5.2 manual", Options: "F= v=",
			Proved: []string{"awk '{print $1}' f", "awk -F: '{print $1, $3}' /etc/group", "ps aux | awk '{print " +
				"$2}'", "awk 'NR==1,NR==5' f", "awk '{s+=$1} END {print s}' f", "awk '$3 > 100 {print $1}' f", "awk " +
				"-v n=5 'NR<=n' f", "awk '{print ($1 > 5) ? 1 : 0}' *.txt", "awk '{print FILENAME, x/2}' f"},
			Not: []string{"awk 'BEGIN{system(\"./p\")}'", "awk '{print > \"f\"}' f", "awk '{print | \"sh\"}' " +
				"f", "awk 'BEGIN{\"./p\" | getline}'", "awk -f p f", "awk $P f", "awk '{print}' .env", "awk '@load " +
				"\"x\"'", "awk -i inplace 1 f", "gawk '{ @f() }' x", "awk '/[/] \"/ {system(\"./p\")} #\"/' f", "awk " +
				"'/[/]/' f", "awk '{print $1,\n$2 > \"f\"}' f", "awk '{print $1 \\\n> \"f\"}' f", "awk '{print /\"/ " +
				"; system(\"./p\") #\"/}' f", "awk '{x++ / \"/\" ; system(\"./p\") ; \"\"}' f", "awk '{print x ?\n1 " +
				": 2 > \"f\"}' f", "awk '{exit /\"/ ; system(\"./p\") #\"/}' f", "gawk 1 /inet/tcp/0/h/80", "awk " +
				"'1system(\"ls\")' f", "awk '/x/system(\"ls\")' f", "awk 'BEGIN{ARGV[1]=\".env\"}' f"},
		}},
	// Printing and testing.
	{Names: "echo", Kinds: "prints=words blind output=words given succeeds",
		Style: Plain, Operands: "data*",
		Reads: &Reading{Lists: "*", Free: true, Check: "anyWords", Source: "bash(1) 5.2",
			Proved: []string{"echo hi", "echo \"$X\" -- -x", "echo $(ls)"},
			Not: []string{"echo x > f", "echo $(./p)", "echo `./p`", "echo x & ls", "echo ${x@P}", "echo " +
				"$AWS_SECRET_ACCESS_KEY"},
		}},
	{Names: "printf", Kinds: "prints=format sums=name sets=format operand=format blind output=format given succeeds",
		Style: Stop, Operands: "data*", Options: "v=",
		Reads: &Reading{Lists: "*", Check: "printfFormat", Source: "bash(1) 5.2",
			Proved: []string{"printf '%s\\n' a", "printf 'x%d' 1", "printf '%s' \"$X\""},
			Not: []string{"printf -v x a", "printf $F", "printf '%n' x", "printf '%s' x > f", "printf %d " +
				"\"$X\"", "printf %d 'a[$(./p)]'"},
		}},
	{Names: "test [", Kinds: "compares sums=words [:closes pointed tests tells-names",
		Style: Plain, Operands: "data*",
		Reads: &Reading{Lists: "*", Free: true, Unopened: true, Check: "testWords", Source: "POSIX.1-2017 test, " +
			"bash(1) 5.2",
			Proved: []string{"[ -f x ]", "test -d src && ls src", "[ \"$A\" = b ]", "[ $(wc -l < f) -gt 3 ]", "[ -n " +
				"\"$X\" ] && echo \"$X\""},
			Not: []string{"[ \"$N\" -gt 3 ]", "test -v 'a[$(./p)]'", "[ -v x ]", "[ -f x ] > f", "[ -R x ]", "[ " +
				"$x = y ]", "test \"$a\" \"$b\"", "[ -t 'a[$(./p)]' ]", "[ 'a[$(./p)]' -eq 0 ]", "test *"},
		}},
	{Names: "true false :", Kinds: "prints ::special blind output=nothing quiet :,true:succeeds",
		Style: Plain, Operands: "data*",
		Reads: &Reading{Lists: "*", Free: true, Unopened: true, Check: "anyWords", Source: "POSIX.1-2017",
			Proved: []string{"true", "ls || true", ": x"},
			Not:    []string{"true > f", ": > f", "false & ls"},
		}},
	{Names: "exit return break continue",
		Kinds: "sums=all special break,continue,return:sets=flow blind exit,return:quiet exit,return:flow=exit " +
			"break:flow=break continue:flow=continue",
		Operands: "data*", Reads: &Reading{Max: 1, Check: "statusNumber", Source: "POSIX.1-2017",
			Proved: []string{"ls || exit 1", "for f in *; do break; done", "exit $?"},
			Not:    []string{"exit 1 > f", "exit 1 2", "exit -x", "exit 'a[$(./p)]'"},
		}},
	{Names: "sleep", Kinds: "waits=seconds blind quiet",
		Operands: "data*", Options: help, Reads: &Reading{Free: true, Max: 1, Check: "duration", Source: coreutils,
			Proved: []string{"sleep 1", "sleep 0.5; ls", "sleep 10s"},
			Not:    []string{"sleep 1 2", "sleep -x", "sleep 1 & ls", "sleep infinity"},
		}},
	{Names: "yes", Kinds: "repeats streams output=some", Operands: "data*",
		Reads: &Reading{Free: true, Endless: "*", Source: coreutils, Options: "help version",
			Proved: []string{"yes | head -3", "timeout 1 yes", "yes n | head -n 5"},
			Not:    []string{"yes", "yes | cat", "yes | head -n -1", "yes > f"},
		}},
	{Names: "set", Kinds: "environ=alone sums=all sets=arguments globs=letters special blind quiet " +
		"clears-history?^+o&history",
		NoGrant: "*", Operands: "data*",
		Reads: &Reading{Check: "setOptions", Source: "bash(1) 5.2", Options: "e u x v o=",
			Proved: []string{"set -e; ls", "set -euo pipefail; ls", "set -x", "set +e; ls"},
			Not:    []string{"set", "set -- a", "set -o history", "set +e x", "set +o", "set -k"},
		}},
	{Names: "seq", Kinds: "counts streams blind",
		Operands: "data*", Reads: &Reading{Free: true, Max: 3, Check: "sequence", Source: coreutils, Options: "f,format= s,separator= w,equal-width help version",
			Proved: []string{"seq 5", "seq -w 1 10", "for i in $(seq 1 3); do echo $i; done"},
			Not:    []string{"seq -x", "seq 1 > f", "seq 1 2 3 4", "seq inf"},
		}},
	{Names: "date", Kinds: "blind changes-host?:set", Operands: "data", Options: "debug file=read s,set=",
		Reads: &Reading{Max: 2, Check: "dateFormat", Source: coreutils, Options: help + "d,date= u,utc,universal " +
			"I,iso-8601? R,rfc-email rfc-3339= r,reference=read j f=read v=",
			Proved: []string{"date", "date +%s", "date -u -d yesterday +%F", "date -j -f %s 1700000000 +%F", "date " +
				"+%s"},
			Not: []string{"date -s x", "date --se x", "date 010203042026", "date $F", "date -f f", "date -u " +
				"0101", "date +%F 0101"},
		}},
	{Names: "policyctl", Kinds: "recalls?@audit_list,@audit_approvals,@audit_show,@audit_export recalls?@log&!:here " +
		"recalls?@log&~--here=",
		NoGrant: "*", Operands: "data*", Options: "version~ policy=read json",
		Reads: &Reading{
			Source: "policyctl help", Options: "help~",
			Proved: []string{"policyctl eval 'rm -rf /'", "policyctl eval --policy builtin:strict ls", "policyctl " +
				"eval --set security.confirm_policy=dangerous_only make", "policyctl explain --set " +
				"approvals.mode=auto ls", "policyctl explain --policy p.yaml 'git push'", "policyctl floor " +
				"root-delete", "policyctl config show --origin", "policyctl config get approvals.mode", "policyctl " +
				"trust --list", "policyctl replay calls.jsonl --json", "policyctl status", "policyctl " +
				"why", "policyctl why 937eb891 --json", "policyctl log --here --decision deny --last 5 --since " +
				"24h", "cd web && policyctl log --agent claude --here"},
			Not: []string{"policyctl trust", "policyctl config set approvals.yolo true", "policyctl trust " +
				"--json", "policyctl install claude", "policyctl init", "policyctl import claude --output " +
				"p.yaml", "policyctl hook claude", "policyctl eval $X", "policyctl eval --set 'bundles={a: {url: " +
				"\"https://h\", token_file: t}}' ls", "policyctl eval --set bundles.a.url=https://h ls", "policyctl " +
				"eval --policy p.yaml ls", "policyctl eval --policy https://h/p ls", "policyctl eval --set \"$X\" " +
				"ls", "policyctl eval --bundle https://h/b ls", "policyctl explain --bundle https://h/b " +
				"ls", "policyctl explain --set 'bundles={}' ls", "policyctl explain --set bundles=https://h/b " +
				"ls", "policyctl replay --set bundles=x calls.jsonl", "policyctl --set bundles=x eval " +
				"ls", "policyctl doctor claude", "policyctl config", "policyctl log", "policyctl log --project " +
				"../other", "policyctl log --here --project ../other", "policyctl log --here --follow", "policyctl " +
				"log --here --db x.db", "policyctl log --here=false", "cd .. && policyctl log --here", "policyctl " +
				"why --db x.db", "cd ../other && policyctl why", "cd \"$D\" && policyctl why", "policyctl why 'a' " +
				"'b'", "policyctl why > f", "HOME=/x policyctl why"},
		},
		Subs: []*Program{
			{Names: "eval", Operands: "data*",
				Reads: &Reading{Check: "judgesHere", Options: judged + "json jsonl explain timing tool= input= " +
					"session= agent= shell="}},
			{Names: "explain why-not", Operands: "data*", Options: "jsonl explain timing",
				Reads: &Reading{Check: "setsPlainly", Options: judged + "json tool= input= session= agent= shell="}},
			{Names: "stages floor dangerous sensitive readonly version help", Operands: "data*",
				Options: "policy=read jsonl tool= input= dir= session= set= no-config explain timing",
				Reads:   &Reading{Options: "json help"}},
			{Names: "check", Operands: "data*",
				Options: "policy=read jsonl tool= input= dir= session= set= no-config explain timing",
				Reads:   &Reading{Operands: "path", Options: "json layer= help"}},
			{Names: "status", Operands: "data*",
				Options: "policy=read jsonl tool= input= session= set= no-config explain timing",
				Reads:   &Reading{Operands: "none", Options: "json dir=read help"}},
			{Names: "audit", Subs: []*Program{{Names: "list approvals show export verify checkpoint " +
				"prune", Operands: "data*", Options: "db=read"}}},
			{Names: "log", Operands: "data*", Options: "project=read db=read follow",
				Reads: &Reading{Operands: "none", Check: "showsHere", Options: "here agent= decision= since= last= " +
					"json help"}},
			{Names: "why", Operands: "data*", Options: "db=read",
				Reads: &Reading{Max: 1, Check: "showsProject", Options: "json help"}},
			{Names: "completion", Operands: "data*",
				Options: "policy=read json jsonl tool= input= dir= session= set= no-config explain timing"},
			{Names: "replay", Operands: "read*",
				Reads: &Reading{Check: "setsPlainly", Options: "json against=read policy=read set= no-config world " +
					"help~"}},
			{Names: "trust", Operands: "data*",
				Reads: &Reading{Operands: "none", Check: "listsTrust", Options: "list json"}},
			{Names: "install uninstall serve daemon mock-approval-service hook ship", Operands: "data*"},
			{Names: "approvals requests",
				Subs: []*Program{{Names: "list show", Operands: "data*"}, {Names: "revoke trust-verb approve " +
					"deny", Operands: "data*"}}},
			{Names: "config",
				Reads: &Reading{},
				Subs: []*Program{
					{Names: "show get schema path", Operands: "data*",
						Reads: &Reading{Options: "origin json dir=read help"}},
				},
			},
		},
	},
}
