package own

import (
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/program"
)

// sends are the beginnings of options with which clients of HTTP send a body,
// for which they choose the method POST.
var sends = []string{"-d", "--data", "--json", "-F", "--form", "-T", "--upload-file", "--post", "--body", "--raw", "-post"}

// methodOf returns the method of the requests of a client, "POST" for all that
// change something, "" where it is unknown. Without a word that says
// otherwise it is GET.
func methodOf(c *command.Command) string {
	if c.Args.Program != nil && c.Args.Program.Input == program.RoleCode {
		return ""
	}
	for k := 1; k < len(c.Words); k++ {
		w := &c.Words[k]
		if w.Open && len(w.Values) == 0 && !strings.Contains(w.Prefix+w.Partial, "/") {
			return ""
		}
		for _, v := range w.Values {
			if changes(v) || sendsBody(c, v) {
				return "POST"
			}
		}
	}
	return "GET"
}

// changes reports whether a word is a method that changes something, also
// behind an option.
func changes(v string) bool {
	v = strings.TrimPrefix(v, "-X")
	if _, value, ok := strings.Cut(v, "="); ok && strings.HasPrefix(v, "-") {
		v = value
	}
	v = strings.ToUpper(v)
	return v != "" && strings.Contains(" "+writing+" ", " "+v+" ")
}

func sendsBody(c *command.Command, v string) bool {
	if c.Args.Has("G", "get") && c.How("web") == "curl" {
		return false
	}
	for _, s := range sends {
		if strings.HasPrefix(v, s) {
			return true
		}
	}
	name, _, ok := strings.Cut(v, "=")
	return ok && c.Is(program.IsHTTPie) && !strings.HasPrefix(v, "-") && !strings.Contains(name, "/") && !strings.HasSuffix(name, "=")
}
