package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/policyctl/policyctl/internal/service/api"
	"github.com/policyctl/policyctl/internal/service/auth"
)

// document returns the OpenAPI document. It is read once, by who needs it.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(api.Document())
})

func loadDocument(t testing.TB) *openapi3.T {
	t.Helper()
	d, err := document()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDocumentIsValid(t *testing.T) {
	if err := loadDocument(t).Validate(t.Context(), openapi3.IsOpenAPI31OrLater()); err != nil {
		t.Error(err)
	}
}

// A described is what the document or the table says of a route.
type described struct {
	scopes, query, summary string
	open                   bool
}

// The document and the table say the same of every route.
func TestDocumentHasTheRoutes(t *testing.T) {
	want := make(map[string]described)
	for _, r := range new(api.API).Family().Routes {
		var scopes []string
		for _, one := range []auth.Scope{auth.Submit, auth.Approve, auth.Read, auth.Admin, auth.Record} {
			if r.Scopes&one != 0 {
				scopes = append(scopes, one.String())
			}
		}
		query := slices.Sorted(slices.Values(r.Query))
		want[r.Method+" "+r.Path] = described{strings.Join(scopes, " "), strings.Join(query, " "), r.Summary, r.Open}
	}
	got := make(map[string]described)
	for path, item := range loadDocument(t).Paths.Map() {
		for method, o := range item.Operations() {
			got[method+" "+path] = describe(t, item, o)
		}
	}
	for _, route := range slices.Sorted(maps.Keys(want)) {
		if got[route] != want[route] {
			t.Errorf("%s: the document says %+v, the table %+v", route, got[route], want[route])
		}
		delete(got, route)
	}
	for route := range got {
		t.Errorf("%s: is in the document alone", route)
	}
}

func describe(t *testing.T, item *openapi3.PathItem, o *openapi3.Operation) described {
	out := described{summary: o.Summary, open: o.Security != nil && len(*o.Security) == 0}
	list, ok := o.Extensions["x-scopes"].([]any)
	if !ok {
		t.Errorf("%s: x-scopes is missing", o.OperationID)
	}
	var scopes, query []string
	for _, one := range list {
		scopes = append(scopes, one.(string))
	}
	for _, p := range slices.Concat(item.Parameters, o.Parameters) {
		if p.Value.In == openapi3.ParameterInQuery {
			query = append(query, p.Value.Name)
		}
	}
	slices.Sort(query)
	out.scopes, out.query = strings.Join(scopes, " "), strings.Join(query, " ")
	if o.Responses.Default() == nil {
		t.Errorf("%s: says nothing of errors", o.OperationID)
	}
	return out
}

// The document is served as JSON, to whoever is known.
func TestDocumentIsServed(t *testing.T) {
	s := start(t)
	a := s.Do(t, s.Token(t, "x", "submit"), http.MethodGet, "/v1/openapi.json", "")
	d, err := openapi3.NewLoader().LoadFromData([]byte(a.Text))
	if err != nil || a.Status != http.StatusOK {
		t.Fatal(a.Status, err)
	}
	if got, want := d.Paths.Len(), loadDocument(t).Paths.Len(); got != want || want == 0 {
		t.Errorf("%d paths are served, %d stand in the document", got, want)
	}
}
