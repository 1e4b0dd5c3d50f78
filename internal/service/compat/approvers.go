package compat

import (
	"net/http"

	"github.com/policyctl/policyctl/pkg/approval"
)

func (h *Handler) approvers(x *exchange) error {
	out := map[string][]approval.ApproverInfo{approval.LLM: {}, approval.Human: {}}
	for _, a := range h.b.Service.Approvers() {
		info := a.Info()
		if info.Source != approval.LLM {
			info.Source = approval.Human
		}
		out[info.Source] = append(out[info.Source], info)
	}
	return x.answer(http.StatusOK, out)
}

// webhook hands a request to the approver that it is for, which must prove who
// sends it.
func (h *Handler) webhook(x *exchange) error {
	id := x.r.PathValue("plugin")
	for _, a := range h.b.Service.Approvers() {
		hook := a.Webhook()
		if a.Info().ID != id || hook == nil {
			continue
		}
		http.StripPrefix("/api/approvers/"+id, hook).ServeHTTP(x.w, x.r)
		return nil
	}
	return refuse(http.StatusNotFound, "no approver of this name hears anything here; GET /api/approvers lists the approvers")
}
