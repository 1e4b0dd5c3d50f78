package compat

import (
	"net/http"

	"github.com/policyctl/policyctl/internal/service/route"
	"github.com/policyctl/policyctl/pkg/approval"
)

func (h *Handler) approvers(x *route.Exchange) error {
	out := map[string][]approval.ApproverInfo{approval.LLM: {}, approval.Human: {}}
	for _, a := range x.Service.Approvers() {
		info := a.Info()
		if info.Source != approval.LLM {
			info.Source = approval.Human
		}
		out[info.Source] = append(out[info.Source], info)
	}
	return x.Answer(http.StatusOK, out)
}

// webhook hands a request to the approver that it is for, which must prove who
// sends it.
func (h *Handler) webhook(x *route.Exchange) error {
	id := x.R.PathValue("plugin")
	for _, a := range x.Service.Approvers() {
		hook := a.Webhook()
		if a.Info().ID != id || hook == nil {
			continue
		}
		http.StripPrefix("/api/approvers/"+id, hook).ServeHTTP(x.W, x.R)
		return nil
	}
	return refuse(http.StatusNotFound, "no approver of this name hears anything here; GET /api/approvers lists the approvers")
}
