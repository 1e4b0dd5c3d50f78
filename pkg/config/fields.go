package config

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/support/clip"
	"github.com/policyctl/policyctl/internal/support/spelling"
	"go.yaml.in/yaml/v3"
)

// fields decodes a mapping by its table.
func fields[T any](d *decoder, n *yaml.Node, table []key[T], into *T) {
	rows(d, n, table, "", func(k *key[T], p pair) { k.form.decode(d, p.value, into) })
}

// rows calls yield for each key of a mapping with its row of the table.
// section is the path of the mapping within the table, with a dot behind it,
// or "".
func rows[T any](d *decoder, n *yaml.Node, table []key[T], section string, yield func(*key[T], pair)) {
	above := d.at
	defer func() { d.at = above }()
	for _, p := range d.pairs(n) {
		path := section + p.key.Value
		d.at = path
		row := slices.IndexFunc(table, func(k key[T]) bool { return k.path == path })
		switch {
		case strings.Contains(p.key.Value, "."):
			d.unknownKey(p.key, section, paths(table))
		case row >= 0:
			yield(&table[row], p)
		case isSection(table, path):
			rows(d, p.value, table, path+".", yield)
		default:
			d.unknownKey(p.key, section, paths(table))
		}
	}
}

func isSection[T any](table []key[T], path string) bool {
	return slices.ContainsFunc(table, func(k key[T]) bool { return strings.HasPrefix(k.path, path+".") })
}

// paths returns the keys of a table and the sections that hold them.
func paths[T any](table []key[T]) []string {
	var all []string
	for _, k := range table {
		for i, r := range k.path + "." {
			if r == '.' && !slices.Contains(all, k.path[:i]) {
				all = append(all, k.path[:i])
			}
		}
	}
	return all
}

// unknownKey suggests a key of the same section, or one that is right but
// stands elsewhere.
func (d *decoder) unknownKey(key *yaml.Node, section string, paths []string) {
	name, path := key.Value, section+key.Value
	var siblings []string
	for _, p := range paths {
		if child, ok := strings.CutPrefix(p, section); ok && !strings.Contains(child, ".") {
			siblings = append(siblings, child)
		}
	}
	if slices.Contains(paths, path) { // a key with dots in it
		d.fail(key, "%s is written %s", path, d.format.nested)
		return
	}
	if hint := elsewhere(section, name, paths); hint != "" {
		d.suggest(key, hint, "unknown key %s", clip.Quote(path))
		return
	}
	if hint := spelling.Nearest(name, siblings); hint != "" {
		d.suggest(key, section+hint, "unknown key %s", clip.Quote(path))
		return
	}
	if hint := elsewhere(section, spelling.Alike(name, lastNames(paths), len(name)/2), paths); hint != "" {
		d.suggest(key, hint, "unknown key %s", clip.Quote(path))
		return
	}
	d.fail(key, "unknown key %s: one of %s", clip.Quote(path), strings.Join(siblings, ", "))
}

func lastNames(paths []string) []string {
	all := make([]string, len(paths))
	for i, p := range paths {
		all[i] = p[strings.LastIndexByte(p, '.')+1:]
	}
	return all
}

// elsewhere returns the path that ends in name, the one nearest to section.
func elsewhere(section, name string, paths []string) string {
	best, most := "", -1
	for _, p := range paths {
		n := shared(p, section)
		if n > most && (p == name || strings.HasSuffix(p, "."+name)) {
			best, most = p, n
		}
	}
	return best
}

// shared returns the length of the text with which both begin.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
