package reviewer

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/reviewer/wire"
	"github.com/policyctl/policyctl/pkg/document"
)

// What becomes of a call about which a model gives no verdict.
const (
	ToPeople = "human"
	ToDeny   = "deny"
)

// Bounds and defaults of settings.
const (
	maxTimeout       = 30 * time.Second
	defaultTimeout   = 20 * time.Second
	defaultMaxTokens = 1024
	defaultCache     = time.Hour
	maxCache         = 24 * time.Hour
	defaultFailures  = 5
)

// Settings are those of one reviewer.
type Settings struct {
	// Name is how rules name it; Origin is where it is written.
	Name, Origin string
	Kind         wire.Kind
	// URL is the base of the API, "" for that of who made it.
	URL   string
	Model string
	// KeyFile and KeyEnv say where the key of the API is; at most one of them is set.
	KeyFile, KeyEnv string
	// Timeout bounds a whole review.
	Timeout time.Duration
	// MaxRisk is the highest risk that the model may approve; none has it advise only.
	MaxRisk Risk
	Prices  Prices
	// Cache is how long an approval is remembered at most, 0 for not at all; the rule
	// says how long within it.
	Cache time.Duration
	// Failures is after how many failures in a row the model is left alone.
	Failures  int
	OnError   string
	MaxTokens int
}

// Prices are per million tokens, in a currency of one's own.
type Prices struct{ In, Out, Cached float64 }

// Cost returns what an answer costs.
func (p Prices) Cost(in, out, cached int64) float64 {
	return (float64(in-cached)*p.In + float64(cached)*p.Cached + float64(out)*p.Out) / 1e6
}

// A key is one of a reviewer.
type key struct {
	name string
	set  func(d *decoder, n *document.Node, s *Settings)
}

var keys = []key{
	{"type", func(d *decoder, n *document.Node, s *Settings) { s.Kind = wire.Kind(d.word(n, wire.Kinds())) }},
	{"url", func(d *decoder, n *document.Node, s *Settings) { s.URL = d.text(n) }},
	{"model", func(d *decoder, n *document.Node, s *Settings) { s.Model = d.text(n) }},
	{"key_file", func(d *decoder, n *document.Node, s *Settings) { s.KeyFile = d.path(n) }},
	{"key_env", func(d *decoder, n *document.Node, s *Settings) { s.KeyEnv = d.text(n) }},
	{"timeout", func(d *decoder, n *document.Node, s *Settings) { s.Timeout = d.duration(n, time.Second, maxTimeout) }},
	{"max_risk", func(d *decoder, n *document.Node, s *Settings) {
		s.MaxRisk = Risk(max(0, slices.Index(riskNames, d.word(n, Risks()))))
	}},
	{"prices", func(d *decoder, n *document.Node, s *Settings) { d.prices(n, &s.Prices) }},
	{"cache", func(d *decoder, n *document.Node, s *Settings) { s.Cache = d.duration(n, 0, maxCache) }},
	{"failures", func(d *decoder, n *document.Node, s *Settings) { s.Failures = d.count(n, 1, 100) }},
	{"on_error", func(d *decoder, n *document.Node, s *Settings) { s.OnError = d.word(n, []string{ToPeople, ToDeny}) }},
	{"max_tokens", func(d *decoder, n *document.Node, s *Settings) { s.MaxTokens = d.count(n, 64, 16384) }},
}

// Decode reads the section reviewers of a file, in its order; a nil node has none. A
// relative name of a file is beside that file. The error has all that is wrong, of type
// [config.Problems].
func Decode(file string, n *document.Node) (out []Settings, err error) {
	if n == nil {
		return nil, nil
	}
	d := &decoder{file: file}
	for k, v := range d.mapping(n) {
		out = append(out, d.reviewer(k, v))
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	return out, nil
}

// queueName is how rules name the people who look at the desk.
const queueName = "dashboard-approval"

var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`) })

// reviewer reads one reviewer.
func (d *decoder) reviewer(k, v *document.Node) Settings {
	s := Settings{
		Name: k.Text, Origin: fmt.Sprintf("%s:%d", d.file, k.Line), Timeout: defaultTimeout, MaxRisk: Low, Cache: defaultCache,
		Failures: defaultFailures, OnError: ToPeople, MaxTokens: defaultMaxTokens,
	}
	switch {
	case !nameForm().MatchString(s.Name):
		d.fail(k, "%q cannot be the name of a reviewer: use small letters, digits and hyphens, a letter first", s.Name)
	case s.Name == queueName:
		d.fail(k, "%s is the queue of the service: give the reviewer another name", s.Name)
	}
	names := make([]string, len(keys))
	for i := range keys {
		names[i] = keys[i].name
	}
	before := len(d.found)
	for key, value := range d.mapping(v) {
		i := slices.Index(names, key.Text)
		if i < 0 {
			d.unknown(key, "key of a reviewer", key.Text, names)
			continue
		}
		keys[i].set(d, value, &s)
	}
	if len(d.found) == before {
		d.complete(k, &s)
	}
	return s
}

// complete reports what is missing, or does not fit together.
func (d *decoder) complete(k *document.Node, s *Settings) {
	switch {
	case s.Kind == "":
		d.fail(k, "reviewer %s: type is missing: write %s", s.Name, strings.Join(wire.Kinds(), " or "))
	case s.Model == "":
		d.fail(k, "reviewer %s: model is missing", s.Name)
	case s.KeyFile != "" && s.KeyEnv != "":
		d.fail(k, "reviewer %s: key_file and key_env exclude each other", s.Name)
	case s.URL == "" && s.KeyFile == "" && s.KeyEnv == "":
		d.fail(k, "reviewer %s: the API of %s wants a key: add key_file or key_env, or the url of your own server", s.Name, s.Kind)
	}
	if s.URL != "" {
		if err := wire.CheckURL(s.URL, s.KeyFile != "" || s.KeyEnv != ""); err != nil {
			d.fail(k, "reviewer %s: url: %v", s.Name, err)
		}
	}
}

// prices reads the prices of a model.
func (d *decoder) prices(n *document.Node, p *Prices) {
	fields := map[string]*float64{"in": &p.In, "out": &p.Out, "cached": &p.Cached}
	hasCached := false
	for k, v := range d.mapping(n) {
		into := fields[k.Text]
		if into == nil {
			d.unknown(k, "price", k.Text, []string{"in", "out", "cached"})
			continue
		}
		f, err := strconv.ParseFloat(v.Text, 64)
		if v.Kind != document.Number || err != nil || !(f >= 0) || math.IsInf(f, 0) || f > 1e6 {
			d.fail(v, "%q is not a price for a million tokens, such as 0.25", v.Text)
			continue
		}
		*into, hasCached = f, hasCached || k.Text == "cached"
	}
	if !hasCached {
		p.Cached = p.In
	}
}
