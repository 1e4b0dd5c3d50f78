package program

// The kinds of [Program.Kinds]. An entry is a kind; KIND=VALUE, which says how; or
// KIND?CLAUSE, which says when, and several of which are alternatives. NAMES: before it,
// with commas between the names, says so of those alone.
//
// A clause has parts with & between them, which must all hold, and a part alternatives
// with commas between them, of which ! before them denies all:
//
//	WORD  an argument      %WORD  in any case, %^TEXT one that begins so
//	~TEXT a part of one    .WORD  one, or its beginning before a blank
//	:NAME an option        :NAME=VALUE one with that argument
//	@SUB  the sub-command, in which _ is a blank
//	^TEXT an argument that begins so
//	>A>B  sub-commands, in their order: what an option before one may take as its argument
//	      is passed over, -A is an option wherever it stands, alone or before =, and _ any
//	      sub-command
//	N>WORD one of the first N arguments that are no options; * is any
//	1=WORD the first argument, $=WORD the last; #N there are at least N
//	*     an operand, *N so many of them
//	+L/E  a bundle of options has the letter L before E
//	-O^TEXT the value of the option -O begins so
//	<     it has an input of its own
//
// These are the kinds:
//
//	accounts=named      it prints accounts of the machine, those that its operands name
//	agent               it is a coding agent
//	alias               it makes a second way to a file: a name, a copy that is a link, a mount, a device or a node
//	aliased             its words name stores elsewhere by names that it was told before
//	alters              it changes the mode, the owner, the attributes, the flags or the label of files
//	approves-changes    it approves or merges a change in the place of a reviewer
//	approves-unseen     it changes infrastructure without showing what it will do
//	bare                it takes names of devices without /dev
//	blind               it reads nothing but what its words name
//	blocks              it writes an image, or a device, that it is given
//	braces              the command that it runs may stand in braces
//	breaks-packages     it installs into the packages of the system against their manager
//	builds              it runs what the files of a directory say
//	changes-accounts    it changes accounts of the machine
//	changes-boot        it changes how the machine starts
//	changes-firewall    it changes the firewall
//	changes-forge       it changes secrets, keys or rights on a forge
//	changes-host        it changes the name, the clock or the locale of the machine
//	changes-kernel      it loads or removes code of the kernel
//	changes-mounts      it changes what is mounted
//	changes-names       it changes zones or records of DNS
//	changes-network     it changes the network of the machine
//	changes-secrets     it stores or changes secrets
//	changes-services    it starts services, or makes them start
//	changes-settings    it changes settings of the system or the desktop
//	changes-swarms      it removes services, nodes or secrets of a swarm
//	changes-volumes     it shrinks, rolls back or takes apart volumes, or their keys and snapshots
//	checks-certificates its settings say if certificates are checked
//	cites               its words are text that it shows or keeps
//	clears-audit        it deletes what the system records
//	clears-history      it deletes the history of the shell, or ends it
//	clones              it makes a directory of what it fetches
//	closes              its last word only closes what the first opens
//	clouds=WHOSE        it is a client of that cloud
//	cmd                 a shell of Windows hands on a command behind it: its words, quoted, or behind /c or /tr
//	columns=OPTION      the option names columns, which it leaves of each line
//	compares            it does nothing with its words but compare them
//	compiles            it makes a program of what its operands name
//	completes           it runs a program with words that it adds
//	conducts            it hands on most of the lines that it reads
//	config=FORM         its settings may be commands: the keys, commas between them, or how they are read
//	contents            it shows what is in the files, or the objects, that it is given
//	copies              it copies to a host, to a URL, or to any place that its words name
//	copies-away         it copies to where its last operand says
//	counts              it prints numbers in a row, up to its last operand
//	debugs              it is a debugger that runs commands
//	decodes             it prints what encoded text stands for
//	deep                it means all below directories
//	default=FILES       it runs these files of its directory where it is told of no other
//	delegates           it hands these options to another program
//	deletes             it removes files, and is what a line starts for that
//	deletes-backups     it deletes backups, or restores one
//	deletes-by-verb     one of its first words may be a verb that deletes elsewhere
//	deletes-cloud       it deletes or stops resources of a cloud
//	deletes-clusters    it deletes clusters, or what they run
//	deletes-indices     it deletes indices of a search engine
//	deletes-machines    it deletes virtual machines or their disks, or cuts their power
//	deletes-queues      it deletes queues, topics or messages
//	deletes-secrets     it deletes secrets
//	deletes-users       it deletes accounts; =short with a letter for what they own
//	deletes0            it deletes what its words name; so deletes1 and deletes2, behind so many others
//	deploys             it deploys to a running system
//	destroys-stacks     it destroys infrastructure
//	devices             it prints devices: those that are attached or mounted, with their space, or all blocks
//	dir=OPTION          it works in the directory that the option names
//	documents           its code works on a store of documents
//	downloads           it gets what others keep
//	drains              it removes nodes from a cluster
//	drops               it removes volumes and pools: data sets, subvolumes or disks
//	dumps               it prints what a database, an image or a repository holds
//	edits               it changes the files that it is given, of which no grammar says so
//	edits-state         it changes what is recorded of infrastructure
//	empties             it leaves nothing of what is in a file
//	encrypts            it prints what it reads so that only some can read it
//	ends                it signals processes: of numbers, names, patterns, owners, users of files, sessions, units, tasks, objects, or everything
//	ends-many           it ends processes of a user or of a pattern
//	ends-session        it ends the session, or puts the machine to sleep
//	enters              it enters the name spaces of a process
//	enters-clusters     it enters a machine or a container of a cluster
//	environ             it prints the environment without operands: bare with options, alone without words, none without assignments
//	erases              it erases what is no device of /dev
//	erases-devices      it erases phones, boards or what is on them
//	evaluates           it reads text in the shell that runs it
//	expands             it expands patterns in its operands, as a shell does
//	fetched             its last operand is fetched where it names no file
//	fetches-code        it may run a program from a URL
//	fills               it writes each device that it is given
//	finds               it prints processes: by names or patterns, a table, tasks, objects, or lines that have them
//	first               it changes to its directory before all else
//	flat                it lists a directory and nothing below
//	flow                it ends a script or a function, leaves or repeats a loop, replaces the shell, or perhaps does so
//	follows=OPTIONS     with these it follows links
//	forges              an operand such as owner/name is a repository to install from
//	forks               it leaves what it starts behind; =option where an option asks for that
//	formats             it makes file systems, or the labels of volumes
//	given               it prints the paths that it is given
//	globs               it may change what patterns match; =letters by the letters of its options
//	goals               each operand is a sub-command of its own
//	grants-rights       it gives a program rights of root
//	hands-line          it runs what it is given as a line where that holds blanks
//	hands-to=PROGRAM    it starts that program with the words that follow
//	hands=HOW           it runs words of its own as a command
//	hands-on            it writes another form of the file that it reads
//	hashes              it remembers where programs are
//	host                it prints the name of the machine
//	index               it finds paths of the whole machine that contain an operand
//	injects-secrets     it runs a command with secrets in its environment
//	inserts             it takes lines to insert, up to a dot
//	installs-globally   it installs packages for all projects
//	internal            it is a part of a shell, which no program can run
//	inverts             its option v leaves out what matches
//	itself              it removes a link, and not what that leads to
//	keeps               it keeps the files that it packs
//	keys                it is a client of a key-value store, or of any port; =always empties one
//	lands               what it fetches lands in its directory under a name of its own
//	late                it runs its text under what is bound by then
//	limits              it ends what it runs after a time
//	links-flags         its option ldflags may name another linker
//	lines=FORM          a file of that form says which lines it runs
//	listens             it may open a port, or attach a program to one
//	looks               it only looks, or shows what it would do
//	loud                its option V makes it say more, and does not ask for its version
//	magics              lines of its code may be commands for a shell
//	members             its operands are members of an archive, and its first word may be options without a dash
//	messages            it sends messages on the bus of the desktop
//	modules             it runs programs that the modules of the project have
//	moves               it changes the directory of the shell: there, push and pop; perhaps in some shells
//	multiplexes=WHOSE   it shares terminals, with the commands of tmux or screen
//	names               it reads names of files from its input
//	obtains             what it prints or makes comes from elsewhere: the output of a command there, or by its verbs
//	opens-acl           it changes access lists
//	operand=WHAT        its first operand must be known
//	output              how what it prints follows from its words, from its input or from the machine
//	overwrites          it writes over what it deletes
//	owns                its first operand is the owner of files
//	packs-away          it removes what it has packed
//	pages               it takes commands of its own behind +
//	passes              it prints of what it reads all lines, words of each, some, those at the beginning or the end
//	patches             it changes the files that a patch names, in its words or on its input
//	path                it prints a path, or a variable that may hold one
//	pauses              it waits for something
//	picks-index         it installs from an index that its words name
//	pipes-to-port       it sends its input to a port
//	places              it prints where programs are
//	plans-jobs          it plans commands for later
//	plans-units         it plans units or tasks for later
//	pointed             its operands are all the places where it looks
//	port=OPTION         the option is the port of a host
//	powers              it ends or restarts the machine, by words or in a way that pkg/hardline reads
//	prints              it does nothing with its words but print them: as words, by a format, or not at all
//	prints-secrets      it prints secrets
//	probes              it only looks whether a port is open
//	project             it writes the file that describes a project
//	publish-tasks       its tasks may publish
//	publishes           it publishes packages, or withdraws them; -js those of npm, -py those of Python
//	publishes-js        so for npm
//	publishes-py        so for Python
//	pushes-images       it publishes images or charts
//	queries             its words may be text in a language that opens files
//	quiet               it prints nothing where it succeeds
//	razes               it deletes directories and everything in them
//	recalls             it shows what was decided about the calls of all projects
//	rehearses           it shows what it would copy
//	relays              it joins two ends that its words name; =addresses each with its kind
//	releases            it makes or changes releases
//	removes-packages    it removes programs of the machine, or environments
//	removes-volumes     it deletes volumes of containers
//	repairs             it repairs or resizes file systems
//	repeats             it prints its words without end
//	replaces            it puts another file in the place of one that it writes
//	reroutes            some options lead elsewhere than its words say, or do not check who answers; =their names
//	resets-databases    it drops or empties databases
//	resolves            it prints where links lead
//	restores            it writes what the repository holds over the files that its operands name
//	rewrites            it changes source files on its own
//	rewrites-history    it rewrites the history of a repository
//	ruins               it destroys what Windows needs
//	runs-elsewhere      it runs commands on other machines
//	runs-settings       it runs or expands what its words set
//	says-line=WORDS     behind one of these words a line for a shell stands
//	scripts-windows     its script may type into windows
//	searches            its first operand is what it searches for
//	second              it changes only its second path
//	seeks               it finds files, and runs what an option says on each
//	sets                a builtin that sets variables, or what the shell does next
//	shared              others run as it, perhaps for other work
//	shells              it takes a line for a shell as an argument or as its input
//	shows               it prints a secret: a setting, an entry or a vault
//	sizes               it prints sizes with paths behind them
//	slashes             / behind a directory that it reads means what lies in it
//	spares              it removes only what is empty
//	speaks              git, fish or zsh: its words, or its code, are in that language
//	special             a special builtin of POSIX
//	splits              it parts an option's text into the words of a command
//	spoils              it deletes, or opens to all, a place of Windows among its words
//	sql=VERB            it is a client of a database under that verb
//	starts-files        it runs the file or the module that an operand names
//	statements          its words may be statements of SQL
//	stops-services      it stops services, or keeps them from starting
//	stores              it takes what lies elsewhere for a URL alone
//	streams             it prints as it reads; =some not all
//	strews              it makes files in its directory that its words do not name
//	strips              it strips types from the code that it runs
//	subs                its first word is a sub-command, of which there is no grammar
//	succeeds            it always succeeds
//	sums                a builtin whose words the shell may evaluate as arithmetic
//	surrounds           it starts programs in the surroundings of a project
//	takes               it sends its standard input elsewhere
//	tallies             it prints numbers of what it reads
//	tapes               the file of its option f may be that of another host
//	tasks               a file of recipes or of commands says what it runs
//	tees                it writes its input to its operands
//	tells               it tells where programs are only under these options
//	tells-names         it shows names, sizes or states of files, and not what they hold
//	tests               its status says whether something holds
//	timed               its first operand is when
//	tongues             its option l names the language of its code
//	traces              it joins a process that runs
//	transfers           it is told to put a file by commands of its own; =batch of its option b
//	trees               it can print whole paths of what lies below a directory
//	trims               it prints a part of each path that it is given
//	trusts-sources      it trusts another source of packages
//	tunnels             it lets others reach this machine
//	turns=HOW           what it makes of the text that it reads
//	types               it types into terminals or windows, or shows what they display
//	unbounded           an agent that asks nobody
//	unfed               it reads no commands from its input
//	unforges            it deletes or hides what others see on a forge
//	unguards            it switches off a protection of the system
//	uninstalls          it removes releases from a cluster
//	unixy               its paths may be those of Unix on Windows
//	unpacks             it writes what is packed in another form
//	unread              nothing is known of its words, which it may run
//	unstages            it changes the index of a repository alone
//	uploads             it sends files
//	user                it prints the name of the user
//	user-number         it prints the number of the user
//	uses                it prints processes that use files or mounts, or those on the screen
//	versions            its first operand may be NAME@VERSION, which it fetches
//	waits               it waits for a job, or for so many seconds
//	web                 its words ask a web server, as those of curl, wget or both do
//	whole               it keeps the path of what it copies
//	wipes               it removes what makes a device readable
//	withdraws-js        it changes or removes packages of npm that others use
//	word                its name is a common word: among those of another program it is none
//	writes-over         it writes over a file that an option names, or what a repository holds
