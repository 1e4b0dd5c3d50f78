package program

// Options that several programs have.
const (
	goWork = "C=in n v x a race msan asan p= tags= mod=mod|readonly|vendor ldflags= gcflags= asmflags= trimpath " +
		"buildvcs= buildmode= cover " +
		"covermode= coverpkg= work json compiler=gc pgo=in modcacherw installsuffix= "
	cargoWork = "p,package= workspace all exclude= lib bin=target bins example=target examples test= tests bench= " +
		"benches all-targets F,features= " +
		"all-features no-default-features r,release profile= target= target-dir=out j,jobs= message-format= color= " +
		"q,quiet v,verbose vv locked offline " +
		"frozen keep-going ignore-rust-version timings? manifest-path=in no-fail-fast no-run doc "
	nodeTest  = "c,config=in w,watch? u,update? t,testNamePattern= coverage? bail? silent? passWithNoTests "
	gradleish = "h,help v,version q,quiet w,warn i,info d,debug s,stacktrace S,full-stacktrace console= a,no-rebuild " +
		"m,dry-run offline parallel " +
		"build-cache configuration-cache configure-on-demand continue daemon foreground stop status rerun-tasks " +
		"rerun refresh-dependencies max-workers= " +
		"priority= x,exclude-task= tests= t,continuous " +
		"P=word -Dtest.single? -Dorg.gradle.daemon?true|false -Dorg.gradle.parallel?true|false " +
		"-Dorg.gradle.caching?true|false " +
		"-Dorg.gradle.console?plain|auto|rich|verbose -Dspring.profiles.active?word -Dfile.encoding?word " +
		"-Duser.timezone? p,project-dir=in b," +
		"build-file=in c,settings-file=in warning-mode= watch-fs no-watch-fs profile configuration= dependency= all " +
		"fail-fast test-kit args= debug-jvm " +
		"include-tests task= write-locks "
)

