//go:build linux

package shells_test

import (
	"math/rand/v2"
	"strings"
)

// A generator makes lines. The same numbers make the same lines.
type generator struct {
	*rand.Rand
	corpora []string
	plant   string // a command that is put among the others, "" for none
}

// readers are commands that only read; F stands for a file, W for a word.
var readers = strings.Split("ls|ls -la|ls -l F|ls F F|cat F|cat F F|head -n 5 F|tail -n 3 F|head -5 F|grep W F|grep -rn W src|grep -c W F|wc -l F|stat F|file F|sort F|uniq -c F|"+
	"cut -d: -f1 F|diff F F|basename F|git log --oneline|git status|git diff F|git show|echo W W|printf '%s\\n' W|find . -name '*.go'|find src -type f|tr a b|sed -n 1p F|date|id|pwd|whoami|"+
	"true|test -f F|[ -n W ]|nl F|rev F|tac F|du -sh F|df -h|realpath F|readlink F|md5sum F|od -c F|jq . F|which W|/bin/cat F|grep W|wc -c|cat|sort|tail -n +2|fold -w 3", "|")

// listed are commands that the covering engine allows.
var listed = strings.Split("go test ./...|go test -run W|make all|make F|make -j2 W|p W F|p F|p|npm run W|make W|p W W W", "|")

// plainWords and plainFiles are read alike everywhere.
var (
	plainWords = strings.Fields(`foo x TODO main 10 a.b x=y 'a' "x y" 'a b' -v --foo=bar x,y @ a:b + % x-y 'it"s' "it's" \* \; "\$x" '#x' x#y 'a|b' "$x" "${x}" "$1" "a $x b"`)
	plainFiles = strings.Fields(`f a b a.go in.txt README.md go.mod src src/main.go src/x.go . ./f ./a.go link dirlink /tmp "a b" '-o' -- *.go src/*.go missing "$f" ~/x "f"`)
)

// oddWords are expansions, quotes and what only looks like them.
var oddWords = strings.Split("$x¦${x}¦a\\ b¦$'a\\tb'¦$'x'¦$\"x\"¦#x¦\\#¦''¦\"\"¦~¦~/x¦*.go¦{a,b}¦{1..3}¦[ab]*¦?¦\"$(ls)\"¦$(ls)¦`ls`¦$((1+2))¦$(cat f)¦\"${x:-d}\"¦${x:-'}¦${x:-'a}'}¦\"${x:-'}\"¦"+
	"${x:-\"a b\"}¦\"${x:-\"a b\"}\"¦${x%y}¦${x##*/}¦${#x}¦$1¦$@¦\"$@\"¦$$¦$?¦$!¦!¦!!¦=ls¦=(ls)¦<(ls)¦^¦,¦:¦/¦//¦${x/a/b}¦${x:1}¦${x:1:2}¦${!x}¦${x@Q}¦${(e)x}¦$=x¦$~x¦${=x}¦$[1+1]¦~+¦%1¦\\¦\\\n¦a\\\nb¦"+
	"x\\\ny¦'a\nb'¦\"a\nb\"¦\"a\\\nb\"¦$(echo x)¦$( (ls) )¦$(ls;)¦$(ls\n)¦$(ls # x\n)¦`ls # x`¦\"`ls \\\"x\\\"`\"¦$(case x in x) ls;; esac)¦$(case x in (x) ls;; esac)¦${x:-$(ls)}¦${x:-`ls`}¦${x:-}}¦${x:-\\}}¦${x:-{}}¦{¦}¦{a¦a}¦{}¦{a}¦[[¦]]¦((¦"+
	"a=(b)¦a[1]=b¦$x[1]¦${x[1]}¦${x[@]}¦$x:h¦@(a|b)¦!(a)¦*(a)¦a(b)¦*(N)¦*(.)¦x{a,b}y¦\"x\"'y'z¦\\'¦\\\"¦'\\'¦'a'\\''b'¦\"\\\\\"¦\"\\`\"¦\"'\"¦'\"'¦if¦then¦fi¦do¦done¦case¦esac¦for¦in¦while¦until¦select¦function¦time¦coproc¦always¦end¦foreach¦repeat¦"+
	"nocorrect¦noglob¦-¦--¦1¦2¦0¦{fd}¦é¦\u00a0¦a\u00a0b¦\u2003¦a\u3000b¦\u0085¦\u200b¦\ufeff¦\x01¦\x7f¦\x1b[0m¦\xff¦a\xa0b¦\xc2", "¦")

