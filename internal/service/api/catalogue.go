package api

import (
	"net/http"

	"github.com/policyctl/policyctl/pkg/pattern"
)

func (a *API) actionSchemas(x *exchange) error {
	return x.write(http.StatusOK, "application/json", append(pattern.Catalogue(), '\n'))
}

// An approver is somebody who may decide, as rules name them.
type approver struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Source      string `json:"source"`
}

func (a *API) approvers(x *exchange) error {
	list := []approver{}
	for _, one := range a.b.Service.Approvers() {
		info := one.Info()
		list = append(list, approver{info.ID, info.Name, info.Description, info.Source})
	}
	return x.answer(http.StatusOK, map[string]any{"approvers": list})
}
