package exchange

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/policyctl/policyctl/pkg/pattern"
)

// A draft is a rule that is being imported.
type draft struct {
	*importer
	*entry
	rule *pattern.Rule
}

func (im *importer) entry(e *entry) {
	d := draft{im, e, &pattern.Rule{}}
	d.identify()
	r := d.rule
	r.Label, r.Reason = d.line("label"), d.line("reason")
	r.Scope = pattern.Scope{
		Plugin: d.line("scope_plugin_id"), Profile: d.line("scope_profile_id"), Integration: d.line("scope_integration_id"),
	}
	r.Priority = int(d.integer("priority"))
	if !d.has("priority") {
		d.note(r.ID, e.at, Changed, "it has no priority: it has 0 here")
	}
	r.Disabled = d.has("enabled") && !d.truth("enabled")
	d.decide()
	d.when()
	d.settle()
	im.Rules, im.Given = append(im.Rules, r), append(im.Given, d.values)
}

func (d *draft) has(column string) bool { _, ok := d.values[column]; return ok }

// line returns a text on one line.
func (d *draft) line(column string) string {
	was := d.values[column].Text
	is := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, was))
	if is != was {
		d.note(d.rule.ID, d.at, Lost, "%s is written on one line, without blanks around it", column)
	}
	return is
}

// prose returns a text of any lines.
func (d *draft) prose(column string) string {
	was := d.values[column].Text
	is := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, strings.ReplaceAll(was, "\r\n", "\n"))
	if strings.TrimSpace(is) == "" {
		is = ""
	}
	if is != was {
		d.note(d.rule.ID, d.at, Lost, "%s is written without control characters", column)
	}
	return is
}

func (d *draft) integer(column string) int64 {
	n, err := strconv.ParseInt(d.values[column].Text, 10, 64)
	if d.has(column) && err != nil {
		d.errs.add(fmt.Errorf("%s: %s: %s is out of range", d.at, column, d.values[column].Text))
	}
	return n
}

func (d *draft) truth(column string) bool {
	text := d.values[column].Text
	return text == "true" || text == "1"
}

// whole reports whether a number has neither a fraction nor an exponent.
func whole(text string) bool { return !strings.ContainsAny(text, ".eE") }

// identify gives the rule its id, or one made of its label.
func (d *draft) identify() {
	id := d.values["id"].Text
	if id == "" {
		id = d.named()
		d.note(id, d.at, Lost, "it has no id: it is named after its label")
	}
	if first, again := d.ids[id]; again {
		d.errs.add(fmt.Errorf("%s: the id %q appears twice, first at %s: remove one of the rules", d.at, id, first))
	}
	d.ids[id] = d.at
	d.rule.ID = id
}

// named returns an id that no rule has.
func (d *draft) named() string {
	words := strings.FieldsFunc(strings.ToLower(d.values["label"].Text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	base := strings.Join(words[:min(8, len(words))], "-")
	if base == "" {
		base = "rule"
	}
	id := base
	for n := 2; d.ids[id] != ""; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	return id
}