// traps are lines on which readers of shells have stumbled, with their
// neighbours; C stands for a command, W for a word, F for a file.
var traps = strings.Split("C # W\\\nC¦C #\\\nC¦#\\\nC¦# W\\\\\nC¦C # 'W\nC¦C # \"\nC¦C # $(\nC¦C # `\nC¦C # <<E\nC¦C\\\n# W\nC¦C \\\n# W\\\nC¦x=(W)# ; C¦x=(W)#W\nC¦x=(W) # W\nC¦x=()# ; C¦x=(\nW # W\n)\nC¦x+=(W)#; C¦"+
	"C \\\r\nC¦C\r\nC¦C\rC¦C \\\rC¦C 1>&2\r\nC¦C '\r'\nC¦C \"\r\n\"\nC¦C # W\r\nC¦C <<E\r\nW\r\nE\r\nC¦C <<E\nW\nE\r\nC\nE\nC¦[[ a > F ]]¦[[ a < F ]]¦[[ W == W && W ]]; C¦[[ W =~ (a|b) ]] && C¦[[ ( W ) ]]; C¦[[ -f F ]] && C¦[[ W\n]]\nC¦"+
	"C ${x:-'} ; C #'}¦C ${x:-'}; C '}¦C \"${x:-'}\"; C '\"'¦C \"${x:-\"W\"}\" W¦C ${x:-\"}\"} ; C¦C ${x:-\\'} ; C¦C ${x#'}'} ; C¦C ${x%\"}\"}; C¦C <<$\"E\"\nW\nE\nC¦C <<$'E'\nW\nE\nC\n$E\nC¦C <<'E'\nW\nE\nC¦C <<\"E F\"\nW\nE F\nC¦C <<\\E\n$(C)\nE\nC¦"+
	"C <<E\nW\\\nE\nC\nE\nC¦C <<E\n$(C)\nE\nC¦C <<E\n`C`\nE\n¦C <<E\n\\$(C)\nE\nC¦C <<E\n${x:-$(C)}\nE\nC¦C <<E\nE W\nC\nE\nC¦C <<E; C\nW\nE\nC¦C <<E <<F\nW\nE\nW\nF\nC¦C <<E | C\nW\nE\nC¦C <<-E\n\tW\n\tE\nC¦C <<-E\n  W\n  E\nC\nE\nC¦C <<-\"E\"\n\t$(C)\n\tE\nC¦"+
	"C <<E && C <<F\nW\nE\n$(C)\nF\nC¦C $(C <<E\nW\nE\n)\nC¦C \"$(C <<E\nW)\nE\n)\"\nC¦C $(C <<'E'\n'\nE\n); C¦C `C <<E\nW\nE\n`\nC¦(C <<E\nW\nE\n) | C¦{ C <<E\nW\nE\n}; C¦C <<E\nW¦C <<E\nW\nE¦C <<E)\nC\nE)\nC¦C <<E#\nC\nE#\nC¦C <<E;C\nW\nE\nC¦C <<\"E\\\nF\"\nW\nEF\nC¦C << E\nW\nE\nC¦C <<\\\nE\nW\nE\nC¦C 3<<E\nW\nE\nC¦"+
	"C <<''\nW\n\nC¦C <<\"\"\nC\n\nC¦C <<!\nW\n!\nC¦C <<-E\n\tW\\\n\tE\nC\nE\n¦if C <<E; then\nW\nE\nC; fi¦C <<E # W\nW\nE\nC¦C <<E \\\nW\nW\nE\nC¦C $(cat <<E\n)\nE\n)¦C <<E$(C)\nW\nE$(C)\nC¦C <<$x\nW\n$x\nC¦C <<`C`\nW\n`C`\nC¦C <<{a,b}\nW\n{a,b}\nC¦"+
	"{ C } always { C }¦{ C; } always { C; }¦{ C; }¦{ C }¦{C;}¦{ C; } F¦{ C; }; C¦( C )¦(C)C¦(C);C¦(C)#W\nC¦{ C; }#W\nC¦( (C) )¦((C))¦((C) )¦(( C ) )¦$((C))¦$((C) )¦$( (C) )¦C $((1+`C`))¦C $((1 # 2\n))¦(( x # y ))\nC¦((1+1)); C¦((x=1)) && C¦(( 1 << 2 )); C¦(( x<y )); C¦C $((1<<E))\nC\nE\n¦"+
	"C;#W\nC¦C&#W\nC¦C|#W\nC¦C&&#W\nC¦C>#W\nC¦C W#W\nC¦C 'W'#W\nC¦C $(C)#W\nC¦C `C`#W; C¦C $x#W; C¦C ${x}#W; C¦C \"x\"#; C¦C \\\n#W; C¦C W\\\n#W; C¦C $#; C¦C ${#}; C¦C $((2#1)); C¦C ;;# W\nC¦case W in W) C;;#W\nesac;C¦case W in W)#W\nC;; esac¦case W in#W\nW) C;; esac¦C\t#W\nC¦C\f#W\nC¦C\v#W\nC¦C\u00a0#W\nC¦C\u3000#W; C¦"+
	"case W in W) C;; *) C;; esac¦case W in (W|W) C;& *) C;; esac¦case W in W) C;;& *) C;; esac¦case W in W) C;| *) C;; esac¦case W in a|b) C; esac¦case $(C) in *) C;; esac¦case W in esac) C;; esac¦case W in (esac) C;; esac¦case W in \"W)\") C;; esac¦case W\nin\n*)\nC\n;;\nesac¦case W in [a)]*) C;; *) C; esac¦case W in ((a)) C;; esac¦case x in x) ;; esac; C¦case x { x) C;; }¦"+
	"if C; then C; else C; fi¦if C; then C; elif C; then C; fi¦if C\nthen\nC\nfi¦if [ W ] { C }¦if (C) C¦if [[ W ]] C¦if C; then C; fi F¦if ! C; then C; fi¦if { C; } then C; fi¦if (C) then C; fi¦if C; then C; fi#W\nC¦while C; do C; break; done¦while false; do C; done; C¦until C; do C; done¦while C; C end¦while (C) { C; break }¦until { C; } do C; done¦"+
	"for x in W W; do C \"$x\"; done¦for x in W; do C; done¦for x in W; { C; }¦for x { C }¦for x in W\ndo\nC\ndone¦for x; do C; done¦for x do C; done¦for x in; do C; done¦for x in *.go; do C \"$x\"; done¦for x in $(C); do C $x; done¦for x in `C`; do C; done¦for ((i=0;i<2;i++)); do C; done¦for ((;;)) { C; break; }¦for x y in W W; do C; done¦for x (W W) C¦for 1 in W; do C; done¦"+
	"foreach x (W) C; end¦foreach x in W; C; end¦repeat 2 C¦repeat 2 do C; done¦select x in W; do C; break; done¦select x (W) C¦function foo { C; }; foo¦function foo() { C; }; foo¦foo() { C; }; foo W¦foo() C; foo¦foo () ( C ); foo¦() { C; } W¦function { C; }¦foo bar() { C; }; bar¦ls() { C; }; ls¦foo() { C; } >F; foo¦ls () { p; }; ls¦"+
	"C <<< W¦C <<<W; C¦C <<<\"$(C)\"¦C <<< $x W¦C >& F¦C >&F W¦C &> F¦C &>F W; C¦C &>>F¦C &>/dev/null W¦C &>/dev/null; C¦C |& C¦C |&C W¦C 2>&1|C¦C {fd}>F¦C {fd}</dev/null W¦C >| F¦C >! F¦C >>| F¦C <> F¦C 2>&1>F¦C >F W¦C > F >F¦C <F <F¦C 2>F¦C 12>F¦C W2>F¦C W>F¦C\\2>F¦C 2\\>F¦C '2'>F¦C >/dev/null¦C >/dev/null 2>&1¦C 2>/dev/null | C¦C >&2¦C 2>&-¦C >&-¦C <&-¦C <&0¦C >&$x¦C 1>&2¦C >/dev/stdout¦"+
	">F C¦>F¦<F¦<F C¦2>&1 C¦x=W >F C¦C < F >/dev/null¦C > $x¦C > \"$(C)\"¦C > F{1,2}¦C > *.go¦C <(C)¦C >(C)¦C < <(C)¦C > >(C)¦C =(C)¦C =ls¦=ls¦=ls W¦C ~+¦C <1-2>¦C <-5>¦C >&- W¦C &; C¦C & C¦C &&C¦C &\nC¦C ||C¦C | C | C¦C |\nC¦C &&\nC¦C ||\n\nC¦C ;; C¦C ; ; C¦; C¦C &| C¦C &!¦C &! C¦! C¦! ! C¦!C¦! (C)¦!(C)¦! { C; }¦"+
	"time C¦time -p C¦time { C; }¦time (C)¦time ! C¦C | time C¦time\nC¦time; C¦coproc C¦coproc x { C; }¦coproc { C; }¦alias ls='p'\nls W¦alias ls=p; ls W¦alias a='ls '\na W¦alias -g W=p; C W¦let x=1; C¦let 'x=W' ; C¦x=W C¦x=W; C $x¦x= C¦x=W\nC \"$x\"¦x+=W; C $x¦x[1]=W; C¦x[1]=W C¦x=(W W) C¦x=(W W); C \"${x[@]}\"¦x=(W W); C $x¦x=([1]=W); C ${x[1]}¦declare -a x=(W); C¦declare x=W; C $x¦export x=W; C¦local x=W¦typeset x=W; C¦readonly x=W; C¦x=$(C); C \"$x\"¦x=`C`; C $x¦x=\"W W\"; C $x¦x='*'; C $x¦x=-rf; C $x¦unset x; C¦"+
	"C ${x/W/W}¦C ${x//a/b}¦C ${x:1:2}¦C ${!x}¦C ${x@Q}¦C ${x^^}¦C ${(e)x}¦C ${(P)x}¦C ${x:=W}; C $x¦C ${x:?W}¦C ${x+W}¦C $[1+1]¦C $=x¦C $~x¦C $^x¦C ${^x}¦C $+x¦C $#x¦C $-¦C $_¦C $0¦C $x[1]¦C $x[W]¦C $x[$(C)]¦C \"$x[$(C)]\"¦C $x:h¦C $x:s/a/b/¦C ~W¦C ~-¦C %1¦C ^a^b¦C !!¦C !$¦C !ls¦C \"!x\"¦nocorrect C¦noglob C¦- C¦builtin C¦command C¦command -v W¦command -- C¦exec C¦exec -a W C¦eval C¦eval 'C'¦eval \"C\"¦eval C \\; C¦"+
	"C\\\n W¦C\\\n\nC¦C \\\n\nC¦C\\\n;C¦C \\\n W¦C\\\\\nC¦\\\nC¦\\\n\\\nC¦C W\\¦C \\¦C W\\ ¦C '\\\n' W¦C \"\\\n\" W¦C \"\\\\\n\" W¦C $'\\\n' W¦C $'W\\'' ; C '¦C $'\\'; C '¦C \"$'W'\"; C¦C $'\\\\'; C '¦C $\"W\"¦C $\"$(C)\"¦C \"$(C # \")\"\n)\"¦C $(C # )\n)\nC¦C `C # \\``\nC¦C `C \\`C\\` W`¦C \"`C \"W\"`\"¦C `C 'W`' W`¦C \"$(C \"W\")\"¦C \"$(C ')')\"¦C $(C \")\") W¦C $(C \\)) W¦C $(C # W\n) ; C¦C $(# W\nC)¦C $(<F)¦C \"$(<F)\"¦C `<F`¦C ${ C; }¦C ${ C;}¦C ${|C;}¦"+
	"set -- W W; C \"$@\"¦set -f; C *¦set -e; C¦set -o noglob; C *.go¦shopt -s extglob; C¦shopt -s extglob\nC !(a)¦setopt extendedglob; C ^a¦emulate sh; C $x¦IFS=,; x=a,b; C $x¦trap 'C' EXIT¦trap C EXIT; C¦trap 'C' 0¦cd src; C¦cd src && C¦cd missing; C¦cd missing && C¦(cd src; C); C¦cd dirlink; cd ..; C¦cd; C¦cd -; C¦cd ..; C¦pushd src; C¦cd src | C; C¦{ cd src; } ; C¦cd src & C¦"+
	"C | cd src; C¦C | read x; C $x¦read x <<< W; C $x¦C | while read -r x; do C \"$x\"; done¦while read x; do C $x; done < F¦C | (read x; C $x)¦echo W | { read x; C \"$x\"; }¦printf -v x W; C $x¦mapfile -t x < F; C \"${x[@]}\"¦set -- W W; shift; C $1¦set -- W; C $* $#¦C $PWD¦C \"$PWD\"/f¦C ${PWD##*/}¦C $OLDPWD W¦C $HOME/x¦C $RANDOM W¦C $SECONDS W¦C $LINENO¦C $UID W¦C $EUID W¦C $PPID W¦C $IFS W¦C $OPTIND¦C $BASH W¦C $SHELL W¦C $HOSTNAME W¦C ${1:-W}¦C ${@:-W}¦C \"${@:1}\" W¦C \"$*\" W¦C $* W¦C $@ W¦C \"$@\" W¦C ${#} W¦C ${$} W¦C $0x¦C $10¦C ${10}¦C $-¦"+
	"C `C \\$x`¦C `C '\\$x'`¦C \"`C \\$x`\"¦C `echo \\\\W`¦C `echo '\\\\'`¦C \"`echo \\\"W\\\"`\"¦C \"`echo 'W'`\"¦C `echo \"\\`C\\`\"`¦C $(echo 'a\\nb')¦C \"$(echo 'a\\tb')\"¦C $(echo -n W)¦C $(echo -e 'a\\tb')¦C $(echo -- W)¦C $(echo -E W)¦C $(echo 'a\\c' b)¦C $(printf 'a\\x41')¦C $(printf '%q' 'a b')¦C $(printf '%b' 'a\\n b')¦C $(printf '%s ' W W)¦C $(printf -- W)¦C $(printf '\\101\\n')¦C $(printf %d 010)¦C $(printf '%s')¦C \"$(printf 'a\\n\\n')\"¦C $(cat <<< W)¦C $(true) W¦C $(: W) W¦C \"$(basename /a/b/)\"¦C $(dirname f)¦C $(pwd)¦C $(cat f | head -1)¦C $(tr a b <<< abc)¦C $(echo W | rev)¦C $(echo a b | cut -d' ' -f2)¦C $(echo a | tr a '\\n')¦C $(seq 3)¦C $(ls *.go)¦C $(which ls)¦C $(command -v ls)¦C $(type ls)¦C $(test W)¦"+
	"C $((010))¦C $((0x10))¦C $((2**3))¦C $((1,2))¦C $((x++))¦C $((1>2?3:4))¦C $((08))¦C $(( ))¦C $((1/2))¦C $((-1))¦C $((!1))¦C $((a=3)) $a¦C $((x))¦C \"$((1+1))\"¦C $((16#ff))¦C $((1<<3))¦C $((\"1\"+1))¦C $(($(echo 1)+1))¦C ~root¦C ~dev/x¦x=~; C $x¦x=a:~; C $x¦C x=~¦C --foo=~/x¦C \"~\"¦C ~/\"x\"¦C ~\\/x¦C a~¦C ~/*.go¦C :~¦"+
	"C */¦C .*¦C [!a]*¦C [^a]*¦C **¦C **/*.go¦C ?(a)¦C [[:alpha:]]¦C *\\.go¦C \"*\".go¦C src/*/*¦C a[b¦C [¦C ]¦C [a-¦C a[]b]¦C [a\\]]*¦C [\"a\"]*¦C *'.go'¦x='*.go'; C $x¦x='*.go'; C \"$x\"¦x=a.g; C ${x}*¦C \\*.go¦C *.go*¦C *.{go,txt}¦C {1..3..2}¦C {3..1}¦C {01..3}¦C {a..c}x¦C ${x:-*.go}¦C ${x:-~}¦C ${x:-a b}¦C \"${x:-a b}\"¦C ${x:-'a b'}¦C ${x:+W}¦x=W; C ${x:+a b}¦x=W; C ${#x}¦x=a.b.c; C ${x%.*} ${x##*.}¦x=abc; C ${x%%b*}¦x=a/b; C ${x#*/}¦C ${x-$(C)}¦C ${x:-\"$(C)\"}¦C ${x:-`C`}¦C \"${x:-'W'}\"¦C ${x:-W}W¦"+
	"if [ W ]; then C; fi¦if test -n \"$x\"; then C; fi¦[ W ] || C¦[ ! -f F ] && C¦[ -f F -a -d F ] && C¦[ W = W -o W ] ; C¦test ! W && C¦C && { C || C; }¦C || { C; exit 1; }¦(C || C) && C¦C; (C); C¦{ C; } | C¦{ C; } 2>&1 | C¦(C) | (C)¦{ C; } >/dev/null¦(C) 2>/dev/null¦if C; then C; fi | C¦for x in W; do C; done | C¦while read x; do C; done <F | C¦case W in *) C;; esac | C¦C | if C; then C; fi¦C | for x in W; do C; done¦C | { C; }¦C | (C)¦C | case W in *) C;; esac¦for x in W W; do for y in W; do C $x $y; done; done¦for x in W; do if C; then continue; fi; C; done¦for x in W; do C || break; done¦"+
	"C;C¦C ;C; C¦C&&C||C¦C | C && C¦C W W W¦C\n\nC\n¦ C ¦\tC\tW¦C  W¦C\vW¦C\fW; C¦C\x01W¦C \x7f¦C\u00a0W¦C\u2003W¦\u00a0C¦\ufeffC¦C \u200bW¦C\u0085C¦C\u2028C¦C \xff; C¦C \xc2; C¦C \xc2\xa0; C¦C \xa0 W¦C \\\xff; C¦C '\xff'; C¦C \x1b; C¦C \x08; C¦C \x00; C¦test W -a W; C¦[ W = W ] && C¦[ W > F ]¦[ W \\> F ]; C¦test W > F¦: W; C¦: > F¦: ${x:=W}; C $x¦. F¦source F¦return; C¦exit; C¦exit 0\nC¦break; C¦true && exit; C¦wait; C¦"+
	"C \"W¦C 'W¦C `C¦C $(C¦C ${x¦C {¦C }¦C )¦C (¦C ]]¦} C¦done; C¦fi; C¦then C¦do C¦esac; C¦in C¦C then C¦C; do C¦if C; C; fi¦C fi; C¦then¦C\\;C¦C \\& C¦C \\| C¦C \\> F¦C \\# W¦C '#' W; C¦C \"#\" W; C¦C {a,b}¦C {a,W}{1,2}¦C {1..3}¦C {a..c}¦C \"{a,b}\"¦C {a,'b c'}¦C {,W}¦C {W}¦C {}¦C {a,b¦C a,b}¦C {a,{b,c}}¦C {$x,W}¦C ${x}{a,b}¦{C,W}¦{ls,-l}¦C \\{a,b}¦C {a\\,b}¦C a{W,\"}\"}b¦C {a, b}", "¦")

