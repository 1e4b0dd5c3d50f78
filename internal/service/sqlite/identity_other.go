//go:build !unix

package sqlite

// Identity is "": the system does not tell files apart by a name.
func Identity(string) string { return "" }
