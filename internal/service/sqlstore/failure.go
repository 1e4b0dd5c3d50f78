package sqlstore

import (
	"errors"
	"fmt"
	"strings"
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

// Error names the database, the cause and what the database says, in one line.
func (f *Failure) Error() string {
	said := strings.Join(strings.Fields(f.err.Error()), " ") // drivers use several lines
	if f.cause == "" || f.cause == said {
		return fmt.Sprintf("database %s: %s", f.name, said)
	}
	return fmt.Sprintf("database %s: %s: %s", f.name, f.cause, said)
}

// Unwrap returns the error of the database.
func (f *Failure) Unwrap() error { return f.err }

// Cause says what is wrong and what to do, "" where that is unknown.
func (f *Failure) Cause() string { return f.cause }
