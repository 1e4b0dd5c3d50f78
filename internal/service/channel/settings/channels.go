package settings

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/document"
)

// common are the keys that every channel has.
var common = []string{"type", "people", "one_tap", "after", "api"}

// defaultTap is the risk that one press approves where nothing is said; maxAfter bounds
// how long a channel waits for its turn.
const (
	defaultTap = "low"
	maxAfter   = 24 * time.Hour
)

// reserved are names that other identities begin with, and that of the queue.
var reserved = []string{"channel", "dashboard-approval", "login", "passkey", "policy", "service", "token", "uid"}

var (
	channelName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`) })
	personName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9._-]{0,63}$`) })
)

// A Made is a channel with the place of its settings.
type Made struct {
	channel.Channel
	Line int
}

// Channels makes the channels of a file, in its order. The error has all problems, of type
// [config.Problems].
func (f *File) Channels(types []Type, getenv func(string) string) ([]Made, error) {
	section := f.Section("channels")
	if section == nil {
		return nil, nil
	}
	r := &reader{file: f, types: types, getenv: getenv}
	if section.Kind != document.Map {
		r.fail(section, "channels must be a mapping from names to channels, not %s", section.Describe())
	}
	var made []Made
	for i := range section.Keys {
		name := &section.Keys[i]
		if c, ok := r.channel(name, &section.Items[i]); ok {
			made = append(made, Made{c, name.Line})
		}
	}
	if len(r.found) > 0 {
		return nil, sortProblems(r.found)
	}
	return made, nil
}

// Names returns the names of channels.
func Names(all []Made) (names []string) {
	for i := range all {
		names = append(names, all[i].Name)
	}
	return names
}

// A reader collects what is wrong.
type reader struct {
	file   *File
	types  []Type
	getenv func(string) string
	found  config.Problems
}

func (r *reader) fail(n *document.Node, format string, args ...any) {
	r.found = append(r.found, problem(r.file.path, n, fmt.Sprintf(format, args...)))
}

// channel reads one channel, and reports whether it is sound.
func (r *reader) channel(name, n *document.Node) (c channel.Channel, ok bool) {
	before := len(r.found)
	switch {
	case !channelName().MatchString(name.Text):
		r.fail(name, "the name of a channel has small letters, digits and hyphens and begins with a letter, not %s", clip.Quote(name.Text))
	case slices.Contains(reserved, name.Text):
		r.fail(name, "no channel can be called %s, which names other deciders: give it another name", name.Text)
	}
	if n.Kind != document.Map {
		r.fail(n, "%s must be a mapping with a type, not %s", clip.Line(name.Text), n.Describe())
		return c, false
	}
	of, found := r.kind(name, n)
	if !found {
		return c, false
	}
	c = channel.Channel{Name: name.Text, Type: of.Name, People: r.people(n.Entry("people")), OneTap: r.tap(n.Entry("one_tap")), After: r.after(n.Entry("after"))}
	v := r.values(name, n, &of)
	if len(r.found) == before && of.Person != "" {
		c.People = r.one(name, n, v.Text(of.Person))
	}
	if len(r.found) > before {
		return c, false
	}
	c.Place = v.Text(of.Place)
	var err error
	if c.Driver, err = of.Make(v); err != nil {
		r.fail(name, "%s: %v", name.Text, err)
	}
	return c, err == nil
}

// kind returns the type of a channel.
func (r *reader) kind(name, n *document.Node) (Type, bool) {
	var known []string
	for _, t := range r.types {
		known = append(known, t.Name)
	}
	at := n.Entry("type")
	if at == nil {
		r.fail(name, "%s has no type: give one of %s", clip.Line(name.Text), strings.Join(known, ", "))
		return Type{}, false
	}
	text, ok := r.text(at, "type")
	if i := slices.Index(known, text); i >= 0 {
		return r.types[i], true
	}
	if ok {
		r.fail(at, "there is no type %s of channels", clip.Quote(text))
		p := &r.found[len(r.found)-1]
		if p.Hint = spelling.Nearest(text, known); p.Hint == "" {
			p.Text += ": the types are " + strings.Join(known, ", ")
		}
	}
	return Type{}, false
}

// text reads a text that is not empty; a number is taken as it is written.
func (r *reader) text(n *document.Node, what string) (string, bool) {
	switch {
	case n.Kind != document.Text && n.Kind != document.Number:
		r.fail(n, "%s must be text, not %s", what, n.Describe())
	case strings.TrimSpace(n.Text) == "" || strings.TrimSpace(n.Text) != n.Text:
		r.fail(n, "%s must not be empty, nor begin or end with a blank", what)
	case strings.ContainsFunc(n.Text, func(r rune) bool { return r < 0x20 || r == 0x7f }):
		r.fail(n, "%s must be one line without control characters", what)
	default:
		return n.Text, true
	}
	return "", false
}

// people reads who may answer.
func (r *reader) people(n *document.Node) map[string]string {
	out := make(map[string]string)
	if n == nil || n.Kind == document.Null {
		return out
	}
	if n.Kind != document.Map {
		r.fail(n, "people must be a mapping from who somebody is at the service to their name, not %s", n.Describe())
	}
	for i := range n.Keys {
		who, okay := r.text(&n.Keys[i], "who somebody is at the service")
		name, ok := r.text(&n.Items[i], "the name of somebody who may answer")
		switch {
		case !ok || !okay:
		case !personName().MatchString(name):
			r.notName(&n.Items[i], name)
		default:
			out[who] = name
		}
	}
	return out
}

