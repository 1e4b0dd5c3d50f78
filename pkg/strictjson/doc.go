// Package strictjson reads JSON that every reader understands in the same way:
// UTF-8 without halves of surrogate pairs, no key twice in an object, so deep
// and no deeper, one value and nothing behind it. Errors say where. It also
// writes the canonical form (RFC 8785).
//
// The grammar is that of jsontext, which Go 1.27 has in its library.
package strictjson