// works are the rows of [Work], by the programs' own manuals and help.
var works = []*Work{
	// Go.
	{Names: "go", Single: true, Verbs: "build", Options: goWork + "o=out"},
	{Names: "go", Single: true, Ends: true, Verbs: "run", Options: goWork},
	{Names: "go", Single: true, Verbs: "test",
		Options: goWork + "o=out c i run= skip= bench= benchmem benchtime= count= short timeout= failfast " +
			"parallel= cpu= list= fuzz= fuzztime= fuzzminimizetime= shuffle= fullpath vet= coverprofile=out " +
			"cpuprofile=out memprofile=out memprofilerate= " +
			"blockprofile=out blockprofilerate= mutexprofile=out mutexprofilefraction= trace=out outputdir=fill args " +
			"update"},
	{Names: "go", Single: true, Verbs: "vet,generate,fmt",
		Options: goWork + "run= skip= c= composites assign atomic bools buildtag copylocks errorsas " +
			"httpresponse loopclosure lostcancel nilfunc printf printfuncs= shadow shift stdmethods structtag tests " +
			"unmarshal unreachable unsafeptr " +
			"unusedresult all"},
	{Names: "go", Single: true, Verbs: "tool cover",
		Options: "func=in html=in o=out mode=set|count|atomic var= pkgcfg=in"},
	{Names: "go", Single: true, Verbs: "tool pprof",
		Options: "top text tree raw list= peek= lines functions files nodecount= cum flat sample_index= " +
			"alloc_space alloc_objects inuse_space inuse_objects focus= ignore= show= hide= unit= seconds= granularity= " +
			"base=in diff_base=in http=local svg " +
			"png pdf dot output=out"},
	{Names: "go", Single: true,
		Verbs: "tool trace,tool nm,tool objdump,tool vet,tool fix,tool buildid,tool test2json,tool " +
			"addr2line", Options: "s= S gnu n size sort= type p= t d=footprint|gc|parsed|wire"},
	{Names: "gofmt goimports", Single: true, Options: "l w d s e r= local= srcdir=in v format-only cpuprofile=out"},
	{Names: "gotestsum", Rest: "go test", Others: "tool",
		Options: "f,format= format-hide-empty-pkg format-icons= debug hide-summary= jsonfile=out " +
			"jsonfile-timing-events=out junitfile=out junitfile-testsuite-name= junitfile-testcase-classname= " +
			"junitfile-project-name= " +
			"junitfile-hide-empty-pkg max-fails= no-color no-summary= packages= rerun-fails? rerun-fails-max-failures= " +
			"rerun-fails-run-root-test " +
			"rerun-fails-report=out watch watch-chdir version"},
	{Names: "staticcheck", Single: true,
		Options: "checks= fail= f=text|stylish|json|sarif|null|binary explain= go= show-ignored tests tags= matrix " +
			"merge debug.version version"},
	{Names: "golangci-lint", Verbs: "run,fmt,linters",
		Options: "c,config=in no-config fix v,verbose E,enable= D,disable= enable-only= enable-all " +
			"disable-all p,presets= timeout= out-format=pairs new n new-from-rev= new-from-merge-base= new-from-patch=in " +
			"whole-files build-tags= j," +
			"concurrency= tests fast fast-only max-issues-per-linter= max-same-issues= allow-parallel-runners " +
			"allow-serial-runners issues-exit-code= " +
			"exclude= exclude-use-default " +
			"exclude-dirs= exclude-files= skip-dirs= skip-files= skip-dirs-use-default print-issued-lines " +
			"print-linter-name print-resources-usage " +
			"sort-results sort-order= path-prefix= path-mode= uniq-by-line color= modules-download-mode=readonly|vendor " +
			"go= show-stats default= diff " +
			"diff-colored d stdin output.text.colors output.text.print-issued-lines"},

	// Rust.
	{Names: "cargo", Rest: "*", Verbs: "build,test,check,clippy,bench,doc,b,t,c",
		Options: cargoWork + "no-deps document-private-items fix allow-dirty " +
			"allow-staged allow-no-vcs future-incompat-report broken-code"},
	{Names: "cargo", Verbs: "run,r", Ends: true, Options: cargoWork},
	{Names: "cargo", Verbs: "fmt",
		Options: "all check p,package= manifest-path=in message-format= q,quiet v,verbose edition= config=word l " +
			"files-with-diff"},
	{Names: "cargo", Rest: "*", Verbs: "nextest run,nextest list",
		Options: cargoWork + "E,filter-expr,filterset= no-capture nocapture retries= " +
			"fail-fast ff " +
			"max-fail= test-threads= run-ignored= partition= status-level= final-status-level= failure-output= " +
			"success-output= P= cargo-profile= " +
			"T= no-tests= hide-progress-bar show-progress= i,ignore-default-filter cargo-quiet cargo-verbose build-jobs= " +
			"list-type= no-input-handler no-output-indent rerun= stress-count= max-progress-running="},
	{Names: "cargo", Rest: "*",
		Verbs: "insta test,insta accept,insta reject,insta review,insta pending-snapshots,insta " +
			"show", Options: cargoWork + "accept accept-unseen review keep-pending force-update-snapshots include-hidden " +
			"include-ignored check " +
			"unreferenced=ignore|warn|reject|auto test-runner=auto|cargo-test|nextest as-json snapshot= e,extensions= " +
			"workspace-root=in fail-fast " +
			"no-force-pass Q glob-filter= require-full-match disable-nextest-doctest dnd"},

	// JavaScript.
	{Names: "npm", Rest: "*", Verbs: "test,t,tst,start,build,lint,typecheck,dev,turbo", Options: npmWork},
	{Names: "npm", Rest: "*", Verbs: "run,run-script,rum,urn", Targets: 1, Options: npmWork},
	{Names: "npm", Verbs: "ci,clean-install",
		Options: "s,silent q,quiet d,verbose loglevel= w,workspace=in workspaces ws include-workspace-root " +
			"if-present prefix=in ignore-scripts omit=dev|optional|peer include=dev|optional|peer production " +
			"legacy-peer-deps progress color audit fund " +
			"offline foreground-scripts install-links dry-run only=prod|production|dev cache=fill no-optional"},
	{Names: "pnpm", Starts: "*", Verbs: "test,t,tst,start", Ends: true, Script: true, Options: pnpmWork},
	{Names: "pnpm", Starts: "*", Verbs: "run", Ends: true, Targets: 1, Options: pnpmWork},
	{Names: "pnpm", Starts: "*", Others: pnpmCommands, Ends: true, Targets: 1, Options: pnpmWork},
	{Names: "pnpm", Verbs: "ci,install",
		Options: pnpmWork + "frozen-lockfile offline ignore-scripts D,dev P,prod production no-optional " +
			"shamefully-hoist strict-peer-dependencies lockfile-only"},
	{Names: "yarn", Starts: "*", Verbs: "test,t,tst,start", Ends: true, Script: true, Options: yarnWork},
	{Names: "yarn", Starts: "*", Verbs: "run", Ends: true, Targets: 1, Options: yarnWork},
	{Names: "yarn", Starts: "*", Others: yarnCommands, Ends: true, Targets: 1, Options: yarnWork},
	{Names: "yarn", Verbs: "ci,install",
		Options: yarnWork + "frozen-lockfile immutable immutable-cache check-cache offline ignore-scripts " +
			"ignore-platform ignore-optional production prod network-timeout= inline-builds pure-lockfile check-files " +
			"network-concurrency="},
	{Names: "tsc", Options: "p,project=in b,build noEmit noEmitOnError w,watch pretty? v,version,verbose h,help all " +
		"showConfig listFiles listFilesOnly " +
		"listEmittedFiles explainFiles traceResolution diagnostics extendedDiagnostics d,dry f,force clean " +
		"incremental composite skipLibCheck " +
		"skipDefaultLibCheck strict strictNullChecks strictFunctionTypes strictBindCallApply " +
		"strictPropertyInitialization noImplicitAny noImplicitThis " +
		"noImplicitReturns noImplicitOverride noUnusedLocals noUnusedParameters noFallthroughCasesInSwitch " +
		"noUncheckedIndexedAccess " +
		"exactOptionalPropertyTypes alwaysStrict useUnknownInCatchVariables " +
		"t,target= m,module= moduleResolution= lib= jsx= jsxImportSource= esModuleInterop " +
		"allowSyntheticDefaultImports allowJs checkJs isolatedModules " +
		"resolveJsonModule declaration declarationMap emitDeclarationOnly sourceMap inlineSourceMap inlineSources " +
		"removeComments downlevelIteration " +
		"experimentalDecorators emitDecoratorMetadata importHelpers preserveWatchOutput stopBuildOnErrors types= " +
		"typeRoots=in baseUrl=in rootDir=in " +
		"outDir=fill declarationDir=fill outFile=out tsBuildInfoFile=out verbatimModuleSyntax " +
		"allowImportingTsExtensions customConditions= " +
		"preserveSymlinks forceConsistentCasingInFileNames maxNodeModuleJsDepth= ignoreConfig"},
	{Names: "vue-tsc", Options: "p,project=in b,build noEmit w,watch pretty? skipLibCheck f,force"},
	{Names: "eslint", Options: "ext= fix fix-dry-run fix-type= max-warnings= quiet c,config=in no-config-lookup " +
		"no-eslintrc eslintrc env= global= rule= " +
		"f,format=word o,output-file=out cache cache-file=out cache-location=out cache-strategy= color no-color " +
		"no-inline-config " +
		"report-unused-disable-directives report-unused-disable-directives-severity= report-unused-inline-configs= " +
		"ignore ignore-path=in " +
		"ignore-pattern= error-on-unmatched-pattern exit-on-fatal-error debug h,help v,version env-info " +
		"print-config=in stdin stdin-filename= " +
		"pass-on-unpruned-suppressions warn-ignored no-warn-ignored stats concurrency= parser-options= suppress-all " +
		"suppress-rule= prune-suppressions " +
		"pass-on-no-patterns"},
	{Names: "prettier", Options: "c,check w,write l,list-different u,ignore-unknown config=in no-config " +
		"config-precedence= find-config-path= " +
		"ignore-path=in editorconfig with-node-modules log-level,loglevel= cache cache-location=out cache-strategy= " +
		"color no-color " +
		"error-on-unmatched-pattern no-error-on-unmatched-pattern stdin-filepath= stdin-file-path= parser=word " +
		"print-width= tab-width= use-tabs semi " +
		"single-quote jsx-single-quote quote-props= trailing-comma= bracket-spacing bracket-same-line object-wrap= " +
		"arrow-parens= prose-wrap= " +
		"end-of-line= html-whitespace-sensitivity= vue-indent-script-and-style embedded-language-formatting= " +
		"single-attribute-per-line " +
		"experimental-ternaries experimental-operator-position= require-pragma insert-pragma check-ignore-pragma " +
		"debug-check file-info= support-info v," +
		"version h,help range-start= range-end="},
	{Names: "vitest", Verbs: "run,watch,dev,related,bench,list", Options: vitestWork},
	{Names: "vitest", Others: "init typecheck complete", Options: vitestWork},
	{Names: "jest", Options: nodeTest + "watchAll? ci i,runInBand verbose maxWorkers= maxConcurrency= b " +
		"detectOpenHandles forceExit f,onlyFailures o," +
		"onlyChanged lastCommit changedSince= changedFilesWithAncestor findRelatedTests " +
		"testPathPattern,testPathPatterns= testPathIgnorePatterns= " +
		"testMatch= testRegex= runTestsByPath listTests showConfig updateSnapshot json outputFile=out " +
		"coverageDirectory=fill collectCoverage " +
		"collectCoverageFrom= coveragePathIgnorePatterns= coverageReporters=word coverageProvider=babel|v8 " +
		"coverageThreshold= reporters=word rootDir=in " +
		"roots=in " +
		"selectProjects= ignoreProjects= projects=in shard= testTimeout= randomize seed= showSeed cache clearCache " +
		"clearMocks resetMocks resetModules " +
		"restoreMocks logHeapUsage noStackTrace notify notifyMode= color colors no-color openHandlesTimeout= " +
		"errorOnDeprecated expand e debug " +
		"automock env=jsdom|node testEnvironment=jsdom|node workerIdleMemoryLimit= modulePathIgnorePatterns= noCache " +
		"useStderr testLocationInResults waitForUnhandledRejections h,help"},
	{Names: "mocha", Others: "init",
		Options: "t,timeout= s,slow= g,grep= f,fgrep= i,invert b,bail exit R,reporter=word O,reporter-option," +
			"reporter-options= c,color,colors C,no-color,no-colors p,parallel j,jobs= retries= recursive w,watch " +
			"watch-files= watch-ignore= check-leaves " +
			"check-leaks A,async-only full-trace diff inline-diffs forbid-only forbid-pending spec= ignore,exclude= " +
			"extension= sort S delay fail-zero " +
			"list-interfaces list-reporters dry-run config=in no-config package=in no-package opts=in " +
			"u,ui=bdd|tdd|qunit|exports pass-on-failing-test-suite " +
			"V,version h,help enable-source-maps unhandled-rejections="},
	{Names: "vite", Verbs: "build,dev,serve,preview", Options: viteWork},
	{Names: "vite", Others: "optimize", Options: viteWork},
	{Names: "next", Verbs: "build,dev,start,lint,info,typegen",
		Options: "p,port= H,hostname= turbo turbopack webpack d,debug profile no-lint " +
			"no-mangling experimental-app-only experimental-build-mode= keepAliveTimeout= dir=in file= fix c,config=in " +
			"ext= quiet max-warnings= f," +
			"format=word strict cache cache-location=out no-cache ignore-path=in " +
			"report-unused-disable-directives-severity= no-inline-config " +
			"error-on-unmatched-pattern verbose inspect"},
	{Names: "webpack", Verbs: "build,bundle,b,watch,w,", Options: webpackWork},
	{Names: "webpack", Others: "serve server s init loader plugin configtest info migrate init-template " +
		"generate-loader generate-plugin help version " +
		"create-webpack-app new add update", Options: webpackWork},
	{Names: "rollup", Options: "c,config?in i,input=in o,file=out d,dir=fill " +
		"f,format=amd|cjs|es|iife|umd|system|esm|commonjs|module n,name= m," +
		"sourcemap? e,external= g,globals= w,watch silent failAfterWarnings bundleConfigAsCjs environment= " +
		"chunkFileNames= entryFileNames= " +
		"assetFileNames= exports= treeshake? strict interop= extend minifyInternalExports compact preserveModules " +
		"preserveModulesRoot=in " +
		"inlineDynamicImports dynamicImportInCjs esModule? banner= footer= intro= outro= amd.id= no-conflict perf " +
		"filterLogs= logLevel= " +
		"watch.clearScreen watch.buildDelay= watch.include= watch.exclude= watch.skipWrite v,version h,help freeze " +
		"generatedCode= sanitizeFileName " +
		"context= validate hoistTransitiveImports forceExit waitForBundleInput"},
	{Names: "esbuild", Options: "bundle minify minify-whitespace minify-identifiers minify-syntax sourcemap? " +
		"sources-content? source-root= platform= " +
		"target= format= outfile=out outdir=fill outbase=in out-extension:.js? out-extension:.css? external:? " +
		"loader:? define:? alias:? pure:? drop:? " +
		"drop-labels= supported:? tsconfig=in watch? metafile=out analyze? splitting tree-shaking? keep-names " +
		"charset= color? log-level= log-limit= " +
		"log-override:? global-name= jsx= jsx-factory= jsx-fragment= jsx-import-source= jsx-dev jsx-side-effects " +
		"main-fields= conditions= " +
		"resolve-extensions= legal-comments= line-limit= chunk-names= entry-names= asset-names= public-path= " +
		"packages=external|bundle preserve-symlinks " +
		"ignore-annotations mangle-props= mangle-quoted reserve-props= banner:? footer:? allow-overwrite " +
		"tsconfig-raw= version help servedir=in serve?"},
	{Names: "biome", Package: "@biomejs/biome", Verbs: "check,lint,format,ci,search,rage,explain,version",
		Options: "write fix unsafe apply " +
			"apply-unsafe changed staged since= config-path=in max-diagnostics= diagnostic-level= colors= verbose " +
			"reporter=word log-level= log-kind= " +
			"use-server error-on-warnings no-errors-on-unmatched skip-errors skip-parse-errors formatter-enabled? " +
			"linter-enabled? assist-enabled? " +
			"organize-imports-enabled? enforce-assist? format-with-errors? only= skip= suppress reason= stdin-file-path= " +
			"vcs-enabled? vcs-root=in " +
			"vcs-use-ignore-file? vcs-default-branch= vcs-client-kind= files-max-size= files-ignore-unknown? " +
			"indent-style= indent-width= line-width= " +
			"line-ending= semicolons= quote-style= jsx-quote-style= arrow-parentheses= trailing-commas= bracket-spacing? " +
			"json-parse-allow-comments? " +
			"daemon-logs formatter linter"},
	{Names: "turbo", Rest: "*", Rehearses: "dry dry-run", Verbs: "run", Targets: -1, Options: turboWork},
	{Names: "turbo", Verbs: "ls,query,info", Options: turboWork},
	{Names: "turbo", Rest: "*", Targets: -1,
		Others: "login logout link unlink gen generate g prune daemon scan telemetry completion config boundaries " +
			"clone docs " +
			"bin watch devtools", Options: turboWork},
	{Names: "nx", Verbs: "run-many,affected,affected:build,affected:test,affected:lint,affected:e2e", Options: nxWork},
	{Names: "nx", Verbs: "graph,show,print-affected,dep-graph,affected:graph,affected:dep-graph,report,list,format:check,format:write,format,sync:check," +
		"workspace-lint,daemon", Options: nxWork + "file=out web affected json sep= with-target= type= focus= plain " +
		"libs-and-apps sort-root-tsconfig-paths view= groupByFolder print"},
	{Names: "nx", Verbs: "run", Targets: 1, Options: nxWork},
	{Names: "nx", Rest: "*", Targets: -1,
		Others: "migrate add init connect connect-to-nx-cloud generate g workspace-generator workspace-schematic " +
			"release import " +
			"reset repair login logout exec configure-ai-agents view-logs fix-ci start-ci-run stop-all-agents record " +
			"sync new create watch mcp register " +
			"start-nx-agents polygraph conformance", Options: nxWork},
	{Names: "cypress", Verbs: "run,open,verify,info,version",
		Options: "s,spec= headless headed b,browser=chrome|chromium|edge|electron|firefox|webkit " +
			"component e2e e,env= c,config= C,config-file=in P,project=in p,port= q,quiet reporter=word " +
			"o,reporter-options= exit tag,t= runner-ui dev detached "},
	{Names: "playwright", Package: "@playwright/test", Verbs: "test",
		Options: "project= reporter=word g,grep= grep-invert,gv= headed debug ui ui-port= " +
			"ui-host= j,workers= retries= x max-failures= timeout= global-timeout= repeat-each= shard= " +
			"u,update-snapshots? update-source-method= trace= " +
			"output=fill list last-failed only-changed? pass-with-no-tests forbid-only fully-parallel quiet c,config=in " +
			"no-deps ignore-snapshots " +
			"fail-on-flaky-tests test-list=in test-list-invert=in tsconfig=in b,browser=all|chromium|firefox|webkit"},
	{Names: "storybook", Verbs: "dev,build",
		Options: "p,port= h,host= ci c,config-dir=in o,output-dir=fill s,static-dir=in quiet no-open " +
			"no-manager-cache no-version-updates no-release-notes smoke-test exact-port initial-path= docs " +
			"webpack-stats-json?fill stats-json?fill test " +
			"loglevel= debug debug-webpack disable-telemetry preview-only force-build-preview open version-updates"},
	{Names: "stylelint", Options: "fix? c,config=in f,formatter=compact|github|json|string|tap|unix|verbose " +
		"o,output-file=out cache cache-location=out " +
		"cache-strategy= q,quiet quiet-deprecation-warnings max-warnings,mw= allow-empty-input aei i,ignore-path=in " +
		"ip,ignore-pattern= color " +
		"no-color report-needless-disables,rd report-invalid-scope-disables,risd report-descriptionless-disables,rdd " +
		"report-unscoped-disables " +
		"ignore-disables,id no-validate validate stdin stdin-filename= print-config version v h,help globby-options= " +
		"disable-default-ignores,di"},
	{Names: "knip", Options: "production p strict s c,config=in t,tsConfig=in W,workspace= directory=in cache " +
		"cache-location=fill include= " +
		"exclude= dependencies exports files reporter=word reporter-options= include-entry-exports include-libs " +
		"isolate-workspaces no-progress,n " +
		"no-exit-code max-issues= max-show-issues= no-config-hints treat-config-hints-as-errors " +
		"treat-tag-hints-as-errors tags= d,debug trace " +
		"trace-file=in trace-export= performance memory watch no-gitignore no-color fix fix-type= format duration " +
		"h,help V,version "},
	{Names: "depcheck", Options: "ignore-bin-package? skip-missing? json oneline ignores= ignore-dirs= " +
		"ignore-path=in ignore-patterns= quiet verbose " +
		"config=in"},
	{Names: "markdownlint",
		Options: "c,config=in f,fix i,ignore= p,ignore-path=in o,output=out q,quiet s,stdin j,json d,dot enable= " +
			"disable= h,help V," +
			"version configPointer="},
	{Names: "markdownlint-cli2", Options: "config=in fix help no-globs format?"},
	{Names: "prisma", Verbs: "validate,generate,format,version",
		Options: "schema=in watch data-proxy accelerate no-engine no-hints allow-no-models sql " +
			"check config=in h,help"},
	{Names: "node", Ends: true,
		Options: "test test-only test-name-pattern= test-skip-pattern= test-reporter=spec|tap|dot|junit|lcov " +
			"test-reporter-destination=out test-concurrency= test-timeout= test-shard= test-force-exit test-isolation= " +
			"test-update-snapshots " +
			"experimental-test-coverage test-coverage-include= test-coverage-exclude= test-coverage-lines= " +
			"test-coverage-branches= test-coverage-functions= " +
			"experimental-test-snapshots experimental-test-module-mocks experimental-test-isolation= watch watch-path=in " +
			"watch-preserve-output c,check " +
			"max-old-space-size= max-semi-space-size= stack-size= expose-gc expose_gc trace-warnings trace-deprecation " +
			"trace-uncaught trace-exit " +
			"trace-sync-io throw-deprecation no-warnings disable-warning= no-deprecation warnings deprecation " +
			"unhandled-rejections= enable-source-maps " +
			"experimental-strip-types experimental-transform-types experimental-vm-modules experimental-modules " +
			"experimental-json-modules " +
			"experimental-fetch experimental-sqlite experimental-websocket experimental-default-type= preserve-symlinks " +
			"preserve-symlinks-main " +
			"stack-trace-limit= pending-deprecation no-experimental-strip-types inspect?127.0.0.1|localhost " +
			"inspect-brk?127.0.0.1|localhost h,help v," +
			"version env-file=in env-file-if-exists=in C,conditions= strip-types input-type=module|commonjs i=off"},
	{Names: "tsx", Ends: true, Verbs: "watch",
		Options: "tsconfig=in no-cache clear-screen ignore= include= no-warnings"},
	{Names: "tsx", Ends: true,
		Options: "tsconfig=in no-cache test enable-source-maps no-warnings trace-warnings v,version h,help"},
	{Names: "ts-node ts-node-esm", Ends: true,
		Options: "T,transpile-only,transpileOnly P,project=in files pretty esm E skip-project,skipProject s," +
			"swc H,compiler-host compilerHost O,compiler-options= type-check,typeCheck v,version h,help " +
			"log-error,logError " +
			"experimentalSpecifierResolution= cwd-mode,cwdMode script-mode prefer-ts-exts"},
	{Names: "bun", Verbs: "test",
		Options: "watch timeout= t,test-name-pattern= u,update-snapshots bail? rerun-each= only todo coverage " +
			"coverage-reporter=text|lcov coverage-dir=fill concurrent max-concurrency= randomize seed= silent smol " +
			"reporter=junit|dots|default " +
			"reporter-outfile=out dots pass-with-no-tests only-failures"},
	{Names: "bun", Starts: "*", Verbs: "run", Ends: true, Targets: 1,
		Options: "silent watch hot smol if-present b,bun F,filter= no-install inspect " +
			"tsconfig-override=in jsx-runtime= no-clear-screen"},
	{Names: "bun", Verbs: "build",
		Options: "outdir=fill outfile=out target= format= minify minify-syntax minify-whitespace minify-identifiers " +
			"sourcemap? splitting watch entry-naming= chunk-naming= asset-naming= root=in public-path= e,external= " +
			"packages=external|bundle production " +
			"env=inline|disable define= d,drop= banner= footer= compile no-bundle emit-dce-annotations keep-names " +
			"css-chunking conditions= app " +
			"bytecode tsconfig-override=in loader="},
	{Names: "deno", Verbs: "test,check,lint,fmt,bench",
		Options: denoWork + "A,allow-all watch? fail-fast? filter= parallel coverage?fill " +
			"junit-path=out reporter=pretty|dot|junit|tap doc doc-only shuffle? trace-leaks permit-no-files ignore= " +
			"check? fix json compact rules " +
			"rules-tags= rules-include= rules-exclude= line-width= indent-width= use-tabs single-quote prose-wrap= " +
			"no-semicolons ext= no-run all trace-ops " +
			"clean hide-stacktraces coverage-raw-data-only unstable-component"},
	{Names: "deno", Verbs: "run", Ends: true,
		Options: denoWork + "A,allow-all watch? watch-hmr? check? no-clear-screen"},
	{Names: "deno", Starts: "*", Verbs: "task", Ends: true, Targets: 1,
		Options: "c,config=in cwd=in q,quiet r,recursive f,filter="},

	// Python.
	{Names: "pytest py.test",
		Options: "v,verbose vv vvv q,quiet qq x,exitfirst maxfail= k= m= n,numprocesses= dist= s capture= " +
			"l,showlocals tb= lf," +
			"last-failed ff,failed-first nf,new-first sw,stepwise sw-skip,stepwise-skip durations= durations-min= r= " +
			"co,collect-only setup-only setup-show " +
			"setup-plan fixtures fixtures-per-test markers cov? cov-report=pairs cov-fail-under= cov-append cov-branch " +
			"cov-context= no-cov no-cov-on-fail " +
			"cov-config=in cov-reset junitxml,junit-xml=out junit-prefix= p=off W,pythonwarnings= color= " +
			"disable-warnings no-header no-summary strict " +
			"strict-markers strict-config log-level= log-cli-level= log-format= log-date-format= log-file=out " +
			"log-file-level= show-capture= full-trace " +
			"doctest-modules doctest-glob= doctest-ignore-import-errors doctest-continue-on-failure ignore= ignore-glob= " +
			"deselect= import-mode= " +
			"timeout= timeout-method= reruns= reruns-delay= only-rerun= asyncio-mode= snapshot-update snapshot-details " +
			"snapshot-warn-unused ds= reuse-db " +
			"create-db no-migrations nomigrations runslow slow randomly-seed= random-order random-order-seed= " +
			"random-order-bucket= count= looponfail f " +
			"benchmark-only benchmark-skip benchmark-disable benchmark-compare? benchmark-autosave hypothesis-seed= " +
			"hypothesis-profile= " +
			"hypothesis-show-statistics hypothesis-verbosity= headed browser= slowmo= tracing= video= screenshot= " +
			"base-url= html=out self-contained-html " +
			"report-log=out json-report json-report-file=out testmon forked boxed cache-show? cache-clear " +
			"c,config-file=in rootdir=in verbosity= xfail-tb " +
			"no-showlocals runxfail nbval mypy ruff flake8 black isort pylint disable-plugin-autoload dry-run " +
			"update-snapshots force-sugar V,version h,help " +
			"allow-hosts= disable-socket block-network record-mode= gherkin-terminal-reporter integration unit e2e all " +
			"smoke"},
	{Names: "unittest", Verbs: "discover",
		Options: "v,verbose q,quiet f,failfast c,catch b,buffer k= s,start-directory=in p,pattern= t," +
			"top-level-directory=in locals durations="},
	{Names: "unittest", Options: "v,verbose q,quiet f,failfast c,catch b,buffer k= locals durations="},
	{Names: "tox", Rest: "*", Verbs: "run,r,run-parallel,p,list,l,config,c", Options: toxWork},
	{Names: "tox", Rest: "*", Others: "exec e devenv d quickstart q provision depends de legacy le schema man",
		Options: toxWork},
	{Names: "nox", Rest: "*", Targets: -1,
		Options: "s,session,sessions,e=target k,keywords= t,tags=target p,python,pythons,extra-python,extra-pythons," +
			"P= l,list list-sessions " +
			"json r,reuse-existing-virtualenvs R no-reuse-existing-virtualenvs N no-venv reuse-venv=no|yes|always|never " +
			"x,stop-on-first-error " +
			"no-stop-on-first-error error-on-missing-interpreters error-on-external-run no-install non-interactive " +
			"no-error-on-missing-interpreters verbose " +
			"v forcecolor fc nocolor nc,no-color sort report=out f,noxfile=in version h,help"},
	{Names: "mypy", Options: "strict v,verbose no-error-summary error-summary ignore-missing-imports follow-imports= " +
		"follow-untyped-imports " +
		"no-site-packages python-version= platform= always-true= always-false= disallow-untyped-defs " +
		"disallow-untyped-calls disallow-incomplete-defs " +
		"disallow-any-generics disallow-any-unimported disallow-any-expr disallow-any-decorated " +
		"disallow-any-explicit disallow-subclassing-any " +
		"disallow-untyped-decorators disallow-untyped-globals disallow-redefinition check-untyped-defs " +
		"no-implicit-optional implicit-optional " +
		"no-strict-optional strict-optional warn-unused-ignores warn-redundant-casts warn-return-any " +
		"warn-unreachable warn-unused-configs " +
		"warn-no-return warn-incomplete-stub report-deprecated-as-note no-implicit-reexport strict-equality " +
		"extra-checks local-partial-types " +
		"allow-untyped-globals allow-redefinition show-error-context show-column-numbers show-error-end " +
		"show-error-codes hide-error-codes " +
		"show-error-code-links show-absolute-path show-traceback,tb pretty no-color-output color-output " +
		"soft-error-limit= enable-error-code= " +
		"disable-error-code= exclude= exclude-gitignore config-file=in package-root=in " +
		"m,module= p,package= explicit-package-bases namespace-packages fast-module-lookup scripts-are-modules " +
		"cache-dir=fill no-incremental " +
		"incremental sqlite-cache cache-fine-grained skip-version-check skip-cache-mtime-checks " +
		"no-silence-site-packages junit-xml=out txt-report=fill " +
		"html-report=fill xml-report=fill cobertura-xml-report=fill any-exprs-report=fill linecount-report=fill " +
		"linecoverage-report=fill " +
		"lineprecision-report=fill O,output=json non-interactive stats inferstats no-warn-unused-ignores " +
		"no-warn-no-return V,version h,help"},
	{Names: "pyright basedpyright",
		Options: "outputjson p,project=in w,watch stats verbose dependencies level= warnings skipunannotated " +
			"threads? " +
			"pythonplatform= pythonversion= t,typeshedpath=in ignoreexternal files h,help version"},
	{Names: "flake8", Options: "v,verbose q,quiet color= count exclude= extend-exclude= filename= " +
		"format=default|pylint|quiet-filename|quiet-nothing " +
		"hang-closing ignore= extend-ignore= per-file-ignores= max-line-length= max-doc-length= indent-size= select= " +
		"extend-select= disable-noqa " +
		"show-source no-show-source statistics exit-zero j,jobs= tee output-file=out config=in append-config=in " +
		"isolated benchmark max-complexity= " +
		"doctests include-in-doctest= exclude-from-doctest= builtins= import-order-style= docstring-convention= " +
		"max-cognitive-complexity= version h,help"},
	{Names: "pylint", Options: "E,errors-only e,enable= d,disable= " +
		"f,output-format=text|parseable|colorized|json|json2|msvs|github j,jobs= r,reports= s," +
		"score= msg-template= rcfile=in ignore= ignore-patterns= ignore-paths= recursive= fail-under= fail-on= " +
		"exit-zero max-line-length= max-args= " +
		"max-locals= max-branches= max-statements= max-module-lines= py-version= confidence= v,verbose list-msgs " +
		"list-msgs-enabled help-msg= " +
		"extension-pkg-allow-list= extension-pkg-whitelist= generated-members= good-names= min-similarity-lines= " +
		"persistent= clear-cache-post-run= " +
		"prefer-stubs= source-roots=in output=out h,help version notes= "},
	{Names: "ruff", Verbs: "check,format",
		Options: "fix no-fix unsafe-fixes fix-only diff check select= ignore= extend-select= extend-ignore= " +
			"per-file-ignores= extend-per-file-ignores= fixable= unfixable= extend-fixable= config=in isolated " +
			"target-version= exclude= extend-exclude= " +
			"force-exclude respect-gitignore line-length= output-format= o,output-file=out n,no-cache cache-dir=fill " +
			"w,watch preview statistics show-fixes " +
			"show-files show-settings exit-zero,e exit-non-zero-on-fix exit-non-zero-on-format stdin-filename= add-noqa? " +
			"dummy-variable-rgx= q,quiet v," +
			"verbose s,silent color= range= ignore-noqa extension= "},
	{Names: "coverage", Starts: "m", Verbs: "run", Ends: true,
		Options: "m a,append branch concurrency= context= data-file=out include= omit= L,pylib p," +
			"parallel-mode rcfile=in source=in source-pkgs= timid save-signal= debug= h,help"},
	{Names: "coverage", Verbs: "report,html,xml,json,lcov,annotate,combine,erase,debug",
		Options: "d,directory=fill o=out data-file=out rcfile=in i," +
			"ignore-errors m,show-missing include= omit= skip-covered skip-empty fail-under= precision= sort= format= " +
			"q,quiet keep a,append title= " +
			"show-contexts contexts= pretty-print debug= h,help"},
	{Names: "compileall",
		Options: "l r= f q qq b d= s= p= x= i=in j,workers= invalidation-mode= o= e=in hardlink-dupes"},
	{Names: "py_compile", Options: "q,quiet"},
	{Names: "bandit", Options: "r,recursive a,aggregate= n,number= c,configfile=in p,profile= t,tests= s,skip= " +
		"l,level ll lll severity-level= i ii iii " +
		"confidence-level= f,format=csv|custom|html|json|screen|txt|xml|yaml|sarif msg-template= o,output=out " +
		"v,verbose d,debug q,quiet,silent " +
		"ignore-nosec x,exclude= b,baseline=in ini=in exit-zero version h,help"},
	{Names: "pip pip3", Verbs: "install",
		Options: "e,editable=in q,quiet v,verbose no-deps no-build-isolation disable-pip-version-check no-input " +
			"no-color progress-bar="},
	{Names: "uvicorn", Options: "host= port= reload reload-dir=in reload-include= reload-exclude= workers= " +
		"log-level= access-log use-colors " +
		"loop=auto|asyncio|uvloop http=auto|h11|httptools ws=auto|none|websockets|websockets-sansio|wsproto " +
		"lifespan=auto|on|off " +
		"interface=auto|asgi3|asgi2|wsgi factory proxy-headers no-proxy-headers forwarded-allow-ips= root-path= " +
		"timeout-keep-alive= " +
		"timeout-graceful-shutdown= limit-concurrency= limit-max-requests= backlog= app-dir=in uds=out server-header " +
		"date-header header= ws-max-size= " +
		"ws-ping-interval= ws-ping-timeout= h11-max-incomplete-event-size= version help"},
	{Names: "gunicorn", Options: "w,workers= b,bind= k," +
		"worker-class=sync|gevent|eventlet|gthread|tornado|uvicorn.workers.UvicornWorker|uvicorn_worker.UvicornWorker threads= t,timeout= " +
		"graceful-timeout= keep-alive= max-requests= max-requests-jitter= reload reload-extra-file=in log-level= " +
		"access-logfile,access-log=out " +
		"access-logformat= error-logfile,log-file=out capture-output preload n,name= chdir=in pid,p=out " +
		"worker-tmp-dir=in check-config print-config " +
		"spew backlog= worker-connections= limit-request-line= limit-request-fields= forwarded-allow-ips= " +
		"proxy-protocol v,version h,help"},
	{Names: "hypercorn", Options: "b,bind= w,workers= reload log-level= access-logfile=out error-logfile=out " +
		"access-log=out error-log=out p,pid=out k," +
		"worker-class=asyncio|uvloop|trio graceful-timeout= keep-alive= max-requests= backlog= root-path= debug"},
	{Names: "flask", Verbs: "run",
		Options: "app,A=word env= debug no-debug h,host= p,port= reload debugger with-threads without-threads " +
			"extra-files=in " +
			"exclude-patterns= help"},
	{Names: "flask", Verbs: "routes", Options: "app,A=word debug s,sort= all-methods help"},
	{Names: "mkdocs", Verbs: "build,serve",
		Options: "s,strict q,quiet v,verbose d,site-dir=fill f,config-file=in t,theme=word c,clean dirty a," +
			"dev-addr= o,open use-directory-urls no-directory-urls livereload no-livereload w,watch=in watch-theme color " +
			"h,help"},
	{Names: "sphinx-build", Operands: "in fill",
		Options: "M=html|dirhtml|singlehtml|latex|latexpdf|text|man|doctest|linkcheck|dummy|epub|gettext|clean " +
			"b,builder=word a,write-all E,fresh-env j,jobs= d,doctree-dir=fill c,conf-dir=in n,nitpicky v,verbose " +
			"q,quiet Q,silent N,no-color color W," +
			"fail-on-warning keep-going T,show-traceback t,tag= w,warning-file=out A,html-define= h,help version " +
			"exception-on-warning"},
	{Names: "codespell", Options: "w,write-changes i,interactive= q,quiet-level= S,skip= L,ignore-words-list= " +
		"I,ignore-words=in D,dictionary=in " +
		"builtin= c,enable-colors C,disable-colors d f,check-filenames H,check-hidden s,summary count e " +
		"stdin-single-line A,after-context= B," +
		"before-context= context= r,regex= uri-ignore-words-list= ignore-regex= ignore-multiline-regex= " +
		"x,exclude-file=in config=in toml=in " +
		"h,help hard-encoding-detection version uri-regex="},
	{Names: "yamllint", Options: "s,strict f,format=parsable|standard|colored|github|auto d,config-data= " +
		"c,config-file=in no-warnings list-files v," +
		"version h,help"},
	{Names: "pre-commit prek", Verbs: "run",
		Options: "a,all-files files=in from-ref,source,s= to-ref,origin,o= hook-stage= show-diff-on-failure v," +
			"verbose c,config=in color= skip= last-commit dry-run directory,d= refresh fail-fast no-progress q,quiet " +
			"stage= no-fail-fast j,jobs="},
	{Names: "python", Ends: true, Options: "u B s S E I O OO v q b bb d " +
		"W=ignore|default|error|always|module|once|all|ignore::DeprecationWarning|error::DeprecationWarning " +
		"X=dev|utf8|utf8=1|utf8=0|importtime|faulthandler|tracemalloc|no_debug_ranges|frozen_modules=off m= P R"},

	// C, C++ and what builds them.
	{Names: "gcc g++ cc c++ clang clang++", Single: true, Options: ccWork},
	{Names: "ld", Single: true,
		Options: "O? rpath=in rpath-link=in Map=out soname=word h=word z=word s S E x u= as-needed no-as-needed " +
			"gc-sections " +
			"no-gc-sections print-gc-sections start-group end-group whole-archive no-whole-archive export-dynamic " +
			"no-undefined strip-all strip-debug " +
			"build-id? Bstatic Bdynamic Bsymbolic Bsymbolic-functions dead_strip undefined= version-script=in " +
			"no-allow-shlib-undefined " +
			"allow-multiple-definition warn-common fatal-warnings no-fatal-warnings sort-common hash-style= stack_size= " +
			"stack= subsystem= enable-new-dtags " +
			"disable-new-dtags icf= threads= L?in l?"},
	{Names: "clang-tidy", Single: true, Rest: "gcc",
		Options: "p=in checks= config= config-file=in fix fix-errors fix-notes header-filter= " +
			"system-headers format-style= quiet warnings-as-errors= list-checks explain-config dump-config " +
			"export-fixes=out extra-arg= extra-arg-before= " +
			"line-filter= use-color enable-check-profile allow-enabling-analyzer-alpha-checkers verify-config " +
			"exclude-header-filter= help version"},
	{Names: "make gmake", Rehearses: "n just-print dry-run recon", Targets: -1, Rest: "make",
		Options: "j,jobs? l,load-average? k,keep-going n," +
			"just-print,dry-run,recon s,silent,quiet B,always-make C,directory=in f,file,makefile=in i,ignore-errors d " +
			"debug? p,print-data-base q,question " +
			"r,no-builtin-rules R,no-builtin-variables t,touch w,print-directory no-print-directory " +
			"W,what-if,new-file,assume-new= o,old-file,assume-old= S" +
			"no-keep-going,stop trace O,output-sync? warn-undefined-variables shuffle? I,include-dir=in v,version h,help"},
	{Names: "ninja", Rehearses: "n", Targets: -1,
		Options: "C=in j= k= l= n v,verbose quiet d=stats|explain|keepdepfile|keeprsp " +
			"w=dupbuild=err|phonycycle=err t=targets|commands|deps|graph|query|clean|compdb|missingdeps|rules version " +
			"h,help"},
	{Names: "meson", Verbs: "setup,compile,test,introspect,configure", Rest: "ninja",
		Options: "C=in j,jobs= l,load-average= v,verbose q,quiet D? " +
			"buildtype= prefix= reconfigure default-library= optimization= debug warnlevel= werror strip unity= " +
			"backend=ninja|vs|xcode suite= no-suite= " +
			"no-rebuild list print-errorlogs logbase= num-processes= t,timeout-multiplier= repeat= max-lines= maxfail= " +
			"benchmark no-stdsplit interactive,i " +
			"targets tests benchmarks installed buildoptions buildsystem-files dependencies scan-dependencies " +
			"projectinfo ast all,a indent " +
			"force-object-output f clean pkgconfig.relocatable auto-features= layout= errorlogs stdsplit "},
	{Names: "cmake", Verbs: "", Targets: -1, Rest: "make",
		Options: "S=in B=fill P=in build=in G= A= T= D=word -DCMAKE_INSTALL_PREFIX?out " +
			"-DCMAKE_CXX_FLAGS? -DCMAKE_C_FLAGS? -DCMAKE_PREFIX_PATH?in -DCMAKE_MODULE_PATH?in U= L LA LH LAH N preset= " +
			"list-presets? j,parallel? t," +
			"target=target config= clean-first v,verbose fresh W? Wno-dev Wdev log-level= log-context trace trace-expand " +
			"trace-source= warn-uninitialized " +
			"warn-unused-vars check-system-vars debug-output debug-find compile-no-warning-as-error version help h " +
			"resolve-package-references= use-stderr " +
			"no-warn-unused-cli workflow color"},
	{Names: "ctest", Options: "test-dir=in output-on-failure j,parallel= R,tests-regex= E,exclude-regex= " +
		"L,label-regex= LE,label-exclude= FA," +
		"fixture-exclude-any= I,tests-information= U,union C,build-config= V,verbose VV,extra-verbose Q,quiet debug " +
		"N,show-only? print-labels timeout= " +
		"stop-time= repeat= rerun-failed stop-on-failure schedule-random progress no-tests= preset= list-presets " +
		"interactive-debug-mode= " +
		"output-junit=out O,output-log=out test-output-size-passed= test-output-size-failed= max-width= " +
		"no-label-summary no-subproject-summary F " +
		"resource-spec-file=in test-load= repeat-until-fail= version help"},
	{Names: "just", Rehearses: "n dry-run", Ends: true, Targets: -1,
		Options: "l,list f,justfile=in d,working-directory=in n,dry-run q,quiet v,verbose " +
			"summary s,show= evaluate dump fmt check unstable color= groups variables usage= list-heading= unsorted u " +
			"no-deps one " +
			"alias-style= V,version h,help no-aliases time timestamp no-highlight highlight "},
	{Names: "task go-task", Rehearses: "n dry", Targets: -1,
		Options: "l,list a,list-all j,json p,parallel C,concurrency= f,force n,dry s,silent v," +
			"verbose t,taskfile=in d,dir=in w,watch I,interval= x,exit-code o,output= output-group-begin= " +
			"output-group-end= output-group-error-only summary " +
			"status sort= c,color nested offline no-status version h,help F,failfast disable-fuzzy"},
	{Names: "bazel bazelisk", Verbs: "build,test,query,cquery,aquery,coverage,info,version", Targets: -1,
		Options: "c,compilation_mode= config= " +
			"test_output= test_filter= test_arg= cache_test_results? runs_per_test= jobs,j= k,keep_going " +
			"verbose_failures s,subcommands nobuild " +
			"nocache_test_results test_tag_filters= build_tag_filters= test_size_filters= test_timeout= " +
			"test_timeout_filters= build_tests_only " +
			"test_summary= color= curses= show_progress show_result= noshow_progress output= notool_deps tool_deps " +
			"noimplicit_deps implicit_deps " +
			"order_output= features= define= local_test_jobs= flaky_test_attempts= check_up_to_date announce_rc " +
			"nokeep_going combined_report= " +
			"instrumentation_filter= collect_code_coverage platforms= cpu= sandbox_debug test_sharding_strategy= " +
			"test_env= universe_scope= copt= cxxopt= " +
			"stamp nostamp"},
	{Names: "zig", Verbs: "build", Ends: true, Targets: -1,
		Options: "D? j? release? summary= verbose prominent-compile-errors freference-trace? " +
			"fincremental watch l,list-steps h,help color= maxrss= seed= skip-oom-steps"},
	{Names: "zig", Verbs: "test,fmt,run,ast-check", Ends: true,
		Options: "check O= target= test-filter= lc lc++ exclude= ast-check color= fno-emit-bin"},
	{Names: "swift", Verbs: "build,test,run", Targets: 1,
		Options: "c,configuration=debug|release target= product= v,verbose q,quiet very-verbose,vv " +
			"filter= skip= parallel no-parallel num-workers= l,list-tests enable-code-coverage disable-code-coverage " +
			"show-codecov-path," +
			"show-code-coverage-path build-tests build-system= j,jobs= package-path=in scratch-path=fill build-path=fill " +
			"skip-build skip-update sanitize= " +
			"arch= triple= xunit-output=out enable-testable-imports show-bin-path enable-xctest disable-xctest " +
			"enable-swift-testing disable-swift-testing " +
			"enable-all-traits traits= static-swift-stdlib s"},

	// The JVM.
	{Names: "gradle gradlew", Rehearses: "m dry-run", Targets: -1, Others: "init wrapper", Options: gradleish},
	{Names: "mvn mvnw mvnd", Targets: -1,
		Goals: "dependency:tree dependency:analyze dependency:list dependency:resolve dependency:go-offline " +
			"spotless:check spotless:apply spring-boot:run spring-boot:start spring-boot:stop spring-boot:test-run " +
			"checkstyle:check checkstyle:checkstyle " +
			"surefire:test failsafe:integration-test failsafe:verify compiler:compile compiler:testCompile " +
			"resources:resources resources:testResources " +
			"jacoco:report jacoco:check pmd:check pmd:pmd spotbugs:check spotbugs:spotbugs help:effective-pom " +
			"help:effective-settings help:active-profiles " +
			"help:evaluate help:describe enforcer:enforce quarkus:dev quarkus:test jar:jar war:war clean:clean " +
			"formatter:format formatter:validate " +
			"fmt:format fmt:check license:check versions:display-dependency-updates versions:display-plugin-updates " +
			"javadoc:javadoc kotlin:compile " +
			"ktlint:check ktlint:format jetty:run cucumber:test",
		Options: "q,quiet B,batch-mode ntp,no-transfer-progress e,errors X,debug o,offline U," +
			"update-snapshots nsu,no-snapshot-updates T,threads= pl,projects= am,also-make amd,also-make-dependents " +
			"rf,resume-from= ff,fail-fast fae" +
			"fail-at-end fn,fail-never P,activate-profiles= Dtest? DskipTests? DskipITs? Dmaven.test.skip? Dit.test? " +
			"DfailIfNoTests? " +
			"DfailIfNoSpecifiedTests? Dsurefire.failIfNoSpecifiedTests? Dstyle.color? Dspring-boot.run.arguments? " +
			"Dspring-boot.run.profiles? " +
			"Dspring.profiles.active? Dgroups? DexcludedGroups? Dcheckstyle.skip? Dspotless.check.skip? Dpmd.skip? " +
			"Denforcer.skip? Djacoco.skip? " +
			"Dmaven.javadoc.skip? DforkCount? DreuseForks? Dsurefire.useFile? Dmaven.compiler.release? " +
			"Dmaven.compiler.source? Dmaven.compiler.target? " +
			"Dproject.build.sourceEncoding? Dfile.encoding? Dincludes? Dexcludes? Dverbose? DoutputType? Ddetail? " +
			"Dscope? Drevision? Dchangelist? " +
			"Dquarkus.profile? DtrimStackTrace? Dsurefire.rerunFailingTestsCount? Dmaven.build.cache.enabled? f,file=in " +
			"N,non-recursive V,show-version v" +
			"version h,help color= C,strict-checksums c,lax-checksums r,resume itr,ignore-transitive-repositories " +
			"fos,fail-on-severity=", Single: true},
	{Names: "javac", Single: true,
		Options: "d=out s=out h=out cp,classpath,class-path=in sourcepath,source-path=in p,module-path=in " +
			"module-source-path=in m,module= proc=none|only|full source= target= release= encoding= g g:none g:lines " +
			"g:vars g:source verbose nowarn Werror " +
			"parameters Xlint Xlint:? Xdoclint Xdoclint:? deprecation implicit=none|class implicit:none implicit:class " +
			"Xmaxerrs= Xmaxwarns= Xdiags:compact " +
			"Xdiags:verbose Xpkginfo:? add-modules= limit-modules= add-exports= add-reads= add-opens= enable-preview " +
			"version help"},
	{Names: "java", Single: true, Ends: true,
		Options: "cp,classpath,class-path=in p,module-path=in jar=in m,module= add-modules= add-opens= " +
			"add-exports= add-reads= limit-modules= enable-preview enable-native-access= ea esa da dsa enableassertions " +
			"disableassertions server client " +
			"showversion show-version Xmx? Xms? Xss? Xmn? XX:? Xlog? verbose verbose:? D? Xint Xcomp Xbatch Xverify:? " +
			"Xshare:? source= version help h " +
			"Xinternalversion Xrs ea:? da:? Xdiag dry-run"},

	// Others.
	{Names: "helm", Verbs: "lint,template",
		Options: "f,values=in set= set-string= set-json= set-literal= n,namespace= s,show-only= output-dir=fill " +
			"include-crds skip-crds skip-tests no-hooks is-upgrade a,api-versions= kube-version= g,generate-name " +
			"name-template= release-name strict quiet " +
			"with-subcharts debug h,help skip-schema-validation hide-notes"},
	{Names: "terraform tofu", Single: true, Verbs: "fmt",
		Options: "chdir=in list check diff recursive write no-color help"},
	{Names: "terraform tofu", Single: true, Verbs: "validate", Options: "chdir=in json no-color no-tests help"},
	{Names: "mdbook", Verbs: "build,serve,test",
		Options: "d,dest-dir=fill o,open p,port= n,hostname= chapter= L,library-path=in"},
	{Names: "jekyll", Verbs: "build,serve",
		Options: "s,source=in d,destination=fill D,drafts future unpublished w,watch no-watch I,incremental q,quiet " +
			"V,verbose t,trace P,port= H,host= l,livereload livereload-port= b,baseurl= strict_front_matter safe " +
			"limit_posts= force_polling profile lsi o," +
			"open-url c,config=in skip-initial-build disable-disk-cache show-dir-listing"},
	{Names: "hugo", Verbs: "build,serve,server,",
		Options: "s,source=in d,destination=fill D,buildDrafts E,buildExpired F,buildFuture minify e," +
			"environment= b,baseURL= gc noChmod noTimes printPathWarnings printI18nWarnings printUnusedTemplates " +
			"printMemoryUsage templateMetrics " +
			"templateMetricsHints logLevel= quiet v,verbose debug p,port= bind= w,watch disableFastRender " +
			"disableLiveReload navigateToChanged noHTTPCache " +
			"renderToMemory M t,theme= contentDir,c=in layoutDir=in config=in configDir=in panicOnWarning enableGitInfo " +
			"ignoreCache forceSyncStatic " +
			"appendPort cleanDestinationDir renderSegments= noBuildLock poll="},
	{Names: "rspec", Options: "e,example= E,example-matches= t,tag= " +
		"f,format=progress|p|documentation|d|doc|html|h|json|j|failures|f o,out=out " +
		"fail-fast? no-fail-fast seed= order= bisect? only-failures n,next-failure b,backtrace c,color,colour " +
		"no-color,no-colour force-color p,profile? " +
		"no-profile dry-run P,pattern= exclude-pattern= w,warnings deprecation-out=out failure-exit-code= " +
		"fail-if-no-examples default-path=in O," +
		"options=in v,version h,help I=in "},
	{Names: "rubocop", Options: "a,autocorrect A,autocorrect-all,auto-correct,auto-correct-all x,fix-layout l,lint " +
		"only= except= f," +
		"format=progress|p|simple|s|clang|c|emacs|e|json|j|html|h|files|fi|offenses|o|worst|w|quiet|q|github|g|tap|t|autogenconf|disabled o,out=out D" +
		"display-cop-names E,extra-details S,display-style-guide P,parallel no-parallel F,fail-fast fail-level= " +
		"C,cache= cache-root=fill c,config=in " +
		"auto-gen-config auto-gen-only-exclude exclude-limit= regenerate-todo force-exclusion only-guide-cops " +
		"only-recognized-file-types L" +
		"list-target-files safe safe-auto-correct safe-autocorrect d,debug display-time display-only-correctable " +
		"display-only-safe-correctable s,stdin= " +
		"color no-color show-cops? show-docs-url? no-server server-status v,version V,verbose-version " +
		"ignore-parent-exclusion ignore-disable-comments " +
		"disable-uncorrectable disable-pending-cops enable-pending-cops h,help "},
	{Names: "phpunit", Options: "c,configuration=in bootstrap=in no-configuration testsuite= exclude-testsuite= " +
		"list-suites list-groups list-tests " +
		"filter= exclude-filter= group= exclude-group= covers= uses= testdox testdox-text=out testdox-html=out " +
		"testdox-xml=out log-junit=out " +
		"log-teamcity=out teamcity colors? stop-on-failure stop-on-error stop-on-defect stop-on-warning " +
		"stop-on-risky stop-on-skipped " +
		"stop-on-incomplete fail-on-warning fail-on-risky fail-on-deprecation fail-on-notice fail-on-skipped " +
		"fail-on-incomplete " +
		"fail-on-empty-test-suite v,verbose debug display-deprecations display-warnings display-notices " +
		"display-errors display-incomplete " +
		"display-skipped display-all-issues order-by= random-order-seed= repeat= columns= stderr no-output " +
		"no-progress no-results no-coverage " +
		"coverage-text?out coverage-html=fill coverage-clover=out coverage-cobertura=out coverage-crap4j=out " +
		"coverage-xml=fill coverage-php=out " +
		"coverage-filter=in strict-coverage path-coverage process-isolation cache-result do-not-cache-result " +
		"cache-directory=fill cache-result-file=out " +
		"test-suffix= disallow-test-output enforce-time-limit default-time-limit= reverse-list globals-backup " +
		"static-backup version h,help"},
	{Names: "rails", Verbs: "test,routes,test:all,test:system,test:models,test:controllers,test:units",
		Options: "n,name= e,exclude,environment= v," +
			"verbose w,warnings b,backtrace d,defer-output f,fail-fast c,color,controller= p,pride profile? s,seed= " +
			"E,expanded g,grep= no-plugins q,quiet " +
			"unused u j,jobs="},
	{Names: "rake", Rehearses: "n dry-run", Targets: -1,
		Options: "T,tasks? A,all D,describe? n,dry-run P,prereqs q,quiet s,silent t,trace? v,verbose W," +
			"where? j,jobs? m,multitask X,no-deprecation-warnings f,rakefile=in C,directory=in N,no-search,nosearch " +
			"B,build-all backtrace? comments h,H" +
			"help V,version"},
	{Names: "composer", Rest: "*", Verbs: "test", Options: composerWork},
	{Names: "composer", Rest: "*", Verbs: "run,run-script", Targets: 1,
		Options: composerWork + "l,list timeout= dev no-dev"},
	{Names: "composer", Verbs: "validate",
		Options: composerWork + "no-check-all check-lock no-check-lock no-check-publish no-check-version A," +
			"with-dependencies strict"},
	{Names: "mix", Verbs: "test", Targets: 1,
		Options: "trace stale failed max-failures= seed= only= exclude= include= cover slowest= slowest-modules= " +
			"timeout= color no-color formatter=ExUnit.CLIFormatter max-cases= partitions= warnings-as-errors raise " +
			"no-start no-compile no-deps-check " +
			"no-archives-check preload-modules profile-require= export-coverage= max-requires= listen-on-stdin force " +
			"all-warnings repeat-until-failure= " +
			"no-elixir-version-check"},
	{Names: "mix", Verbs: "compile,format",
		Options: "warnings-as-errors force check-formatted check-equivalent dry-run all-warnings verbose " +
			"no-deps-check no-compile no-optional-deps no-protocol-consolidation return-errors dot-formatter=in " +
			"stdin-filename= no-exit migrate list " +
			"profile=time no-archives-check no-all-warnings"},
	{Names: "dotnet", Verbs: "build,test,format", Options: dotnetWork},
	{Names: "dotnet", Verbs: "run", Options: dotnetWork + "launch-profile= lp= no-launch-profile environment,e="},
	{Names: "flutter dart",
		Verbs: "test,analyze,format,build,build apk,build web,build ios,build appbundle,build bundle,build " +
			"linux,build macos,build " +
			"windows", Options: "coverage coverage-path=out name= plain-name= N= n= j,concurrency= r," +
			"reporter=compact|expanded|json|github|failures-only|silent machine t,tags= x,exclude-tags= update-goldens " +
			"run-skipped timeout= total-shards= " +
			"shard-index= test-randomize-ordering-seed= d,device-id= fatal-infos fatal-warnings no-fatal-infos " +
			"no-fatal-warnings congratulate " +
			"current-package pub no-pub o,output=none|show|json|write l,line-length= set-exit-if-changed " +
			"show=all|changed|none release debug profile " +
			"flavor= target=in dart-define= build-name= build-number= tree-shake-icons obfuscate split-debug-info=fill " +
			"web-renderer= base-href= wasm " +
			"no-sound-null-safety verbose v suppress-analytics color fail-fast platform= p= track-widget-creation " +
			"chain-stack-traces " +
			"split-per-abi codesign no-codesign simulator h,help summary= language-version="},
	{Names: "shellcheck",
		Options: "a,check-sourced C,color? i,include= e,exclude= extended-analysis= " +
			"f,format=checkstyle|diff|gcc|json|json1|quiet|tty " +
			"list-optional norc rcfile=in o,enable= P,source-path=in s,shell= S,severity= V,version W,wiki-link-count= " +
			"x,external-sources help"},
	{Names: "shfmt", Options: "l,list w,write d,diff s,simplify mn,minify ln,language-dialect= p,posix i,indent= " +
		"bn,binary-next-line ci,case-indent sr," +
		"space-redirects kp,keep-padding fn,func-next-line f,find filename= apply-ignore tojson version h,help"},
	{Names: "hadolint", Options: "c,config=in f,format= no-fail no-color ignore= error= warning= info= style= " +
		"failure-threshold,t= " +
		"trusted-registry= require-label= strict-labels disable-ignore-pragma V,verbose v,version h,help " +
		"file-path-in-report="},
	{Names: "actionlint", Single: true,
		Options: "ignore= format= oneline no-color color verbose debug config-file=in stdin-filename= version h"},
	{Names: "scc tokei", Options: "e,exclude= f,files,format= t,type,types= i,include-ext= s,sort= c,compact,ci " +
		"C,columns= o,output=json|yaml|cbor w," +
		"wide no-complexity no-cocomo no-size by-file n= x,exclude-ext= exclude-dir= M,not-match= l,languages " +
		"no-ignore hidden v,verbose a,avg-wage= z" +
		"min-gen num-format= V,version h,help no-ignore-parent no-ignore-vcs no-gitignore r,rsort= d,debug p,percent " +
		"u,uloc m,character dryness"},
	{Names: "dot", Options: "T? o?out O K=dot|neato|twopi|circo|fdp|sfdp|patchwork|osage G= N= E= A= v V q? s? y x " +
		"n? ?"},
	{Names: "bash sh", Ends: true,
		Options: "c s O=word e u x v n ex eu eux euo= ux xe eo= euxo= o=pipefail|errexit|nounset|xtrace|noglob posix " +
			"noprofile norc verbose "},
	{Names: "ruby", Ends: true,
		Options: "w W? W: c v verbose I=in enable=frozen-string-literal|yjit|jit enable-frozen-string-literal " +
			"disable=gems yjit " +
			"jit version"},
	{Names: "php", Ends: true, Options: "l,syntax-check f,file=in q i,info v,version m,modules n "},
}

