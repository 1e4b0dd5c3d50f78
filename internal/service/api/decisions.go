package api

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/trail"
)

// collect puts decisions on record that were made elsewhere, in the name of who
// brings them.
func (a *API) collect(x *route.Exchange, b *trail.Batch) error {
	at, err := x.Collect(x.Context(), x.Who.Name, *b)
	if err != nil {
		return err
	}
	return x.Answer(http.StatusOK, trail.Receipt{Position: at})
}