func (r *reader) notName(n *document.Node, name string) {
	r.fail(n, "the name %s has other characters than small letters, digits, dots, hyphens and underscores, or does not begin with a letter", clip.Quote(name))
}

// one returns the people of a type whose answers are all of one approver.
func (r *reader) one(name, n *document.Node, person string) map[string]string {
	if at := n.Entry("people"); at != nil {
		r.fail(at, "%s does not tell people apart: name the one whose answers all are by person", name.Text)
	}
	if !personName().MatchString(person) {
		r.notName(n.Entry("person"), person)
	}
	return map[string]string{person: person}
}

// tap reads the highest risk that one press approves.
func (r *reader) tap(n *document.Node) string {
	if n == nil {
		return defaultTap
	}
	text, ok := r.text(n, "one_tap")
	if ok && !slices.Contains(channel.Taps(), text) {
		r.fail(n, "one_tap is the highest risk that one press approves: %s, not %s", strings.Join(channel.Taps(), ", "), clip.Quote(text))
		r.found[len(r.found)-1].Hint = spelling.Nearest(text, channel.Taps())
	}
	return text
}

// after reads how long a request waits before the channel is told.
func (r *reader) after(n *document.Node) time.Duration {
	if n == nil {
		return 0
	}
	text, ok := r.text(n, "after")
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if seconds, failed := strconv.Atoi(text); failed == nil && seconds == 0 {
		d, err = 0, nil
	}
	if err != nil || d < 0 || d > maxAfter {
		r.fail(n, "after is a time from 0s to 24h such as 30s or 2m, not %s", clip.Quote(text))
		return 0
	}
	return d
}

// values reads the keys of a type.
func (r *reader) values(name, n *document.Node, of *Type) Values {
	v := Values{Channel: name.Text, Dir: filepath.Dir(r.file.path), texts: make(map[string][]string)}
	if at := n.Entry("api"); at != nil {
		v.API = r.api(at)
	}
	known := slices.Clone(common)
	for _, k := range of.Keys {
		if !k.Secret {
			known = append(known, k.Name)
			r.plain(n.Entry(k.Name), k, v.texts)
		} else {
			known = append(known, k.Name+"_file", k.Name+"_env")
			r.secret(n, k, v.texts)
		}
		if k.Required && !given(n, k) {
			r.fail(name, "%s has no %s: add %s", name.Text, k.Name, ways(k))
		}
	}
	for i := range n.Keys {
		r.known(&n.Keys[i], name.Text, of, known)
	}
	return v
}

// api reads the base of an API.
func (r *reader) api(n *document.Node) string {
	text, ok := r.text(n, "api")
	if !ok {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		r.fail(n, "api is the base of an API such as https://api.example.com, not %s", clip.Quote(text))
	}
	return strings.TrimRight(text, "/")
}

// given reports whether a channel has a key.
func given(n *document.Node, k Key) bool {
	return n.Entry(k.Name) != nil || k.Secret && (n.Entry(k.Name+"_file") != nil || n.Entry(k.Name+"_env") != nil)
}

// ways says how a key is written.
func ways(k Key) string {
	if k.Secret {
		return k.Name + "_file or " + k.Name + "_env"
	}
	return k.Name
}

func (r *reader) plain(n *document.Node, k Key, into map[string][]string) {
	if n == nil {
		return
	}
	if k.Flag {
		if n.Kind != document.Bool {
			r.fail(n, "%s is true or false, not %s", k.Name, n.Describe())
		}
		into[k.Name] = []string{n.Text}
		return
	}
	items := []document.Node{*n}
	if k.List && n.Kind == document.List {
		items = n.Items
	}
	if len(items) == 0 {
		r.fail(n, "%s is an empty list: leave it out, or give an entry", k.Name)
	}
	for i := range items {
		if text, ok := r.text(&items[i], k.Name); ok {
			into[k.Name] = append(into[k.Name], text)
		}
	}
}

// secret reads a secret from the file or the variable that is named.
func (r *reader) secret(n *document.Node, k Key, into map[string][]string) {
	file, variable := n.Entry(k.Name+"_file"), n.Entry(k.Name+"_env")
	at, what := file, k.Name+"_file"
	switch {
	case file == nil && variable == nil:
		return
	case file != nil && variable != nil:
		r.fail(variable, "%s_file and %s_env stand for the same secret: leave one out", k.Name, k.Name)
		return
	case file == nil:
		at, what = variable, k.Name+"_env"
	}
	name, ok := r.text(at, what)
	if !ok {
		return
	}
	var secret, wrong string
	if file != nil {
		secret, wrong = r.file.secretIn(name)
	} else {
		secret, wrong = secretFrom(name, r.getenv)
	}
	if wrong != "" {
		r.fail(at, "%s: %s", what, wrong)
		return
	}
	into[k.Name] = []string{secret}
}

// known refuses a key that no channel of the type has.
func (r *reader) known(k *document.Node, name string, of *Type, known []string) {
	if slices.Contains(known, k.Text) {
		return
	}
	if slices.ContainsFunc(of.Keys, func(other Key) bool { return other.Secret && other.Name == k.Text }) {
		r.fail(k, "secrets never stand in this file: write it to a file of its own with %s_file, or to a variable with %s_env", k.Text, k.Text)
		return
	}
	r.found = append(r.found, unknownKey(r.file.path, k, "channels."+name+".", known))
}
