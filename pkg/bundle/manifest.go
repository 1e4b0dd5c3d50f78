package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	opa "github.com/open-policy-agent/opa/v1/bundle"
)

// own is the key of policyctl in the metadata of a manifest and in data.
const own = "policyctl"

// manifestKeys are the keys of OPA's manifest. OPA reads them in any case, so
// that a second spelling would win over the one that people see.
var manifestKeys = []string{"revision", "roots", "wasm", "rego_version", "file_rego_versions", "metadata"}

// readManifest fills the bundle from the text of a manifest that is sound JSON.
func (b *Bundle) readManifest(data []byte) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil || keys == nil {
		return malformed(manifestFile, "it is not an object; write {\"revision\": ...}")
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		i := slices.IndexFunc(manifestKeys, func(known string) bool { return strings.EqualFold(key, known) })
		if i >= 0 && key != manifestKeys[i] {
			return malformed(manifestFile, "the key %s is not spelt %q; correct it", shown(key), manifestKeys[i])
		}
	}
	var m opa.Manifest
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		return malformed(manifestFile, "%s; correct the type", reason(err))
	}
	if err := checkManifest(&m); err != nil {
		return malformed(manifestFile, "%w", err)
	}
	b.Revision = m.Revision
	if err := b.readMetadata(m.Metadata); err != nil {
		return malformed(manifestFile, "metadata.%s: %w", own, err)
	}
	return nil
}

// checkManifest refuses what OPA accepts and a bundle of ours cannot hold.
func checkManifest(m *opa.Manifest) error {
	if strings.ContainsFunc(m.Revision, func(r rune) bool { return !unicode.IsPrint(r) }) || len(m.Revision) > longestName {
		return fmt.Errorf("the revision is not one printable line of at most %d bytes; shorten it", longestName)
	}
	if m.RegoVersion != nil && *m.RegoVersion != 1 {
		return fmt.Errorf("rego_version %d is not supported; write Rego v1 and rego_version 1", *m.RegoVersion)
	}
	for _, file := range slices.Sorted(maps.Keys(m.FileRegoVersions)) {
		if v := m.FileRegoVersions[file]; v != 1 {
			return fmt.Errorf("file_rego_versions: version %d of %s is not supported; write Rego v1", v, shown(file))
		}
	}
	if len(m.WasmResolvers) > 0 {
		return errors.New("wasm: WebAssembly is refused because its rules cannot be reviewed or limited; build with -t rego")
	}
	if m.Roots == nil {
		return nil
	}
	for _, root := range *m.Roots {
		if clean := strings.Trim(root, "/"); clean != "" && badName(clean) != "" {
			return fmt.Errorf("roots: %s is not a path; use names like policyctl/rules", shown(root))
		}
	}
	return nil
}

// manifest returns the text of the manifest of the bundle.
func (b *Bundle) manifest() ([]byte, error) {
	metadata := map[string]any{"sequence": b.Sequence}
	for key, t := range map[string]time.Time{"built": b.Built, "expires": b.Expires} {
		if !t.IsZero() {
			metadata[key] = t.UTC().Format(time.RFC3339Nano)
		}
	}
	roots, version := b.Roots, 1
	if roots == nil {
		roots = []string{""}
	}
	return marshal(opa.Manifest{
		Revision:    b.Revision,
		Roots:       &roots,
		RegoVersion: &version,
		Metadata:    map[string]any{own: metadata},
	})
}
