package console

import (
	"bytes"
	"fmt"
	"os"
	"unicode"
	"unicode/utf16"

	"github.com/policyctl/policyctl/internal/render"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
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

// Page returns a page for people.
func (p *Process) Page() *render.Page {
	page := render.NewPage(p.Stdout)
	page.Colour, page.Width = p.wantsColour(), p.Width()
	return page
}

// Show prints a value as JSON, or else the page that draw makes of it.
func (p *Process) Show(asJSON bool, value any, draw func(*render.Page)) error {
	if asJSON {
		return render.JSON(p.Stdout, value)
	}
	page := p.Page()
	draw(page)
	return page.Close()
}

// List prints a value as JSON, or else its rows below their head. none is what it
// means that there are none.
func (p *Process) List(asJSON bool, value any, none string, table [][]string) error {
	if len(table) == 1 && !asJSON {
		_, err := fmt.Fprintln(p.Stdout, none)
		return err
	}
	return p.Show(asJSON, value, func(page *render.Page) { page.Table(table) })
}

// PrintTable writes a page that is one table.
func (p *Process) PrintTable(rows [][]string) error {
	page := p.Page()
	page.Table(rows)
	return page.Close()
}

// When the output has colours, as --color says it.
const (
	Auto   = "auto"
	Always = "always"
	Never  = "never"
)

// CheckColour refuses a value of --color that means nothing.
func (p *Process) CheckColour() error {
	switch p.Colour {
	case "", Auto, Always, Never:
		return nil
	}
	return Unknown("value of --color", p.Colour, []string{Auto, Always, Never}, "write auto, always or never")
}

// wantsColour reports whether the output has colours: on a terminal, unless the
// environment says otherwise (no-color.org, bixense.com/clicolors).
func (p *Process) wantsColour() bool {
	switch force := p.Getenv("CLICOLOR_FORCE"); {
	case p.Colour == Always:
		return true
	case p.Colour == Never, p.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return IsTerminal(p.Stdout) && p.Getenv("TERM") != "dumb" && p.Getenv("CLICOLOR") != "0"
}

// PrintJSON prints a value of which others wrote texts: what a reader cannot
// see is an escape, so that it does nothing to a terminal.
func (p *Process) PrintJSON(value any) error {
	var b, out bytes.Buffer
	if err := render.JSON(&b, value); err != nil {
		return err
	}
	for _, r := range b.String() {
		if unicode.IsPrint(r) || r == '\n' {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	_, err := p.Stdout.Write(out.Bytes())
	return err
}
