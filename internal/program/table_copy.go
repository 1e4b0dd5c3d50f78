package program

// copiers copy between this machine and stores or backups (the tools' own manuals
// and help).
var copiers = []*Program{
	// Stores in the cloud.
	{Names: "aws awslocal", Kinds: "stores downloads?cp,cat aws:copies=url takes?-,rcat,pipe",
		Variables: "AWS_PROFILE AWS_DEFAULT_PROFILE AWS_REGION AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT AWS_PAGER= PAGER! AWS_PAGER!",
		Service:   amazonService, Network: "*", Away: true, Operands: "data*", Options: cloudOptions + " human-readable summarize follow", Verbs: []*Program{
			{Names: "s3 cp", Into: true, Operands: "read write*", Options: s3Options}, {Names: "s3 mv", Into: true, Operands: "move write*", Options: s3Options},
			{Names: "s3 sync", Recursive: true, Operands: "read write*", Options: s3Options + " delete exact-timestamps size-only", copying: copying{Mirrors: "delete", MirrorsNot: "dryrun"}},
			{Names: "s3api get-object,s3api get-object-torrent,lambda invoke,glacier get-job-output", Operands: "write*", Options: "bucket= key= range= version-id= if-match= if-none-match= part-number= checksum-mode= expected-bucket-owner= request-payer= function-name= payload= cli-binary-format= invocation-type= log-type= qualifier= client-context= account-id= vault-name= job-id="},
		}},
	{Names: "gcloud", Kinds: "downloads?cp,cat copies=url", Network: "*", Away: true, Operands: "data*", Options: cloudOptions, Verbs: []*Program{
		{Names: "storage cp", Into: true, Operands: "read* write", Options: gsOptions}, {Names: "storage mv", Into: true, Operands: "move* write", Options: gsOptions},
		{Names: "storage rsync", Recursive: true, Operands: "read write", Options: gsOptions + " delete-unmatched-destination-objects checksums-only", copying: copying{Mirrors: "delete-unmatched-destination-objects", MirrorsNot: "dry-run"}},
	}},
	{Names: "az", Kinds: "copies=any", Secrets: "login/p", Network: "*", Operands: "data*", Options: cloudOptions, Verbs: []*Program{
		{Names: "storage blob download,storage file download,storage fs file download", Operands: "data*", Options: azOptions + "f,file,dest,destination,d=write"},
		{Names: "storage blob download-batch,storage file download-batch,storage fs directory download", Operands: "data*", Options: azOptions + "d,destination,destination-path=write s,source= pattern="},
		{Names: "storage blob upload,storage file upload,storage fs file upload", Operands: "data*", Options: azOptions + "f,file,source,s=read"},
	}},
	{Names: "gsutil", Kinds: "stores downloads?cp,cat copies=url takes?-,rcat,pipe", Network: "*", Away: true, Options: "D DD h= i= m o= q u=", Subs: []*Program{
		{Names: "cp", Into: true, Operands: "read* write", Options: gsutilOptions}, {Names: "mv", Into: true, Operands: "move* write", Options: gsutilOptions},
		{Names: "rsync", Recursive: true, Operands: "read write", Options: gsutilOptions + " d x= y=", copying: copying{Mirrors: "d", MirrorsNot: "n"}},
	}},
	{Names: "azcopy", Network: "*", Away: true, Subs: []*Program{
		{Names: "copy cp c", Into: true, Operands: "read write", Options: azcopyOptions}, {Names: "sync s", Recursive: true, Operands: "read write", Options: azcopyOptions + " delete-destination? mirror-mode?", copying: copying{Mirrors: "delete-destination", MirrorsNot: "dry-run"}},
	}},
	{Names: "mc mcli", Kinds: "mc:takes?-,rcat,pipe mc:aliased",
		Same: "mcli", Network: "*", Away: true, Options: help + "json debug insecure q,quiet no-color C,config-dir=", Subs: []*Program{
			{Names: "cp", Into: true, Operands: "read* write", Options: mcOptions}, {Names: "mv", Into: true, Operands: "move* write", Options: mcOptions}, {Names: "get", Into: true, Operands: "read write", Options: mcOptions},
			{Names: "mirror", Recursive: true, Operands: "read write", Options: mcOptions + " remove overwrite w,watch exclude= fake dry-run", copying: copying{Mirrors: "remove", MirrorsNot: "fake dry-run"}},
		}},
	{Names: "s3cmd", Network: "*", Away: true, Options: s3cmdOptions, Subs: []*Program{
		{Names: "get", Into: true, Operands: "read write*"}, {Names: "put", Operands: "read* data"}, {Names: "sync", Recursive: true, Operands: "read* write", copying: copying{Mirrors: "delete-removed", MirrorsNot: "n dry-run"}},
	}},
	{Names: "s5cmd", Kinds: "takes?-,rcat,pipe", Network: "*", Away: true, Options: "help~ version~ dry-run endpoint-url=host json log= no-sign-request no-verify-ssl numworkers= profile= credentials-file=read r,retry-count= stat", Subs: []*Program{
		{Names: "cp", Into: true, Operands: "read write", Options: s5cmdOptions}, {Names: "mv", Into: true, Operands: "move write", Options: s5cmdOptions}, {Names: "sync", Recursive: true, Operands: "read write", Options: s5cmdOptions + " delete size-only exit-on-error", copying: copying{Mirrors: "delete", MirrorsNot: "dry-run"}},
	}},

	// Backups.
	{Names: "restic", Kinds: "config=rclone.program,sftp.command", Variables: "RESTIC_PASSWORD_COMMAND!",
		Recursive: true, Behind: "--stdin-from-command --,--stdin-from-command", Options: help + "h~ r,repo= repository-file=read p,password-file=read password-command=text json q,quiet v,verbose? o,option=config cache-dir=write no-cache no-lock cacert=read tls-client-cert=read limit-upload= limit-download= cleanup-cache retry-lock= compression= pack-size= key-hint= no-extra-verify insecure-no-password insecure-tls", Subs: []*Program{
			{Names: "restore", Operands: "data*", Fills: "t target", FillsIf: "t target", FillsNot: "dry-run", Options: "t,target=write i,include= iinclude= e,exclude= iexclude= include-file=read exclude-file=read delete dry-run H,host= path= tag= overwrite= verify sparse", copying: copying{Mirrors: "delete", MirrorsNot: "dry-run"}},
			{Names: "dump", Operands: "data*", Options: "t,target=write a,archive= H,host= path= tag="},
			{Names: "backup", Operands: "read*", Options: "n,dry-run e,exclude= iexclude= exclude-file=read files-from=read exclude-caches exclude-if-present= exclude-larger-than= f,force g,group-by= H,host= x,one-file-system parent= stdin stdin-filename= tag= time= with-atime ignore-inode ignore-ctime skip-if-unchanged read-concurrency="},
		}},
	{Names: "borg", Variables: "BORG_RSH! BORG_PASSCOMMAND!",
		Recursive: true, Behind: "--content-from-command * --,--paths-from-command * --,--content-from-command *,--paths-from-command *", Options: help + "h~ critical error warning info v,verbose debug p,progress log-json lock-wait= show-rc umask= remote-path= remote-ratelimit= upload-ratelimit= rsh=text r,repo= consider-part-files debug-profile=write", Subs: []*Program{
			{Names: "extract x", Operands: "data*", Fills: ".", FillsNot: "n dry-run stdout", Options: "list n,dry-run numeric-ids noacls noxattrs noflags stdout sparse continue e,exclude= exclude-from=read pattern= patterns-from=read strip-components="},
			{Names: "create", Operands: "data read*", Options: "n,dry-run s,stats list filter= json stdin-name= e,exclude= exclude-from=read pattern= patterns-from=read exclude-caches exclude-if-present= x,one-file-system comment= timestamp= C,compression= c,checkpoint-interval= chunker-params= files-cache= numeric-ids noatime noctime"},
			{Names: "export-tar", Operands: "data write", Options: "tar-filter=text list e,exclude= strip-components= tar-format="},
		}},
	{Names: "pax", Kinds: "names", Recursive: true, Operands: "read*", Fills: ".", FillsIf: "r", FillsNot: "w", copying: copying{Inward: ".", InwardNot: "w"}, Options: "help~ version~ a b= B= c d E= f=write H i k l L n o= O P p= r*data s= t T= u v w*read x= X z Z D Y j"},
	{Names: "kopia", Recursive: true, Options: "help~ version~ config-file=read log-dir=write password= progress log-level=", Subs: []*Program{
		{Names: "restore", Operands: "data write", Options: kopiaOptions},
		{Names: "snapshot snap", Subs: []*Program{{Names: "restore", Operands: "data write", Options: kopiaOptions}, {Names: "create", Operands: "read*", Options: "all description= tags= parallel="}}},
	}},
	{Names: "duplicity", Away: true, Recursive: true, Operands: "read write", Options: help + "force v,verbosity= encrypt-key= sign-key= encrypt-sign-key= no-encryption full-if-older-than= include= exclude= include-filelist=read exclude-filelist=read archive-dir= name= tempdir= volsize= t,time,restore-time= file-to-restore,path-to-restore,r= dry-run progress ssh-options= s3-endpoint-url= s3-region-name= allow-source-mismatch log-file=write gpg-options= num-retries=", Verbs: []*Program{
		{Names: "restore,full,incremental,incr,inc,backup", Operands: "read write"}, {Names: "verify,collection-status,list-current-files,cleanup,remove-older-than,remove-all-but-n-full,remove-all-inc-of-but-n-full", Operands: "data*"},
	}},
	{Names: "rdiff-backup", Away: true, Recursive: true, Operands: "read* write", Options: help + "v,verbosity= force r,restore-as-of,at= include= exclude= b,backup-mode l,list-increments list-at-time= remove-older-than= print-statistics no-eas no-acls preserve-numerical-ids remote-schema=text tempdir= parsable-output api-version=", Verbs: []*Program{
		{Names: "backup,restore", Operands: "read* write"}, {Names: "list,info,verify,compare,regress,remove,calculate,test", Operands: "data*"},
	}},
}

