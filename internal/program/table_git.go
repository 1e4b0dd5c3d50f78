package program

const gitManual = "git 2.39 manual pages"

// gitDiffReads are the options of git's diff-like verbs that neither write nor
// run a program on their own, gitDiff the others (git-diff(1)).
const (
	gitDiffReads = "p,u,patch s,no-patch U,unified? raw minimal patience histogram diff-algorithm= stat? " +
		"compact-summary numstat shortstat dirstat? summary patch-with-stat z name-only name-status color? no-color " +
		"color-moved? word-diff? color-words? no-renames check full-index binary abbrev? B? M,find-renames? " +
		"C,find-copies? D l= diff-filter= S= G= pickaxe-all pickaxe-regex R relative? a,text ignore-cr-at-eol " +
		"ignore-space-at-eol b,ignore-space-change w,ignore-all-space ignore-blank-lines I= inter-hunk-context= " +
		"W,function-context exit-code quiet no-ext-diff no-textconv ignore-submodules? src-prefix= dst-prefix= " +
		"no-prefix cached staged merge-base 0 1 2 3 cc c "
	gitDiff = "output=write output-indicator-new= patch-with-raw indent-heuristic X? submodule? " +
		"word-diff-regex= ws-error-highlight= find-copies-harder irreversible-delete find-object= O= skip-to= " +
		"rotate-to= ext-diff textconv line-prefix= "
)

// gitLogReads are the options of git's log-like verbs that show commits without
// their contents, gitLog the others (git-log(1), git-rev-list(1)).
const (
	gitLogReads = "# n,max-count= skip= since,after= until,before= author= committer= grep= all-match invert-grep " +
		"i,regexp-ignore-case E,extended-regexp F,fixed-strings P,perl-regexp merges no-merges first-parent all " +
		"branches? tags? remotes? glob= exclude= reverse oneline pretty? format? abbrev-commit no-abbrev-commit " +
		"abbrev? date= relative-date graph decorate? no-decorate decorate-refs? topo-order date-order " +
		"author-date-order left-right cherry-pick cherry-mark cherry boundary simplify-by-decoration full-history " +
		"ancestry-path? parents children no-color color? follow no-mailmap mailmap source z "
	gitLog = "grep-reflog= basic-regexp min-parents= max-parents= not reflog single-worktree ignore-missing " +
		"bisect stdin left-only right-only g,walk-reflogs merge dense sparse simplify-merges show-pulls no-walk? " +
		"do-walk encoding= expand-tabs? no-expand-tabs notes? no-notes show-notes? show-signature show-linear-break? " +
		"decorate-refs-exclude= use-mailmap full-diff log-size "
)

// patchOptions are those with which git log shows contents, so that it may run
// what the repository's configuration names.
const patchOptions = "L binary word-diff color-words W function-context p u patch U unified raw stat numstat " +
	"shortstat dirstat summary patch-with-stat name-only name-status S G c cc check compact-summary follow " +
	"diff-filter M C find-renames find-copies"

// gitPatches are the options with which git's verbs for commits and diffs show what is
// in files, whatever else is given; gitNames those with which verbs that show it by
// themselves only tell which files there are, and how much changed.
const (
	gitPatches = "p u patch U unified W function-context L c cc dd remerge-diff binary word-diff color-words " +
		"patch-with-stat patch-with-raw check ext-diff textconv"
	gitNames = "s no-patch raw stat numstat shortstat dirstat compact-summary summary name-only name-status quiet"
)

// gitMerge are the options of the verbs that apply changes.
const gitMerge = "ff no-ff ff-only commit no-commit n,no-stat e,edit no-edit s,strategy,signoff X,strategy-option= " +
	"S,gpg-sign? m,message,mainline= F,file=read squash abort continue quit skip x allow-empty " +
	"allow-unrelated-histories stat v,verbose q,quiet 3,3way check index cached R,reverse reject p= directory= " +
	"include= exclude= whitespace= numstat summary allow-overlap unidiff-zero"

