package reviewer

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/policyctl/policyctl/internal/service/reviewer/wire"
	"github.com/policyctl/policyctl/internal/support/plainfile"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/config"
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

// Key returns the key of the API, "" where none is set. A file that others may read is
// an error.
func (s *Settings) Key(getenv func(string) string) (string, error) {
	switch {
	case s.KeyEnv != "":
		if key := strings.TrimSpace(getenv(s.KeyEnv)); key != "" {
			return key, nil
		}
		return "", fmt.Errorf("%s: reviewer %s: the variable %s is not set: set it where policyctl serve runs, or use key_file", s.Origin, s.Name, s.KeyEnv)
	case s.KeyFile != "":
		key, err := readKey(s.KeyFile)
		if err != nil {
			return "", fmt.Errorf("%s: reviewer %s: key_file %s: %w", s.Origin, s.Name, s.KeyFile, err)
		}
		return key, nil
	}
	return "", nil
}

// readKey reads a file that is its owner's alone.
func readKey(name string) (string, error) {
	f, err := plainfile.Open(name)
	if err != nil {
		return "", plainfile.Bare(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("others may read it (mode %04o): chmod 600 keeps it to you", info.Mode().Perm())
	}
	text, err := plainfile.Content(f, 4<<10)
	if err != nil {
		return "", plainfile.Bare(err)
	}
	key := strings.TrimSpace(string(text))
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("it does not hold one key on one line")
	}
	return key, nil
}

// A decoder reads the section of one file.
type decoder struct {
	file  string
	found config.Problems
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) {
	d.found = append(d.found, config.Problem{File: d.file, Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...)})
}

// err returns what was found, nil for nothing.
func (d *decoder) err() error {
	if len(d.found) == 0 {
		return nil
	}
	return d.found
}

// A key is one of a reviewer.
type key struct {
	name string
	set  func(d *decoder, n *yaml.Node, s *Settings)
}

var keys = []key{
	{"type", func(d *decoder, n *yaml.Node, s *Settings) { s.Kind = wire.Kind(d.word(n, wire.Kinds())) }},
	{"url", func(d *decoder, n *yaml.Node, s *Settings) { s.URL = d.text(n) }},
	{"model", func(d *decoder, n *yaml.Node, s *Settings) { s.Model = d.text(n) }},
	{"key_file", func(d *decoder, n *yaml.Node, s *Settings) { s.KeyFile = d.path(n) }},
	{"key_env", func(d *decoder, n *yaml.Node, s *Settings) { s.KeyEnv = d.text(n) }},
	{"timeout", func(d *decoder, n *yaml.Node, s *Settings) { s.Timeout = d.duration(n, time.Second, maxTimeout) }},
	{"max_risk", func(d *decoder, n *yaml.Node, s *Settings) {
		s.MaxRisk = Risk(max(0, slices.Index(riskNames, d.word(n, Risks()))))
	}},
	{"prices", func(d *decoder, n *yaml.Node, s *Settings) { d.prices(n, &s.Prices) }},
	{"cache", func(d *decoder, n *yaml.Node, s *Settings) { s.Cache = d.duration(n, 0, maxCache) }},
	{"failures", func(d *decoder, n *yaml.Node, s *Settings) { s.Failures = d.count(n, 1, 100) }},
	{"on_error", func(d *decoder, n *yaml.Node, s *Settings) { s.OnError = d.word(n, []string{ToPeople, ToDeny}) }},
	{"max_tokens", func(d *decoder, n *yaml.Node, s *Settings) { s.MaxTokens = d.count(n, 64, 16384) }},
}

// Decode reads the section reviewers of a file, in its order; a nil node has none.
// Relative names of files are beside that file. The error has all that is wrong, as
// [config.Problems].
func Decode(file string, n *yaml.Node) ([]Settings, error) {
	d := &decoder{file: file}
	out := d.section(n)
	if err := d.err(); err != nil {
		return nil, err
	}
	return out, nil
}

