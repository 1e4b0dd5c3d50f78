package bundle

import "fmt"

// Write returns the archive of a bundle, without a signature. The same bundle
// gives the same bytes, whatever the order of its files. What [Read] would
// refuse with its default limits is an error here.
func Write(b *Bundle) ([]byte, error) {
	for _, f := range b.Modules {
		if problem := badModule(f.Name); problem != "" {
			return nil, malformed(f.Name, "%s", problem)
		}
	}
	entries, err := b.entries()
	if err != nil {
		return nil, err
	}
	archive, err := pack(entries)
	if err != nil {
		return nil, err
	}
	if _, err := Read(archive, nil, Limits{}); err != nil {
		return nil, fmt.Errorf("write revision %q: %w", b.Revision, err)
	}
	return archive, nil
}