// gitVariables are those of git(1), ENVIRONMENT VARIABLES. Of those that change nothing of
// what a reading command does, some name a program for editing, asking or connecting,
// which it does not, and some are those of transport, or of prompts of shells.
const gitVariables = "PAGER! EDITOR! VISUAL! BROWSER! LESSOPEN!filter LESSCLOSE!filter SSH_ASKPASS! " +
	"GIT_PAGER! GIT_SSH! GIT_SSH_COMMAND! GIT_EDITOR! GIT_SEQUENCE_EDITOR! GIT_EXTERNAL_DIFF! GIT_ASKPASS! " +
	"GIT_PROXY_COMMAND! " +
	"GIT_OPTIONAL_LOCKS- GIT_TERMINAL_PROMPT- GIT_EDITOR- GIT_SEQUENCE_EDITOR- GIT_ASKPASS- GIT_SSH- " +
	"GIT_SSH_COMMAND- GIT_SSH_VARIANT- " +
	"GIT_MERGE_AUTOEDIT- GIT_AUTHOR_NAME- GIT_AUTHOR_EMAIL- GIT_AUTHOR_DATE- GIT_COMMITTER_NAME- " +
	"GIT_COMMITTER_EMAIL- " +
	"GIT_COMMITTER_DATE- GIT_CEILING_DIRECTORIES- GIT_LFS_SKIP_SMUDGE- GIT_CONFIG_NOSYSTEM- GIT_ADVICE- GIT_BRANCH- " +
	"GIT_LOCAL_BRANCH- " +
	"GIT_COMMIT- GIT_URL- GIT_PREVIOUS_COMMIT- GIT_PREVIOUS_SUCCESSFUL_COMMIT- GIT_CHECKOUT_DIR- GIT_SSL_*- " +
	"GIT_HTTP_*- GIT_PS1_*- " +
	"GIT_PROMPT_*-"

// Options of sub-commands that have them in common.
const (
	gitFetch = "all a,append atomic depth= deepen= shallow-since= shallow-exclude= unshallow update-shallow dry-run " +
		"f,force k,keep p,prune " +
		"P,prune-tags t,tags n,no-tags j,jobs= set-upstream recurse-submodules? u,update-head-ok upload-pack=text " +
		"q,quiet v,verbose " +
		"progress o,server-option= ff-only ff no-ff r,rebase? no-rebase s,strategy= X,strategy-option= S,gpg-sign? " +
		"squash no-commit commit " +
		"e,edit no-edit stat autostash no-autostash allow-unrelated-histories 4 6 refmap= multiple"
	gitCheckout = "q,quiet progress f,force ours theirs b= B= t track? no-track guess no-guess l d,detach orphan= " +
		"ignore-skip-worktree-bits m,merge " +
		"conflict= p,patch ignore-other-worktrees overwrite-ignore recurse-submodules pathspec-from-file=read " +
		"c,create= C,force-create= " +
		"discard-changes s,source= S,staged W,worktree overlay no-overlay"
)

