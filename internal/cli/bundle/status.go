package bundle

import (
	"strconv"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/render"
)

// A Row is the status of a bundle as JSON; what is unknown is null.
type Row struct {
	Name     string  `json:"name"`
	URL      string  `json:"url"`
	Revision *string `json:"revision"`
	Sequence uint64  `json:"sequence"`
	Digest   *string `json:"digest"`
	// Downloaded is when the bundle came, Contact when its server was reached
	// last; Age counts seconds from that.
	Downloaded *time.Time `json:"downloaded"`
	Contact    *time.Time `json:"contact"`
	Age        *float64   `json:"age_seconds"`
	Stale      bool       `json:"stale"`
	Expired    bool       `json:"expired"`
	Error      *string    `json:"error"`
}

// Rows returns the status of the bundles that a client loaded.
func Rows(c *bundles.Client, now time.Time) []Row {
	rows := []Row{}
	for _, h := range c.Healths() {
		row := Row{
			Name: h.Source.Name, URL: h.URL, Revision: console.OrNull(h.Revision), Sequence: h.Sequence, Digest: console.OrNull(h.Digest),
			Downloaded: console.OrNever(h.Downloaded), Contact: console.OrNever(h.Contact), Stale: h.Stale, Expired: h.Expired,
		}
		if row.URL == "" {
			row.URL = h.Source.URL
		}
		if row.Contact != nil {
			age := now.Sub(h.Contact).Round(time.Second).Seconds()
			row.Age = &age
		}
		if h.Err != nil {
			row.Error = console.OrNull(h.Err.Error())
		}
		rows = append(rows, row)
	}
	return rows
}

// Broken reports whether a person must see to the bundle.
func (b *Row) Broken() bool { return b.Revision == nil || b.Stale || b.Expired }

// aging is the age from which a person should know that nothing keeps a bundle
// current: the services that do reach its server within minutes.
const aging = 24 * time.Hour

// KeepCurrent is what to do about an old bundle.
const KeepCurrent = "run policyctl bundle sync as a service, or see why its server is not reached"

// Old says that hooks decide by a bundle that nothing keeps current; ""
// where they do not.
func (b *Row) Old() string {
	if b.Downloaded == nil || b.Age == nil || time.Duration(*b.Age)*time.Second < aging {
		return ""
	}
	return "hooks decide by the bundle " + b.Name + " as it was " + lapse(time.Duration(*b.Age)*time.Second) +
		" ago"
}

// lapse is a time that has passed as people say it: in days from two on.
func lapse(d time.Duration) string {
	if days := int(d / (24 * time.Hour)); days >= 2 {
		return strconv.Itoa(days) + " days"
	}
	return d.Round(time.Second).String()
}

// table returns the rows for people.
func Table(rows []Row) [][]string {
	var out [][]string
	for i := range rows {
		b := &rows[i]
		revision, age := "not loaded", "never reached"
		if b.Revision != nil {
			revision = "revision " + *b.Revision
		}
		switch {
		case b.Age == nil && b.Error != nil:
			age = "see below"
		case b.Age != nil:
			age = "reached " + lapse(time.Duration(*b.Age)*time.Second) + " ago"
		}
		switch {
		case b.Expired:
			age += ", expired: it only denies and asks"
		case b.Stale && b.Age != nil:
			age += ", too long: it only denies and asks"
		}
		out = append(out, []string{b.Name, render.Plain(revision), age, render.Plain(b.URL)})
	}
	return out
}
