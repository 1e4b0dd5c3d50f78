package readonly

// git is the entry of git: the verbs that only look. Those that may run what
// the repository's configuration names say so.
var git = &Entry{
	Names: "git", Options: "C=path no-pager P no-optional-locks version", Source: gitManual,
	Subs: []*Entry{
		{Names: "status", Git: "always", Operands: "data", Options: "s,short b,branch show-stash porcelain? long v,verbose u? untracked-files? ignore-submodules? ignored? z column? no-column ahead-behind no-ahead-behind renames no-renames"},
		{Names: "diff", Git: "always", Operands: "data", Options: diffOptions},
		{Names: "log", Git: patchOptions, Operands: "data", Options: logOptions + diffOptions, check: gitFormat},
		{Names: "shortlog", Operands: "data", Options: logOptions + "s,summary e,email numbered group=", check: gitFormat},
		{Names: "show", Git: "always", Operands: "data", Options: logOptions + diffOptions, check: gitFormat},
		{Names: "rev-list", Operands: "data", Options: logOptions + "count objects"},
		{Names: "reflog", Operands: "data", Options: logOptions, check: reflogVerb},
		{Names: "blame annotate", Git: "always", Operands: "data", Options: "L= l t s e w M? C? f n p porcelain line-porcelain show-name show-number show-email root b since= date= abbrev="},
		{Names: "ls-files", Git: "always", Operands: "data", Options: "c,cached d,deleted m,modified o,others i,ignored s,stage u,unmerged k,killed z t v exclude-standard error-unmatch full-name directory x,exclude= abbrev? eol deduplicate"},
		{Names: "grep", Git: "always", Operands: "data", Options: "cached untracked no-index exclude-standard a,text i,ignore-case I max-depth= r,recursive w,word-regexp v,invert-match h H full-name E,extended-regexp G,basic-regexp P,perl-regexp F,fixed-strings n,line-number column l,files-with-matches name-only L,files-without-match z,null o,only-matching c,count color? no-color break heading p,show-function # C,context= A,after-context= B,before-context= W,function-context m,max-count= threads= e= and or not all-match q,quiet no-textconv"},
		{Names: "check-ignore", Git: "always", Operands: "data", Options: "q,quiet v,verbose z n,non-matching no-index"},
		{Names: "describe", Git: "dirty broken", Operands: "data", Options: "all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty? broken?"},
		{Names: "rev-parse", Operands: "data", Options: "verify q,quiet short? abbrev-ref? symbolic symbolic-full-name show-toplevel show-prefix show-cdup git-dir git-common-dir absolute-git-dir git-path= is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository all branches? tags? remotes? default= sq not revs-only no-revs flags no-flags local-env-vars show-superproject-working-tree"},
		{Names: "ls-tree", Operands: "data", Options: "d r t l,long z name-only name-status full-name full-tree abbrev? format="},
		{Names: "cat-file", Operands: "data", Options: "p t s e"},
		{Names: "merge-base", Operands: "data", Options: "a,all octopus independent is-ancestor fork-point"},
		{Names: "name-rev", Operands: "data", Options: "tags refs= exclude= all name-only no-undefined always"},
		{Names: "show-ref", Operands: "data", Options: "head heads tags d,dereference s,hash? verify abbrev? q,quiet"},
		{Names: "for-each-ref", check: gitFormat, Operands: "data", Options: "count= sort= format= points-at= merged? no-merged? contains? no-contains? ignore-case"},
		{Names: "count-objects", Operands: "none", Options: "v,verbose H,human-readable"},
		{Names: "branch", Operands: "data", Options: "a,all r,remotes l,list v,verbose vv color? no-color column? no-column sort= merged? no-merged? contains? no-contains? points-at= format= abbrev? no-abbrev i,ignore-case show-current", check: listing},
		{Names: "tag", Operands: "data", Options: "l,list n? sort= color? i,ignore-case column? contains? no-contains? merged? no-merged? points-at= format=", check: listing},
		{Names: "remote", Operands: "data", Options: "v,verbose", check: remoteVerb},
		{Names: "stash", Operands: "data", Options: logOptions, check: stashVerb},
		{Names: "worktree", Subs: []*Entry{{Names: "list", Operands: "none", Options: "v,verbose porcelain z"}}},
		{Names: "config", Operands: "data", Options: "get global local system worktree z,null type= bool int path", check: configKey},
		{Names: "symbolic-ref", Operands: "data", Max: 1, Options: "q,quiet short"},
		{Names: "version", Operands: "none", Options: "build-options"},
	},
	Proved: []string{
		"git log --oneline -5", "git rev-parse HEAD", "git branch -a", "git tag -l 'v*'", "git remote -v", "git cat-file -p HEAD", "git -C sub log -3",
		"git ls-tree -r HEAD", "git branch --show-current", "git config --get user.name", "git stash list", "git --no-pager log -1 --format=%H",
	},
	Not: []string{
		"git status", "git diff", "git show", "git log -p", "git blame f", "git -c core.fsmonitor=./p status", "git show --output=f", "git log --show-signature",
		"git grep -O./p x", "git branch new", "git branch -D x", "git tag v1", "git remote add x y", "git config user.name x", "git --exec-path=. log",
		"git --git-dir=d log", "git $V", "git log $X", "git ls-remote --upload-pa=./p .", "git reflog expire", "git push", "git log --format=%G?", "git -p log",
		"git remote show origin", "git stash", "git stash drop", "git show --outpu\\t=f", "git log --binary", "git for-each-ref --format='%(signature)'",
	},
}
