package program

import "strings"

// A Service is what a program asks elsewhere, and what of the program only reads it.
// That is not proved: a person declares the service harmless.
type Service struct {
	// Name is that of the service in a policy; "" where it is a web server, of which a
	// person names the host.
	Name string
	// Names are those of the program for which this holds, blanks between them; "" for
	// all of them.
	Names string
	// Verbs are the sub-commands that only read, commas between them, "" where a
	// check knows them.
	Verbs string
	// Options are those with which it still only reads, blanks between them, and
	// commas between those whose argument is of one kind, which stands behind a colon:
	//
	//	in      a path below the directory
	//	repo    a repository of the host that is asked anyway
	//	jq      a filter that does not name the environment
	//	format  no file of a template
	//	kept    a setting that keeps go.mod
	//	get     a method that only reads
	//	method  a method
	//	body    what is sent, from no file
	//	inline  what is read from no file
	//
	// Where there are none, all but Refused may be given, which are long ones. Whether
	// an option takes an argument is said by the row's own.
	Options, Refused string
	// Needs are options of which one must be given, "" where none need be; Asks are
	// those with which what is sent is a part of the address.
	Needs, Asks string
	// Check names what pkg/remote checks beside them, "" for nothing.
	Check string
	// Cluster says that the service is a cluster of Kubernetes, which is asked in the
	// words of kubectl.
	Cluster bool
}

// Leading returns the option that stands before the words of a sub-command, and that the
// program does not have itself: that of the sub-commands which only read and begin with
// the words read so far. It is nil where none of them has it, or where they differ in
// whether it takes an argument.
func (s *Service) Leading(below *Program, read, name string) (found *Option) {
	if _, reads := s.Kind(name); !reads {
		return nil
	}
	for verb := range strings.SplitSeq(s.Verbs, ",") {
		rest, ok := strings.CutPrefix(" "+verb+" ", strings.TrimRight(" "+read, " ")+" ")
		sub := below
		for word := range strings.FieldsSeq(rest) {
			if next := sub.Sub(word); next != nil {
				sub = next
			}
		}
		if !ok || sub == below {
			continue
		}
		o := sub.Grammar().Find(name, true)
		if o != nil && found != nil && o.Takes != found.Takes {
			return nil
		}
		if o != nil {
			found = o
		}
	}
	return found
}

// Kind returns the kind of argument with which an option of that name only reads, "" for
// whichever, and whether the service is only read with it.
func (s *Service) Kind(option string) (kind string, reads bool) {
	for entry := range strings.FieldsSeq(s.Options) {
		names, kind, _ := strings.Cut(entry, ":")
		if inCommas(names, option) {
			return kind, true
		}
	}
	return "", false
}

