package install

// Facts are what a person should know of the guard of an agent before it is installed.
type Facts struct {
	Name, Title string
	// Version is the version with which policyctl was tried, or, where Tried is false,
	// the one whose source was read; "" where only its documentation was.
	Version string
	Tried   bool
	// Fails and Hangs say what becomes of a call whose hook fails, or takes too long.
	Fails, Hangs string
	// Scopes are where the hook can be installed.
	Scopes string
	// Drops are the ways to start the agent without the hook, and Managed says that a
	// managed hook, where there is a scope for it, survives them.
	Drops   []string
	Managed bool
}

// What becomes of a call whose hook gives no answer.
const (
	byLine   = "blocked by the command that install writes"
	byPlugin = "blocked by the plugin"
	byScript = "blocked by the script that install writes"
	byItself = "blocked by the agent"
	byLimit  = "blocked if `timeout` is installed, otherwise **runs**"
	runsOn   = "**runs**"
)

// Facts returns what a person should know of the guard of an agent.
func (a *Agent) Facts() Facts {
	f := Facts{Name: a.Name, Title: a.Title, Tried: a.tried != version{}, Fails: runsOn, Hangs: runsOn, Drops: a.drops()}
	switch {
	case f.Tried:
		f.Version = a.tried.String()
	case a.read != version{}:
		f.Version = a.read.String()
	}
	switch {
	case a.closes != "":
		f.Fails, f.Hangs = byItself+", for `"+a.closes+"` asks it to", byItself
	case a.own != "" && a.limited:
		f.Fails, f.Hangs = byScript, byLimit
	case a.own != "":
		f.Fails, f.Hangs = byPlugin, byPlugin
	case a.guarded:
		f.Fails, f.Hangs = byLine, byLimit
	case a.limited:
		f.Fails, f.Hangs = byItself, byLimit
	}
	f.Scopes = a.scopes("linux")
	_, managed := a.location(Managed, "linux")
	f.Managed = managed && !a.dropsManaged
	return f
}
