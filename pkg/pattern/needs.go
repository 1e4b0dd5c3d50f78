package pattern

// Needs are what of a record somebody looks at, so that the rest need not be
// derived.
type needs uint16

const (
	needSensitivity needs = 1 << iota
	needFile
	needHTTP
	needSSH
	needSQL
	needK8s
	needTool
	needPaths     // shell.writes and shell.reads
	needHosts     // shell.hosts
	needDangerous // shell.dangerous
	needOther     // the rest of shell, and what costs nothing

	Everything needs = 1<<16 - 1
)

var facetNeeds = map[string]needs{
	"file": needFile, "http": needHTTP, "ssh": needSSH, "sql": needSQL, "k8s": needK8s, "tool": needTool,
}

// secondary are the facets that a shell command has beside that of the shell.
const secondary = needFile | needHTTP | needSSH | needSQL | needK8s

// Needs returns what a condition on the path looks at.
func (p Path) Needs() needs {
	if p.Facet() == "" && p.Field() == "sensitivity" {
		return needSensitivity
	}
	if n, ok := facetNeeds[p.Facet()]; ok {
		return n
	}
	if p.Facet() == "shell" {
		switch p.Field() {
		case "writes", "reads":
			return needPaths
		case "hosts":
			return needHosts
		case "dangerous":
			return needDangerous
		}
	}
	return needOther
}
