// Package eval reads a command line once, so that every judge of it sees the
// same thing: each simple command that the line can run, at any depth, with
// its words as sets of possible values, its redirections, its directory, and
// the wrappers that lead to it.
//
// [Read] never fails: a line that cannot be read has a problem. Reading is
// bounded for any input: texts within texts are followed eight deep, and the words
// and values of a line share a budget of 32 MiB ([Cost]), past which a value that
// would grow stays as it is and its set is open, and a line with further words
// cannot be read. The package runs nothing, looks at no file and no environment
// variable, and judges nothing.
package eval
