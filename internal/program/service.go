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
	//	print   a template that names no file to read or to write
	//
	// Where there are none, all but Refused may be given, which are long ones. Whether
	// an option takes an argument is said by the row's own.
	Options, Refused string
	// Operations are those of a cloud that only read, that print what they read and
	// write it to no file, and that hand out no credential: the service and the
	// operation, commas between them, with * for any further text at the end. Behind a
	// + stand how many operands follow; ? says that what it shows may hold an environment
	// with secrets, unless one field of it is queried.
	Operations string
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
		Check: "forge",
	}
	clusterService = &Service{
		Name: "kubectl", Cluster: true,
		Verbs: "get,describe,logs,top,explain,api-resources,api-versions,version,cluster-info,events,rollout status,rollout history," +
			"auth can-i,config current-context,config get-contexts",
		Options: "n,namespace A,all-namespaces o,output:format l,selector context cluster L,label-columns show-labels sort-by field-selector " +
			"no-headers chunk-size ignore-not-found show-kind show-managed-fields " +
			"show-events tail since since-time c,container p,previous timestamps prefix all-containers max-log-requests limit-bytes " +
			"recursive api-version api-group namespaced verbs categories client short " +
			"subresource revision timeout list q,quiet for types containers sum help h request-timeout",
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
		Operations: amazonReads,
		Refused:    "endpoint-url cli-input-json cli-input-yaml no-verify-ssl with-decryption ca-bundle cli-auto-prompt",
		Check:      "operations",
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
		Check:   "modules",
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
		Options: "s,silent S,show-error f,fail i,include I,head v,verbose k,insecure m,max-time connect-timeout w,write-out:print H,header:inline " +
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

// amazonReads are operations of AWS in the form of [Service.Operations], by the reference
// of its command line. Whichever is not here asks: many operations have a file to write as
// their operand, and others hand out credentials.
const amazonReads = "s3 ls+1,s3api list-*,s3api head-*,s3api get-bucket-*,s3api get-object-acl,s3api get-object-attributes,s3api get-object-tagging," +
	"s3api get-public-access-block," +
	"sts get-caller-identity,sts get-access-key-info,iam list-account*,iam list-attached-*,iam list-entities-*,iam list-group*,iam " +
	"list-instance-profile*,iam list-policies,iam list-policy-*,iam list-role*,iam list-saml-providers,iam list-user*," +
	"iam get-account-summary,iam get-account-authorization-details,iam get-group*,iam get-instance-profile,iam get-policy*,iam get-role*,iam get-user*," +
	"ec2 describe-a*,ec2 describe-b*,ec2 describe-c*,ec2 describe-d*,ec2 describe-e*,ec2 describe-f*,ec2 describe-h*,ec2 describe-iam-*,ec2 " +
	"describe-id-format,ec2 describe-image*,ec2 describe-instances,ec2 describe-instance-credit-*,ec2 describe-instance-event-*,ec2 " +
	"describe-instance-status,ec2 describe-instance-type*,ec2 describe-internet-gateways,ec2 describe-key-pairs,ec2 describe-launch-templates,ec2 " +
	"describe-local-*,ec2 describe-m*,ec2 describe-n*,ec2 describe-p*,ec2 describe-r*," +
	"ec2 describe-security-*,ec2 describe-snapshot*,ec2 describe-spot-price-history,ec2 describe-stale-*,ec2 describe-store-*,ec2 describe-subnets,ec2 " +
	"describe-t*,ec2 describe-v*,ec2 get-console-output,ec2 get-ebs-*,ec2 get-managed-prefix-list-*," +
	"logs describe-*,logs list-*,logs get-log-events,logs get-log-group-fields,logs get-query-results,logs filter-log-events,logs tail+1," +
	"cloudwatch describe-*,cloudwatch list-*,cloudwatch get-dashboard,cloudwatch get-metric-data,cloudwatch get-metric-statistics," +
	"cloudformation describe-*,cloudformation list-*,cloudformation get-template,cloudformation get-template-summary,cloudformation get-stack-policy," +
	"ecs list-*,ecs describe-capacity-providers,ecs describe-clusters,ecs describe-container-instances,ecs describe-services,ecs describe-task-sets,ecs " +
	"describe-tasks,ecs describe-task-definition?," +
	"ecr describe-*,ecr list-*,ecr get-lifecycle-policy*,ecr get-repository-policy,eks list-*,eks describe-*,rds describe-*,elasticache describe-*," +
	"redshift describe-*,docdb describe-*,neptune describe-*,dax describe-*,memorydb describe-*," +
	"lambda list-aliases,lambda list-code-signing-configs,lambda list-event-source-mappings,lambda list-function-event-invoke-configs,lambda " +
	"list-function-url-configs,lambda list-layer*,lambda list-provisioned-*,lambda list-tags,lambda list-functions?,lambda list-versions-by-function?," +
	"lambda get-account-settings,lambda get-alias,lambda get-event-source-mapping,lambda get-policy,lambda get-function-concurrency,lambda " +
	"get-function-event-invoke-config,lambda get-function-url-config,lambda get-provisioned-concurrency-config," +
	"dynamodb describe-*,dynamodb list-*,dynamodb get-item,sqs list-*,sqs get-queue-*,sns list-*,sns get-topic-attributes,sns " +
	"get-subscription-attributes,kinesis describe-*,kinesis list-*,firehose describe-*,firehose list-*," +
	"route53 list-*,route53 get-change,route53 get-health-check*,route53 get-hosted-zone*,route53domains list-*,elb describe-*,elbv2 describe-*," +
	"autoscaling describe-a*,autoscaling describe-i*,autoscaling describe-lifecycle-*,autoscaling describe-load-*,autoscaling describe-p*,autoscaling " +
	"describe-s*,autoscaling describe-t*," +
	"application-autoscaling describe-*,cloudfront list-*,cloudfront get-distribution,cloudfront get-distribution-config,cloudfront get-invalidation," +
	"apigateway get-account,apigateway get-authorizers,apigateway get-base-path-mapping*,apigateway get-deployment*,apigateway get-domain-name*," +
	"apigateway get-integration,apigateway get-method,apigateway get-resource*,apigateway get-rest-api*,apigateway get-stage*,apigateway get-usage-plans," +
	"apigatewayv2 get-apis,apigatewayv2 get-api,apigatewayv2 get-routes,apigatewayv2 get-stages,apigatewayv2 get-integrations,apigatewayv2 " +
	"get-deployments,apigatewayv2 get-domain-names," +
	"stepfunctions list-*,stepfunctions describe-*,stepfunctions get-execution-history,events list-*,events describe-archive,events describe-event-bus," +
	"events describe-rule,scheduler list-*,pipes list-*," +
	"kms list-*,kms describe-key,kms get-key-policy,kms get-key-rotation-status,acm list-*,acm describe-certificate,ssm describe-a*,ssm describe-i*,ssm " +
	"describe-m*,ssm describe-o*,ssm describe-patch-*,ssm list-*," +
	"ce get-cost-*,ce get-dimension-values,ce get-tags,ce get-reservation-*,ce get-savings-plans-*,budgets describe-*,pricing describe-services,pricing " +
	"get-products,pricing get-attribute-values,health describe-*,support describe-cases,support describe-communications,support describe-services," +
	"support describe-severity-levels,support describe-trusted-advisor-*," +
	"codepipeline list-*,codepipeline get-pipeline,codepipeline get-pipeline-state,codepipeline get-pipeline-execution,codebuild list-*,codedeploy " +
	"list-*,codedeploy get-application,codedeploy get-deployment,codedeploy get-deployment-group,codecommit list-*,codecommit get-repository,codecommit " +
	"get-branch,codecommit get-pull-request," +
	"glue get-crawler*,glue get-database*,glue get-job,glue get-job-run*,glue get-jobs,glue get-partition*,glue get-table*,glue list-*,athena list-*," +
	"athena get-query-execution,athena get-query-results,athena get-work-group," +
	"cloudtrail describe-trails,cloudtrail get-trail,cloudtrail get-trail-status,cloudtrail list-*,cloudtrail lookup-events,configservice describe-*," +
	"organizations list-*,organizations describe-*,efs describe-*,fsx describe-*,backup list-*,backup describe-*," +
	"batch describe-compute-environments,batch describe-job-queues,batch list-jobs,batch describe-job-definitions?,emr list-clusters,emr list-instances," +
	"emr list-steps,emr describe-cluster,emr describe-step,sagemaker list-*,opensearch list-*,opensearch describe-*,kafka list-clusters,kafka " +
	"describe-cluster," +
	"wafv2 list-*,wafv2 get-web-acl,guardduty list-*,cognito-idp list-user-pools,cognito-idp list-users,cognito-idp list-groups,cognito-idp " +
	"describe-user-pool,apprunner list-services,apprunner describe-service?,amplify list-apps?,elasticbeanstalk describe-applications,elasticbeanstalk " +
	"describe-environments,elasticbeanstalk describe-events," +
	"elasticbeanstalk describe-configuration-settings?,lightsail get-instances,lightsail get-instance,lightsail get-instance-state,service-quotas " +
	"list-*,service-quotas get-service-quota,resourcegroupstaggingapi get-*,sesv2 list-*,servicediscovery list-*,transfer list-servers,workspaces " +
	"describe-workspaces,mq list-brokers,mq describe-broker,globalaccelerator list-*,globalaccelerator describe-*"
