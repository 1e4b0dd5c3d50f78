package desk

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/pkg/approval"
)

// maxPrograms is how many programs are listed, the newest, and maxTarget bounds a text of
// one in the list, in bytes.
const (
	maxPrograms = 50
	maxTarget   = 200
)

// A program is a proved program in the list of them, whether it waits or is decided.
type program struct {
	ID, Name, Decision, Target string
	Guarantees                 int
	// Coverage is the worst that its prover says of a domain, nil where it says nothing.
	Coverage *covered
	version  int64
}

// programs are those that were listed: to read them again for each page would cost as much
// as all that they hold. The zero value is empty.
type programs struct {
	mu    sync.Mutex
	known map[string]program
}

// list returns the newest programs that an identity may see.
func (p *programs) list(x *route.Exchange) ([]program, error) {
	p.mu.Lock()
	known := maps.Clone(p.known)
	p.mu.Unlock()
	versions := make(map[string]int64, len(known))
	for id, row := range known {
		versions[id] = row.version
	}
	list, err := x.Service.List(x.Context(), approval.Filter{Kind: approval.KindContract, Limit: maxPrograms, Known: versions})
	if err != nil {
		return nil, err
	}
	var out []program
	now := make(map[string]program, len(list))
	for _, r := range list {
		row, ok := known[r.ID]
		if !r.Bare() {
			if r, ok = backend.Views(x.Who, r); ok {
				row = programOf(r)
			}
		}
		if ok {
			out, now[r.ID] = append(out, row), row
		}
	}
	p.mu.Lock()
	p.known = now
	p.mu.Unlock()
	return out, nil
}

func programOf(r *approval.Request) program {
	p := program{ID: r.ID, Name: r.ID, Decision: strings.ToLower(string(r.State)), Target: "main", version: r.Version}
	if r.Name != "" {
		p.Name = r.Name
	}
	if r.Decision != nil {
		p.Decision = string(r.Decision.Word)
	}
	if c := contractOf(r.Contract); c != nil {
		p.Guarantees = len(c.Guarantees)
		if c.Target != "" {
			p.Target = strings.Clone(clip.Text(c.Target, maxTarget))
		}
		if len(c.Coverage) > 0 {
			p.Coverage = &covered{Status: strings.Clone(clip.Text(c.Coverage[0].Status, maxTarget))}
		}
	}
	return p
}

// A covered says how far what is guaranteed covers a domain, such as email, in the words of
// clauz3's prover.
type covered struct {
	Domain      string   `json:"domain"`
	Status      string   `json:"status"`
	Required    []string `json:"missing_required"`
	Recommended []string `json:"missing_recommended"`
}

// gaps are the statuses with what people are told of them, the worst first.
var gaps = []struct{ status, label string }{
	{"required_gap", "required missing"}, {"silent_gap", "no guarantees"}, {"recommended_gap", "recommended gap"}, {"covered", "covered"},
}

func (c *covered) rank() int {
	for i := range gaps {
		if gaps[i].status == c.Status {
			return i
		}
	}
	return len(gaps)
}

// Known reports whether the status is one that the prover has.
func (c *covered) Known() bool { return c.rank() < len(gaps) }

// Label is the status for people.
func (c *covered) Label() string {
	if i := c.rank(); i < len(gaps) {
		return gaps[i].label
	}
	return c.Status
}

// Detail says what is missing.
func (c *covered) Detail() string {
	switch c.Status {
	case "silent_gap":
		return "used, but the agent stated no guarantee about it"
	case "required_gap":
		return missing(c.Required, "not proved")
	case "recommended_gap":
		return missing(c.Recommended, "not stated")
	}
	return ""
}

func missing(names []string, how string) string {
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ", ") + " " + how
}

// coverageOf reads what a submission says of domains, the worst first; what it says in
// another form is not shown here, and stands in the program's record.
func coverageOf(text json.RawMessage) (list []covered) {
	if json.Unmarshal(text, &list) != nil {
		return nil
	}
	slices.SortStableFunc(list, func(a, b covered) int { return a.rank() - b.rank() })
	return list
}

// rows answers with the rows of the list of programs alone, as the pages of clauz3's own
// service ask for them.
func (d *Desk) rows(x *route.Exchange) error {
	list, err := d.programs.list(x)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := d.pages["pending.html"].ExecuteTemplate(&out, "program-rows", list); err != nil {
		return err
	}
	return send(x, http.StatusOK, "text/html; charset=utf-8", legible(out.Bytes()))
}
