package program

// copiers copy between this machine and stores or backups (the tools' own manuals
// and help).
var copiers = []*Program{
	// Stores in the cloud.
	{Names: "aws awslocal", Kinds: "stores downloads?cp,cat aws:copies=url takes?-,rcat,pipe " +
		"uploads?>s3api>put-object,>s3api>upload-part,>glacier>upload-archive copies-away?>s3>cp,>s3>mv,>s3>sync " +
		"runs-elsewhere?>ssm>send-command,>ssm>start-session,>ssm>start-automation-execution,>ecs>execute-command," +
		">ec2-instance-connect>ssh,>lambda>invoke,>eks>exec " +
		"aws:changes-names?>route53>change-resource-record-sets,>route53>delete-hosted-zone,>route53domains>delete-domain," +
		">route53domains>transfer-domain " +
		"prints-secrets?>secretsmanager>get-secret-value,>secretsmanager>batch-get-secret-value," +
		">ssm>get-parameter>--with-decryption,>ssm>get-parameters>--with-decryption," +
		">ssm>get-parameters-by-path>--with-decryption,>ssm>get-parameter-history>--with-decryption,>kms>decrypt," +
		">sts>get-session-token,>sts>assume-role,>configure>export-credentials,>configure>get>aws_secret_access_key," +
		">configure>get>aws_session_token,>ec2>get-password-data,>redshift>get-cluster-credentials," +
		">cognito-idp>describe-user-pool-client,>apigateway>get-api-key>--include-value," +
		">apigateway>get-api-keys>--include-values,>apigateway>get-api-keys>--include-value,>appsync>list-api-keys," +
		">lightsail>get-instance-access-details,>gamelift>get-instance-access,>ecr>get-login-password," +
		">ecr-public>get-login-password,>ecr>get-authorization-token,>codeartifact>get-authorization-token," +
		">rds>generate-db-auth-token,>eks>get-token,>sts>get-federation-token,>cognito-identity>get-credentials-for-identity," +
		">sso>get-role-credentials " +
		"changes-secrets?>secretsmanager>put-secret-value,>secretsmanager>create-secret,>secretsmanager>update-secret," +
		">secretsmanager>update-secret-version-stage,>secretsmanager>rotate-secret,>secretsmanager>restore-secret," +
		">secretsmanager>put-resource-policy,>ssm>put-parameter,>iam>create-access-key,>iam>update-access-key," +
		">iam>create-login-profile,>iam>update-login-profile,>configure>set clouds=aws",
		Variables: "AWS_PROFILE AWS_DEFAULT_PROFILE AWS_REGION AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT AWS_PAGER= " +
			"PAGER! AWS_PAGER!",
		asking: asking{Service: amazonService, Network: "*", Away: true}, Operands: "data*",
		Options: cloudOptions + " human-readable summarize follow", Verbs: []*Program{
			{Names: "s3 cp", copying: copying{Into: true}, Operands: "read write*",
				Options: s3Options}, {Names: "s3 mv",
				copying: copying{Into: true}, Operands: "move write*", Options: s3Options},
			{Names: "s3 sync", listing: listing{Recursive: true}, Operands: "read write*",
				Options: s3Options + " delete exact-timestamps size-only",
				copying: copying{Mirrors: "delete", MirrorsNot: "dryrun"}},
			{Names: "s3api get-object,s3api get-object-torrent,lambda invoke,glacier get-job-output",
				Operands: "write*",
				Options: "bucket= key= range= version-id= if-match= if-none-match= part-number= checksum-mode= " +
					"expected-bucket-owner= request-payer= function-name= payload= cli-binary-format= " +
					"invocation-type= log-type= qualifier= client-context= account-id= vault-name= job-id="},
		}},
	{Names: "gcloud", Kinds: "downloads?cp,cat copies=url " +
		"copies-away?>storage>cp,>storage>mv,>storage>rsync,>compute>scp,>alpha>storage>cp " +
		"unforges?>source>repos>delete " +
		"runs-elsewhere?>compute>ssh,>beta>compute>ssh,>alpha>compute>ssh,>cloud-shell>ssh,>app>instances>ssh," +
		">workstations>ssh " +
		"changes-names?>dns>record-sets>transaction>execute,>dns>record-sets>delete,>dns>record-sets>update," +
		">dns>managed-zones>delete " +
		"prints-secrets?>secrets>versions>access,>beta>secrets>versions>access,>alpha>secrets>versions>access," +
		">auth>print-access-token,>auth>print-identity-token,>auth>print-refresh-token," +
		">auth>application-default>print-access-token,>iam>service-accounts>keys>create,>kms>decrypt " +
		"changes-secrets?>secrets>create,>secrets>update,>secrets>versions>add,>secrets>versions>disable," +
		">secrets>versions>enable,>secrets>add-iam-policy-binding,>secrets>set-iam-policy,>beta>secrets>create," +
		">beta>secrets>versions>add deploys?deploy&app,functions,run clouds=google",
		asking: asking{Network: "*", Away: true}, Operands: "data*",
		Options: cloudOptions, Verbs: []*Program{
			{Names: "storage cp", copying: copying{Into: true}, Operands: "read* write",
				Options: gsOptions}, {Names: "storage mv", copying: copying{Into: true},
				Operands: "move* write", Options: gsOptions},
			{Names: "storage rsync", listing: listing{Recursive: true}, Operands: "read write",
				Options: gsOptions + " delete-unmatched-destination-objects checksums-only",
				copying: copying{Mirrors: "delete-unmatched-destination-objects", MirrorsNot: "dry-run"}},
		}},
	{Names: "az", Kinds: "copies=any " +
		"uploads?>storage>blob>upload,>storage>blob>upload-batch,>storage>blob>sync,>storage>file>upload," +
		">storage>file>upload-batch,>storage>copy unforges?>repos>delete,>pipelines>delete " +
		"runs-elsewhere?>vm>run-command,>vmss>run-command,>aks>command,>container>exec,>ssh>vm,>webapp>ssh," +
		">containerapp>exec changes-names?>network>dns>zone>delete,>network>dns>record-set " +
		"prints-secrets?>keyvault>secret>show,>keyvault>secret>download,>keyvault>secret>backup," +
		">keyvault>certificate>download,>account>get-access-token,>storage>account>keys>list," +
		">storage>account>show-connection-string,>cosmosdb>keys>list,>redis>list-keys,>acr>credential>show," +
		">ad>sp>create-for-rbac " +
		"changes-secrets?>keyvault>secret>set,>keyvault>secret>set-attributes,>keyvault>secret>restore,>keyvault>set-policy," +
		">keyvault>delete-policy,>keyvault>key>create,>keyvault>key>import,>keyvault>certificate>import," +
		">keyvault>certificate>create deploys?>webapp>deploy,>webapp>up,>functionapp>deploy,>containerapp>up " +
		"clouds=azure",
		Secrets: "login/p", asking: asking{Network: "*"}, Operands: "data*", Options: cloudOptions, Verbs: []*Program{
			{Names: "storage blob download,storage file download,storage fs file download", Operands: "data*",
				Options: azOptions + "f,file,dest,destination,d=write"},
			{Names: "storage blob download-batch,storage file download-batch,storage fs directory download",
				Operands: "data*",
				Options:  azOptions + "d,destination,destination-path=write s,source= pattern="},
			{Names: "storage blob upload,storage file upload,storage fs file upload", Operands: "data*",
				Options: azOptions + "f,file,source,s=read"},
		}},
	{Names: "gsutil", Kinds: "stores downloads?cp,cat copies=url takes?-,rcat,pipe copies-away?>cp,>mv,>rsync " +
		"clouds=google deletes-cloud?>rm,>rb " +
		"deletes-cloud?rsync&-d,-rd,-dr", asking: asking{Network: "*", Away: true}, Options: "D DD h= i= m o= q u=",
		Subs: []*Program{
			{Names: "cp", copying: copying{Into: true}, Operands: "read* write", Options: gsutilOptions}, {Names: "mv",
				copying: copying{Into: true}, Operands: "move* write", Options: gsutilOptions},
			{Names: "rsync", listing: listing{Recursive: true}, Operands: "read write", Options: gsutilOptions + " d x= y=",
				copying: copying{Mirrors: "d", MirrorsNot: "n"}},
		}},
	{Names: "azcopy", Kinds: "copies-away?>copy,>cp,>sync deletes-cloud?>remove,>rm,>sync>--delete-destination " +
		"deletes-by-verb",
		asking: asking{Network: "*", Away: true}, Subs: []*Program{
			{Names: "copy cp c", copying: copying{Into: true}, Operands: "read write",
				Options: azcopyOptions}, {Names: "sync s", listing: listing{Recursive: true},
				Operands: "read write", Options: azcopyOptions + " delete-destination? mirror-mode?",
				copying: copying{Mirrors: "delete-destination", MirrorsNot: "dry-run"}},
		}},
	{Names: "mc mcli", Kinds: "mc:takes?-,rcat,pipe mc:aliased copies-away?>cp,>mv,>sync,>mirror,>put,>pipe " +
		"deletes-cloud?>rb,>rm,>mirror>--remove,>admin>service deletes-by-verb",
		Same: "mcli", asking: asking{Network: "*", Away: true},
		Options: help + "json debug insecure q,quiet no-color C,config-dir=", Subs: []*Program{
			{Names: "cp", copying: copying{Into: true}, Operands: "read* write", Options: mcOptions}, {Names: "mv",
				copying: copying{Into: true}, Operands: "move* write",
				Options: mcOptions}, {Names: "get", copying: copying{Into: true}, Operands: "read write",
				Options: mcOptions},
			{Names: "mirror", listing: listing{Recursive: true}, Operands: "read write",
				Options: mcOptions + " remove overwrite w,watch exclude= fake dry-run",
				copying: copying{Mirrors: "remove", MirrorsNot: "fake dry-run"}},
		}},
	{Names: "s3cmd", Kinds: "uploads?>put copies-away?>sync deletes-cloud?>del,>rb,>rm deletes-by-verb",
		asking:  asking{Network: "*", Away: true},
		Options: s3cmdOptions, Subs: []*Program{
			{Names: "get", copying: copying{Into: true}, Operands: "read write*"}, {Names: "put",
				Operands: "read* data"}, {Names: "sync", listing: listing{Recursive: true},
				Operands: "read* write", copying: copying{Mirrors: "delete-removed", MirrorsNot: "n dry-run"}},
		}},
	{Names: "s5cmd", Kinds: "takes?-,rcat,pipe copies-away?>cp,>mv,>sync,>mirror,>put,>pipe " +
		"deletes-cloud?>rm,>rb,>sync>--delete deletes-by-verb",
		asking: asking{Network: "*", Away: true},
		Options: "help~ version~ dry-run endpoint-url=host json log= no-sign-request no-verify-ssl numworkers= " +
			"profile= credentials-file=read r,retry-count= stat",
		Subs: []*Program{
			{Names: "cp", copying: copying{Into: true}, Operands: "read write", Options: s5cmdOptions}, {Names: "mv",
				copying: copying{Into: true}, Operands: "move write",
				Options: s5cmdOptions}, {Names: "sync", listing: listing{Recursive: true}, Operands: "read write",
				Options: s5cmdOptions + " delete size-only exit-on-error",
				copying: copying{Mirrors: "delete", MirrorsNot: "dry-run"}},
		}},

	// Backups.
	{Names: "restic", Kinds: "config=rclone.program,sftp.command " +
		"deletes-backups?>forget,>prune,>key>remove,>repair,>rewrite>--forget&!>-n",
		Variables:  "RESTIC_PASSWORD_COMMAND!",
		listing:    listing{Recursive: true},
		commanding: commanding{Behind: "--stdin-from-command --,--stdin-from-command"},
		Options: help + "h~ r,repo= repository-file=read p,password-file=read password-command=text json q,quiet " +
			"v,verbose? o,option=config cache-dir=write no-cache no-lock cacert=read tls-client-cert=read " +
			"limit-upload= limit-download= cleanup-cache retry-lock= compression= pack-size= key-hint= " +
			"no-extra-verify insecure-no-password insecure-tls",
		Subs: []*Program{
			{Names: "restore", Operands: "data*",
				filling: filling{Fills: "t target", FillsIf: "t target", FillsNot: "dry-run"},
				Options: "t,target=write i,include= iinclude= e,exclude= iexclude= include-file=read " +
					"exclude-file=read delete dry-run H,host= path= tag= overwrite= verify sparse",
				copying: copying{Mirrors: "delete", MirrorsNot: "dry-run"}},
			{Names: "dump", Operands: "data*", Options: "t,target=write a,archive= H,host= path= tag="},
			{Names: "backup", Operands: "read*",
				Options: "n,dry-run e,exclude= iexclude= exclude-file=read files-from=read exclude-caches " +
					"exclude-if-present= exclude-larger-than= f,force g,group-by= H,host= x,one-file-system parent= " +
					"stdin stdin-filename= tag= time= with-atime ignore-inode ignore-ctime skip-if-unchanged " +
					"read-concurrency="},
		}},
	{Names: "borg", Kinds: "deletes-backups?>delete,>prune,>compact,>recreate&!>-n",
		Variables: "BORG_RSH! BORG_PASSCOMMAND!",
		listing:   listing{Recursive: true},
		commanding: commanding{Behind: "--content-from-command * --,--paths-from-command * --,--content-from-command " +
			"*,--paths-from-command *"},
		Options: help + "h~ critical error warning info v,verbose debug p,progress log-json lock-wait= show-rc " +
			"umask= remote-path= remote-ratelimit= upload-ratelimit= rsh=text r,repo= consider-part-files " +
			"debug-profile=write",
		Subs: []*Program{
			{Names: "extract x", Operands: "data*", filling: filling{Fills: ".", FillsNot: "n dry-run stdout"},
				Options: "list n,dry-run numeric-ids noacls noxattrs noflags stdout sparse continue e,exclude= " +
					"exclude-from=read pattern= patterns-from=read strip-components="},
			{Names: "create", Operands: "data read*",
				Options: "n,dry-run s,stats list filter= json stdin-name= e,exclude= exclude-from=read pattern= " +
					"patterns-from=read exclude-caches exclude-if-present= x,one-file-system comment= timestamp= " +
					"C,compression= c,checkpoint-interval= chunker-params= files-cache= numeric-ids noatime noctime"},
			{Names: "export-tar", Operands: "data write",
				Options: "tar-filter=text list e,exclude= strip-components= tar-format="},
		}},
	{Names: "pax", Kinds: "names", listing: listing{Recursive: true}, Operands: "read*",
		filling: filling{Fills: ".", FillsIf: "r", FillsNot: "w"},
		copying: copying{Inward: ".", InwardNot: "w"},
		Options: "help~ version~ a b= B= c d E= f=write H i k l L n o= O P p= r*data s= t T= u v w*read x= X z Z D Y " +
			"j"},
	{Names: "kopia",
		Kinds: "deletes-backups?>snapshot>delete,>snapshots>delete,>snap>delete,>blob>delete,>content>delete," +
			">snapshot>expire>--delete", listing: listing{Recursive: true},
		Options: "help~ version~ config-file=read log-dir=write password= progress log-level=", Subs: []*Program{
			{Names: "restore", Operands: "data write", Options: kopiaOptions},
			{Names: "snapshot snap", Subs: []*Program{{Names: "restore", Operands: "data write", Options: kopiaOptions},
				{Names: "create", Operands: "read*", Options: "all description= tags= parallel="}}},
		}},
	{Names: "duplicity",
		Kinds: "deletes-backups?>remove-older-than>--force,>remove-all-but-n-full>--force,>remove-all-inc-of-but-n-full>--force," +
			">cleanup>--force,>purge>--force", asking: asking{Away: true}, listing: listing{Recursive: true},
		Operands: "read write",
		Options: help + "force v,verbosity= encrypt-key= sign-key= encrypt-sign-key= no-encryption " +
			"full-if-older-than= include= exclude= include-filelist=read exclude-filelist=read archive-dir= name= " +
			"tempdir= volsize= t,time,restore-time= file-to-restore,path-to-restore,r= dry-run progress ssh-options= " +
			"s3-endpoint-url= s3-region-name= allow-source-mismatch log-file=write gpg-options= num-retries=",
		Verbs: []*Program{
			{Names: "restore,full,incremental,incr,inc,backup", Operands: "read write"},
			{Names: "verify,collection-status,list-current-files,cleanup,remove-older-than,remove-all-but-n-full,remove-all-inc-of-but-n-full",
				Operands: "data*"},
		}},
	{Names: "rdiff-backup", Kinds: "deletes-backups?>--remove-older-than,>remove", asking: asking{Away: true},
		listing:  listing{Recursive: true},
		Operands: "read* write",
		Options: help + "v,verbosity= force r,restore-as-of,at= include= exclude= b,backup-mode l,list-increments " +
			"list-at-time= remove-older-than= print-statistics no-eas no-acls preserve-numerical-ids " +
			"remote-schema=text tempdir= parsable-output api-version=",
		Verbs: []*Program{
			{Names: "backup,restore",
				Operands: "read* write"}, {Names: "list,info,verify,compare,regress,remove,calculate,test",
				Operands: "data*"},
		}},
}

