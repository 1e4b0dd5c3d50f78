package readonly

import "slices"

const (
	coreutils = "GNU coreutils 9.1 manual pages"
	ripgrep   = "rg(1) 13.0"
	gitManual = "git 2.39 manual pages"
)

// diffOptions are the options of git's diff-like verbs that neither write nor
// run a program on their own (git-diff(1)).
const diffOptions = "p u patch s no-patch U,unified? raw minimal patience histogram diff-algorithm= stat? compact-summary numstat shortstat dirstat? summary patch-with-stat z name-only name-status color? no-color color-moved? word-diff? color-words? no-renames check full-index binary abbrev? B? M,find-renames? C,find-copies? D l= diff-filter= S= G= pickaxe-all pickaxe-regex R relative? a,text ignore-cr-at-eol ignore-space-at-eol b,ignore-space-change w,ignore-all-space ignore-blank-lines I= inter-hunk-context= W,function-context exit-code quiet no-ext-diff no-textconv ignore-submodules? src-prefix= dst-prefix= no-prefix cached staged merge-base 0 1 2 3 cc c "

// logOptions are the options of git log that show commits without their
// contents (git-log(1), git-rev-list(1)).
const logOptions = "# n,max-count= skip= since,after= until,before= author= committer= grep= all-match invert-grep i,regexp-ignore-case E,extended-regexp F,fixed-strings P,perl-regexp merges no-merges first-parent all branches? tags? remotes? glob= exclude= reverse oneline pretty? format? abbrev-commit no-abbrev-commit abbrev? date= relative-date graph decorate? no-decorate decorate-refs? topo-order date-order author-date-order left-right cherry-pick cherry-mark cherry boundary simplify-by-decoration full-history ancestry-path? parents children no-color color? follow no-mailmap mailmap source z "

// patchOptions are those with which git log shows contents, so that it may run
// what the repository's configuration names.
const patchOptions = "L binary word-diff color-words W function-context p u patch U unified raw stat numstat shortstat dirstat summary patch-with-stat name-only name-status S G c cc check compact-summary follow diff-filter M C find-renames find-copies"

// entries is the table: one entry a program.
var entries = slices.Concat(commonEntries, shellEntries, archiveEntries, machineEntries)

