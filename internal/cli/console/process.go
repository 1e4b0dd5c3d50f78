// Package console is what all commands have in common: what the tool is given by its
// surroundings, the exit codes, wrong usage, pages on a terminal, and small files. It
// knows no command.
package console

import (
	"io"

	"github.com/policyctl/policyctl/internal/agents/guard"
	"github.com/policyctl/policyctl/internal/machine/layers"
)

// A Process is what the tool is given by its surroundings.
type Process struct {
	Args           []string // without the name of the program
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Getwd          func() (string, error)
	// Colour is one of Auto, Always and Never; "" is Auto.
	Colour string
	// Environ returns all variables; nil for none.
	Environ func() []string
	// Place returns where policies lie; nil for where the environment says.
	Place func() (layers.Place, error)
	// Guard returns what decides the calls of agents' hooks.
	Guard func() (*guard.Guard, error)
}
