package program

// A Style is how a program reads its arguments.
type Style uint8

// The styles.
const (
	GNU        Style = iota // options anywhere, -xyz bundles, --long and its abbreviations
	Stop                    // as GNU, but the first operand ends the options
	Words                   // -option is one word, such as -name
	Pairs                   // operands are NAME=VALUE, such as of=FILE
	Plain                   // no options
	Expression              // as Words, and tests and acts stand behind the operands, as for find
)

// OfWords reports whether an option is one word behind a dash.
func (s Style) OfWords() bool { return s == Words || s == Expression }

// A Context says where a command runs.
type Context uint8

// The contexts, nearest first.
const (
	Local     Context = iota
	Container         // in a container that a wrapper starts or enters
	Remote            // on another host
)

// String returns "local", "container" or "remote".
func (c Context) String() string { return [...]string{"local", "container", "remote"}[c] }

// Rights say with whose rights a program runs what it is given.
type Rights uint8

// The rights.
const (
	Own      Rights = iota // those of who starts it
	Raised                 // those of another user, usually root, for one command
	Switched               // those of another user or group, for a session
)
