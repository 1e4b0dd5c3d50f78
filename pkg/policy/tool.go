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
	// Counts names the arguments that make two calls the same; empty means
	// all.
	Counts []string
	// Groups are the tool policy's groups to which it belongs.
	Groups []string
	Origin Origin
}