// git is the grammar of git 2.45.
var git = &Program{Names: "git", Kinds: "clones speaks=git obtains?@clone unstages?@rm&:cached " +
	"dumps?@archive,@bundle,@bundle_create,@diff,@show,@format-patch,@cat-file config=git lands?@clone&*1 " +
	"restores?@restore,@checkout dir=C " +
	"prints-secrets?>credential>fill,>credential-osxkeychain>get,>credential-store>get,>credential-cache>get," +
	">credential-manager>get,>credential-libsecret>get checks-certificates " +
	"rewrites-history?@filter-branch,@filter-repo,@replace rewrites-history?@rebase&:root writes-over",
	Variables: gitVariables,
	working:   working{Plain: "add,commit,push,pull,fetch,checkout,switch,branch,merge,stash,tag,reset,rebase,cherry-pick,revert,mv,rm,init,restore,status,diff,log,show"},
	asking: asking{Network: "push,clone,ls-remote,remote update,remote prune,remote show,submodule add,submodule " +
		"init,submodule update,send-email,svn,p4,lfs,archive,fetch-pack,send-pack,request-pull,daemon,instaweb,fetch,pull"},
	NoGrant: "config,filter-branch,filter-repo,bisect run,submodule foreach,hook,for-each-repo,maintenance",
	Options: "v~ h,help~ config-env= exec-path?exec html-path~ man-path~ info-path~ p,paginate git-dir=dir " +
		"work-tree=dir namespace= bare no-replace-objects literal-pathspecs glob-pathspecs noglob-pathspecs " +
		"icase-pathspecs list-cmds= attr-source= super-prefix=",
	Reads: &Reading{
		Source: gitManual, Options: "C=dir c=config P,no-pager no-optional-locks version~",
		Proved: []string{
			"git log --oneline -5", "git rev-parse HEAD", "git branch -a", "git tag -l 'v*'", "git remote -v", "git " +
				"cat-file -p HEAD", "git -C sub log -3",
			"git ls-tree -r HEAD", "git branch --show-current", "git config --get user.name", "git stash list", "git " +
				"--no-pager log -1 --format=%H",
		},
		Not: []string{
			"git status", "git diff", "git show", "git log -p", "git blame f", "git -c core.fsmonitor=./p " +
				"status", "git show --output=f", "git log --show-signature",
			"git grep -O./p x", "git branch new", "git branch -D x", "git tag v1", "git remote add x y", "git config " +
				"user.name x", "git --exec-path=. log",
			"git --git-dir=d log", "git $V", "git log $X", "git ls-remote --upload-pa=./p .", "git reflog " +
				"expire", "git push", "git log --format=%G?", "git -p log",
			"git remote show origin", "git stash", "git stash drop", "git show --outpu\\t=f", "git log " +
				"--binary", "git for-each-ref --format='%(signature)'",
		},
	},
	Subs: []*Program{
		{Names: "status", Operands: "read*", showing: showing{Shows: "v verbose"}, Options: "find-renames?",
			Reads: &Reading{Operands: "data", Git: "always", Options: "s,short b,branch show-stash porcelain? long " +
				"v,verbose u,untracked-files? ignore-submodules? ignored? z column? no-column ahead-behind " +
				"no-ahead-behind renames no-renames"}},
		{Names: "diff", Kinds: "contents", Operands: "object*",
			showing: showing{Shows: ". " + gitPatches, ShowsNot: gitNames},
			Options: gitDiff, Reads: &Reading{Operands: "data", Git: "always", Options: gitDiffReads + "no-index"}},
		{Names: "log", Operands: "object*", showing: showing{Shows: gitPatches}, Options: gitDiff + gitLog,
			Reads: &Reading{Git: patchOptions, Check: "gitFormat", Options: gitDiffReads + gitLogReads + "L=range"}},
		{Names: "shortlog", Operands: "data*", Options: gitDiff + gitLog + "w?",
			Reads: &Reading{Check: "gitFormat", Options: gitLogReads + "s,summary e,email n,numbered c,committer " +
				"group="}},
		{Names: "reflog", Operands: "object*", showing: showing{Shows: gitPatches}, Options: gitDiff + gitLog,
			Reads: &Reading{Check: "reflogVerb", Options: gitLogReads}},
		{Names: "show", Kinds: "contents", Operands: "object*",
			showing: showing{Shows: ". " + gitPatches, ShowsNot: gitNames},
			Options: gitDiff + gitLog + "L=range",
			Reads:   &Reading{Git: "always", Check: "gitFormat", Options: gitDiffReads + gitLogReads}},
		{Names: "rev-list", Operands: "data*", Options: gitDiff + gitLog,
			Reads: &Reading{Check: "gitFormat", Options: gitLogReads + "count objects"}},
		{Names: "whatchanged", Operands: "object*", showing: showing{Shows: gitPatches},
			Options: gitDiff + gitDiffReads + gitLog + gitLogReads + "L=range"},
		{Names: "add stage",
			Inside: &Inside{Names: "add", Check: "gitPaths", Git: true, Options: "A all no-ignore-removal u update " +
				"v verbose N intent-to-add"},
			Operands: "read*",
			Options: "n,dry-run v,verbose f,force i,interactive p,patch e,edit u,update sparse " +
				"A,all,no-ignore-removal N,intent-to-add refresh ignore-errors ignore-missing renormalize chmod= " +
				"pathspec-from-file=read"},
		{Names: "commit",
			Inside: &Inside{Check: "commits", Git: true, Options: "a all m message F file q quiet v verbose s " +
				"signoff amend no-edit allow-empty only"},
			Operands: "read*",
			Options: "a,all p,patch C,reuse-message= c,reedit-message= fixup= squash= reset-author short branch " +
				"porcelain long z F,file=read author= date= m,message= t,template=read s,signoff trailer= " +
				"n,no-verify allow-empty allow-empty-message cleanup= e,edit no-edit amend no-post-rewrite i,include " +
				"o,only pathspec-from-file=read u,untracked-files? v,verbose q,quiet dry-run status no-status " +
				"S,gpg-sign? no-gpg-sign"},
		{Names: "push send-pack http-push",
			Inside: &Inside{Names: "push", Keeps: "u set-upstream tags follow-tags q quiet v verbose n dry-run " +
				"porcelain atomic progress"},
			Operands: "host data*",
			Options: "all branches mirror tags follow-tags atomic n,dry-run no-dry-run receive-pack,exec=text " +
				"+,f,force force-with-lease? force-if-includes d,delete prune v,verbose q,quiet u,set-upstream thin " +
				"signed? o,push-option= porcelain progress no-verify recurse-submodules= repo=host 4,ipv4 6,ipv6 " +
				"no-force"},
		{Names: "fetch", Inside: &Inside{Keeps: "all a p prune t tags q quiet v verbose depth unshallow n dry-run j " +
			"jobs"},
			Operands: "host data*", Options: gitFetch},
		{Names: "pull", Inside: &Inside{Keeps: "r rebase no-rebase ff ff-only no-ff q quiet v verbose autostash p " +
			"prune t tags all a"},
			Operands: "host data*", Options: gitFetch},
		{Names: "clone", Loads: "--template", Operands: "host write",
			Options: "l,local no-hardlinks s,shared reference=read dissociate q,quiet v,verbose progress " +
				"server-option= n,no-checkout reject-shallow bare sparse filter= mirror o,origin= b,branch= " +
				"u,upload-pack=text template=read c,config=config depth= shallow-since= shallow-exclude= " +
				"single-branch no-single-branch no-tags recurse-submodules? recursive shallow-submodules " +
				"remote-submodules separate-git-dir=write j,jobs= bundle-uri="},
		{Names: "checkout", Inside: &Inside{Check: "newBranch", Git: true, Options: "b q quiet t track no-track"},
			parsing: parsing{Dashed: RoleWrite}, Operands: "data*", Options: gitCheckout},
		{Names: "switch", Inside: &Inside{Check: "inRepository", Git: true, Plants: true, Options: "c create q quiet " +
			"track t no-track"},
			parsing: parsing{Dashed: RoleWrite}, Operands: "data*", Options: gitCheckout},
		{Names: "restore",
			Inside:   &Inside{Check: "unstages", Git: true, Options: "S staged q quiet"},
			Operands: "write*",
			Options: "q,quiet progress f,force ours theirs b= B= t track? no-track guess no-guess l d,detach " +
				"orphan= ignore-skip-worktree-bits m,merge conflict= p,patch ignore-other-worktrees overwrite-ignore " +
				"recurse-submodules pathspec-from-file=read c,create= C,force-create= discard-changes s,source= " +
				"S,staged*data W,worktree*write overlay no-overlay"},
		{Names: "reset",
			Inside:   &Inside{Check: "resets", Git: true, Options: "q quiet mixed soft"},
			Operands: "data*", Options: "q,quiet soft mixed hard merge keep N p,patch pathspec-from-file=read " +
				"recurse-submodules refresh"},
		{Names: "clean", Operands: "delete*", Options: "d f,force i,interactive n,dry-run q,quiet e,exclude= x X"},
		{Names: "rm",
			Inside:   &Inside{Check: "gitPaths", Git: true, Options: "r cached q quiet ignore-unmatch"},
			Operands: "delete*", Options: "f,force n,dry-run r cached ignore-unmatch sparse q,quiet " +
				"pathspec-from-file=read"},
		{Names: "mv",
			Inside:   &Inside{Check: "gitMoves", Git: true, Plants: true, Options: "k v verbose"},
			Operands: "move* write", Options: "f,force k n,dry-run v,verbose sparse"},
		{Names: "branch",
			Inside:   &Inside{Check: "names", Git: true, Options: "q quiet t track no-track m move"},
			Operands: "data*",
			Options: "d,delete D m,move M c,copy C f,force q,quiet t track? no-track set-upstream-to= u= " +
				"unset-upstream edit-description create-reflog recurse-submodules omit-empty",
			Reads: &Reading{Check: "listing", Options: "a,all r,remotes l,list v,verbose vv color? no-color " +
				"column? no-column sort= merged? no-merged? contains? no-contains? points-at= format= abbrev? " +
				"no-abbrev i,ignore-case show-current"}},
		{Names: "tag",
			Inside:   &Inside{Check: "tags", Git: true, Options: "a annotate m message"},
			Operands: "data*",
			Options: "a,annotate s,sign u,local-user= f,force d,delete v,verify m,message= F,file=read e,edit " +
				"cleanup= create-reflog omit-empty trailer=",
			Reads: &Reading{Check: "listing", Options: "l,list n? sort= color? i,ignore-case column? contains? " +
				"no-contains? merged? no-merged? points-at= format="}},
		{Names: "remote", Operands: "data*", Reads: &Reading{Alone: true, Options: "v,verbose"},
			Subs: []*Program{
				{Names: "add rename remove rm set-head set-branches set-url update prune", Operands: "data*",
					Options: "t= m= f tags no-tags mirror? push delete add p,prune n,dry-run d,delete a,auto"},
				{Names: "show", Operands: "data*", Options: "n"}, {Names: "get-url", Operands: "data*",
					Reads: &Reading{Options: "push all"}},
			}},
		{Names: "stash",
			Inside: &Inside{Check: "stashes", Git: true, Plants: true, Options: "p m message k keep-index u " +
				"include-untracked q quiet index S staged"},
			Operands: "data*",
			Reads:    &Reading{},
			Subs: []*Program{
				// Words behind -- become options of git log.
				{Names: "list", Operands: "data*", Options: gitDiff + gitLog,
					Reads: &Reading{Operands: "none", Check: "gitFormat", Options: gitLogReads}},
				{Names: "show", Operands: "object*", showing: showing{Shows: gitPatches}, Options: gitDiff + gitLog,
					Reads: &Reading{Git: "always", Max: 1, Check: "undashed", Options: gitDiffReads + "include-untracked only-untracked"}},
				{Names: "apply pop branch", filling: filling{Fills: "."}, Operands: "data*", Options: "index q,quiet"},
				{Names: "push save drop clear create store", Operands: "data*",
					Options: "p,patch S,staged k,keep-index no-keep-index u,include-untracked a,all q,quiet " +
						"m,message= index pathspec-from-file=read"},
			},
		},
		{Names: "rebase",
			Inside:   &Inside{Keeps: "abort continue skip autostash onto q quiet"},
			Operands: "data*", showing: showing{Shows: "show-current-patch"},
			Options: "onto= keep-base continue skip abort quit edit-todo show-current-patch i,interactive " +
				"x,exec=text autosquash no-autosquash autostash no-autostash root f,force-rebase,no-ff " +
				"r,rebase-merges? s,strategy= X,strategy-option= S,gpg-sign? q,quiet v,verbose stat n,no-stat " +
				"no-verify signoff empty= reapply-cherry-picks update-refs committer-date-is-author-date ignore-date " +
				"whitespace= C="},
		{Names: "send-email", Operands: "object*", showing: showing{Shows: "."},
			Options: "sendmail-cmd=text to-cmd=text cc-cmd=text header-cmd=text sendmail= smtp-server=exec from= to= " +
				"cc= bcc= subject= in-reply-to= compose annotate smtp-server-port= smtp-user= smtp-pass? " +
				"smtp-encryption= smtp-domain= smtp-auth= identity= suppress-cc= confirm= dry-run quiet force " +
				"8bit-encoding= transfer-encoding= envelope-sender= batch-size= relogin-delay= thread no-thread " +
				"chain-reply-to validate no-validate dump-aliases"},
		{Names: "merge", Inside: &Inside{Keeps: "ff ff-only no-ff squash no-edit no-commit m message q quiet abort " +
			"continue"},
			Operands: "data*", Options: gitMerge},
		{Names: "cherry-pick", Inside: &Inside{Keeps: "n no-commit x abort continue skip s signoff"},
			Operands: "data*", Options: gitMerge},
		{Names: "revert", Inside: &Inside{Keeps: "n no-commit no-edit abort continue skip s signoff"},
			Operands: "data*", Options: gitMerge},
		{Names: "apply", Kinds: "patches",
			Inside:  &Inside{Check: "patches", Options: "p"},
			Loads:   "--unsafe-paths",
			filling: filling{Fills: "directory", FillsNot: "check stat numstat summary cached"}, Operands: "read*",
			Options: gitMerge},
		{Names: "am", Kinds: "patches", filling: filling{Fills: "directory", FillsNot: "abort quit skip"},
			Operands: "read*", Options: gitMerge},
		{Names: "rev-parse", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Options: "path-format= verify q,quiet short? abbrev-ref? symbolic symbolic-full-name " +
				"show-toplevel show-prefix show-cdup git-dir git-common-dir absolute-git-dir git-path= " +
				"is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository all branches? tags? " +
				"remotes? default= sq not revs-only no-revs flags no-flags local-env-vars"}},
		{Names: "ls-tree", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Options: "d r t l,long z name-only name-status full-name full-tree abbrev? format="}},
		{Names: "cat-file", Kinds: "contents", Operands: "object*",
			showing: showing{Shows: ".", ShowsNot: "t s e batch-check"},
			Options: "textconv filters path= batch? batch-check? batch-command? batch-all-objects buffer unordered " +
				"follow-symlinks z",
			Reads: &Reading{Options: "p t s e"}},
		{Names: "merge-base", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Options: "a,all octopus independent is-ancestor fork-point"}},
		{Names: "name-rev", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Options: "tags refs= exclude= all name-only no-undefined always"}},
		{Names: "describe", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Git: "dirty broken", Options: "all tags contains abbrev= candidates= exact-match debug " +
				"long match= exclude= always first-parent dirty? broken?"}},
		{Names: "for-each-ref", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Check: "gitFormat", Options: "count= sort= format= points-at= merged? no-merged? " +
				"contains? no-contains? ignore-case"}},
		{Names: "show-ref", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Options: "head heads tags d,dereference s,hash? verify abbrev? q,quiet"}},
		{Names: "symbolic-ref", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Max: 1, Options: "q,quiet short"}},
		{Names: "count-objects", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Operands: "none", Options: "v,verbose H,human-readable"}},
		{Names: "blame annotate", Kinds: "contents", Operands: "object*", showing: showing{Shows: "."},
			Options: "S=read contents=read ignore-rev= ignore-revs-file=read",
			Reads: &Reading{Git: "always", Options: "L= l t s e w M? C? f n p,porcelain line-porcelain show-name " +
				"show-number show-email root b since= date= abbrev?"}},
		{Names: "ls-files", listing: listing{Paths: ".", PathsNot: "m d u k i s t v", Recursive: true},
			Operands: "data*",
			Options:  "X,exclude-from=read exclude-per-directory= upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Git: "always", Options: "c,cached d,deleted m,modified o,others i,ignored s,stage " +
				"u,unmerged k,killed z t v exclude-standard error-unmatch full-name directory x,exclude= abbrev? eol " +
				"deduplicate"}},
		{Names: "check-ignore", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Git: "always", Options: "q,quiet v,verbose z n,non-matching no-index"}},
		{Names: "check-attr", Operands: "data*", Options: "exclude-from=read upload-pack=text ignore-revs-file=read",
			Reads: &Reading{Git: "always", Options: "a,all cached z"}},
		{Names: "rev-list var ls-remote", Operands: "data*",
			Options: "a,all b c,cached d,deleted e,exclude= f h l m,modified n o,others p,porcelain r s t v,verbose " +
				"w x z L= M? C? S= dirty? tags long always abbrev? exact-match match= first-parent contains " +
				"is-ancestor fork-point octopus independent show-toplevel show-prefix show-cdup git-dir " +
				"git-common-dir absolute-git-dir git-path= is-inside-work-tree is-inside-git-dir is-bare-repository " +
				"verify quiet q short? abbrev-ref? symbolic symbolic-full-name default= sq name-only name-status " +
				"full-name full-tree batch? batch-check? textconv filters path= format= sort= count= points-at= " +
				"merged? no-merged? exclude-standard error-unmatch stage unmerged killed directory eol " +
				"exclude-from=read recurse-submodules heads refs exit-code upload-pack=text get-url symref stdin " +
				"non-matching no-index delete human-readable date= incremental line-porcelain show-stats show-name " +
				"show-number show-email ignore-rev= ignore-revs-file=read since= until= pathspec= head dereference " +
				"hash?"},
		{Names: "grep", Kinds: "contents", Operands: "data object*", showing: showing{Shows: "*"},
			Options: "recurse-submodules textconv no-recursive O,open-files-in-pager?text f=read!",
			Reads: &Reading{Git: "always", Check: "searchesAll", Options: "cached untracked no-index " +
				"exclude-standard a,text i,ignore-case I max-depth= r,recursive w,word-regexp v,invert-match h H " +
				"full-name E,extended-regexp G,basic-regexp P,perl-regexp F,fixed-strings n,line-number column " +
				"l,files-with-matches name-only L,files-without-match z,null o,only-matching c,count color? no-color " +
				"break heading p,show-function # C,context= A,after-context= B,before-context= W,function-context " +
				"m,max-count= threads= e=! and or not all-match q,quiet no-textconv"}},
		{Names: "config", Operands: "data*",
			copying: copying{Inward: "l list get get-all get-regexp get-urlmatch get-color get-colorbool"},
			Options: "replace-all f,file=write blob= get-regexp get-urlmatch add unset unset-all rename-section " +
				"remove-section l,list fixed-value bool-or-int expiry-date no-type name-only show-origin show-scope " +
				"get-color get-colorbool e,edit includes no-includes default= comment=",
			Reads: &Reading{Check: "configKey", Options: "get get-all global local system worktree z,null type= " +
				"bool int path"}},
		{Names: "worktree",
			Reads: &Reading{},
			Subs: []*Program{
				{Names: "list", Operands: "data*", Options: "expire=",
					Reads: &Reading{Operands: "none", Options: "v,verbose porcelain z"}},
				{Names: "add", Operands: "write data",
					Options: "f,force b= B= d,detach checkout no-checkout guess-remote track lock orphan reason="},
				{Names: "remove move lock unlock prune repair", Operands: "data*",
					Options: "f,force b= B= d,detach checkout no-checkout guess-remote track lock orphan reason= " +
						"n,dry-run v,verbose expire="},
			},
		},
		{Names: "submodule", Options: "q,quiet cached", Operands: "data*",
			Subs: []*Program{{Names: "foreach", Style: Stop, Operands: "joined", Options: "recursive q,quiet"},
				{Names: "status summary", Operands: "data*", Options: "cached recursive files n,summary-limit="},
				{Names: "add", Operands: "host write", Options: "b,branch= f,force name= reference= depth="},
				{Names: "init deinit update set-branch set-url sync absorbgitdirs", Operands: "data*",
					Options: "b,branch= f,force name= reference= depth= init recursive remote N,no-fetch checkout " +
						"merge rebase jobs= all"}}},
		{Names: "bisect", Subs: []*Program{{Names: "run", Style: Stop, Operands: "payload"},
			{Names: "start bad good new old skip reset visualize view replay log terms next", Operands: "data*"}}},
		{Names: "filter-branch filter-repo", Operands: "data*",
			Options: "setup=text env-filter=text tree-filter=text index-filter=text parent-filter=text " +
				"msg-filter=text commit-filter=text tag-name-filter=text subdirectory-filter= prune-empty original= " +
				"d=write f,force path= invert-paths replace-text=read"},
		{Names: "difftool mergetool", Operands: "object*",
			showing: showing{Shows: ". " + gitPatches, ShowsNot: gitNames},
			Options: gitDiff + gitDiffReads + "d,dir-diff y,no-prompt prompt t,tool= tool-help~ x,extcmd=text g,gui"},
		{Names: "format-patch", Operands: "object*", showing: showing{Shows: "."},
			Options: gitDiff + gitDiffReads + gitLog + "o,output-directory=write output=write n,numbered " +
				"N,no-numbered k,keep-subject s,signoff stdout attach? inline? thread? in-reply-to= subject-prefix= " +
				"v,reroll-count= rfc to= cc= cover-letter signature= signature-file=read base= start-number= suffix= " +
				"zero-commit root interdiff= range-diff= creation-factor="},
		{Names: "init init-db",
			Inside: &Inside{Names: "init", Keeps: "q quiet b initial-branch"},
			Loads:  "--template", Operands: "write",
			Options: "q,quiet bare template=read separate-git-dir=write object-format= b,initial-branch= shared?"},
		{Names: "bundle", Subs: []*Program{{Names: "create", Operands: "write " +
			"object*", showing: showing{Shows: "."}, Options: "q,quiet progress all-progress version="},
			{Names: "verify list-heads unbundle", Operands: "read data*", Options: "q,quiet progress"}}},
		{Names: "checkout-index", Operands: "object*", showing: showing{Shows: "prefix temp"},
			Options: "u,index q,quiet f,force a,all n,no-create prefix=write stage= temp stdin z " +
				"ignore-skip-worktree-bits"},
		{Names: "gc prune repack fsck update-ref update-index pack-refs maintenance notes read-tree write-tree " +
			"commit-tree mktree replace sparse-checkout lfs",
			Operands: "data*",
			Options: "aggressive auto prune? q,quiet f,force n,dry-run v,verbose a d expire= expire-unreachable= " +
				"full strict o,output=write format= prefix= remote=host exec=text w stdin t= m= p= F=read " +
				"b,initial-branch= bare template=read shared? assume-unchanged no-assume-unchanged skip-worktree " +
				"no-skip-worktree chmod= add remove refresh"},
		{Names: "archive", Operands: "object*", showing: showing{Shows: "*", ShowsNot: "l list"},
			Options: "format= prefix= o,output=write l,list v,verbose add-file=read add-virtual-file= " +
				"worktree-attributes remote=host exec=text mtime= #"},
		{Names: "hash-object", Operands: "read*", Options: "t= w stdin stdin-paths path= no-filters literally"},
		{Names: "merge-file", showing: showing{Edits: true}, Operands: "write read*",
			Options: "p,stdout L= q,quiet diff3 zdiff3 ours theirs union marker-size= object-id diff-algorithm="},
		{Names: "interpret-trailers", Operands: "read*",
			Options: "in-place*write trim-empty where= if-exists= if-missing= only-trailers only-input unfold parse " +
				"no-divider trailer="},
		{Names: "request-pull", Operands: "data*", showing: showing{Shows: "p"}},
		{Names: "unpack-file merge-tree range-diff fast-export", Operands: "object*",
			showing: showing{Shows: ".", ShowsNot: gitNames},
			Options: gitDiff + gitDiffReads + "all signed-tags= tag-of-filtered-object= export-marks=write " +
				"import-marks=read no-data full-tree anonymize creation-factor= no-dual-color left-only right-only " +
				"write-tree trivial-merge messages allow-unrelated-histories merge-base= stdin"},
		{Names: "diff-tree", Kinds: "contents", Operands: "object*", showing: showing{Shows: gitPatches},
			Reads: &Reading{Git: "always", Options: gitDiffReads + "r t root no-commit-id m v pretty? always"}},
		{Names: "diff-index diff-files", Kinds: "contents", Operands: "object*", showing: showing{Shows: gitPatches},
			Reads: &Reading{Git: "always", Options: gitDiffReads + "m"}},
		{Names: "cherry", Operands: "data*", Reads: &Reading{Git: "always", Options: "v,verbose abbrev?"}},
		{Names: "version", Reads: &Reading{Options: "build-options"}},
	},
}