const (
	npmWork = "s,silent q,quiet d,verbose dd " +
		"ddd loglevel= w,workspace=in workspaces ws include-workspace-root iwr if-present prefix=in " +
		"foreground-scripts ignore-scripts color progress " +
		"no-color timing audit fund update-notifier offline "
	pnpmWork = "r,recursive F,filter= C,dir,prefix=in w,workspace-root s,silent stream aggregate-output parallel " +
		"if-present workspace-concurrency= no-bail " +
		"bail sequential no-sort sort reverse color no-color resume-from= report-summary loglevel= " +
		"reporter=default|append-only|ndjson|silent " +
		"filter-prod= test-pattern= changed-files-ignore-pattern= fail-if-no-match include-workspace-root "
	yarnWork = "s,silent cwd=in prefix=in verbose non-interactive emoji progress json T,top-level B,binaries-only " +
		"ignore-engines "
	vitestWork = nodeTest + "run reporter=word r,root=in dir=in mode= environment=node|jsdom|happy-dom|edge-runtime " +
		"pool=threads|forks|vmThreads|vmForks maxWorkers= minWorkers= project= changed? shard= globals dom ui open " +
		"isolate fileParallelism inspect? " +
		"single-thread threads typecheck? typecheck.only typecheck.enabled testTimeout= hookTimeout= " +
		"teardownTimeout= retry= exclude= " +
		"expandSnapshotDiff logHeapUsage allowOnly hideSkippedTests sequence.shuffle? sequence.shuffle.tests? " +
		"sequence.seed= sequence.concurrent? " +
		"printConsoleTrace outputFile?out coverage.enabled? coverage.reporter=word coverage.provider=v8|istanbul " +
		"coverage.include= coverage.exclude= " +
		"coverage.all? coverage.reportsDirectory=fill coverage.clean? coverage.thresholds.lines= " +
		"coverage.thresholds.branches= " +
		"coverage.thresholds.functions= coverage.thresholds.statements= browser? " +
		"browser.name=chromium|chrome|firefox|webkit browser.headless? " +
		"browser.enabled? standalone clearScreen poolOptions.threads.singleThread? poolOptions.forks.singleFork? " +
		"disable-console-intercept " +
		"disableConsoleIntercept slowTestThreshold= diff- no-color color clearMocks mockReset restoreMocks " +
		"maxConcurrency= includeTaskLocation " +
		"attachmentsDir=fill json? filesOnly staticParse v,version h,help test-timeout= "
	viteWork = "c,config=in base= m,mode= l,logLevel= clearScreen d,debug? f,filter= p,port= host? strictPort open " +
		"cors force outDir=fill " +
		"emptyOutDir sourcemap? minify? target= assetsDir= assetsInlineLimit= ssr? manifest? ssrManifest? w,watch " +
		"app profile v,version h,help " +
		"configLoader=bundle|runner|native"
	webpackWork = "c,config=in config-name= merge,m mode=development|production|none w,watch progress? color " +
		"no-color stats? d,devtool= t,target= " +
		"entry=in o,output-path=fill output-filename= output-clean env= node-env= analyze json?out j?out " +
		"watch-options-stdin watch-options-poll? " +
		"fail-on-warnings no-devtool no-watch name= bail cache? profile config-node-env= disable-interpret v,version " +
		"h,help"
	turboWork = "filter,F= parallel force? concurrency= dry-run? dry? no-cache output-logs= log-order= log-prefix= " +
		"continue? only " +
		"summarize? graph?out cache-dir=fill affected cwd=in no-daemon daemon framework-inference? env-mode= ui= " +
		"verbosity= v vv global-deps= no-color " +
		"color include-dependencies no-deps since= scope= ignore= remote-cache-timeout= cache=local:r|local:rw " +
		"skip-infer no-update-notifier " +
		"root-turbo-json=in single-package output= version help profile=out anon-profile=out"
	nxWork = "t,target,targets=target p,projects= c,configuration= all parallel? maxParallel= base= head= files= " +
		"uncommitted untracked exclude= " +
		"skip-nx-cache,skipNxCache skipRemoteCache skip-remote-cache nxBail nx-bail nxIgnoreCycles nx-ignore-cycles " +
		"verbose output-style,outputStyle= " +
		"batch graph?out prod production watch fix quiet coverage ci codeCoverage code-coverage testFile,test-file= " +
		"testNamePattern= testPathPattern= " +
		"skip-sync skipSync u,updateSnapshot passWithNoTests runInBand i watchAll? format= maxWarnings,max-warnings= " +
		"max-workers,maxWorkers= silent " +
		"outputPath,output-path=fill port= host= sourceMap,source-map optimization stats-json statsJson " +
		"browsers=ChromeHeadless|Chrome|Firefox headless " +
		"cloud no-cloud tui? v,version h,help project= open ssr progress hmr bail? testTimeout= run " +
		"excludeTaskDependencies "
	toxWork = "e,env=target m= f= p,parallel? r,recreate c,conf=in v,verbose vv q,quiet root=in " +
		"workdir,work-dir=fill a,listenvs l listenvs-all " +
		"skip-missing-interpreters? s? n,notest skip-pkg-install skip-env= installpkg=in develop " +
		"b,pkg-only,sdistonly " +
		"no-recreate-pkg no-recreate-provision no-provision? no-list-dependencies list-dependencies o,parallel-live " +
		"parallel-no-spinner result-json=out " +
		"hashseed= colored= stderr-color= k= showconfig fail-fast exit-and-dump-after= runner=virtualenv " +
		"default-runner= version h,help "
	denoWork = "allow-read? allow-write? allow-env? allow-net? allow-run? allow-sys? allow-ffi? R? W? N? E? " +
		"c,config=in no-config no-lock frozen? " +
		"lock?in no-remote no-npm cached-only q,quiet L,log-level= seed= location= no-check? unstable unstable-kv " +
		"unstable-cron unstable-ffi " +
		"unstable-sloppy-imports unstable-detect-cjs unstable-worker-options unstable-bare-node-builtins " +
		"permission-set? P? env-file?in no-prompt " +
		"node-modules-dir? vendor? no-code-cache "
	composerWork = "q,quiet v,verbose vv vvv n,no-interaction no-ansi ansi profile no-plugins no-scripts no-cache " +
		"d,working-dir=in h,help V,version "
	dotnetWork = "c,configuration= f,framework= no-restore no-build no-dependencies no-incremental r,runtime= " +
		"v,verbosity= nologo tl? filter= l," +
		"logger=word results-directory=fill s,settings=in t,list-tests blame blame-crash " +
		"blame-hang blame-hang-timeout= collect= o,output=fill arch= os= self-contained sc? version-suffix= " +
		"verify-no-changes severity= diagnostics= " +
		"include= exclude= include-generated report=fill m? p:Configuration?word property:Configuration?word " +
		"p:TreatWarningsAsErrors?word " +
		"p:Version?word p:WarningLevel?word p:ContinuousIntegrationBuild?word p:CollectCoverage?word " +
		"p:CoverletOutputFormat?word p:Deterministic?word " +
		"p:Platform?word warnaserror nowarn? h,help no-cache disable-build-servers use-current-runtime,ucr " +
		"project=in solution=in "
	ccWork = "c S E o=out I?in L?in l? D? U? O? g? W?warnings w v std= pipe pthread shared static fPIC fpic fPIE " +
		"fpie pie no-pie " +
		"fsanitize= fno-sanitize-recover? fno-omit-frame-pointer fomit-frame-pointer fstack-protector " +
		"fstack-protector-all fstack-protector-strong " +
		"fno-exceptions fno-rtti fno-common fvisibility= fsyntax-only flto? fno-lto fdata-sections " +
		"ffunction-sections fdiagnostics-color? " +
		"fcolor-diagnostics fno-color-diagnostics fopenmp fwrapv ftrapv fno-strict-aliasing fstrict-aliasing " +
		"funroll-loops ffast-math fno-builtin " +
		"ffreestanding fprofile-arcs ftest-coverage fprofile-instr-generate fcoverage-mapping ftime-report " +
		"fmax-errors= ferror-limit= ftemplate-depth= " +
		"fconcepts fcoroutines fmodules fmodules-ts fpermissive fshort-enums fsigned-char funsigned-char fno-inline " +
		"finline-functions fanalyzer " +
		"fcf-protection? fno-plt fno-diagnostics-show-caret fdiagnostics-show-option fverbose-asm fopt-info? " +
		"fdump-tree-all ftime-trace? fno-ident " +
		"coverage pg p rdynamic s m? x= isystem=in iquote=in include=in idirafter=in M MM MD MMD MP MF?out MT? MQ? " +
		"MG MJ?out ansi pedantic " +
		"pedantic-errors nostdlib nostdinc nodefaultlibs nostartfiles stdlib= rpath= T=in u= target= " +
		"print-search-dirs print-file-name= dumpversion " +
		"dumpmachine dM P C H Q save-temps? serialize-diagnostics=out aux-info=out version help analyze framework= " +
		"arch= isysroot=in sysroot=in " +
		"static-libgcc static-libstdc++ undefined= nologo"
)