// joints stand between commands.
var joints = strings.Split("; ¦ && ¦ || ¦ | ¦\n¦ & ¦;¦&&¦ |\n¦\n\n¦ &\n¦ ;\n¦\\\n; ¦ |& ", "¦")

// wraps are forms that hold commands and are read alike, or nearly.
var wraps = strings.Split("C; C¦C && C¦C || C¦C | C¦C | C | C¦C\nC¦if C; then C; fi¦if C; then C; else C; fi¦for x in W W; do C \"$x\"; done¦for f in F F; do C \"$f\"; done¦while C; do C; break; done¦case W in a) C;; *) C;; esac¦{ C; C; }¦(C; C)¦! C¦"+
	"C \"$(C)\"¦C $(C)¦C `C`¦x=$(C); C \"$x\"¦x=W; C \"$x\"¦C 2>/dev/null¦C >/dev/null 2>&1¦C 2>&1 | C¦C < F¦C <<'E'\nW\nW $(x)\nE\nC¦C <<E\nW\nE\nC¦cd src && C¦(cd src; C)¦C # W\nC¦C && C # W¦C \\\n  W¦C W W W¦C -- W¦[ -f F ] && C¦[[ -n W ]] && C¦test W = W || C¦C; C; C¦set -e; C¦C &>/dev/null¦C | head -n 3¦C | sort | uniq -c¦C > out¦C >> out¦C W > out 2>&1¦timeout 5 C¦command C¦time C¦C | xargs C¦find . -name F -exec C {} \\;", "¦")

