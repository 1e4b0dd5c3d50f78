package api_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/policyctl/policyctl/internal/service/api"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
)

func start(t testing.TB) *servertest.Service { return servertest.New(t, servertest.Options{}) }

// A caller calls a service and compares what it sends and gets with the
// document.
type caller struct {
	*servertest.Service
	t       testing.TB
	doc     *openapi3.T
	mux     *http.ServeMux
	reached map[string]bool // routes that answered with success
}

func newCaller(t testing.TB, s *servertest.Service) *caller {
	c := &caller{Service: s, t: t, doc: loadDocument(t), mux: http.NewServeMux(), reached: make(map[string]bool)}
	for _, r := range new(api.API).Family().Routes {
		c.mux.Handle(r.Method+" "+r.Path, http.NotFoundHandler())
	}
	return c
}

// do sends a body, "" for none, and fails unless the answer has the status.
func (c *caller) do(want int, token, method, path, body string) servertest.Answer {
	c.t.Helper()
	a := c.Do(c.t, token, method, path, body)
	if a.Status != want {
		c.t.Fatalf("%s %s %s: %d, want %d: %s", method, path, body, a.Status, want, a.Text)
	}
	c.check(method, path, body, a)
	return a
}

// check compares an exchange with the document.
func (c *caller) check(method, path, body string, a servertest.Answer) {
	c.t.Helper()
	r, err := http.NewRequest(method, path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	_, route := c.mux.Handler(r)
	_, pattern, _ := strings.Cut(route, " ")
	item := c.doc.Paths.Value(pattern)
	if item == nil || item.GetOperation(method) == nil {
		c.t.Fatalf("%s %s: not in the document", method, path)
	}
	o := item.GetOperation(method)
	answer := o.Responses.Value(strconv.Itoa(a.Status))
	if answer == nil && a.Status < 400 {
		c.t.Fatalf("%s %s: the status %d is not in the document", method, path, a.Status)
	}
	if answer == nil {
		answer = o.Responses.Default()
	}
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	content := answer.Value.Content.Get(media)
	if content == nil {
		c.t.Fatalf("%s %s: %d: the media type %s is not in the document", method, path, a.Status, media)
	}
	if strings.HasSuffix(media, "json") {
		c.visit(content.Schema.Value, a.Text, method+" "+path+": the answer")
	}
	if a.Status >= 400 {
		return
	}
	c.reached[route] = true
	if body != "" {
		c.visit(o.RequestBody.Value.Content.Get("application/json").Schema.Value, body, method+" "+path+": the body")
	}
}

func (c *caller) visit(s *openapi3.Schema, text, what string) {
	c.t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		c.t.Fatalf("%s: %v: %s", what, err, text)
	}
	if err := s.VisitJSON(v, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation()); err != nil {
		c.t.Errorf("%s is not as the document says: %v\n%s", what, err, text)
	}
}
