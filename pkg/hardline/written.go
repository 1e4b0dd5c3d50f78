package hardline

import (
	"strings"
)

var (
	// openCalls open a file; whether for writing says a mode among their
	// arguments.
	openCalls = &pattern{text: `\bf?open\b`}
	openModes = &pattern{text: `^(?:[waxr]b?t?\+b?|[wax]b?t?|\+?>>?.*|\+<.*)$`}
	// changeCalls change the files that their arguments name.
	changeCalls = &pattern{text: `\b(?:writeFile(?:Sync)?|WriteFile|appendFile(?:Sync)?|createWriteStream|File\.(?:write|open)|file_put_contents|O_WRONLY|O_RDWR|unlink(?:Sync)?|remove|rename(?:Sync)?|replace|truncate(?:Sync)?|rmtree|rmSync|chmod(?:Sync)?|symlink(?:Sync)?|move)\b|\bprint\s*>`}
	// copyCalls change the file that their last argument names, changeMethods
	// the file that stands before them.
	copyCalls     = &pattern{text: `\b(?:copy|copy2|copyfile|copytree|copyFileSync|cpSync|cp|cp_r)\b`}
	changeMethods = &pattern{text: `\.(?:write_text|write_bytes|write|unlink|rename|touch|chmod|symlink_to)\s*\(`}
)

// written returns the literals that name what a program opens for writing,
// changes or removes; the other arguments of the same calls are among them.
func (p *script) written() []string {
	var out []string
	for _, m := range openCalls.get().FindAllStringIndex(p.prose, maxLiterals) {
		for _, list := range p.passed(m[1]) {
			from, to := p.arguments(m[1])
			flags := p.prose[from:to]
			if hasMode(p.within(from, to)) || hasMode(list) || strings.Contains(flags, "O_WRONLY") || strings.Contains(flags, "O_RDWR") {
				out = append(out, list...)
			}
		}
	}
	for _, m := range changeCalls.get().FindAllStringIndex(p.prose, maxLiterals) {
		for _, list := range p.passed(m[1]) {
			out = append(out, list...)
		}
	}
	for _, m := range copyCalls.get().FindAllStringIndex(p.prose, maxLiterals) {
		if list := p.passed(m[1])[0]; len(list) > 1 {
			out = append(out, list[len(list)-1])
		}
	}
	for _, m := range changeMethods.get().FindAllStringIndex(p.prose, maxLiterals) {
		out = append(out, p.receiver(m[0])...)
	}
	return out
}

func hasMode(list []string) bool {
	for _, v := range list {
		if openModes.get().MatchString(v) {
			return true
		}
	}
	return false
}

// receiver returns the literals of the expression that ends at an offset, also
// by a variable.
func (p *script) receiver(end int) []string {
	from := end
	for from > 0 && p.prose[from-1] != '\n' && p.prose[from-1] != ';' && p.prose[from-1] != '=' {
		from--
	}
	out := p.within(from, end)
	for _, name := range identifier.get().FindAllString(p.prose[from:end], 8) {
		for _, eq := range p.assignments(name) {
			_, stop := p.arguments(eq)
			out = append(out, p.within(eq, stop)...)
		}
	}
	return out
}

// mentions reports whether one of some literals names a protected path.
func mentions(list []string, path, home string) bool {
	short := ""
	if rest, ok := strings.CutPrefix(path, home+"/"); ok {
		short = rest
	}
	for _, v := range list {
		if strings.Contains(v, path) || short != "" && (strings.Contains(v, "~/"+short) || strings.Contains(v, "}/"+short) || strings.TrimPrefix(v, "/") == short || strings.HasPrefix(strings.TrimPrefix(v, "/"), short+"/")) {
			return true
		}
	}
	return false
}
