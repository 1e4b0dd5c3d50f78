package suite

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// The elements of the XML that JUnit writes.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the report as the XML of JUnit, a suite for each file.
func (r *Report) JUnit(w io.Writer) error {
	out := junitSuites{Tests: len(r.Cases), Failures: r.Failed}
	places := make(map[string]int)
	for i := range r.Cases {
		c := &r.Cases[i]
		at, known := places[c.File]
		if !known {
			at = len(out.Suites)
			places[c.File] = at
			out.Suites = append(out.Suites, junitSuite{Name: legible(c.File)})
		}
		out.Suites[at].add(c)
	}
	text, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

func (s *junitSuite) add(c *Result) {
	one := junitCase{Name: legible(c.Name), Class: legible(c.File), File: legible(c.File), Line: c.Line}
	if s.Tests++; !c.Passed {
		s.Failures++
		one.Failure = &junitFailure{
			Message: legible("expected " + c.Expected() + ", got " + c.Actual()),
			Text:    legible(fmt.Sprintf("%s:%d: %s", c.File, c.Line, c.Why)),
		}
	}
	s.Cases = append(s.Cases, one)
}

// legible shows a stand-in for what has no place in XML.
func legible(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Expected and Actual say in words what a case wanted and got.
func (c *Result) Expected() string {
	if c.Example != nil {
		return truthText(c.Example.Want)
	}
	return c.Want.String()
}

// Actual says what came of the case.
func (c *Result) Actual() string {
	if c.Example != nil {
		return truthText(c.Example.Got)
	}
	return c.Got.String()
}

func truthText(truth string) string {
	return map[string]string{"true": "a match", "false": "no match", "unknown": "neither, for something is unknown"}[truth]
}
