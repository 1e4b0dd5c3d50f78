package rules

import (
	"errors"
	"fmt"
	"io"

	"github.com/policyctl/policyctl/internal/authoring/exchange"
	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/render"
)

// rules imports approval rules.
func (im *importer) rules(files []string) error {
	switch {
	case len(files) == 0:
		return console.Usagef("no rules: name a file with rows or the JSON of the API, or - for the standard input")
	case im.project != "":
		return console.Usagef("--project is for agents: leave it out")
	}
	name, data, err := im.exported(files[0], "rows of approval_rules, or the JSON of the API")
	if err != nil {
		return err
	}
	result, err := exchange.Import(name, data)
	if err != nil {
		return console.Usagef("%v", err)
	}
	yaml, err := result.YAML("Imported from "+name+".", "The rule with the highest priority that matches decides.")
	if err != nil {
		return err
	}
	if err := exchange.Loads(yaml); err != nil {
		return console.Usagef("%s: together the rules are not a valid policy: %v; import them in parts", name, err)
	}
	if im.strict {
		if err := result.Strict(); err != nil {
			tell(im.Process, result.Notes)
			return console.Usagef("%v", err)
		}
	}
	if im.json {
		return render.JSON(im.Stdout, exchangeReport{string(yaml), append([]exchange.Note{}, result.Notes...)})
	}
	if err := im.write(yaml); err != nil {
		return err
	}
	tell(im.Process, result.Notes)
	return nil
}

// An exchangeReport is what an import of rules finds, as JSON.
type exchangeReport struct {
	Policy string          `json:"policy"`
	Notes  []exchange.Note `json:"notes"`
}

// exported reads what another program has written. what says which file is
// meant.
func (im *importer) exported(name, what string) (string, []byte, error) {
	if name != "-" {
		data, err := console.ReadUpTo(name, maxRules)
		if err != nil {
			return name, nil, fmt.Errorf("%s: %w: name %s", name, err, what)
		}
		return name, data, nil
	}
	data, err := io.ReadAll(io.LimitReader(im.Stdin, maxRules+1))
	switch {
	case err != nil:
		return name, nil, fmt.Errorf("the standard input cannot be read: %w", err)
	case len(data) > maxRules:
		return name, nil, fmt.Errorf("the standard input is larger than %d MiB: split it", maxRules>>20)
	}
	return "stdin", data, nil
}

// maxRules bounds how much of a file of rules is read.
const maxRules = 32 << 20

func tell(p *console.Process, notes []exchange.Note) {
	for _, note := range notes {
		console.Warn(p.Stderr, "", errors.New(note.String()))
	}
}
