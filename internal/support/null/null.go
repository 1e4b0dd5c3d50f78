// Package null writes what is not there as null.
//
// In JSON and in a database a value that does not apply is null, and in Go it
// is the zero value. The package does not read null.
package null

// Of returns the value, nil for the zero value.
func Of[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// Any returns the value, nil for the zero value.
func Any[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}
