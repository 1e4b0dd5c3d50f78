package policy

// A Kind is what a tool does. The zero value is [KindOther], of which nothing
// is known.
type Kind uint8

// The kinds.
const (
	KindOther Kind = iota
	KindShell
	KindWrite
	KindRead
	KindFetch
	KindSearch
	KindMCP
)

var kindNames = [...]string{"other", "shell", "write", "read", "fetch", "search", "mcp"}

// Kinds returns all kinds.
func Kinds() []Kind {
	out := make([]Kind, len(kindNames))
	for i := range out {
		out[i] = Kind(i)
	}
	return out
}

// String returns the name of the kind.
func (k Kind) String() string { return name(kindNames[:], int(k)) }

// UnmarshalText accepts exactly the names of the kinds.
func (k *Kind) UnmarshalText(text []byte) error {
	i, err := index("kind", kindNames[:], string(text))
	*k = Kind(i)
	return err
}

// A Risk is how much harm a tool can do. The zero value is [High].
type Risk uint8

// The risks, highest first.
const (
	High Risk = iota
	Medium
	Low
)

var riskNames = [...]string{"high", "medium", "low"}

// String returns "high", "medium" or "low".
func (r Risk) String() string { return name(riskNames[:], int(r)) }

// UnmarshalText accepts exactly the three names.
func (r *Risk) UnmarshalText(text []byte) error {
	i, err := index("risk", riskNames[:], string(text))
	*r = Risk(i)
	return err
}

// A Tool is one entry of the tool table.
type Tool struct {
	// Name is what policies call the tool.
	Name string
	Kind Kind
	Risk Risk
	// Aliases are names under which well-known agents call it.
	Aliases []string
	// Subject names the arguments that patterns match, in order. A name may
	// be a path such as "edits[].file_path". Where there is none, denies and
	// asks match any string in the arguments, and allows match the canonical
	// JSON of all of them.
	Subject []string
	// Looks names the arguments that say where a search looks. Denies and asks
	// of paths that are read mean them too.
	Looks []string
	// Picks names the arguments by which a search chooses the files that it
	// reads, as patterns of their names. Denies and asks of paths that are read
	// mean them too. A tool that only lists names has none.
	Picks []string
	// Runs says which arguments tell where and how a tool of [KindShell] runs
	// its command. What is empty is as in the built-in shell.
	Runs Runs
	// Commands names arguments of other tools whose text may reach a shell. The
	// floor, denies and dangerous patterns judge them as shell lines, but they
	// never make the call allowed. "chars|keys" is text as it is typed on a
	// terminal.
	Commands []string
	// Operation names the arguments of which one says which tool is meant, as
	// "op" does in a call of file_system, and Operations the tools by the values
	// of it. A value that is not there leaves the call with the tool itself.
	Operation  []string
	Operations map[string]string
	// Counts names the arguments that make two calls the same; empty means
	// all.
	Counts []string
	// Groups are the tool policy's groups to which it belongs.
	Groups []string
	Origin Origin

	// Of is the tool that calls this one by an operation, "" if none does. The
	// engine sets it.
	Of string
	// plain says that a call of a built-in tool that is neither a file's nor the web's
	// does no more than the agent itself may do.
	plain bool
	// delegates are the arguments with which a call of a built-in tool does no more than
	// start, tell or end a subagent: NAME, or NAME=VALUE|VALUE. Any other may choose
	// where it works, or with which rights.
	delegates string
	// undeclared says that nobody declared what the arguments mean. The engine
	// sets it.
	undeclared bool
	// guessed says that nobody declared which arguments hold commands. The engine
	// sets it.
	guessed bool
	// arguments are those that the tool reads. The table of tools sets them.
	arguments []argument
}

// Runs names the arguments that say where and how a command runs. Other
// arguments change nothing about its meaning: timeout and yield_time_ms end it
// or answer sooner, login reads start-up files that are the user's own, and tty
// shows its output on a terminal.
type Runs struct {
	// Dirs name the directory, relative to that of the call.
	Dirs []string
	// Env hold variables of the environment: an object, or a list of NAME=VALUE.
	Env []string
	// Shells name the shell that reads the command.
	Shells []string
	// Stdin hold the text on the standard input.
	Stdin []string
	// Background say, with true, that the command goes on after the call.
	Background []string
}

// fields returns the lists of arguments.
func (u *Runs) fields() [5][]string {
	return [...][]string{u.Dirs, u.Env, u.Shells, u.Stdin, u.Background}
}

// given reports whether a call has arguments of the command's surroundings that
// make it another call.
func (u *Runs) given(input map[string]any) bool {
	if len(input) < 2 {
		return false
	}
	for _, fields := range [...][]string{u.Env, u.Shells, u.Stdin} {
		for _, field := range fields {
			if input[field] != nil {
				return true
			}
		}
	}
	return false
}

// or returns the arguments with those of another tool where nothing is said of
// a kind of them.
func (u Runs) or(other *Runs) Runs {
	for _, f := range [...]struct{ own, other *[]string }{
		{&u.Dirs, &other.Dirs}, {&u.Env, &other.Env}, {&u.Shells, &other.Shells}, {&u.Stdin, &other.Stdin}, {&u.Background, &other.Background},
	} {
		if len(*f.own) == 0 {
			*f.own = *f.other
		}
	}
	return u
}
