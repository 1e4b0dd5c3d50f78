package command

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/lang/shell"
)

// WindowsVars are variables that Windows sets, with what they are on most
// machines; of a home, any name will do.
func WindowsVars(name string) string {
	switch name {
	case "SYSTEMDRIVE", "HOMEDRIVE":
		return "C:"
	case "SYSTEMROOT", "WINDIR":
		return "C:/Windows"
	case "PROGRAMFILES":
		return "C:/Program Files"
	case "PROGRAMDATA", "ALLUSERSPROFILE":
		return "C:/ProgramData"
	case "USERPROFILE":
		return "C:/Users/user"
	case "HOMEPATH":
		return "/Users/user"
	}
	return ""
}

// systemPaths are what the options of cygpath name.
var systemPaths = map[string]string{"W": "C:/Windows", "S": "C:/Windows/System32", "H": "C:/Users", "P": "C:/Users/Public"}

// WindowsPath returns what cygpath and wslpath print: the path that they are
// given, as Windows writes it; and wslvar, a variable.
func WindowsPath(c *Command) shell.Set {
	out := shell.Set{Open: true}
	for i := range c.Words[1:] {
		w := &c.Words[i+1]
		if v, ok := w.Literal(); ok && strings.HasPrefix(v, "-") {
			if p := systemPaths[strings.TrimPrefix(v, "-")]; p != "" {
				out.Values = append(out.Values, p+"\n")
			}
			continue
		}
		for _, v := range w.Values {
			if c.How("path") == "variables" {
				v = WindowsVars(v)
			}
			out.Values = append(out.Values, strings.ReplaceAll(v, `\`, "/")+"\n")
		}
	}
	return out
}

// TakesEncoded reports whether a word is -EncodedCommand of PowerShell, which
// may be cut short.
func TakesEncoded(w *shell.Word) bool {
	v, ok := w.Literal()
	v = strings.ToLower(v)
	return ok && (v == "-ec" || len(v) > 1 && strings.HasPrefix("-encodedcommand", v))
}

// Decoded returns the text of the argument of -EncodedCommand, UTF-16 in
// base64; "" for what is none.
func Decoded(text string) string {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return ""
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return string(utf16.Decode(units))
}
