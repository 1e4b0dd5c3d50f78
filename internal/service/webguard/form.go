package webguard

import "net/http"

// A Form is how an error is written.
type Form int

// The forms: a [Problem]; {"error": …}; and the same with "detail" beside it,
// as FastAPI has it.
const (
	ProblemForm Form = iota
	ErrorForm
	DetailForm
)

// Forms has errors written in a form that the client reads.
func Forms(form Form) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(&formWriter{w, form}, r) })
	}
}

// A formWriter is an answer with a form of errors.
type formWriter struct {
	http.ResponseWriter
	form Form
}

// Unwrap is for [http.ResponseController].
func (f *formWriter) Unwrap() http.ResponseWriter { return f.ResponseWriter }

// formOf returns the form of an answer, whatever wraps it.
func formOf(w http.ResponseWriter) Form {
	for {
		if f, ok := w.(*formWriter); ok {
			return f.form
		}
		u, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return ProblemForm
		}
		w = u.Unwrap()
	}
}
