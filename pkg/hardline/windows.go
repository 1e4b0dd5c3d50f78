package hardline

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/command"
	"github.com/policyctl/policyctl/internal/lang/shell"
	"github.com/policyctl/policyctl/internal/program"
	"github.com/policyctl/policyctl/pkg/hazard"
)

func destroysWindows(s *hazard.Scene, c *command.Command) (shell.Span, bool) {
	if !local(s, c) || hasFold(c, "/?", "-whatif", "--help") {
		return shell.Span{}, false
	}
	hit := c.Does("ruins")
	if !hit && c.Does("spoils") {
		hit = c.Of("second") && mirrorsOnto(s, c) || !c.Of("second") && (anyWindowsPlace(s, c) || hasListed(s, c))
	}
	return c.Span, hit
}

// hasListed reports whether a command deletes what another lists of a place.
func hasListed(s *hazard.Scene, c *command.Command) bool {
	if c.Source < 0 || !program.HasWord("get-childitem gci dir ls", s.Line.Commands[c.Source].Name) {
		return false
	}
	list := &s.Line.Commands[c.Source]
	if hasFold(list, "-filter", "-include") {
		return false
	}
	for _, w := range operands(list.Words[1:]) {
		if windowsPlace(s, list, &w) || worst(s, list, w.Set) != elsewhere {
			return true
		}
	}
	return false
}

// mirrorsOnto reports whether the second path of robocopy is a place.
func mirrorsOnto(s *hazard.Scene, c *command.Command) bool {
	var paths []*shell.Word
	for i := range c.Words[1:] {
		if v, _ := c.Words[i+1].Literal(); !strings.HasPrefix(v, "/") {
			paths = append(paths, &c.Words[i+1])
		}
	}
	return len(paths) > 1 && windowsPlace(s, c, paths[1])
}

func anyWindowsPlace(s *hazard.Scene, c *command.Command) bool {
	for i := range c.Words[1:] {
		if windowsPlace(s, c, &c.Words[i+1]) {
			return true
		}
	}
	return false
}

// windowsPlaces are the names that Windows shells have for a drive, a
// directory of the system or a home.
var windowsPlaces = []string{
	"%systemdrive%", "%systemroot%", "%windir%", "%userprofile%", "%homedrive%%homepath%", "%homepath%", "%homedrive%", "%programfiles%",
	"$env:systemdrive", "$env:systemroot", "$env:windir", "$env:userprofile", "$env:homepath", "$env:programfiles", "$env:home", "$home",
}

// windowsPlace reports whether a word of cmd or PowerShell names a place. Both
// write variables otherwise than the shell that read the word, so its source
// is looked at too.
func windowsPlace(s *hazard.Scene, c *command.Command, w *shell.Word) bool {
	for _, v := range w.Values {
		if isDrive(v) || isWindowsName(v) {
			return true
		}
	}
	if slices.ContainsFunc(strings.FieldsFunc(s.Line.Text(w.Span), parts), isWindowsName) {
		return true
	}
	return c.Of("unixy") && worst(s, c, w.Set) != elsewhere
}

// parts reports whether a character parts words: the place of a word may be all of a text.
func parts(r rune) bool { return strings.ContainsRune(" \t\n;|&'\"", r) }

func isWindowsName(text string) bool {
	text = strings.ToLower(strings.TrimRight(strings.Trim(text, `"'`), `\/*.`))
	for _, name := range windowsPlaces {
		if text == name {
			return true
		}
	}
	return false
}
