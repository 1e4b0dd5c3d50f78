package glean

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/program"
)

// A doing is what the name of a function says that it does.
type doing uint8

const (
	otherwise doing = iota
	passing         // it makes a path or a list of what it is given, or hands it on
	listing         // it lists what is in a directory
	dropping        // it removes something
	sweeping        // it removes a directory with all that is in it
	starting        // it runs a program
)

// The parts of names that say so. A tree makes of what removes something what removes a
// directory with all that is in it; what is spoiled is no path any more, or none that is
// removed.
var (
	removing = []string{"delete", "remove", "erase", "unlink", "wipe", "purge", "destroy", "trash", "rmdir", "deldir"}
	trees    = []string{"tree", "dir", "recurs", "folder", "contents"}
	sweepers = []string{"rmtree", "rmrf", "deltree", "deldirr", "rimraf", "rmrecurs", "recursiverm", "removeitem"}
	spoiling = []string{
		"strip", "trim", "prefix", "suffix", "replace", "split", "join", "concat", "append", "child", "resolve", "exist",
		"equal", "contain", "match", "base", "print", "put", "log", "echo", "say", "assert", "expect", "raise", "throw",
		"error", "warn", "tmp", "tempdir", "tempfile",
	}
	walking = []string{
		"walk", "listdir", "dirlist", "readdir", "listfiles", "directorylist", "directorycontents", "contentsofdirectory", "listdirectory",
		"fileseq", "wildcard", "globdir", "eachfile", "scandir", "iterdir", "pathlist", "entries",
	}
	filtering = []string{"filter", "endswith", "startswith", "suffix", "prefix", "match"}
	running   = []string{"shell", "process", "command", "exec", "spawn", "popen", "syscall"}
	ofPaths   = []string{"file", "path", "dir", "url", "uri", "folder"}
)

// Whole names that say so: those that run a program, list a directory, or hand on what they
// are given.
const (
	runningNames = "system sh cmd run proc launch call openport qx qqx"
	listingNames = "ls dir glob"
	passingNames = "array arrayof listof list seq vec vector of new string str p c get in from at to io os java nio " +
		"babashka fs fun do root it void reverse sort sorted quote each foreach iter iterate map mapm lapply for let discard"
)

// doingOf returns what a name says that its function does.
func doingOf(name string) doing {
	bare := plainly(name[strings.LastIndexByte(name, '.')+1:])
	switch {
	case bare == "":
		return passing
	case hasPart(bare, sweepers), hasPart(bare, removing) && hasPart(bare, trees), strings.HasSuffix(name, "remove.all"):
		return sweeping
	case hasPart(bare, removing) && !hasPart(bare, spoiling), program.HasWord("rm del", bare):
		return dropping
	case hasPart(bare, spoiling):
		return otherwise
	case hasPart(bare, walking), program.HasWord(listingNames, bare):
		return listing
	case hasPart(bare, running), program.HasWord(runningNames, bare),
		strings.HasPrefix(bare, "run") && hasPart(plainly(name), running):
		return starting
	case hasPart(bare, ofPaths), program.HasWord(passingNames, bare):
		return passing
	}
	return otherwise
}

// maxSteps bounds how far a text is followed.
const maxSteps = 32

// A way is that of a text to what is done with it: outwards through the brackets that hold
// it, and behind them from member to member.
type way struct {
	*finder
	at       int32
	from, to int32 // what has been passed
	group    int32 // the brackets that hold it
	does     doing
	walks    bool // what lies in the directory is gone through
}

// climb follows the way.
func (w *way) climb() {
	for range maxSteps {
		w.follow()
		callee := w.calleeAt(w.group, w.from)
		if w.does != otherwise {
			return
		}
		if callee >= 0 && callee < w.from && !w.pass(callee) || w.group == 0 || w.brackets[w.group].close < 0 {
			return
		}
		w.leave(callee)
	}
}

// pass notes what the function of a name does with what has been passed, and reports
// whether that goes on.
func (w *way) pass(callee int32) bool {
	switch done := doingOf(w.qualified(callee)); done {
	case dropping, sweeping, starting:
		if w.does = done; done == dropping && w.isTree() {
			w.does = sweeping
		}
		return false
	case listing:
		w.walks = true
	case otherwise:
		return false
	}
	return true
}

