// Package shell reads the language of shells: a text becomes a tree, or a [Problem], and
// words become sets of what they may be. A scanner of our own and the parser divide each
// text independently, and a text that they divide differently is refused. What several
// shells read differently is a [Construct] of a table. Texts of PowerShell, cmd, fish and
// Nushell are spelled as a shell would.
//
// The package knows no program and no policy, runs nothing and looks at no file.
package shell