// section reads all reviewers.
func (d *decoder) section(n *yaml.Node) (out []Settings) {
	if n == nil || n.Tag == "!!null" {
		return nil
	}
	for k, v := range d.mapping(n) {
		out = append(out, d.reviewer(k, v))
	}
	return out
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`)

// reviewer reads one reviewer.
func (d *decoder) reviewer(k, v *yaml.Node) Settings {
	s := Settings{
		Name: k.Value, Origin: fmt.Sprintf("%s:%d", d.file, k.Line), Timeout: defaultTimeout, MaxRisk: Low, Cache: defaultCache,
		Failures: defaultFailures, OnError: ToPeople, MaxTokens: defaultMaxTokens,
	}
	if !nameForm.MatchString(s.Name) {
		d.fail(k, "%q cannot be the name of a reviewer: use small letters, digits and hyphens, a letter first", s.Name)
	}
	names := make([]string, len(keys))
	for i := range keys {
		names[i] = keys[i].name
	}
	before := len(d.found)
	for key, value := range d.mapping(v) {
		i := slices.Index(names, key.Value)
		if i < 0 {
			d.unknown(key, "key of a reviewer", key.Value, names)
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
func (d *decoder) complete(k *yaml.Node, s *Settings) {
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

// mapping yields the entries of a mapping, each name once.
func (d *decoder) mapping(n *yaml.Node) func(yield func(k, v *yaml.Node) bool) {
	return func(yield func(k, v *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode {
			d.fail(n, "expected a mapping")
			return
		}
		seen := make(map[string]int)
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			if k.Kind != yaml.ScalarNode || k.Tag == "!!merge" {
				d.fail(k, "expected a name")
				continue
			}
			if line, twice := seen[k.Value]; twice {
				d.fail(k, "%s stands here twice: first in line %d", k.Value, line)
				continue
			}
			seen[k.Value] = k.Line
			if !yield(k, n.Content[i+1]) {
				return
			}
		}
	}
}

func (d *decoder) unknown(n *yaml.Node, what, name string, names []string) {
	near := spelling.Nearest(name, names)
	if near == "" {
		d.fail(n, "unknown %s %q: it is one of %s", what, name, strings.Join(names, ", "))
		return
	}
	d.fail(n, "unknown %s %q", what, name)
	d.found[len(d.found)-1].Hint = near
}

// text reads a text that is not empty.
func (d *decoder) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || strings.TrimSpace(n.Value) == "" {
		d.fail(n, "expected a text")
		return ""
	}
	return n.Value
}

func (d *decoder) word(n *yaml.Node, words []string) string {
	name := n.Value // none is a word, and null is not
	if n.Kind != yaml.ScalarNode || !slices.Contains(words, name) {
		d.unknown(n, "value", name, words)
		return ""
	}
	return name
}

func (d *decoder) path(n *yaml.Node) string {
	name := d.text(n)
	switch {
	case name == "" || filepath.IsAbs(name):
		return name
	case strings.HasPrefix(name, "~"):
		d.fail(n, "%q: ~ is not resolved here: give the whole path, or one beside %s", name, filepath.Base(d.file))
		return ""
	}
	return filepath.Join(filepath.Dir(d.file), name)
}

func (d *decoder) duration(n *yaml.Node, least, most time.Duration) time.Duration {
	v, err := time.ParseDuration(cmp.Or(n.Value, "?"))
	if n.Kind != yaml.ScalarNode || err != nil || v < least || v > most {
		d.fail(n, "%q is not a time between %s and %s, such as 15s", n.Value, least, most)
		return most
	}
	return v
}

func (d *decoder) count(n *yaml.Node, least, most int) int {
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil || v < least || v > most {
		d.fail(n, "%q is not a number between %d and %d", n.Value, least, most)
		return least
	}
	return v
}

// prices reads the prices of a model.
func (d *decoder) prices(n *yaml.Node, p *Prices) {
	fields := map[string]*float64{"in": &p.In, "out": &p.Out, "cached": &p.Cached}
	hasCached := false
	for k, v := range d.mapping(n) {
		into := fields[k.Value]
		if into == nil {
			d.unknown(k, "price", k.Value, []string{"in", "out", "cached"})
			continue
		}
		f, err := strconv.ParseFloat(v.Value, 64)
		if v.Kind != yaml.ScalarNode || err != nil || !(f >= 0) || math.IsInf(f, 0) || f > 1e6 {
			d.fail(v, "%q is not a price for a million tokens, such as 0.25", v.Value)
			continue
		}
		*into, hasCached = f, hasCached || k.Value == "cached"
	}
	if !hasCached {
		p.Cached = p.In
	}
}

// readFile reads the settings, to which nobody else may write: they say who approves.
func readFile(name string) ([]byte, error) {
	f, err := plainfile.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0:
		return nil, fmt.Errorf("%s: others may write to it (mode %04o): run chmod go-w on it", name, info.Mode().Perm())
	}
	return plainfile.Content(f, 1<<20)
}

// Name is what the file is called in the directory of a person's policy.
const Name = "approvers.yaml"

// Read reads the section reviewers of a file. That of the channels is not for this
// package. Where there is no file the error is [fs.ErrNotExist].
func Read(file string) ([]Settings, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	d := &decoder{file: file}
	var out []Settings
	for k, v := range d.mapping(document.Content[0]) {
		switch k.Value {
		case "channels":
		case "reviewers":
			out = d.section(v)
		default:
			d.unknown(k, "section", k.Value, []string{"channels", "reviewers"})
		}
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	return out, nil
}
