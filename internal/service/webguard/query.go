package webguard

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/policyctl/policyctl/internal/support/spelling"
)

// BadQuery is the refusal of a query that says nothing of use.
func BadQuery(detail, hint string) error {
	return &Refusal{Status: http.StatusBadRequest, Code: "bad-query", Detail: detail, Hint: hint}
}

// Query reads the query of a URL. A parameter that is unknown is refused,
// since it would be taken for something that counts, and so is one that stands
// twice and is none of many. The error is that of [BadQuery].
func Query(u *url.URL, known []string, many ...string) (url.Values, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, BadQuery("the query of the URL is not well-formed", "encode it as a form is")
	}
	for _, key := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(known, key) {
			return nil, unknownParameter(key, known)
		}
		if len(query[key]) > 1 && !slices.Contains(many, key) {
			return nil, BadQuery(fmt.Sprintf("the parameter %s is given more than once", key), "give it once")
		}
		for _, value := range query[key] {
			if strings.Contains(value, "\x00") || !utf8.ValidString(value) { // which no store finds
				return nil, BadQuery(fmt.Sprintf("%s: %.64q", key, value), "give text in UTF-8 without a NUL")
			}
		}
	}
	return query, nil
}

func unknownParameter(key string, known []string) error {
	hint := "there are none here"
	if near := spelling.Nearest(key, known); near != "" {
		hint = "did you mean " + near + "?"
	} else if len(known) > 0 {
		hint = "there are " + strings.Join(known, ", ")
	}
	return BadQuery(fmt.Sprintf("the parameter %.64q is unknown", key), hint)
}