// Options of the tools above.
const (
	cloudOptions  = "help~ version~ color= ca-bundle=read cli-read-timeout= cli-connect-timeout= cli-binary-format= no-sign-request no-verify-ssl debug cli-auto-prompt account= configuration= verbosity= impersonate-service-account= billing-project= access-token-file=read flags-file=read only-show-errors verbose profile= region= output= query= endpoint-url=host no-cli-pager project= q,quiet format= subscription= resource-group,g= name= n= y,yes recursive force dryrun no-paginate cli-input-json= filter= zone= o="
	s3Options     = "acl= storage-class= exclude= include= content-type= content-encoding= content-disposition= content-language= cache-control= expires= metadata= metadata-directive= sse= sse-kms-key-id= sse-c= sse-c-key= sse-c-copy-source= sse-c-copy-source-key= grants= website-redirect= source-region= expected-size= page-size= request-payer= copy-props= checksum-algorithm= checksum-mode= follow-symlinks no-follow-symlinks no-guess-mime-type force-glacier-transfer ignore-glacier-warnings only-show-errors no-progress no-overwrite"
	gsOptions     = "R,r,recursive n,no-clobber c,continue-on-error e,ignore-symlinks P,preserve-posix z,gzip-in-flight= Z,gzip-local= s,storage-class= a,canned-acl,predefined-acl= cache-control= content-type= content-encoding= content-disposition= custom-metadata= additional-headers= decryption-keys= encryption-key= daisy-chain do-not-decompress manifest-path=write print-created-message dry-run x,exclude= u,skip-if-dest-has-newer-mtime I,read-paths-from-stdin v"
	azOptions     = "c,container-name,container= account-name= account-key= connection-string= sas-token= auth-mode= share-name= p,path= overwrite? no-progress snapshot= version-id= lease-id= max-connections= start-range= end-range= timeout= t,type= content-type= metadata= tier= "
	gsutilOptions = "A a= c C D e I j= J L=write M n p P r R s= S t U v z= Z"
	azcopyOptions = "help~ recursive? overwrite= from-to= include-pattern= exclude-pattern= include-path= exclude-path= include-regex= exclude-regex= put-md5? check-length? cap-mbps= log-level= output-level= output-type= blob-type= block-blob-tier= block-size-mb= content-type= metadata= follow-symlinks? preserve-smb-permissions? preserve-smb-info? dry-run? s2s-preserve-access-tier? list-of-files=read"
	mcOptions     = "r,recursive a,preserve attr= storage-class,sc= older-than= newer-than= rewind= version-id,vid= encrypt= encrypt-key= enc-c= enc-s3= enc-kms= tags= md5 disable-multipart continue c limit-upload= limit-download= zip legal-hold= retention-mode= retention-duration="
	s3cmdOptions  = "help~ h~ version~ c,config=read access_key= secret_key= access_token= n,dry-run e,encrypt f,force continue continue-put skip-existing r,recursive check-md5 no-check-md5 P,acl-public acl-private acl-grant= acl-revoke= delete-removed no-delete-removed delete-after max-delete= add-destination= exclude= exclude-from=read include= include-from=read files-from=read region= host= host-bucket= storage-class= m,mime-type= add-header= p,preserve no-preserve H,human-readable-sizes v,verbose d,debug F,follow-symlinks cache-file=write q,quiet progress no-progress no-ssl ssl"
	s5cmdOptions  = "n,no-clobber s,if-size-differ u,if-source-newer f,flatten no-follow-symlinks storage-class= concurrency,c= part-size,p= sse= sse-kms-key-id= acl= cache-control= expires= force-glacier-transfer ignore-glacier-warnings source-region= destination-region= exclude= include= raw content-type= content-encoding= metadata= show-progress,sp version-id="
	kopiaOptions  = "overwrite-directories? overwrite-files? overwrite-symlinks? write-sparse-files? mode= parallel= skip-owners skip-permissions skip-times ignore-permission-errors skip-existing snapshot-time= shallow="
)
