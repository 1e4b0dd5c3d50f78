// Package schemas keeps what plugins say of the kinds of records that they
// make: one JSON file for each plugin in a directory.
//
//	dir := schemas.Dir("/var/lib/policyctl/plugins")
//	list, problems := dir.List()
//
// Schemas describe, for people who write rules. The package decides nothing,
// and no rule means anything else for them.
package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/service/webguard"
	"github.com/policyctl/policyctl/internal/support/atomicfile"
	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/plainfile"
)

// A Schema describes one kind of record. Its JSON is that of the catalogue.
type Schema struct {
	Plugin string `json:"pluginId"`
	// Type is the type of the record; one that ends in ".*" stands for all that
	// begin so.
	Type        string   `json:"type"`
	Label       string   `json:"label"`
	Description string   `json:"description"`
	Primary     string   `json:"primary"`
	Sensitivity string   `json:"defaultSensitivity"`
	Facets      []string `json:"facets"`
}

// own is the plugin of the kinds of records that are built in.
const own = "policyctl"

// sensitivities are those that a schema may have.
var sensitivities = []string{"read", "write", "mutate", "destructive"}

// Bounds of what is kept.
const (
	maxSchemas = 256 // of a plugin
	maxPlugins = 256
	maxFile    = 1 << 20
	maxText    = 500
	maxFacets  = 32
)

// Check says what is wrong with a schema.
func (s *Schema) Check() error {
	switch {
	case !webguard.ValidID(s.Plugin) || s.Plugin == own:
		return fmt.Errorf("pluginId: %.64q is not the id of a plugin; use letters, digits and . _ : -", s.Plugin)
	case !webguard.ValidID(strings.TrimSuffix(s.Type, ".*")):
		return fmt.Errorf("type: %.64q is not a record type; write one such as github.repo.delete", s.Type)
	case s.Label == "" || !plain(s.Label) || !plain(s.Description):
		return fmt.Errorf("label: a label is one line of text, and a description another, of at most %d characters", maxText)
	case !webguard.ValidID(s.Primary):
		return fmt.Errorf("primary: %.64q is not a facet; name the one that says what the record is", s.Primary)
	case !slices.Contains(sensitivities, s.Sensitivity):
		return fmt.Errorf("defaultSensitivity: %.64q is unknown; write one of %s", s.Sensitivity, strings.Join(sensitivities, ", "))
	case len(s.Facets) == 0 || len(s.Facets) > maxFacets || !slices.Contains(s.Facets, s.Primary):
		return fmt.Errorf("facets: name at most %d, among them the primary one", maxFacets)
	}
	for _, f := range s.Facets {
		if !webguard.ValidID(f) {
			return fmt.Errorf("facets: %.64q is not the name of a facet", f)
		}
	}
	return nil
}

// plain reports whether a text is one short line in which nothing hides.
func plain(text string) bool {
	return len(text) <= maxText && !strings.ContainsFunc(text, clip.Empty)
}

// A Dir is the directory of the files; "" is none, in which nothing is and
// nothing can be put.
type Dir string

// List returns the schemas of all plugins, by plugin and type. A file that
// cannot be read is a problem, and the others count.
func (d Dir) List() (list []Schema, problems []string) {
	if d == "" {
		return nil, nil
	}
	files, err := os.ReadDir(string(d))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, []string{"the directory of schemas cannot be read"}
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".json") || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		schemas, err := d.read(f.Name())
		if err != nil {
			problems = append(problems, f.Name()+": "+err.Error())
			continue
		}
		list = append(list, schemas...)
	}
	slices.SortStableFunc(list, compare)
	return list, problems
}

func compare(a, b Schema) int {
	if c := strings.Compare(a.Plugin, b.Plugin); c != 0 {
		return c
	}
	return strings.Compare(a.Type, b.Type)
}

// read returns the schemas of a file, a list or {"schemas": […]}.
func (d Dir) read(name string) ([]Schema, error) {
	path := filepath.Join(string(d), name)
	text, err := plainfile.ReadOwn(path, maxFile)
	link, linked := errors.AsType[plainfile.Link](err)
	switch {
	case linked:
		return nil, link
	case errors.Is(err, plainfile.ErrKind), errors.Is(err, plainfile.Long(maxFile)):
		return nil, fmt.Errorf("it is not a file of at most %d bytes", maxFile)
	case err != nil:
		return nil, errors.New("it cannot be read")
	}
	return Decode(text)
}

// Decode reads schemas: one, a list, or {"schemas": […]}.
func Decode(text []byte) (list []Schema, err error) {
	var all struct {
		Schemas []Schema `json:"schemas"`
	}
	var keys map[string]json.RawMessage
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")):
		err = webguard.Decode(bytes.NewReader(text), &list)
	case json.Unmarshal(text, &keys) == nil && keys["schemas"] != nil:
		err = webguard.Decode(bytes.NewReader(text), &all)
		list = all.Schemas
	default:
		list = make([]Schema, 1)
		err = webguard.Decode(bytes.NewReader(text), &list[0])
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || len(list) > maxSchemas {
		return nil, fmt.Errorf("schemas: give from 1 to %d", maxSchemas)
	}
	for i := range list {
		if err := list[i].Check(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ErrNone says that there is no directory to keep schemas in.
var ErrNone = errors.New("this service keeps no schemas")

// ErrFull says that there is no room for more.
var ErrFull = fmt.Errorf("there is room for %d plugins with %d schemas each", maxPlugins, maxSchemas)

// Put stores schemas, each in the place of the one of the same plugin and type.
// It takes no lock: of two that write for one plugin at once the last counts.
func (d Dir) Put(list []Schema) error {
	if d == "" {
		return ErrNone
	}
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return err
	}
	files, err := os.ReadDir(string(d))
	if err != nil {
		return err
	}
	byPlugin := make(map[string][]Schema)
	for _, s := range list {
		byPlugin[s.Plugin] = append(byPlugin[s.Plugin], s)
	}
	if len(files)+len(byPlugin) > maxPlugins {
		return ErrFull
	}
	for plugin, schemas := range byPlugin {
		if err := d.put(plugin, schemas); err != nil {
			return err
		}
	}
	return nil
}

// put adds schemas to the file of their plugin, or begins it anew where it
// cannot be read.
func (d Dir) put(plugin string, schemas []Schema) error {
	name := plugin + ".json"
	kept, _ := d.read(name)
	for _, s := range schemas {
		kept = slices.DeleteFunc(kept, func(old Schema) bool { return old.Type == s.Type && old.Plugin == plugin })
		kept = append(kept, s)
	}
	if len(kept) > maxSchemas {
		return ErrFull
	}
	slices.SortStableFunc(kept, compare)
	text, err := json.MarshalIndent(map[string]any{"schemas": kept}, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(string(d), name), ".schemas-", append(text, '\n'))
}