// commonEntries are the programs for looking at files and text, and those of
// which only a part is listed.
var commonEntries = []*Entry{
	// Looking at files.
	{
		Names: "ls dir vdir", Lists: "*", Walk: Walk{Hidden: "a A f all almost-all"}, Free: true, Unopened: true, Operands: "path", Source: coreutils,
		Options: "help version a,all A,almost-all author b,escape block-size= B,ignore-backups c C color? d,directory D,dired f F classify? file-type format= full-time g group-directories-first G,no-group h,human-readable si H dereference-command-line-symlink-to-dir hide= hyperlink? i,inode I,ignore= indicator-style= k,kibibytes l L,dereference m n,numeric-uid-gid N,literal o p q,hide-control-chars show-control-chars Q,quote-name quoting-style= r,reverse R,recursive s,size S sort= t time= time-style= T,tabsize= u U v w,width= x X Z,context zero 1 O @ e",
		Proved:  []string{"ls", "ls -la src/*.go", "ls -lah --color=never $DIR", "ls 2>/dev/null", "ls -la ~/.ssh .env"},
		Not:     []string{"./ls", "ls > out", "ls --colo=x"},
	},
	{
		Names: "cat", Free: true, Operands: "path", Source: coreutils,
		Options: "help version A,show-all b,number-nonblank e E,show-ends n,number s,squeeze-blank t T,show-tabs u v,show-nonprinting",
		Proved:  []string{"cat README.md", "cat -n \"$f\"", "cat <<'E'\nhi\nE", "cat *.go"},
		Not:     []string{"cat .env", "cat ~/.ssh/id_rsa", "cat x > y", "cat < ~/.netrc", "cat .en*", "cat <(./p)"},
	},
	{
		Names: "tac", Free: true, Operands: "path", Source: coreutils, check: plainFiles, Options: "help version b,before r,regex s,separator=",
		Proved: []string{"tac f", "tac log.txt | head -5", "tac a b"}, Not: []string{"ls | tac", "tac -", "tac .env", "tac < f"},
	},
	{
		Names: "head", Free: true, Operands: "path", Source: coreutils,
		Options: "help version c,bytes=size n,lines=lines q,quiet,silent v,verbose z,zero-terminated #",
		Proved:  []string{"head -50 f", "head -n 5 *.go", "head -c100 f", "head -c 16 /dev/urandom | xxd"}, Not: []string{"head --line=5 f", "head -x", "head .env", "head -n 5 /dev/zero", "head -c 100G /dev/zero"},
	},
	{
		Names: "tail", Free: true, Operands: "path", Source: coreutils, Endless: "f F follow",
		Options: "help version c,bytes= n,lines= q,quiet,silent v,verbose z,zero-terminated # r f F follow? retry s,sleep-interval=",
		Proved:  []string{"tail -20 log", "tail -n +5 f", "tail -c 10 f", "timeout 5 tail -f log"}, Not: []string{"tail -f log", "tail -F log", "tail --follow=name x", "timeout 0 tail -f log", "tail -f log | head -5"},
	},
	{
		Names: "wc", Lists: "*", Free: true, Operands: "path", Source: coreutils,
		Options: "help version c,bytes m,chars l,lines L,max-line-length w,words total=",
		Proved:  []string{"wc -l f", "wc -lw *.go", "ls | wc -l", "wc -c ~/.aws/credentials"}, Not: []string{"wc --files0-from=f", "wc -z", "wc ./p > f"},
	},
	{
		Names: "nl", Free: true, Operands: "path", Source: coreutils,
		Options: "help version b,body-numbering= d,section-delimiter= f,footer-numbering= h,header-numbering= i,line-increment= l,join-blank-lines= n,number-format= p,no-renumber s,number-separator= v,starting-line-number= w,number-width=",
		Proved:  []string{"nl -ba f", "nl -w3 f", "nl f | sed -n 1,5p"}, Not: []string{"nl --frob", "nl .env", "nl f > g"},
	},
	{
		Names: "od", Free: true, Operands: "path", Source: coreutils,
		Options: "help version A,address-radix= j,skip-bytes= N,read-bytes=size S= strings? t,format= v,output-duplicates w,width? a b c d f i l o s x",
		Proved:  []string{"od -c f", "od -An -tx1 f", "od -x f"}, Not: []string{"od --strings .env", "od --traditional x", "od .env", "od f > g"},
	},
	{
		Names: "hexdump hd", Free: true, Operands: "path", Source: "hexdump(1) util-linux 2.38",
		Options: "b c C d o x v n=size s= e= help version",
		Proved:  []string{"hexdump -C f", "hexdump -n 16 f", "hexdump -Cv f"}, Not: []string{"hexdump -f fmt f", "hexdump .env", "hexdump f > g"},
	},
	{
		Names: "xxd", Words: true, Leading: true, Operands: "path", Max: 1, Source: "xxd(1) 2022", check: plainPlus,
		Options: "a autoskip b bits c= cols= C capitalize d E EBCDIC e g= groupsize= i include l=size len=size n= name= o= offset= p ps plain postscript s= seek= u version",
		Proved:  []string{"xxd f", "xxd -l 16 f", "xxd -p ./f", "xxd -g1 -l64 f", "xxd -s 0x20 -l 16 f"}, Not: []string{"xxd -r x y", "xxd in out", "xxd -ps in out", "xxd $f", "xxd *", "xxd -s +5 in out", "xxd -pr in", "xxd in -p"},
	},
	{
		Names: "stat", Lists: "*", Free: true, Operands: "data", Source: coreutils,
		Options: "help version L,dereference f,file-system cached= c,format= printf= t,terse x l r q s F n",
		Proved:  []string{"stat f", "stat -c %s f", "stat -f ."}, Not: []string{"stat --frob f", "stat f > g", "stat --form=x f"},
	},
	{
		Names: "file", Lists: "*", Operands: "data", Source: "file(1) 5.44", check: noDash,
		Options: "b,brief i,mime mime-type mime-encoding k,keep-going L,dereference h,no-dereference s,special-files 0,print0 N,no-pad F,separator= e,exclude= P= r,raw E n v,version help",
		Proved:  []string{"file bin", "file -b --mime-type f", "file -- *"}, Not: []string{"file -C -m x", "file -m magic f", "file *", "file $f", "file -f list", "ls | file -", "file -z f.gz"},
	},
	{
		Names: "du", Lists: "*", Walk: Walk{Hidden: "a all"}, Free: true, Operands: "data", Source: coreutils,
		Options: "help version 0,null a,all apparent-size B,block-size= b,bytes c,total D,dereference-args d,max-depth= h,human-readable inodes H k L,dereference l,count-links m P,no-dereference S,separate-dirs si s,summarize g A I= t,threshold= time? time-style= x,one-file-system exclude=",
		Proved:  []string{"du -sh .", "du -sh node_modules dist", "du -a -d1 ."}, Not: []string{"du --files0-from=f", "du -X f .", "du . > f"},
	},
	{
		Names: "df", Free: true, Operands: "data", Source: coreutils,
		Options: "help version a,all B,block-size= h,human-readable H,si i,inodes k l,local output? P,portability t,type= T,print-type x,exclude-type= total v g m b I",
		Proved:  []string{"df -h", "df -h .", "df -iT /"}, Not: []string{"df --sync", "df -z", "df > f"},
	},
	{
		Names: "tree", Lists: "*", Walk: Walk{Hidden: "a"}, Detached: true, Operands: "data", Source: "tree(1) 2.1",
		Options: "a d l f x L= P= I= p u g s h D F q N Q r t c U n C i S noreport dirsfirst filesfirst prune du si gitignore ignore-case matchdirs charset= filelimit= timefmt= sort= J X help version",
		Proved:  []string{"tree -L 2", "tree -a -I node_modules src", "tree -d ./src", "tree -L2"}, Not: []string{"tree -o f", "tree -Lo 2 f", "tree -R -H x", "tree *", "tree --fromfile f"},
	},
	{
		Names: "readlink realpath", Lists: "*", Free: true, Operands: "data", Source: coreutils,
		Options: "help version f,canonicalize e,canonicalize-existing m,canonicalize-missing n,no-newline q,quiet s,silent,strip,no-symlinks v,verbose z,zero L,logical P,physical relative-to= relative-base=",
		Proved:  []string{"readlink -f x", "realpath .", "realpath --relative-to=. x"}, Not: []string{"readlink -x f", "realpath x > f", "realpath --rel=x y"},
	},
	{
		Names: "basename dirname", Lists: "*", Free: true, Operands: "data", Source: coreutils,
		Options: "help version a,multiple s,suffix= z,zero",
		Proved:  []string{"basename /a/b", "dirname \"$f\"", "basename -s .go a.go"}, Not: []string{"basename -x a", "dirname a > b", "basename --suf=x a"},
	},
	{
		Names: "pwd", Free: true, Operands: "none", Source: coreutils, Options: "L,logical P,physical help version",
		Proved: []string{"pwd", "pwd -P", "pwd; ls"}, Not: []string{"pwd x", "pwd > f", "pwd -x"},
	},
	{
		Names: "cd", Free: true, Operands: "data", Max: 1, Source: "bash(1) 5.2", Options: "L P",
		Proved: []string{"cd src", "cd -P \"$d\"", "cd /tmp && ls"}, Not: []string{"cd -x", "cd a > f", "cd a & ls"},
	},
	// Searching.
	{
		Names: "grep egrep fgrep", Free: true, Operands: "1 path", Recursive: "r R recursive dereference-recursive d directories", Source: "grep(1) 3.8", check: grepPattern,
		Walk:    Walk{Hidden: "*", Only: "include", Not: "exclude", NotDir: "exclude-dir"},
		Options: "help V,version E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp= f,file=path i,y,ignore-case no-ignore-case v,invert-match w,word-regexp x,line-regexp c,count color? colour? L,files-without-match l,files-with-matches m,max-count= o,only-matching q,quiet,silent s,no-messages b,byte-offset H,with-filename h,no-filename label= n,line-number T,initial-tab Z,null A,after-context= B,before-context= C,context= # a,text binary-files= D,devices= d,directories= exclude= exclude-from=path exclude-dir= I include= r,recursive R,dereference-recursive line-buffered U,binary z,null-data",
		Proved:  []string{"grep -rn foo src", "grep -E 'a|b' *.go", "grep -c x \"$f\"", "grep -A3 -B2 x f", "ls | grep -v x"},
		Not:     []string{"grep -r x ~", "grep x .env", "grep -f ~/.netrc x", "grep --colo x f", "grep x f > g", "grep -e x .env", "grep -r --include='.env*' x .", "grep -rh --include '*.{pem,key}' x ."},
	},
	{
		Names: "rg", Lists: "files", Operands: "1 path", Recursive: "*", Source: ripgrep, check: grepPattern,
		Walk:    Walk{Hidden: "hidden . u unrestricted", Only: "g glob iglob", Types: "t type"},
		Options: "h,help V,version e,regexp= f,file=path A,after-context= B,before-context= C,context= c,count count-matches color= colors= column context-separator= crlf d,max-depth,maxdepth= E,encoding= engine? field-context-separator= field-match-separator= files F,fixed-strings L,follow g,glob= iglob= glob-case-insensitive heading no-heading hidden . H,with-filename I,no-filename i,ignore-case ignore-file=path v,invert-match json l,files-with-matches files-without-match line-buffered n,line-number N,no-line-number x,line-regexp M,max-columns= max-columns-preview m,max-count= max-filesize= mmap no-mmap U,multiline multiline-dotall no-config no-ignore no-ignore-vcs no-ignore-parent no-ignore-dot no-messages 0,null null-data o,only-matching passthru path-separator= P,pcre2 p,pretty q,quiet r,replace= s,case-sensitive S,smart-case sort= sortr= stats debug trace a,text j,threads= trim t,type= T,type-not= type-add= type-list u,unrestricted vimgrep w,word-regexp one-file-system binary block-buffered no-require-git",
		Proved:  []string{"rg -n foo src", "rg -l --type go 'x|y' ./src", "rg --files -g '*.go'", "rg foo -- *.go"},
		Not:     []string{"rg --pre ./p a f", "rg --pr\\e=./p a", "rg -z x f", "rg $P src", "rg x *", "rg x .env", "rg --hostname-bin=./p x", "rg --engine --pre=./p f", "rg -g --pre=./p f", "rg x ~", "rg --hidden -g '.env*' x", "rg -uug '*.pem' x", "rg --type-add 'e:.env' -te x"},
	},
	{
		Names: "find", Lists: "*", Words: true, Operands: "data", Source: "find(1) findutils 4.9", check: findExpression,
		Options: "help version H L P O= D= name= iname= path= ipath= wholename= iwholename= regex= iregex= lname= ilname= type= xtype= maxdepth= mindepth= size= mtime= atime= ctime= mmin= amin= cmin= newer= anewer= cnewer= newermt= newerat= newerct= perm= user= group= uid= gid= links= inum= samefile= fstype= used= context= empty executable readable writable nouser nogroup true false depth d daystart mount xdev follow noleaf warn nowarn regextype= not a and o or print print0 printf= ls prune quit exec E x s",
		Proved:  []string{"find . -name '*.go'", "find . -type f -not -path './x/*' -print0", "find src \\( -name a -o -name b \\) -print", "find . -name x -exec grep -l y {} +", "find . -type f -exec file {} +", "find . -not -name '.env*' -exec grep -l x {} +", "find src -name '*.go' -exec sed -n 1,5p {} \\;"},
		Not:     []string{"find . -delete", "find . -exe\\c ./p \\;", "find . -exec rm {} \\;", "find . -fprint out", "find . -ok ls \\;", "find . -execdir ls {} \\;", "find . ! ! -name .env -exec cat {} +", "find . -newer -not -name .env -exec cat {} +", "find . -type f -exec uniq {} {} \\;", "find $D -name x", "find . -fls f", "find . -files0-from x", "find *", "find . -name .env -exec cat {} +", "find . -name '.e*' -exec cat {} +"},
	},
	{
		Names: "fd fdfind", Lists: "*", Operands: "data", Source: "fd 9.0 --help",
		Walk:    Walk{Hidden: "H hidden u unrestricted", Not: "E exclude", Extensions: "e extension"},
		Options: "h,help V,version H,hidden I,no-ignore u,unrestricted s,case-sensitive i,ignore-case g,glob regex F,fixed-strings a,absolute-path L,follow p,full-path d,max-depth= min-depth= exact-depth= t,type= e,extension= S,size= changed-within= changed-before= o,owner= E,exclude= c,color= j,threads= 0,print0 1 q,quiet max-results= base-directory= path-separator= search-path= prune strip-cwd-prefix",
		Proved:  []string{"fd -e go", "fd -t f main ./src", "fd -H config"}, Not: []string{"fd -x ./p", "fd -X rm", "fd -Hx ./p", "fd $P", "fd -l", "fd -e go --exec ./p"},
	},
	{
		Names: "which type whereis", Free: true, Operands: "data", Source: "which(1) debianutils 5.7, bash(1) 5.2, whereis(1) util-linux 2.38", Options: "a s p t P f b m u",
		Proved: []string{"which go", "type -a ls", "which node npm"}, Not: []string{"which -x y", "type x > f", "which --help=x"},
	},
	// Text.
	{
		Names: "sed gsed", Operands: "data", Source: "sed(1) 4.9", check: sedScript,
		Options: "n,quiet,silent e,expression= E,r,regexp-extended s,separate u,unbuffered z,null-data posix debug sandbox help version",
		Proved:  []string{"sed -n '1,120p' f", "sed 's/a/b/g' f", "sed -n '/x/,/y/p' ./f", "sed -e 1d -e '$d' f", "sed -n 5p \"./$f\"", "sed -n '/^func (s \\*T) x/,/^}/p' f", "sed 's/[^/]*$//' f", "sed -E 's#^[[:space:]]+[a-z/]+##;s/x/y/g' f", "sed -n '$p;1{p;q}' f", "sed ':a;N;$!ba;s/x/y/g' f", "sed '1i header' f"},
		Not:     []string{"sed -l 'w out' p f", "sed -i s/a/b/ f", "sed -n 'w out' f", "sed '1e ./p' f", "sed 's/x/y/e' f", "sed -f s f", "sed $S f", "sed 's/a/b/w out' f", "sed --in-pl s/a/b/ f", "sed p .env", "sed 'r /etc/passwd' f", "sed -n p *", "sed -n '1,3W x' f", "sed 's/[/]/;/e;p#/p' f", "sed 's/[[:x:]/]/;/e;p#/p' f", "sed -n '/[/]/;/w x' f", "sed 'p p' f", "sed ':a;w f' g", "sed -n 'ba;e ls' f", "sed '1a x\nw f' g"},
	},
	{
		Names: "sort", Operands: "path", Source: coreutils,
		Options: "help version b,ignore-leading-blanks d,dictionary-order f,ignore-case g,general-numeric-sort i,ignore-nonprinting M,month-sort h,human-numeric-sort n,numeric-sort R,random-sort r,reverse sort= V,version-sort c check? C debug k,key= s,stable t,field-separator= parallel= u,unique z,zero-terminated",
		Proved:  []string{"sort f", "sort -k2,2 -t: f", "du . | sort -rn", "sort -u -- *.txt"}, Not: []string{"sort -o f f", "sort -of x", "sort --outp=f", "sort --compress-program=./p f", "sort -T d f", "sort *", "sort $X", "sort -S 1k f", "sort -m"},
	},
	{
		Names: "uniq", Leading: true, Operands: "path", Max: 1, Source: coreutils,
		Options: "help version c,count d,repeated D all-repeated? f,skip-fields= group? i,ignore-case s,skip-chars= u,unique z,zero-terminated w,check-chars=",
		Proved:  []string{"sort f | uniq -c", "uniq -d f", "uniq ./f"}, Not: []string{"uniq in out", "uniq *", "uniq $X", "uniq in -c"},
	},
	{
		Names: "cut", Free: true, Operands: "path", Source: coreutils,
		Options: "help version b,bytes= c,characters= d,delimiter= f,fields= n complement s,only-delimited output-delimiter= z,zero-terminated",
		Proved:  []string{"cut -d: -f1 f", "cut -c1-80 f", "ls | cut -f1"}, Not: []string{"cut -x f", "cut -f1 .env", "cut -f1 f > g"},
	},
	{
		Names: "tr", Free: true, Operands: "data", Source: coreutils, Options: "c,C,complement d,delete s,squeeze-repeats t,truncate-set1 help version",
		Proved: []string{"tr a b", "tr -d '\\n'", "ls | tr -s ' '"}, Not: []string{"tr -x a", "tr a b > f", "tr a b & ls"},
	},
	{
		Names: "column", Free: true, Operands: "path", Source: "column(1) util-linux 2.38",
		Options: "t,table s,separator= o,output-separator= c,output-width= x,fillrows N,table-columns= R,table-right= H,table-hide= J,json table-name= L,keep-empty-lines",
		Proved:  []string{"column -t f", "column -t -s, f", "ls | column -c 80"}, Not: []string{"column -q", "column -n .env", "column .env", "column f > g"},
	},
	{
		Names: "fold expand unexpand", Free: true, Operands: "path", Source: coreutils,
		Options: "help version b,bytes s,spaces w,width= i,initial t,tabs= a,all first-only",
		Proved:  []string{"fold -w 80 f", "expand -t4 f", "fold -sw 60 f"}, Not: []string{"fold -x", "expand .env", "fold f > b"},
	},
	{
		Names: "fmt", Free: true, Operands: "path", Source: coreutils,
		Options: "help version c,crown-margin s,split-only t,tagged-paragraph u,uniform-spacing w,width= #",
		Proved:  []string{"fmt -w 72 f", "fmt -s f", "fmt README.md"}, Not: []string{"fmt -t .env", "fmt .env", "fmt f > b"},
	},
	{
		Names: "pr", Free: true, Operands: "path", Source: coreutils,
		Options: "help version a,across d,double-space h,header= l,length= m,merge n? o,indent= t,omit-header T,omit-pagination w,width= #",
		Proved:  []string{"pr -t f", "pr -l 60 f", "pr -mt a b"}, Not: []string{"pr -t .env", "pr -d .env", "pr f > b"},
	},
	{
		Names: "paste comm rev", Free: true, Operands: "path", Source: coreutils + ", rev(1) util-linux 2.38",
		Options: "help version d,delimiters= s,serial 1 2 3 z,zero-terminated check-order nocheck-order output-delimiter= total",
		Proved:  []string{"comm -12 a b", "paste -s f", "rev f", "paste -d, a b"}, Not: []string{"comm -x", "comm a .env", "paste a > b"},
	},
	{
		Names: "join", Free: true, Operands: "path", Max: 2, Source: coreutils,
		Options: "help version 1= 2= a= e= i,ignore-case j= o= t= v= check-order nocheck-order header z,zero-terminated",
		Proved:  []string{"join -t, -1 1 -2 2 a b", "join a b", "join -v1 a b"}, Not: []string{"join -x a b", "join a .env", "join a b > c"},
	},
	{
		Names: "shuf", Operands: "data", Source: coreutils, check: shufWords,
		Options: "help version e,echo i,input-range= n,head-count= r,repeat z,zero-terminated",
		Proved:  []string{"shuf -n 5 f", "shuf -i 1-10 -n 1", "ls | shuf -n1"}, Not: []string{"shuf -o f f", "shuf --out=f", "shuf *", "shuf .env", "shuf --random-source=f"},
	},
	{
		Names: "numfmt factor cal ncal", Free: true, Operands: "data", Source: coreutils + ", cal(1) util-linux 2.38",
		Options: "help version from= to= field= header? suffix= padding= d,delimiter= format= grouping invalid= round= from-unit= to-unit= z 1 3 y j m w h",
		Proved:  []string{"numfmt --to=iec 1048576", "factor 12", "cal -3"}, Not: []string{"cal > f", "numfmt --frob 1", "factor 1 & ls"},
	},
	{
		Names: "bc", Operands: "path", Source: "bc(1) 1.07", check: sums, Options: "l,mathlib q,quiet s,standard w,warn h,help v,version",
		Proved: []string{"echo '1/3' | bc -l", "bc <<< '2^10'", "bc -q f.bc"}, Not: []string{"bc -i", "bc <<< 'while (1) 1'", "bc <<< '9^9^9'", "bc .env", "echo 1 | bc > f", "bc $f"},
	},
	{
		// -l runs pr.
		Names: "diff", Operands: "path", Source: "diff(1) 3.8", Recursive: "r recursive", Walk: Walk{Hidden: "*", Not: "x exclude"},
		Options: "help v,version normal q,brief s,report-identical-files c C= context? u U= unified? e,ed n,rcs y,side-by-side W,width= left-column suppress-common-lines p,show-c-function F,show-function-line= label= t,expand-tabs T,initial-tab tabsize= r,recursive no-dereference N,new-file x,exclude= i,ignore-case E,ignore-tab-expansion Z,ignore-trailing-space b,ignore-space-change w,ignore-all-space B,ignore-blank-lines I,ignore-matching-lines= a,text strip-trailing-cr d,minimal color? #",
		Proved:  []string{"diff a b", "diff -u a b", "diff -rq a b", "diff -i a b"}, Not: []string{"diff --output=x a b", "diff $A b", "diff a .env", "diff a b > c", "diff -i .env a", "diff --unified .env a", "diff -n .env a", "diff -l a b"},
	},
	{
		Names: "cmp", Operands: "path", Max: 4, Source: "cmp(1) 3.8",
		Options: "help v,version b,print-bytes i,ignore-initial= l,verbose n,bytes=size s,quiet,silent",
		Proved:  []string{"cmp a b", "cmp -s a b", "cmp -n 10 a b"}, Not: []string{"cmp a .env", "cmp $A b", "cmp a b > c"},
	},
	{
		Names: "jq", Operands: "1 path", Source: "jq 1.7 manual", check: jqFilter,
		Options: "h,help V,version n,null-input R,raw-input s,slurp c,compact-output r,raw-output raw-output0 j,join-output a,ascii-output C,color-output M,monochrome-output S,sort-keys tab indent= unbuffered stream e,exit-status seq arg=two argjson=two slurpfile=file rawfile=file",
		Proved:  []string{"jq . f.json", "jq -r '.a | keys[]' package.json", "cat f | jq .x", "jq --arg k foo '.[$k]' f", "jq -n '[inputs]' a b", "jq --slurpfile a a.json '$a' b.json"}, Not: []string{"jq -n env", "jq '$ENV.X' f", "jq -f prog f", "jq --rawfile a .env . f", "jq --slurpfile a .env . f", "jq $F f", "jq . .env", "jq input_filename f", "jq -n '$ ENV.X'", "jq -n '..env'"},
	},
	{
		// Two programs bear the name, one in Go and one that is a script over jq.
		Names: "yq", Operands: "1 path", Source: "yq 4.44 (Go) and yq 3.4 (Python) --help", check: yqFilter,
		Options: "h,help V,version r,raw-output,unwrapScalar o,output-format= p,input-format= P,prettyPrint C,colors M,no-colors e,exit-status c N,no-doc",
		Proved:  []string{"yq .a f.yaml", "yq -r '.services | keys' docker-compose.yml", "yq e '.a.b' f.yaml", "yq eval .a f.yml", "cat f | yq -o json ."},
		Not:     []string{"yq -i .a=1 f", "yq 'load(\"f\")' f", "yq 'env(X)' f", "yq '.a | eval(.b)' f", "yq -s .a f", "yq ea . f", "yq .a .env", "yq $F f", "yq 'system(\"./p\")' f"},
	},
	{
		Names: "awk gawk mawk nawk", Stop: true, Operands: "1 path", Source: "POSIX.1-2017 awk, gawk 5.2 manual", check: awkProgram,
		Options: "F= v=",
		Proved:  []string{"awk '{print $1}' f", "awk -F: '{print $1, $3}' /etc/group", "ps aux | awk '{print $2}'", "awk 'NR==1,NR==5' f", "awk '{s+=$1} END {print s}' f", "awk '$3 > 100 {print $1}' f", "awk -v n=5 'NR<=n' f", "awk '{print ($1 > 5) ? 1 : 0}' *.txt", "awk '{print FILENAME, x/2}' f"},
		Not:     []string{"awk 'BEGIN{system(\"./p\")}'", "awk '{print > \"f\"}' f", "awk '{print | \"sh\"}' f", "awk 'BEGIN{\"./p\" | getline}'", "awk -f p f", "awk $P f", "awk '{print}' .env", "awk '@load \"x\"'", "awk -i inplace 1 f", "gawk '{ @f() }' x", "awk '/[/] \"/ {system(\"./p\")} #\"/' f", "awk '/[/]/' f", "awk '{print $1,\n$2 > \"f\"}' f", "awk '{print $1 \\\n> \"f\"}' f", "awk '{print /\"/ ; system(\"./p\") #\"/}' f", "awk '{x++ / \"/\" ; system(\"./p\") ; \"\"}' f", "awk '{print x ?\n1 : 2 > \"f\"}' f", "awk '{exit /\"/ ; system(\"./p\") #\"/}' f", "gawk 1 /inet/tcp/0/h/80", "awk '1system(\"ls\")' f", "awk '/x/system(\"ls\")' f", "awk 'BEGIN{ARGV[1]=\".env\"}' f"},
	},
	// Printing and testing.
	{
		Names: "echo", Lists: "*", Free: true, Plain: true, Operands: "data", Source: "bash(1) 5.2", check: anyWords,
		Proved: []string{"echo hi", "echo \"$X\" -- -x", "echo $(ls)"}, Not: []string{"echo x > f", "echo $(./p)", "echo `./p`", "echo x & ls", "echo ${x@P}", "echo $AWS_SECRET_ACCESS_KEY"},
	},
	{
		Names: "printf", Lists: "*", Stop: true, Operands: "data", Source: "bash(1) 5.2", check: printfFormat,
		Proved: []string{"printf '%s\\n' a", "printf 'x%d' 1", "printf '%s' \"$X\""}, Not: []string{"printf -v x a", "printf $F", "printf '%n' x", "printf '%s' x > f", "printf %d \"$X\"", "printf %d 'a[$(./p)]'"},
	},
	{
		Names: "test [", Lists: "*", Free: true, Unopened: true, Plain: true, Operands: "data", Source: "POSIX.1-2017 test, bash(1) 5.2", check: testWords,
		Proved: []string{"[ -f x ]", "test -d src && ls src", "[ \"$A\" = b ]", "[ $(wc -l < f) -gt 3 ]", "[ -n \"$X\" ] && echo \"$X\""}, Not: []string{"[ \"$N\" -gt 3 ]", "test -v 'a[$(./p)]'", "[ -v x ]", "[ -f x ] > f", "[ -R x ]", "[ $x = y ]", "test \"$a\" \"$b\"", "[ -t 'a[$(./p)]' ]", "[ 'a[$(./p)]' -eq 0 ]", "test *"},
	},
	{
		Names: "true false :", Lists: "*", Free: true, Unopened: true, Plain: true, Operands: "data", Source: "POSIX.1-2017", check: anyWords,
		Proved: []string{"true", "ls || true", ": x"}, Not: []string{"true > f", ": > f", "false & ls"},
	},
	{
		Names: "exit return break continue", Operands: "data", Max: 1, Source: "POSIX.1-2017", check: statusNumber,
		Proved: []string{"ls || exit 1", "for f in *; do break; done", "exit $?"}, Not: []string{"exit 1 > f", "exit 1 2", "exit -x", "exit 'a[$(./p)]'"},
	},
	{
		Names: "sleep", Free: true, Operands: "data", Max: 1, Source: coreutils,
		Proved: []string{"sleep 1", "sleep 0.5; ls", "sleep 10s"}, Not: []string{"sleep 1 2", "sleep -x", "sleep 1 & ls", "sleep infinity"}, check: duration,
	},
	{
		Names: "yes", Free: true, Operands: "data", Source: coreutils, Endless: "*", Options: "help version",
		Proved: []string{"yes | head -3", "timeout 1 yes", "yes n | head -n 5"}, Not: []string{"yes", "yes | cat", "yes | head -n -1", "yes > f"},
	},
	{
		Names: "set", Operands: "data", Source: "bash(1) 5.2", check: setOptions,
		Options: "e u x v o=",
		Proved:  []string{"set -e; ls", "set -euo pipefail; ls", "set -x", "set +e; ls"}, Not: []string{"set", "set -- a", "set -o history", "set +e x", "set +o", "set -k"},
	},
	{
		Names: "seq", Free: true, Operands: "data", Source: coreutils, Options: "f,format= s,separator= w,equal-width help version", Max: 3, check: sequence,
		Proved: []string{"seq 5", "seq -w 1 10", "for i in $(seq 1 3); do echo $i; done"}, Not: []string{"seq -x", "seq 1 > f", "seq 1 2 3 4", "seq inf"},
	},
	{
		Names: "date", Operands: "data", Max: 2, Source: coreutils, check: dateFormat,
		Options: "d,date= u,utc,universal I,iso-8601? R,rfc-email rfc-3339= r,reference= help version j f= v=",
		Proved:  []string{"date", "date +%s", "date -u -d yesterday +%F", "date -j -f %s 1700000000 +%F", "date +%s"}, Not: []string{"date -s x", "date --se x", "date 010203042026", "date $F", "date -f f", "date -u 0101", "date +%F 0101"},
	},
	// Programs of which only the looking part is listed.
	git,
	policyctl,
}