// leave passes the brackets that hold what has been passed, with the name before them.
func (w *way) leave(callee int32) {
	in := w.brackets[w.group]
	if in.close < 0 {
		return
	}
	w.from, w.to, w.group = in.open, in.close, in.outer
	if callee >= 0 && callee == in.open-1 {
		w.from = callee
	}
}

// follow reads the members behind what has been passed, and what a pipe hands it to.
func (w *way) follow() {
	for k := w.to + 1; k < int32(len(w.tokens)); {
		t, next := &w.tokens[k], &token{kind: endToken}
		if k+1 < int32(len(w.tokens)) {
			next = &w.tokens[k+1]
		}
		switch {
		case t.kind == nameToken && w.threads(t.group):
			next, k = t, k-1
		case t.kind == nameToken && w.tokens[w.to].kind == textToken && doingOf(t.text) >= sweeping && !w.isLabel(k):
			w.does = doingOf(t.text) // the words of Forth stand behind what they work on
			return
		case t.kind != signToken || !leads(t.text, t.tight):
			return
		case strings.HasSuffix(t.text, "!"): // "…".! of Scala
			w.does = starting
			return
		case next.kind != nameToken:
			return
		}
		done := doingOf(next.text)
		switch end := w.endOf(k + 1); done {
		case otherwise:
			if !w.isModule(k + 1) {
				w.to = k
				return
			}
			w.to = k + 1
		case listing:
			w.walks, w.to = true, end
		case passing:
			w.to = end
		default:
			w.does, w.to = done, end
			return
		}
		k = w.to + 1
	}
}

// threads reports whether brackets hand what stands in them from one name to the next, as
// those of -> in Clojure.
func (w *way) threads(group int32) bool {
	first := w.brackets[group].open + 1
	return first > 0 && strings.HasPrefix(w.tokens[first].text, "->")
}

// isModule reports whether a name is one before a member.
func (w *way) isModule(i int32) bool { return w.isMemberAt(i + 1) }

// leads reports whether a sign leads to a member, or hands on what stands before it.
func leads(sign string, tight bool) bool {
	switch sign {
	case "|>", "->", "->>", "|.":
		return true
	case ".", "?.", "::", "!!.", "!.", ".!", ".!!":
		return tight
	}
	return false
}

// isTree reports whether the text is given by a name that says that it is a directory.
func (w *way) isTree() bool {
	i := w.at - 2
	return i >= 0 && w.isLabel(i) && hasPart(plainly(w.tokens[i].text), trees)
}

// isRecursive reports whether a call says that it goes down into directories.
func (w *way) isRecursive() bool {
	for k := w.from; k < int32(len(w.tokens)) && w.tokens[k].kind != endToken; k++ {
		if t := &w.tokens[k]; t.kind == nameToken && hasPart(plainly(t.text), []string{"recurs", "deletecontents"}) {
			value := k + 2
			return value >= int32(len(w.tokens)) || w.tokens[value].text != "false"
		}
	}
	return false
}

// deletesEach reports whether the statement removes what it lists, and leaves out nothing of
// that.
func (w *way) deletesEach() bool {
	first, last := w.at, w.at
	for first > 0 && w.tokens[first-1].kind != endToken {
		first--
	}
	for last+1 < int32(len(w.tokens)) && w.tokens[last+1].kind != endToken {
		last++
	}
	names := w.tokens[first : last+1]
	return !slices.ContainsFunc(names, w.leavesOut) && slices.ContainsFunc(names, removes)
}

// leavesOut reports whether a name is one by which some of what is listed is left out.
func (w *way) leavesOut(t token) bool {
	return t.kind == nameToken && (w.chooses(t.text) || hasPart(plainly(t.text), filtering))
}

// removes reports whether a name says that something is removed, or a text that rm does it.
func removes(t token) bool {
	if t.kind == textToken {
		return t.text == "rm" || strings.HasPrefix(t.text, "rm -")
	}
	done := doingOf(t.text)
	return t.kind == nameToken && (done == dropping || done == sweeping)
}
