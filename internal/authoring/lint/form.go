package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/record"
)

// A fieldForm is what all values of some fields look like.
type fieldForm struct {
	fields []string
	// are says what the values are.
	are string
	// wrong returns what to write instead of a text that is none of them, "" for
	// one that may be. Where it is nil, they are one of names.
	wrong func(text string) string
	names []string
}

var fieldForms = []fieldForm{
	{[]string{"file.path", "shell.dir", "shell.writes", "shell.reads"}, "an absolute path without ~ and variables", notAbsolute, nil},
	{[]string{"http.path"}, "the path of a URL, which begins with /", func(t string) string { return unless(strings.HasPrefix(t, "/"), "write \"/"+t+"\"") }, nil},
	{[]string{"http.host", "shell.hosts", "ssh.host"}, "a host alone, without scheme, user, port, path and final dot", notHost, nil},
	{[]string{"shell.program"}, "the base name of a program without its arguments", notProgram, nil},
	{[]string{"k8s.resource"}, "a resource in the plural, without its group", func(t string) string {
		return unless(record.PluralResource(t) == t, "write "+clip.Quote(record.PluralResource(t)))
	}, nil},
	{[]string{"sql.verb"}, "the first keyword of a statement alone", func(t string) string {
		first, _, more := strings.Cut(t, " ")
		return unless(!more, "write "+clip.Quote(first))
	}, nil},
	{[]string{"mcp.server", "mcp.tool"}, "a part of the name mcp__SERVER__TOOL", func(t string) string {
		return unless(!strings.HasPrefix(t, "mcp__"), "write the server or the tool alone")
	}, nil},
	{[]string{"shell.context"}, "local, container or remote", nil, []string{"local", "container", "remote"}},
	{[]string{"tool.kind"}, "shell, read, write, fetch, search, mcp or other", nil, []string{"shell", "read", "write", "fetch", "search", "mcp", "other"}},
	{[]string{"tool.risk"}, "low, medium or high", nil, []string{"low", "medium", "high"}},
}

func unless(ok bool, next string) string {
	if ok {
		return ""
	}
	return next
}

func (f *fieldForm) check(text string) (next string) {
	if f.wrong == nil {
		return unless(slices.Contains(f.names, text), "name one of them")
	}
	return f.wrong(text)
}

// notAbsolute returns the path without what a shell would put before it.
func notAbsolute(t string) string {
	if strings.HasPrefix(t, "/") || record.IsWindows(t) || len(t) == 2 && t[1] == ':' {
		return ""
	}
	_, rest, ok := strings.Cut(t, "/")
	if !ok || !strings.HasPrefix(t, "~") && !strings.HasPrefix(t, "$") {
		rest = strings.TrimPrefix(t, "./")
	}
	return "/" + rest
}

func notHost(t string) string {
	host, known := record.HostOf(t)
	if !known || host == t || strings.EqualFold(host, t) {
		return ""
	}
	return "write " + clip.Quote(host)
}

func notProgram(t string) string {
	if base := t[strings.LastIndexByte(t, '/')+1:]; base != t && base != "" {
		return "write " + clip.Quote(base)
	}
	first, rest, more := strings.Cut(t, " ")
	return unless(!more, fmt.Sprintf("write %s, and test shell.argv for %s", clip.Quote(first), clip.Quote(rest)))
}

// facetName reports a facet that is no well-known one, and all but spelt so.
func (l *linter) facetName(s *subject, n demand) bool {
	if _, known := record.Fields(n.path.Facet()); known || n.path.Facet() == "" || s.Scope.Plugin != "" {
		return false
	}
	near := spelling.Alike(n.path.Facet(), record.Facets(), 1)
	fields, _ := record.Fields(near)
	if !slices.ContainsFunc(fields, func(f record.Field) bool { return f.Name == n.path.Field() }) {
		return false
	}
	l.suspicious(s, Warning, nil, fmt.Sprintf("no call has the facet %s, unless a plugin describes it", clip.Quote(n.path.Facet())), "write "+near+"."+n.path.Field())
	return true
}

// form reports a text that a field never has in what is made of a call.
func (l *linter) form(s *subject, n demand) bool {
	if s.Scope.Plugin != "" || len(n.path.Deeper()) > 0 {
		return false
	}
	field := n.path.Facet() + "." + n.path.Field()
	at := slices.IndexFunc(fieldForms, func(f fieldForm) bool { return slices.Contains(f.fields, field) })
	if at < 0 {
		return false
	}
	for _, v := range wholeTexts(n) {
		if next := fieldForms[at].check(v); next != "" {
			if at == 0 {
				next = anywhere(n, next)
			}
			l.suspicious(s, Warning, nil, fmt.Sprintf("%s is never %s: it is %s", n.path, clip.Quote(v), fieldForms[at].are), next)
			return true
		}
	}
	return false
}

// anywhere says how a path is tested wherever it lies.
func anywhere(n demand, path string) string {
	field, how := n.path.String(), "endsWith"
	if field == "shell.writes" || field == "shell.reads" {
		field = "file.path"
	}
	if n.is(glob, globPath) {
		how, path = "globPath", "**"+path
	}
	return fmt.Sprintf("write the whole path, or %s: {%s: %s}", field, how, clip.Quote(path))
}

// wholeTexts returns the texts that a test compares whole values with.
func wholeTexts(n demand) []string {
	switch {
	case n.Pins:
	case n.Elements && !n.Negates:
		if t, _ := record.TypeOf(n.path.Facet(), n.path.Field()); t != record.TextsField {
			return nil
		}
	case n.Prefix != "":
		t, _ := record.TypeOf(n.path.Facet(), n.path.Field())
		if begin := n.Argument; t == record.TextField && isPathField(n.path) && !strings.ContainsAny(begin[:1], "*?/[") {
			return []string{begin}
		}
		return nil
	default:
		return nil
	}
	var out []string
	for _, v := range n.Literals {
		if text, ok := v.(string); ok && text != "" {
			out = append(out, text)
		}
	}
	return out
}

func isPathField(p record.Path) bool {
	switch p.Facet() + "." + p.Field() {
	case "file.path", "shell.dir", "http.path":
		return true
	}
	return false
}
