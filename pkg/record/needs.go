package record

// Needs are what of a record somebody looks at, so that the rest need not be
// derived.
type Needs uint16

const (
	needSensitivity Needs = 1 << iota
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
	needRate      // how often calls were made, which the source adds

	Everything Needs = 1<<16 - 1
)

var facetNeeds = map[string]Needs{
	"file": needFile, "http": needHTTP, "ssh": needSSH, "sql": needSQL, "k8s": needK8s, "tool": needTool, "rate": needRate,
}

// BesideShell are the facets that a shell command has beside that of the shell.
const BesideShell = needFile | needHTTP | needSSH | needSQL | needK8s

// Needs returns what a condition on the path looks at.
func (p Path) Needs() Needs {
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
