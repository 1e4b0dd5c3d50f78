package command

// transparent reports whether the command does what its payload does.
func (c *Command) Transparent() bool { return c.Args.Program != nil && c.Args.Program.Transparent }