func (g *generator) pick(list []string) string { return list[g.IntN(len(list))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// word returns a word for a slot of a form.
func (g *generator) word(odd int) string {
	if g.chance(odd) {
		return g.pick(oddWords)
	}
	return g.pick(plainWords)
}

// fill replaces the slots of a form.
func (g *generator) fill(form string, odd int) string {
	var b strings.Builder
	for i := range len(form) {
		alone := (i == 0 || !isLetter(form[i-1])) && (i+1 == len(form) || !isLetter(form[i+1]))
		switch {
		case alone && form[i] == 'C':
			b.WriteString(g.command(odd))
		case alone && form[i] == 'W':
			b.WriteString(g.word(odd))
		case alone && form[i] == 'F' && (i == 0 || form[i-1] != '<' || i+1 < len(form)):
			b.WriteString(g.file(odd))
		default:
			b.WriteByte(form[i])
		}
	}
	return b.String()
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' }

func (g *generator) file(odd int) string {
	if g.chance(odd / 2) {
		return g.word(odd)
	}
	return g.pick(plainFiles)
}

// command returns a simple command.
func (g *generator) command(odd int) string {
	if g.plant != "" && g.chance(35) {
		return g.plant
	}
	list := readers
	if g.chance(25) {
		list = listed
	}
	form := g.pick(list)
	text := strings.NewReplacer("F", g.file(odd), "W", g.word(odd)).Replace(form)
	for g.chance(20) {
		text += " " + g.word(odd)
	}
	return text
}

// composed returns a line of the grammar; it nests.
func (g *generator) composed(depth, odd int) string {
	form := g.pick(wraps)
	if g.chance(odd) {
		form = g.pick(traps)
	}
	if depth == 0 {
		return g.fill(form, odd)
	}
	parts := strings.SplitN(form, "C", 2)
	if len(parts) == 2 && g.chance(50) {
		form = parts[0] + g.composed(depth-1, odd) + parts[1]
	}
	return g.fill(form, odd)
}

// candidate returns a line of one of the kinds.
func (g *generator) candidate() string {
	g.plant = ""
	if g.chance(14) {
		g.plant = g.pick(append([]string{"curl x", "curl -s W", "ls >secret.txt", "cat f >> secret2"}, catastrophes...))
	}
	var line string
	switch n := g.IntN(100); {
	case n < 30:
		line = g.composed(g.IntN(2), 4)
	case n < 55:
		line = g.fill(g.pick(traps), 10)
	case n < 75:
		line = g.pick(g.corpora)
		if g.plant != "" {
			line += g.pick(joints) + g.plant
		}
	case n < 90:
		line = g.composed(g.IntN(3), 25)
	default:
		line = g.command(5)
		for g.chance(60) {
			line += g.pick(joints) + g.command(5)
		}
	}
	for n := []int{0, 0, 0, 1, 1, 1, 1, 2, 2, 3}[g.IntN(10)]; n > 0; n-- {
		line = g.noise(line)
	}
	return line
}
