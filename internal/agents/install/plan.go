package install

import (
	"fmt"
	"time"
)

// A Plan is a list of changes to make.
type Plan struct {
	Changes []Change
	// Notes is what the user has to know or to do besides.
	Notes []string
}

// A Change is one file with its new text, or with the content of a program.
type Change struct {
	file    *file
	after   string
	remove  bool
	program string // from which the file is copied; "" for none
}

// change adds a change, unless the text stays. It is an error if the file says
// that it is not to be written.
func (p *Plan) change(f *file, after string) error {
	if f.text == after {
		return nil
	}
	if err := f.writable(); err != nil {
		return err
	}
	if f.target != f.path {
		p.Notes = append(p.Notes, f.path+" leads to "+f.target+", which is changed")
	}
	p.Changes = append(p.Changes, Change{file: f, after: after})
	return nil
}

// delete adds the removal of a file. What a link names gets the text instead,
// since the link would lead nowhere.
func (p *Plan) delete(f *file, after string) error {
	if f.isLink() || f.text == after {
		return p.change(f, after)
	}
	if err := f.writable(); err != nil {
		return err
	}
	p.Changes = append(p.Changes, Change{file: f, remove: true})
	return nil
}

// Path returns the file that is changed, with its links followed.
func (c Change) Path() string { return c.file.target }

// Action returns "create", "change" or "remove".
func (c Change) Action() string {
	switch {
	case c.remove:
		return "remove"
	case !c.file.exists:
		return "create"
	}
	return "change"
}

// Diff returns what changes, in the unified format, or names what is copied.
func (c Change) Diff() string {
	if c.program != "" {
		return fmt.Sprintf("Binary file %s becomes a copy of %s\n", c.file.target, c.program)
	}
	from, to := c.file.target, c.file.target
	if !c.file.exists {
		from = "/dev/null"
	}
	if c.remove {
		to = "/dev/null"
	}
	return unified(from, to, c.file.text, c.after)
}

// Apply makes the change and returns the path of the backup, which is "" if
// there was no file before, or nothing but ours in it. The file is replaced at once or not at all.
func (c Change) Apply(now time.Time) (backup string, err error) {
	if c.program != "" {
		return "", c.copy()
	}
	if err := c.file.unchanged(); err != nil {
		return "", err
	}
	if c.file.exists && !c.remove { // a file of ours alone holds nothing to keep
		if backup, err = c.file.backup(now); err != nil {
			return "", err
		}
	}
	if c.remove {
		return backup, c.file.delete()
	}
	return backup, c.file.write(c.after)
}
