package postgres

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/policyctl/policyctl/internal/service/sqlstore"
)

// The words of an index are those of SQLite's index: runs of letters and digits, without
// case and accents. The parser of PostgreSQL would take addresses and paths for words, so
// entries and queries are written here, in the form of tsvector and tsquery.

// maxWord bounds a word: the index refuses longer ones. Words that begin alike up to there
// are taken for one.
const maxWord = 200

// maxPlaces and lastPlace bound the places of a word in an entry (PostgreSQL, section 12.11).
// What stands behind is found, but not side by side.
const (
	maxPlaces = 255
	lastPlace = 16383
)

// markSign begins marks, and no word.
const markSign = "="

// wordsOf returns the words of a text.
func wordsOf(text string) []string {
	text = strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII && unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(text))
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	for i, w := range words {
		if len(w) > maxWord {
			words[i] = strings.ToValidUTF8(w[:maxWord], "")
		}
	}
	return words
}

// vector returns an entry.
func vector(text string, marks []string) string {
	places := make(map[string][]int)
	for i, w := range wordsOf(text) {
		if len(places[w]) < maxPlaces {
			places[w] = append(places[w], min(i+1, lastPlace))
		}
	}
	var out []byte
	for w, at := range places {
		out = append(append(append(out, '\''), w...), "':"...)
		for i, n := range slices.Compact(at) {
			if i > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendInt(out, int64(n), 10)
		}
		out = append(out, ' ')
	}
	for _, m := range marks {
		out = append(append(append(out, "'"+markSign...), m...), "' "...)
	}
	return string(out)
}

// query returns the query for marks and terms.
func query(marks []string, terms []sqlstore.Term) string {
	var out []string
	for _, m := range marks {
		out = append(out, "'"+markSign+m+"'")
	}
	for _, t := range terms {
		words := wordsOf(t.Text)
		for i, w := range words {
			words[i] = "'" + w + "'"
		}
		if t.Open && len(words) > 0 {
			words[len(words)-1] += ":*"
		}
		out = append(out, "("+strings.Join(words, " <-> ")+")")
	}
	return strings.Join(out, " & ")
}
