package api

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/policyctl/policyctl/internal/service/route"
	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var document []byte

// Document returns the description of the API as YAML.
func Document() []byte { return append([]byte(nil), document...) }

// documentJSON is the description as JSON. It is made when somebody asks.
var documentJSON = sync.OnceValues(func() ([]byte, error) {
	var v any
	if err := yaml.Unmarshal(document, &v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
})

func (a *API) openapi(x *route.Exchange) error {
	text, err := documentJSON()
	if err != nil {
		return err
	}
	return x.Write(http.StatusOK, "application/json", text)
}
