package hardline

import (
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
	hit := false
	switch c.Name {
	case "diskpart", "clear-disk", "format-volume", "initialize-disk", "remove-partition":
		hit = true
	case "vssadmin":
		hit = hasFold(c, "delete")
	case "bcdedit":
		hit = hasFold(c, "/delete", "/deletevalue")
	case "cipher":
		hit = anyWord(c.Words[1:], func(v string) bool { return strings.HasPrefix(strings.ToLower(v), "/w") })
	case "reg":
		hit = hasFold(c, "delete") && hasFold(c, "hklm", "hkey_local_machine", `hklm\system`, `hklm\software`, `hkey_local_machine\system`, `hkey_local_machine\software`, "hklmsystem", "hklmsoftware")
	case "wmic":
		hit = hasFold(c, "shadowcopy") && hasFold(c, "delete")
	case "robocopy":
		hit = hasFold(c, "/mir", "/purge") && !hasFold(c, "/l") && mirrorsOnto(s, c)
	case "takeown":
		hit = hasFold(c, "/r") && anyWindowsPlace(s, c)
	case "icacls":
		hit = hasFold(c, "/t") && anyWindowsPlace(s, c)
	default:
		hit = anyWindowsPlace(s, c) || hasListed(s, c)
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
	if w.Span.To <= len(s.Line.Source) && isWindowsName(s.Line.Source[w.Span.From:w.Span.To]) {
		return true
	}
	deletes := strings.HasPrefix(c.Name, "remove-") || c.Name == "ri"
	return deletes && worst(s, c, w.Set) != elsewhere
}

func isWindowsName(text string) bool {
	text = strings.ToLower(strings.TrimRight(strings.Trim(text, `"'`), `\/*.`))
	for _, name := range windowsPlaces {
		if text == name {
			return true
		}
	}
	return false
}
