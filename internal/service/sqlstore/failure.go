package sqlstore

import (
	"errors"
	"fmt"
)

// A Failure is an error of a database. Its text names the database; its cause, for
// people at the other end of a service, does not.
type Failure struct {
	name, cause string
	err         error
}

// Fail returns the error of a database with a name and what cause says of it: what is
// wrong and what to do, "" where that is unknown. A Failure is returned as it is, and so
// is nil.
func Fail(name string, err error, cause func(error) string) error {
	var known *Failure
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &Failure{name, cause(err), err}
}

// Error names the database, the cause and what the database says.
func (f *Failure) Error() string {
	if f.cause == "" || f.cause == f.err.Error() {
		return fmt.Sprintf("database %s: %v", f.name, f.err)
	}
	return fmt.Sprintf("database %s: %s: %v", f.name, f.cause, f.err)
}

// Unwrap returns the error of the database.
func (f *Failure) Unwrap() error { return f.err }

// Cause says what is wrong and what to do, "" where that is unknown.
func (f *Failure) Cause() string { return f.cause }
