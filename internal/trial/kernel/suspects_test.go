//go:build linux

package kernel_test

// suspects are lines that a proof once let pass though they do more than read,
// and their neighbours. All run in every shell, as far as they are proved.
var suspects = []string{
	// xxd takes the first letter of an option for all of it.
	`xxd -ag f out`, `xxd -ip f out`, `xxd -p -c 4 f`, `xxd -c4g f out`, `xxd -s2 f`, `xxd -seek 2 f`, `xxd - out`,
	// A digit, a string or a pattern may stand right before a word of awk.
	`awk '/x/system("ls")' f`, `awk '1system("ls")' f`, `awk '"x"system("ls")' f`, `awk '/x/print>"out"' f`, `awk '1{print $1 > 2}' f`, `awk '1"ls"|getline' f`,
	`awk '{print $1 ">" $2}' f`, `awk '$1>1{print}' f`, `awk -vx=1 1 f`, `awk 1 x=1 f`, `awk '{printf("%s>", $1)>"out"}' f`, `awk -f /dev/stdin f`, `awk '1;close(1)' f`,
	`awk '{print $1 /1>"out" /1}' f`, `awk -v 'x=\057' '{print x}' f`, `awk 'a~/x/;/y/print>"out"' f`, `awk '{print > $1}' f`, `awk 'BEGIN{getline<"f";print}'`,
	// dash reads &> as & and >, so that the next word is a program.
	`ls &>/dev/null ./p`, `ls &>/dev/null`, `ls >&/dev/null ./p`, `ls |& cat`, `F=./p; ls &>/dev/null $F`, `ls &>>/dev/null ./p`, `{ ls; } &>/dev/null; ls`,
	// zsh runs a pager for a redirection alone; its time takes no options.
	`< f`, `<<< x`, `X=1 < f`, `< f | cat`, `> /dev/null`, `ls; >/dev/null 2>&1`, `X=$(< f); echo "$X"`, `echo "$(< f)"`, `time -p ls`, `time X=1`, `time F=a/b`, `ls | time cat`, `ls | time -o out cat`, `command -V ls`, `command -p ls`,
	// zsh has more expansions than bash.
	`ls *(e:ls:)`, `echo *(N)`, `echo =ls`, `cat =ls`, `echo ${(e)X}`, `ls ***`, `echo f(#q)`, `echo $[1+1]`, `echo ~+`, `ls -d ~nobody`, `echo ${X:-$(ls)}`, `ls >/dev/null >/dev/null`,
	// Programs that run others for some files or options.
	`file -z notes.lz x.tar.gz notes.zst`, `ls | file -`, `fdfind -l`, `fdfind --list-details`, `fdfind . -X ls`, `rg -z foo`, `rg --pre ./p foo`, `tree -L 1 -o out`, `tree --sort -o out`, `tree -I -o`, `tree --charset -o out`,
	`go env CGO_CFLAGS`, `go env GOGCCFLAGS`, `go env CC`, `cd newer && go version`, `cd newer && go env GOPATH`, `tar tzf x.tar.gz`, `tar -tf x.tar.gz`, `zcat x.tar.gz`, `gzip -dc x.tar.gz`, `gzip -l x.tar.gz`, `diff -l f a`, `zstd -dc notes.zst`,
	// Of the modes of these the last one counts.
	`unzstd --test -fd notes.zst`, `zstd -t -d notes.zst`, `xz -l -d notes.zst`, `unxz -t f`, `unxz -l --uncompress f`, `gzip -l -d x.tar.gz`, `gunzip -t x.tar.gz`, `zstd -dc -o out notes.zst`, `gzip -cd -S.gz x.tar.gz`, `bunzip2 -c f`, `unzip -p f -d src`,
	`tar tf a.tar -x`, `tar -t -x -f a.tar`, `tar -xOf a.tar`, `tar -tf a.tar --to-command=./p`, `openssl x509 -in f -out out`, `locale -m`, `locale -a`, `ip link -4`, `ip link`, `ip l`, `pidof -U x`, `pidof bash`, `top -bn1`, `command -0 -v ls`, `command -n x -v ls`,
	// Programs that look up names on the network.
	`hostname -f`, `hostname -i`, `hostname -I`, `who`, `who --lookup`, `w`, `ss -tln`, `ss -r`, `netstat -tl`, `lsof -i`, `lsof -nP -i`, `ip addr`, `getent hosts x`, `getent passwd nobody`,
	// Temporary files.
	`sort -S1 long`, `sort -m`, `cat f | tac`, `tac f`, `sort /proc/self/status`, `cat long | sort -R | head -3`, `pr f`, `shuf f`,
	// git with what it may run, write or make.
	`git log --format --output out`, `git rev-list --format --output out HEAD`, `git log --pretty --output out`, `git show --date --output=out`,
	`git log --output=out`, `git log --output out`, `git diff --no-index f a`, `git show --textconv`, `git grep -O foo`, `git stash list -p`, `git branch --list --edit-description`, `git branch -l x`, `git tag -l -n`, `git config --get alias.x`,
	`git describe --dirty`, `git status`, `git diff`, `git ls-files -m`, `git blame f`, `git log -p -S foo`, `git archive HEAD`, `git bundle list-heads f`, `git fsck`, `git log --show-signature`, `git log --format='%GK'`, `git shortlog -s HEAD`,
	// Operands that are output, or options after operands.
	`uniq f -`, `uniq -c f /dev/null`, `sort f -o out`, `sort -k1,1o out f`, `sort -to f`, `date -r f`, `date --date='TZ="x" now'`, `find . -printf '%p\0'`, `find ./-o`, `find . -name x -o -delete`, `find -D exec . -maxdepth 0`,
	`sed -n '/[/]/p;w out' f`, `sed 's/a/b/;w out' f`, `sed 1F f`, `sed '1~2!{;p;}' f`, `sed 'y/abc/\n\t\\/' f`, `sed -s -n '$p' f a`, `sed -n 'l 1' f`, `sed --debug -n 1p f`, `sed '1!G;$!h;$!d' f`,
	`jq -n 'input' f.json`, `jq -n '"\(env)"'`, `jq -n '$ENV'`, `jq -n '[limit(3; repeat(1))]'`, `jq --arg a b . f.json`, `ls | xargs -I% cat %`, `xargs -a f cat`, `ls | xargs -P4 -n1 file`, `ls | xargs sort`,
	// Builtins that change, or show, more than they seem to.
	`read x < f`, `printf '%(%F)T' -1`, `hash`, `ulimit -a`, `umask`, `history`, `fc -l`, `times`, `wait`, `alias`, `let 1+1`, `mapfile a < f`, `cat </dev/tcp/localhost/1`, `cat <<E
$(ls)
E`, `timeout 1 cat`, `timeout -s KILL 1 sleep 5`, `timeout 5 timeout 4 ls`, `diff <(ls) <(ls -a)`,
	// What a word becomes when the shell splits it, names that loops and zsh set,
	// and options that are others in another program.
	`git config user.name`, `git config --get user.email`, `git config get user.name`, `git config --get-all remote.origin.fetch`, `git -c core.quotepath=off diff --stat`, `git -c color.ui=never log -3`, `git -c core.pager=cat log -3`, `git -c core.fsmonitor=false status`,
	`git stash list`, `git stash list -- --output out`, `git reflog -- --output=out`, `git reflog show HEAD -- --output=out`, `git shortlog HEAD -- --output=out`, `git describe --contains HEAD -- --stdin`, `git annotate -- --output=out`, `git cherry main -- --output=out`, `git diff-tree HEAD -- --output=out`, `git diff-index HEAD -- --output=out`, `git diff-files -- --output=out`, `git check-attr -a -- --stdin`, `git branch --list -- -D`, `git rev-list HEAD -- --output=out`, `git stash show -- --output=out`, `git stash list -3`, `git stash show`, `git stash show -p`, `git stash show --stat stash@{0}`, `git stash show --include-untracked`, `git stash --all -- list`, `git diff --no-index f a`,
	`git diff-tree --no-commit-id --name-only -r HEAD`, `git diff-tree -p HEAD`, `git diff-index HEAD`, `git diff-index --cached HEAD`, `git diff-files`, `git diff-files -p`, `git cherry -v main`, `git cherry main HEAD`,
	`git check-attr -a f`, `git log -L 1,2:a.go`, `git log -L:x:a.go`, `git rev-parse --path-format=absolute --git-dir`, `git remote get-url --all origin`, `git remote get-url --push origin`, `git rev-list --format='%+G?' HEAD`, `git for-each-ref --sort=signature`,
	`git stash list --format='%G?'`, `find . -name '*.go' -print0 | xargs -0 sed -n 1p`, `find . -type f -print0 | xargs -0 sort`, `find . -type f -print0 | xargs -0 -n1 xxd`, `find . -name f -exec uniq {} +`, `for PATH in .; do ls; done`, `x[PATH=1]=2; ls`, `path=.; ls`,
	`functions=(ls ./p); ls`, `for f in src/*.go; do sort $f; done`, `X='f -o out'; sort ./$X`, `read -r f <<< 'f -o out'; sort ./$f`, `sort ./$(echo 'f -o out')`, `tree -L2`, `tree -L2 -d`, `unzip -lT x.zip`,
	`mount`, `mount -l`, `mount -t ext4`, `findmnt`, `findmnt -T .`, `findmnt -s`, `dpkg -l`, `dpkg -l bash`,
	`dpkg -L bash`, `dpkg -s bash`, `dpkg -S /bin/ls`, `dpkg-query -W`, `dpkg-query -W -f '${Package}\n' bash`, `dpkg --version`, `jq --slurpfile a f.json '$a' f.json`, `jq -n --rawfile a f '$a'`,
	`yq . f.json`, `rg --debug foo`, `rg --trace foo`, `ps -ef`, `ps -aux`, `ps aux`, `ps -auxe`, `ps -axe`,
	`ps -e -O k`, `free -h`, `free -w`, `vmstat`, `vmstat -s`, `vmstat 1 2`, `diff -i f a`, `diff -n f a`,
	`diff --unified f a`, `diff -e f a`, `diff --normal f a`, `diff --tabsize=4 -t f a`, `cmp -n 2 f a`, `cmp -i 1 f a`, `cmp -l f a 1 2`, `od --strings f`,
	`od --strings=3 f`, `pr -t f`, `pr -d f`, `pr -n f`, `pr -o 4 f`, `pr -m f a`, `fmt -t f`, `fmt -c f`,
	`fmt -u f`, `fmt -60 f`, `arch`, `uptime -p`, `sed -l 5 -n l f`, `set -oa; ls`,
}