// Options of the tools above.
const (
	cloudOptions = "help~ version~ color= ca-bundle=read cli-read-timeout= cli-connect-timeout= cli-binary-format= " +
		"no-sign-request no-verify-ssl debug cli-auto-prompt account= configuration= verbosity= " +
		"impersonate-service-account= billing-project= access-token-file=read flags-file=read only-show-errors " +
		"verbose profile= region= output= query= endpoint-url=host no-cli-pager project= q,quiet format= " +
		"subscription= resource-group,g= name= n= y,yes recursive force dryrun no-paginate cli-input-json= filter= " +
		"zone= o="
	s3Options = "acl= storage-class= exclude= include= content-type= content-encoding= content-disposition= " +
		"content-language= cache-control= expires= metadata= metadata-directive= sse= sse-kms-key-id= sse-c= " +
		"sse-c-key= sse-c-copy-source= sse-c-copy-source-key= grants= website-redirect= source-region= " +
		"expected-size= page-size= request-payer= copy-props= checksum-algorithm= checksum-mode= follow-symlinks " +
		"no-follow-symlinks no-guess-mime-type force-glacier-transfer ignore-glacier-warnings only-show-errors " +
		"no-progress no-overwrite"
	gsOptions = "R,r,recursive n,no-clobber c,continue-on-error e,ignore-symlinks P,preserve-posix " +
		"z,gzip-in-flight= Z,gzip-local= s,storage-class= a,canned-acl,predefined-acl= cache-control= content-type= " +
		"content-encoding= content-disposition= custom-metadata= additional-headers= decryption-keys= " +
		"encryption-key= daisy-chain do-not-decompress manifest-path=write print-created-message dry-run x,exclude= " +
		"u,skip-if-dest-has-newer-mtime I,read-paths-from-stdin v"
	azOptions = "c,container-name,container= account-name= account-key= connection-string= sas-token= auth-mode= " +
		"share-name= p,path= overwrite? no-progress snapshot= version-id= lease-id= max-connections= start-range= " +
		"end-range= timeout= t,type= content-type= metadata= tier= "
	gsutilOptions = "A a= c C D e I j= J L=write M n p P r R s= S t U v z= Z"
	azcopyOptions = "help~ recursive? overwrite= from-to= include-pattern= exclude-pattern= include-path= " +
		"exclude-path= include-regex= exclude-regex= put-md5? check-length? cap-mbps= log-level= output-level= " +
		"output-type= blob-type= block-blob-tier= block-size-mb= content-type= metadata= follow-symlinks? " +
		"preserve-smb-permissions? preserve-smb-info? dry-run? s2s-preserve-access-tier? list-of-files=read"
	mcOptions = "r,recursive a,preserve attr= storage-class,sc= older-than= newer-than= rewind= version-id,vid= " +
		"encrypt= encrypt-key= enc-c= enc-s3= enc-kms= tags= md5 disable-multipart continue c limit-upload= " +
		"limit-download= zip legal-hold= retention-mode= retention-duration="
	s3cmdOptions = "help~ h~ version~ c,config=read access_key= secret_key= access_token= n,dry-run e,encrypt " +
		"f,force continue continue-put skip-existing r,recursive check-md5 no-check-md5 P,acl-public acl-private " +
		"acl-grant= acl-revoke= delete-removed no-delete-removed delete-after max-delete= add-destination= exclude= " +
		"exclude-from=read include= include-from=read files-from=read region= host= host-bucket= storage-class= " +
		"m,mime-type= add-header= p,preserve no-preserve H,human-readable-sizes v,verbose d,debug F,follow-symlinks " +
		"cache-file=write q,quiet progress no-progress no-ssl ssl"
	s5cmdOptions = "n,no-clobber s,if-size-differ u,if-source-newer f,flatten no-follow-symlinks storage-class= " +
		"concurrency,c= part-size,p= sse= sse-kms-key-id= acl= cache-control= expires= force-glacier-transfer " +
		"ignore-glacier-warnings source-region= destination-region= exclude= include= raw content-type= " +
		"content-encoding= metadata= show-progress,sp version-id="
	kopiaOptions = "overwrite-directories? overwrite-files? overwrite-symlinks? write-sparse-files? mode= parallel= " +
		"skip-owners skip-permissions skip-times ignore-permission-errors skip-existing snapshot-time= shallow="
)
