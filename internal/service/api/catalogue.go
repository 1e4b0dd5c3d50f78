package api

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/record"
)

func (a *API) actionSchemas(x *route.Exchange) error {
	return x.Write(http.StatusOK, "application/json", append(record.Catalogue(), '\n'))
}

// An approver is somebody who may decide, as rules name them.
type approver struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Source      string `json:"source"`
}

func (a *API) approvers(x *route.Exchange) error {
	list := []approver{}
	for _, one := range x.Service.Approvers() {
		info := one.Info()
		list = append(list, approver{info.ID, info.Name, info.Description, info.Source})
	}
	return x.Answer(http.StatusOK, map[string]any{"approvers": list})
}
