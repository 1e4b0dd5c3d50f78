package program

// An Inside is how a program changes files, so that it may be proved to stay inside the
// project.
type Inside struct {
	// Names are those of the program for which this holds, "" for all of them.
	Names string
	// Options are those with which it does no more than its arguments say.
	Options string
	// Manner is how it changes a file, "" as for creates:
	//
	//	creates  it makes what is not there, and loses nothing of what is
	//	appends  it adds to what is there
	//	edits    it changes a part of what is there
	//	puts     it replaces what is there
	//	into     it replaces what is there, unless that is a directory
	//	fills    it makes files below a directory whose names it does not tell
	//	moves    it moves what is there away
	//	removes  it removes what is there
	//
	// Under is another, and behind it the options under which it is that.
	Manner, Under string
	// Writing are the options without which it only prints, "" where it needs none.
	Writing string
	// Check names what pkg/workspace checks beside options and arguments.
	Check string
	// Git says that it changes the repository, and nothing else that its arguments name
	// but what Check looks at.
	Git bool
	// Plants says that it may make links, or move directories that hold some; Deep are the
	// options of which it needs one for that, "" where it needs none.
	Plants bool
	Deep   string
	// Keeps are, where no more than them is known, the options with which git takes
	// nothing away that is not kept elsewhere.
	Keeps string
}

// InsideOf returns how a program, or a sub-command, changes files under one of its names;
// nil where that is not known.
func (p *Program) InsideOf(name string) *Inside {
	if p == nil || p.Inside == nil || p.Inside.Names != "" && !HasWord(p.Inside.Names, name) {
		return nil
	}
	return p.Inside
}
