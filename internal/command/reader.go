package command

// The bounds of reading. What lies beyond is unreadable, never cut off.
const (
	MaxWrapped = 24 // wrappers around one command
)
