package program

// A Commands is a language of commands, as editors and clients have one, of which
// some leave to the shell. Its lists are phrases, commas between them: letters in
// brackets may be left out, a blank stands for any number of blanks and quotes, and *
// for what is before the next sign. What follows is for a shell: up to the sign that
// closes it if the phrase ends in a quote, a brace or a parenthesis.
type Commands struct {
	Form Form
	// Plus says that only a word that begins with + has commands in it.
	Plus bool
	// Comment is how a line begins that has none.
	Comment string
	// Ends are the signs that end a command, unless quotes hold them.
	Ends string
	// Before are words that may stand before a command, Within those behind which one
	// may stand anywhere.
	Before, Within string
	// Starts are phrases at the beginning of a command, Inside those anywhere but
	// in quotes.
	Starts, Inside string
}

// A Form is what a language of commands has beside phrases.
type Form uint8

// The forms.
const (
	phrases Form = iota
	Ex           // ranges before commands, and g/PATTERN/COMMAND
	Tcl          // commands in brackets and braces, open and file
)

// The languages of commands (the programs' own manuals).
var (
	exCommands = &Commands{
		Form: Ex, Ends: "|", Starts: "!,r[ead] !,w[rite] !,W !,e !,E !,f !,te[rminal] ",
		Before: "sil[ent],uns[ilent],noa[utocmd],keepa[lt],keepj[umps],kee[pmarks],keepp[atterns],loc[kmarks],vert[ical],tab,abo[veleft],bel[owright],bo[tright],lefta[bove],rightb[elow],to[pleft],verb[ose],bufdo,argdo,windo,tabdo,cdo,cfdo,ldo,lfdo",
		Within: "au[tocmd],com[mand],exe[cute],norm[al],map,nm[ap],vm[ap],im[ap],cm[ap],no[remap],nn[oremap],vn[oremap],ino[remap],cno[remap]",
	}
	pagerCommands      = &Commands{Plus: true, Starts: "!,|$,|^,|."}
	debuggerCommands   = &Commands{Starts: "!,she[ll] ,platform shell ,pipe *|,| *|"}
	tclCommands        = &Commands{Form: Tcl, Comment: "#", Before: "eval,catch,uplevel", Starts: "exec ,spawn ,system "}
	sqliteCommands     = &Commands{Starts: ".sh[ell] ,.sy[stem] ,.ou[tput] |,.on[ce] |,.rea[d] |,.im[port] |,.e[xcel] |", Inside: "edit("}
	psqlCommands       = &Commands{Ends: ";", Starts: "\\*`,\\setenv * ,\\copy *program ',copy *program '", Inside: `\!,\o |,\out |,\w |,\write |,\i |,\g |,\gx |`}
	mysqlCommands      = &Commands{Ends: ";", Starts: `system ,pager ,\P `, Inside: `\!`}
	sqlCommands        = &Commands{Ends: ";", Starts: "!sh ,!system ,!,ho[st] ,$,shell ", Inside: "executable("}
	transferCommands   = &Commands{Ends: ";", Starts: "!,shell "}
	mailCommands       = &Commands{Starts: "~ !,~ |,~r !,~< !,!"}
	dcCommands         = &Commands{Comment: "#", Inside: "!"}
	plotCommands       = &Commands{Comment: "#", Ends: ";", Starts: "!,sy[stem] ,she[ll] ", Inside: "system(,\"<,'<,\"|,'|"}
	macroCommands      = &Commands{Inside: "syscmd("}
	kakouneCommands    = &Commands{Inside: "%sh{"}
	managerCommands    = &Commands{Comment: "#", Starts: "shell ,!,$,%,&"}
	chatCommands       = &Commands{Ends: ";", Starts: "/exec "}
	tmuxCommands       = &Commands{Comment: "#", Ends: ";", Starts: "run[-shell] ,if[-shell] ,new-window ,neww ,split-window ,splitw ,display-popup ,popup ,pipe-pane ,respawn-pane "}
	managedCommands    = &Commands{Ends: ";,", Starts: "exec ,exec_always "}
	socketCommands     = &Commands{Starts: "exec:,system:,shell:"}
	rpmCommands        = &Commands{Inside: "%("}
	haskellCommands    = &Commands{Starts: ":!"}
	postscriptCommands = &Commands{Inside: "%pipe%"}
	printerCommands    = &Commands{Starts: "|,!"}
	typesetterCommands = &Commands{Starts: ".sy ,.pso ,sh X"}
	machineCommands    = &Commands{Inside: "exec:,script="}
	buildCommands      = &Commands{Starts: "!"}
	texCommands        = &Commands{Comment: "%", Starts: "|", Inside: `\write18{`}
	cronCommands       = &Commands{Comment: "#", Starts: "@* ,* * * * * "}
	incronCommands     = &Commands{Comment: "#", Starts: "* * "}
)

// Leaves reports whether commands of the program's own language leave to the shell at
// once.
func Leaves(p *Program) bool { return (p.Commands != nil || p.Behind != "") && !Schedules(p) }

// IsRough reports whether the program evaluates code in a language that is read only
// roughly.
func IsRough(p *Program) bool { return p.Rough }

// Schedules reports whether they run later, when their lines say.
func Schedules(p *Program) bool { return p.Commands == cronCommands || p.Commands == incronCommands }
