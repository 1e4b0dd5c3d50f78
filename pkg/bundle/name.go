package bundle

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	manifestFile   = ".manifest"
	signaturesFile = ".signatures.json"
	dataFile       = "data.json"
)

// longestName bounds a name in bytes; no file system allows much more.
const longestName = 1024

// cleanName returns the name of an entry without the "/" that OPA puts before
// it or the "./" that tar does, and what is wrong with it, if anything.
func cleanName(name string) (clean, problem string) {
	clean, cut := strings.CutPrefix(name, "/")
	if !cut {
		clean = strings.TrimPrefix(name, "./")
	}
	return clean, badName(clean)
}

// badName says why a name is refused, or "". Nothing is ever written under
// these names here, but somebody may unpack the archive with other tools.
func badName(entry string) string {
	switch {
	case entry == "":
		return "the name is empty"
	case len(entry) > longestName:
		return "the name is longer than " + strconv.Itoa(longestName) + " bytes"
	case !utf8.ValidString(entry):
		return "the name is not UTF-8"
	case strings.ContainsFunc(entry, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "the name has characters that do not print"
	case strings.Contains(entry, `\`):
		return "the name has a backslash; separate folders by /"
	case len(entry) > 1 && entry[1] == ':' && entry[0]|0x20 >= 'a' && entry[0]|0x20 <= 'z':
		return "the name begins with a drive letter"
	case entry == "." || !fs.ValidPath(entry):
		return "the name leaves the archive or is not plain; use names like policyctl/rules/rules.rego"
	}
	return ""
}

// refusedFile says why a file has no place in a bundle of ours, or "".
func refusedFile(name string) string {
	switch base := path.Base(name); {
	case base == "patch.json":
		return "delta bundles are refused because they cannot be signed; build a full bundle"
	case strings.HasSuffix(name, ".wasm"):
		return "WebAssembly is refused because its rules cannot be reviewed or limited; build with -t rego"
	case base == "plan.json" || base == "plan.pb":
		return "plans are refused because Rego is evaluated from source; build with -t rego"
	case strings.HasSuffix(name, ".manifest.pb"):
		return "a manifest in protobuf is refused; write it as JSON"
	case strings.HasSuffix(name, manifestFile) && name != manifestFile:
		return "OPA would take it for the manifest; the only manifest is .manifest at the top"
	case base == signaturesFile && name != signaturesFile:
		return "OPA would take it for the signature; the only one is .signatures.json at the top"
	}
	return ""
}

// shown quotes a name that may be hostile, cut to what fits a line.
func shown(name string) string {
	if badName(name) == "" && len(name) <= 200 {
		return name
	}
	if len(name) > 60 {
		name = name[:60] + "..."
	}
	return strconv.QuoteToASCII(name)
}

// badModule says why a module cannot have a name, or "".
func badModule(name string) string {
	if problem := badName(name); problem != "" {
		return problem
	}
	if !strings.HasSuffix(name, ".rego") {
		return "modules end in .rego; rename it"
	}
	return ""
}
