// Package command says what one simple command does: its arguments as the grammar of its
// program reads them, the files that it reads, writes and deletes, the hosts that it
// connects to, what it prints of what it is given, and the text in other languages that it
// evaluates. What it knows of programs stands in their rows, in package program.
//
// A command does not know the line around it, nor how the line was read: package eval makes
// commands, and tells them what they cannot see.
package command
