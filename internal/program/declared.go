package program

// Declared is the name by which judges know every program that a policy declares a
// wrapper. No program is called so: it is no base name.
const Declared = "declared/wrapper"

// declared is the row of such a program. It takes no options of which anything is known.
var declared = &Program{Names: Declared, Style: Stop, Operands: "payload", enclosing: enclosing{Transparent: true}, Reads: &Reading{Check: "payload"}}

// MayDeclare reports whether a policy may declare the program of a base name a wrapper:
// the table knows nothing of it, or the same.
func MayDeclare(base string) bool {
	p := Find(Resolve(base))
	return p == nil || IsTransparent(p)
}