// The services that programs ask.
var (
	forgeService = &Service{
		Name: "gh",
		Verbs: "pr list,pr view,pr status,pr diff,pr checks,issue list,issue view,issue status,run list,run view,workflow list,workflow view," +
			"repo list,repo view," +
			"release list,release view,gist list,label list,search,auth status,project list,project view,cache list,ruleset list,ruleset view,status,api",
		Options: "R,repo:repo L,limit s,state json q,jq:jq A,author l,label assignee a S,search B,base H,head c,comments d,draft milestone m " +
			"j,job log log-failed v,verbose e,event b,branch workflow u,user " +
			"i,include paginate slurp cache X,method:get p,preview exit-status required name-only patch color o,order sort owner " +
			"visibility language topic fork source archived no-archived created updated " +
			"commit status attempt exclude-drafts exclude-pre-releases help h yaml y r,ref interval watch fail-fast mention app involves " +
			"match filename extension size stars merged-at merged closed review " +
			"review-requested all public secret format followers number n active",
		Check: "api",
	}
	clusterService = &Service{
		Name: "kubectl", Cluster: true,
		Verbs: "get,describe,logs,top,explain,api-resources,api-versions,version,cluster-info,events,rollout status,rollout history," +
			"auth can-i,config current-context,config get-contexts",
		Options: "n,namespace A,all-namespaces o,output:format l,selector context cluster L,label-columns show-labels sort-by field-selector " +
			"no-headers chunk-size ignore-not-found show-kind show-managed-fields " +
			"show-events tail since since-time c,container p,previous timestamps prefix all-containers max-log-requests limit-bytes " +
			"recursive api-version api-group namespaced verbs categories client short " +
			"subresource revision timeout list q,quiet for types containers sum help h request-timeout output-watch-events watch",
		Check: "objects",
	}
	engineService = &Service{
		Name: "docker", Names: "docker podman",
		Verbs: "ps,images,logs,inspect,version,info,stats,top,port,history,container ls,container list,container inspect,container logs," +
			"container top,container port,container stats," +
			"image ls,image list,image inspect,image history,volume ls,volume inspect,network ls,network inspect,compose ps,compose logs," +
			"compose images,compose top,compose ls,compose version,compose port,system df,system info,context ls,buildx ls",
		Options: "a,all q,quiet n,last tail l,latest s,size f,file:in filter format no-trunc t,timestamps since until details follow digests " +
			"tree no-stream type no-color no-log-prefix services orphans index v,verbose " +
			"pretty platform protocol p,project-name status short help h",
		Check: "containers",
	}
	amazonService = &Service{
		Name: "aws", Names: "aws",
		Refused: "endpoint-url cli-input-json cli-input-yaml no-verify-ssl with-decryption ca-bundle cli-auto-prompt",
		Check:   "operations",
	}
	npmService = &Service{
		Name:  "npm",
		Verbs: "view,v,info,show,ls,list,ll,la,outdated,search,explain,why,root,prefix,ping",
		Options: "json l,long p,parseable a,all depth g,global prod production dev omit include only w,workspace workspaces s,silent " +
			"no-progress color no-color link package-lock-only F,filter r,recursive C,dir,cwd:in " +
			"pattern h,help loglevel offline prefer-offline no-fund no-audit only-projects no-optional P D compatible latest format level " +
			"version v searchlimit searchexclude description no-description",
		Check: "packages",
	}
	pipService = &Service{
		Name:  "pip",
		Verbs: "list,show,index,freeze,check",
		Options: "o,outdated u,uptodate e,editable l,local user not-required format exclude include-editable exclude-editable pre files " +
			"v,verbose q,quiet all disable-pip-version-check no-color no-cache-dir isolated " +
			"no-input json h,help path:in version",
	}
	goService = &Service{
		Name:    "go",
		Verbs:   "list,env,doc,version",
		Options: "m u json f deps test e find retracted versions all short src cmd c v h help changed mod:kept tags reuse:in",
		Check:   "settings",
	}
	cargoService = &Service{
		Name:  "cargo",
		Verbs: "tree,search,info,metadata",
		Options: "e,edges i,invert p,package d,duplicates depth prefix no-dedupe f,format F,features all-features no-default-features target " +
			"workspace all exclude no-deps format-version filter-platform offline " +
			"locked frozen q,quiet v,verbose color limit charset manifest-path:in h,help version V",
	}
	gemService = &Service{
		Name:    "gem",
		Verbs:   "list,info,search,outdated",
		Options: "l,local r,remote a,all v,version d,details no-details versions no-versions i,installed e,exact prerelease q,quiet h,help V,verbose",
	}
	curlService = &Service{
		Options: "s,silent S,show-error f,fail i,include I,head v,verbose k,insecure m,max-time connect-timeout w,write-out,H,header:inline " +
			"A,user-agent X,request:method compressed G,get retry retry-delay " +
			"retry-connrefused o,output N,no-buffer 4,ipv4 6,ipv6 http1.1 http2 # progress-bar fail-with-body max-redirs " +
			"d,data,json,data-raw,data-urlencode,F,form:body",
		Asks: "G get",
	}
	wgetService = &Service{
		Options: "q,quiet O,output-document S,server-response spider T,timeout t,tries nv,no-verbose max-redirect",
		Needs:   "O spider",
	}
)
