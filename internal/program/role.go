package program

import "slices"

// A Role is what a program does with an argument.
type Role uint8

// The roles. Data is everything that only the program itself looks at.
const (
	RoleData    Role = iota
	RoleRead         // a file or directory that is read
	RoleWrite        // a file that is written or created
	RoleDelete       // a file or directory that is removed
	RoleMove         // a file or directory that is moved away
	RoleAlter        // a file whose mode, owner or attributes change
	RoleDir          // a directory in which the program works
	RoleExec         // a program or script that is run
	RoleText         // text that a shell evaluates
	RoleJoined       // the first of the arguments that, joined, a shell evaluates
	RoleCode         // text that another language evaluates
	RoleHost         // another host, as [USER@]HOST, HOST:PATH or a URL
	RoleEnv          // NAME=VALUE for the environment of what is run
	RoleConfig       // NAME=VALUE, where some values are evaluated
	RolePayload      // the first word of a command that is run
	RoleDashed       // the first word of a command that is run, after --
	RoleArgv         // a command that is run, up to ; or +
	RoleRest         // a command that is run, up to the end; text for a shell if its first word has blanks
	RoleProgram      // a program that is run, with what follows --
	RoleSend         // a file that is read, and that goes to another host
	RoleObject       // a revision, an object or a path of a git repository, such as HEAD:PATH
	RoleRange        // lines of a file in a git repository, as FROM,TO:PATH
)

var roleNames = [...]string{
	RoleData: "data", RoleRead: "read", RoleWrite: "write", RoleDelete: "delete", RoleMove: "move", RoleAlter: "alter", RoleDir: "dir", RoleExec: "exec", RoleText: "text", RoleJoined: "joined", RoleCode: "code", RoleHost: "host", RoleEnv: "env", RoleConfig: "config", RolePayload: "payload", RoleDashed: "dashed", RoleArgv: "argv", RoleRest: "rest", RoleProgram: "program", RoleSend: "send", RoleObject: "object", RoleRange: "range",
}

// String returns the name in the notation.
func (r Role) String() string { return roleNames[r] }

// Takes reports whether an option takes an argument.
type Takes uint8

// What an option takes.
const (
	Nothing Takes = iota
	Argument
	Attached // an optional argument that must be attached
)

// Changes reports whether what has the role is written, removed, moved or
// altered.
func (r Role) Changes() bool {
	return r == RoleWrite || r == RoleDelete || r == RoleMove || r == RoleAlter
}

// Runs reports whether what has the role is run or evaluated.
func (r Role) Runs() bool {
	switch r {
	case RoleText, RoleJoined, RoleEnv, RoleConfig, RolePayload, RoleDashed, RoleArgv, RoleRest, RoleProgram:
		return true
	}
	return false
}

// mustRole panics on a role that does not exist: the table is wrong.
func mustRole(name, where string) Role {
	if name == "" {
		return RoleData
	}
	r := slices.Index(roleNames[:], name)
	if r < 0 {
		panic("program: unknown role in " + where)
	}
	return Role(r)
}
