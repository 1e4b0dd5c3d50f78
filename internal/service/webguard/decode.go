package webguard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
)

// wrongBody returns the refusal of a body of JSON. The path is such as
// call.input.files[2], "" for the whole.
func wrongBody(path, code, detail, hint string) error {
	if path != "" {
		detail = path + ": " + detail
	}
	return &Refusal{Status: http.StatusBadRequest, Code: code, Detail: detail, Hint: hint}
}

// Decode reads one JSON value into a pointer to a zero value, so that every
// reader understands it in the same way. It refuses keys that a struct does
// not have, byte for byte, keys that stand twice in any object, more than 64
// levels, texts that are not Unicode, and whatever follows. Numbers without a
// type stay as they are written. Types with an UnmarshalJSON of their own judge
// their own keys. The error is a [Refusal] or that of the reader, which the
// caller bounds, as [Limit] does.
func Decode(r io.Reader, into any) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("the body of the request cannot be read: %w", err)
	}
	if err := checkShape(data, reflect.TypeOf(into)); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return typeError(err)
	}
	return nil
}

// typeError says in words of JSON that a value does not fit.
func typeError(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		text := strings.TrimPrefix(err.Error(), "json: ")
		return wrongBody("", "wrong-value", text, "correct the value")
	}
	return wrongBody(wrong.Field, "wrong-type", "found "+wrong.Value, "write "+typeName(wrong.Type))
}

// typeName names what JSON a Go type is written as.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number that fits"
}
