package cli

import (
	"os"

	"github.com/policyctl/policyctl/internal/render"
)

// isTerminal says whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// page returns a page for people, with colours on a terminal unless they do
// not want any (no-color.org).
func (p *Process) page() *render.Page {
	page := render.NewPage(p.Stdout)
	page.Colour = isTerminal(p.Stdout) && wantsColour(p.Getenv)
	return page
}

// wantsColour says whether the environment wants colours on a terminal
// (no-color.org).
func wantsColour(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}
