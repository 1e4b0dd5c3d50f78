package hook

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/internal/support/clip"
)

// patchFields are the arguments in which agents pass a patch.
var patchFields = []string{"command", "input", "patch", "patchText"}

// checkPatch returns an error unless every patch in the arguments is one whose
// files pkg/policy finds. Agents read headers with blanks around them and
// other liberties, by which a file could escape.
func checkPatch(input map[string]any) error {
	found := false
	for _, field := range patchFields {
		v, ok := input[field]
		if !ok || v == nil {
			continue
		}
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf("%q must be a string that holds the patch", field)
		}
		if _, err := patchPaths(text); err != nil {
			return fmt.Errorf("%q: %w", field, err)
		}
		found = true
	}
	if !found {
		return fmt.Errorf("the patch is missing: put it into %q", patchFields[0])
	}
	return nil
}

// The headers of a patch. The path follows.
const (
	addFile    = "*** Add File: "
	deleteFile = "*** Delete File: "
	updateFile = "*** Update File: "
	moveTo     = "*** Move to: "
)

// patchPaths returns the files of a patch between "*** Begin Patch" and
// "*** End Patch", in order.
func patchPaths(text string) ([]string, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	last := len(lines) - 1
	if lines[0] != "*** Begin Patch" {
		return nil, errors.New(`line 1 of the patch must be "*** Begin Patch"`)
	}
	if lines[last] != "*** End Patch" {
		return nil, fmt.Errorf("line %d of the patch must be %q", last+1, "*** End Patch")
	}
	p := patch{}
	for i, line := range lines[1:last] {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("line %d of the patch: %w", i+2, err)
		}
	}
	if len(p.paths) == 0 {
		return nil, errors.New("the patch has no file names")
	}
	return p.paths, nil
}

// A patch is what was read of a patch so far.
type patch struct {
	paths []string
	head  string // the header under which the lines stand
	fresh bool   // nothing but the header was read
}

func (p *patch) line(line string) error {
	for _, head := range []string{addFile, deleteFile, updateFile, moveTo} {
		if path, ok := strings.CutPrefix(line, head); ok {
			return p.file(head, path)
		}
	}
	p.fresh = false
	switch {
	case p.head == addFile && strings.HasPrefix(line, "+"):
		return nil
	case p.head == updateFile && isChange(line):
		return nil
	}
	return fmt.Errorf("%q is not understood here; write headers at the start of a line as in %q", clip.Text(line, maxQuoted), updateFile+"PATH")
}

// isChange reports whether a line may stand below the header of an update.
func isChange(line string) bool {
	return line == "" || strings.ContainsRune("+- ", rune(line[0])) || strings.HasPrefix(line, "@@") || line == "*** End of File"
}

func (p *patch) file(head, path string) error {
	if head == moveTo && (p.head != updateFile || !p.fresh) {
		return fmt.Errorf("%q must follow %q", strings.TrimSpace(moveTo), strings.TrimSpace(updateFile))
	}
	if path == "" || path != strings.TrimSpace(path) || strings.ContainsFunc(path, unicode.IsControl) {
		return fmt.Errorf("%q is not a path: it is empty, has blanks around it, or contains control characters", clip.Text(path, maxQuoted))
	}
	p.paths = append(p.paths, path)
	p.fresh = head == updateFile
	if head != moveTo {
		p.head = head
	}
	return nil
}
