package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// An entry is one file of an archive, under its clean name.
type entry struct {
	name string
	data []byte
}

func byName(a, b entry) int { return strings.Compare(a.name, b.name) }

// unpack returns the files of an archive by name. It reads each byte once and
// refuses what another reader might understand differently.
func unpack(archive []byte, l Limits) ([]entry, error) {
	l = l.filled()
	if int64(len(archive)) > l.Archive {
		return nil, fmt.Errorf("%w: the archive has %d bytes, more than %d; publish less, or raise the limit", ErrTooLarge, len(archive), l.Archive)
	}
	gz, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, fmt.Errorf("%w: the archive is not gzip: %w; give the .tar.gz file as it was published", ErrMalformed, err)
	}
	m := &meter{r: gz, limit: l.Unpacked, left: l.Unpacked}
	entries, err := readEntries(m, l)
	if err != nil {
		return nil, err
	}
	if err := m.finish(); err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w: the archive is empty; build it again", ErrMalformed)
	}
	slices.SortFunc(entries, byName)
	return entries, nil
}

func readEntries(m *meter, l Limits) ([]entry, error) {
	var entries []entry
	seen := make(map[string]bool)
	r := tar.NewReader(m)
	for n := 1; ; n++ {
		h, err := r.Next()
		if err == io.EOF {
			return entries, nil
		}
		if err != nil {
			return nil, broken(err)
		}
		if n > l.Files {
			return nil, fmt.Errorf("%w: the archive has more than %d entries; publish fewer, or raise the limit", ErrTooLarge, l.Files)
		}
		name, err := checkHeader(h, m)
		if err == nil && h.Typeflag != tar.TypeReg {
			continue
		}
		if err == nil && seen[name] {
			err = malformed(name, "the archive has it twice; build it again with one")
		}
		if err != nil {
			return nil, err
		}
		seen[name] = true
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, broken(err)
		}
		entries = append(entries, entry{name, data})
	}
}

// checkHeader returns the clean name of an entry that may be read.
func checkHeader(h *tar.Header, m *meter) (string, error) {
	switch h.Typeflag {
	case tar.TypeReg:
	case tar.TypeXGlobalHeader: // the comment of git archive
		return "", nil
	case tar.TypeDir:
		if h.Name == "./" || h.Name == "/" {
			return "", nil
		}
		h.Name = strings.TrimSuffix(h.Name, "/")
	default:
		return "", malformed(h.Name, "it is a link, a device or sparse; only files and directories are read")
	}
	name, problem := cleanName(h.Name)
	if problem != "" {
		return "", malformed(h.Name, "%s", problem)
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return "", malformed(name, "it is sparse; pack it as a plain file")
		}
	}
	if h.Size > m.left {
		return "", m.tooLarge()
	}
	return name, nil
}

// broken returns the error for an archive that cannot be read to its end.
func broken(err error) error {
	if errors.Is(err, ErrTooLarge) {
		return err
	}
	return fmt.Errorf("%w: the archive is broken or cut off: %w; fetch or build it again", ErrMalformed, err)
}

// pack writes files into an archive: the same files, the same bytes.
func pack(entries []entry) ([]byte, error) {
	entries = slices.SortedFunc(slices.Values(entries), byName)
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	w := tar.NewWriter(gz)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(e.data))}
		if err := w.WriteHeader(h); err != nil {
			return nil, malformed(e.name, "%w", err)
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, malformed(e.name, "%w", err)
		}
	}
	if err := errors.Join(w.Close(), gz.Close()); err != nil {
		return nil, fmt.Errorf("write the archive: %w", err)
	}
	return b.Bytes(), nil
}
