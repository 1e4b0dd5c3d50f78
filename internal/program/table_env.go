package program

// environments run a command under variables, secrets or versions of tools
// that they have set up (the tools' own manuals).
var environments = []*Program{
	{Names: "nix", asking: asking{Network: "*"},
		Options: help + "h~ v,verbose quiet option=+ extra-experimental-features= experimental-features= " +
			"L,print-build-logs offline refresh impure",
		Subs: []*Program{
			{Names: "develop shell print-dev-env", Operands: "data*",
				Options: "c,command=rest i,ignore-environment k,keep= u,unset= s,set-env-var=+ f,file=read expr= " +
					"I,include= impure override-input=+ inputs-from= profile=write redirect=+ phase= build unpack " +
					"stdin"},
			{Names: "build run flake eval search profile store repl log why-depends fmt hash path-info",
				Operands: "data*",
				Options:  "o,out-link=write f,file=read expr= impure json no-link"},
		}},
	{Names: "nix-shell", Kinds: "shells",
		asking: asking{Network: "*"}, raising: raising{Starts: "."}, Operands: "data*",
		Options: help + "run=text command=text p,packages A,attr= E,expr= arg=+ argstr=+ I= i=exec pure keep= " +
			"exclude= v,verbose q,quiet option=+ j,max-jobs= cores="},
	{Names: "corepack", Variables: "NODE_OPTIONS!node",
		asking: asking{Network: "*"}, Style: Stop, Operands: "payload", Options: help + "h~",
		Subs: []*Program{{Names: "enable disable prepare use up install pack hydrate " +
			"cache", Operands: "data*",
			Options: "install-directory=dir activate all o,output=write json g,global cache-only"}}},
	{Names: "mise rtx", Kinds: "surrounds", Same: "rtx",
		Options: help + "h~ V~ C,cd=dir E,env= j,jobs= q,quiet v,verbose y,yes raw", Subs: []*Program{
			{Names: "exec x", Operands: "data* dashed", Options: "c,command=text j,jobs= raw no-prepare fresh-env"},
			{Names: "run r tasks install i use u ls list current env settings trust prune upgrade outdated plugins which " +
				"where", Operands: "data*"},
		}},
	{Names: "asdf rbenv pyenv nodenv goenv jenv tfenv luaenv plenv", Kinds: "asdf:surrounds", Options: help + "h~ v~",
		Subs: []*Program{
			{Names: "exec", Style: Stop, Operands: "payload"},
			{Names: "env", Style: Stop, Operands: "data payload"},
			{Names: "install uninstall list versions version local global shell which where current plugin reshim rehash " +
				"init latest set help", Operands: "data*"},
		}},
	{Names: "op doppler infisical teller dotenvx", Kinds: "doppler,infisical:shows=vault " +
		"op:deletes-secrets?>item>delete,>vault>delete,>document>delete,>user>delete,>group>delete " +
		"op:prints-secrets?>read,>item>get,>document>get,>inject " +
		"op:changes-secrets?>item>create,>item>edit,>item>move,>document>create,>document>edit,>vault>create,>vault>edit," +
		">vault>user,>vault>group,>user>provision,>user>edit,>service-account>create " +
		"op,doppler,infisical,teller:injects-secrets?>run " +
		"doppler:deletes-secrets?>secrets>delete,>projects>delete,>configs>delete,>environments>delete " +
		"doppler:prints-secrets?>secrets>get,>secrets>download,>secrets>substitute " +
		"doppler:changes-secrets?>secrets>set,>secrets>upload infisical:deletes-secrets?>secrets>delete " +
		"infisical:prints-secrets?>secrets>get,>export infisical:changes-secrets?>secrets>set " +
		"teller:prints-secrets?>show,>env,>export,>sh,>yaml,>json",
		Options: help + "h~ v~ account= cache? config= encoding= format= iso-timestamps no-color session= p,project= " +
			"c,config= t,token= scope= configuration=read api-host=host json silent debug domain=host f,env-file=read",
		Subs: []*Program{
			{Names: "run", Style: Stop, Operands: "payload",
				Options: "env-file=read no-masking command=text p,project= c,config= e,env= preserve-env? " +
					"fallback=write mount= mount-format= mount-template=read name-transformer= only-secrets= " +
					"no-fallback forward-signals projectId= path= tags= watch o,overload f,env-file=read fv= strict " +
					"ignore= convention= reset redact"},
			{Names: "item vault read inject secrets setup login logout projects configs me list get set signin whoami",
				Operands: "data*"},
		}},
	{Names: "aws-vault", Kinds: "prints-secrets?>export injects-secrets?>exec",
		Options: help + "debug backend= prompt= keychain= pass-dir= pass-cmd= pass-prefix= file-dir=", Subs: []*Program{
			{Names: "exec", Style: Stop, parsing: parsing{StopAt: 2}, Operands: "data payload",
				Options: "d,duration= n,no-session region= t,mfa-token= j,json s,server ec2-server e,ecs-server lazy " +
					"stdout"},
			{Names: "add list rotate remove login clear export", Operands: "data*"},
		}},
	{Names: "chamber",
		Kinds: "deletes-secrets?>delete prints-secrets?>read,>export,>env,>list>-e,>list>--expand " +
			"changes-secrets?>write,>import " +
			"injects-secrets?>exec",
		Subs: []*Program{{Names: "exec", Operands: "data* dashed", Options: "pristine strict strict-value= b,backend="},
			{Names: "read write list delete history export import find env", Operands: "data*"}}},
	{Names: "dotenv", Style: Stop, Operands: "payload",
		Options: "help~ version~ e,env-file=read f,file=read p,print~ c,cascade? v= o,overload override q= i,ignore " +
			"shell",
		Subs: []*Program{{Names: "run", Style: Stop, Operands: "payload", Options: "override no-override"},
			{Names: "list get set unset", Operands: "data*"}}},
	{Names: "cross-env", Style: Stop, Operands: "env* payload"},
	{Names: "cross-env-shell", Style: Stop, Operands: "joined"},
	{Names: "env-cmd", Style: Stop, Operands: "payload",
		Options: help + "h~ v~ f,file=read e,environments= r,rc-file=read fallback no-override silent x,expand-envs " +
			"use-shell verbose"},
	{Names: "summon with-contenv s6-env", Style: Stop, Operands: "payload",
		Options: "h,help~ V~ p,provider=exec e,environment= f=read D= yaml= ignore= I,ignore-all up"},
	{Names: "sops",
		Kinds: "prints-secrets?>-d,>--decrypt,>decrypt,>exec-file " +
			"changes-secrets?>set,>unset,>rotate,>updatekeys,>-r,>--rotate,>--set,>--add-age,>--add-pgp,>--rm-age,>--rm-pgp " +
			"injects-secrets?>exec-env", Variables: "EDITOR! VISUAL!",
		Options: help + "h~", Subs: []*Program{
			{Names: "exec-env", Style: Stop, Operands: "data text", Options: "background pristine user= same-process"},
			{Names: "exec-file", Style: Stop, Operands: "data text", Options: "background no-fifo user= filename="},
			{Names: "encrypt decrypt edit rotate updatekeys publish keyservice groups", Operands: "data*"},
		}},
	{Names: "fnm", Options: help + "h~ node-dist-mirror=host fnm-dir= log-level= version-file-strategy= arch= " +
		"corepack-enabled resolve-engines", Subs: []*Program{
		{Names: "exec", Style: Stop, Operands: "payload", Options: "using="},
		{Names: "install use list list-remote ls uninstall default alias unalias current env completions",
			Operands: "data*"},
	}},
	{Names: "nvm volta", commanding: commanding{Behind: "exec"}, Options: help + "h~ silent", Subs: []*Program{
		{Names: "exec", Style: Stop, Operands: "data payload", Options: "silent"},
		{Names: "run", Style: Stop, Operands: "payload", Options: "node= npm= yarn= pnpm= bundled-npm no-yarn no-pnpm"},
		{Names: "install use list ls uninstall default alias current env pin which setup fetch", Operands: "data*"},
	}},
	{Names: "rustup", Options: "h,help~ V,version~ v,verbose q,quiet", Subs: []*Program{
		{Names: "run", Style: Stop, Operands: "data payload", Options: "install"},
		{Names: "update default toolchain target component override show self check install uninstall doc which set " +
			"completions man", Operands: "data*"},
	}},
	{Names: "pixi devbox", Options: help + "h~ v,verbose q,quiet", Subs: environmentVerbs},
	{Names: "pipx",
		Kinds: "fetches-code?run,exec,x,-x,install,--from,eval,tool " +
			"picks-index?--registry,--index-url,--extra-index-url,:index-url,:extra-index-url,:registry,:default-index," +
			"^--index-url=,^--extra-index-url=,^--registry=,^--default-index= " +
			"picks-index?set&registry,global.index-url,global.extra-index-url,script-shell,^registry=,^script-shell=",
		Packages: Library,
		handing:  handing{Runner: "run"}, NoGrant: "*", Options: help + "h~ v,verbose q,quiet", Subs: environmentVerbs},
	{Names: "guix",
		Subs: []*Program{{Names: "shell environment time-machine", Operands: "data* dashed", Options: "C,container " +
			"N,network P,link-profile pure p,profile= D,development f,file=read m,manifest=read e,expression= " +
			"F,emulate-fhs share= expose= r,root=write ad-hoc"},
			{Names: "install build package pull search describe gc system home", Operands: "data*"}}},
}

// environmentVerbs are what pixi, devbox and pipx understand.
var environmentVerbs = []*Program{
	{Names: "run", Style: Stop, Operands: "payload",
		Options: "e,environment= env= env-file=read manifest-path=read c,config= frozen locked no-install spec= " +
			"python= pip-args= p,pure quiet clean-env"},
	{Names: "install add remove list update shell init info search upgrade uninstall inject task global rm",
		Operands: "data*"},
}
