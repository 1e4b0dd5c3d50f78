package api

import (
	"bytes"
	"net/http"

	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/internal/service/route"
)

func (a *API) health(x *route.Exchange) error {
	state, problems := x.Condition()
	status := http.StatusOK
	if state == backend.Failing {
		status = http.StatusServiceUnavailable
	}
	return x.Answer(status, struct {
		OK       bool     `json:"ok"`
		Status   string   `json:"status"`
		Service  string   `json:"service"`
		Version  string   `json:"version"`
		Problems []string `json:"problems,omitempty"`
	}{state != backend.Failing, state, "policyctl", a.o.Version, problems})
}

// live answers as long as the process can.
func (a *API) live(x *route.Exchange) error {
	return x.Answer(http.StatusOK, struct {
		Live bool `json:"live"`
	}{true})
}

// ready is for what hands out work, such as a load balancer.
func (a *API) ready(x *route.Exchange) error {
	ready, problems := x.Ready()
	status := http.StatusOK
	if !ready {
		status = http.StatusServiceUnavailable
	}
	return x.Answer(status, struct {
		Ready    bool     `json:"ready"`
		Problems []string `json:"problems,omitempty"`
	}{ready, problems})
}

// metricsType is the text format of Prometheus.
const metricsType = "text/plain; version=0.0.4; charset=utf-8"

func (a *API) metrics(x *route.Exchange) error {
	if x.Metrics == nil {
		return route.Refuse(http.StatusNotFound, "no-metrics", "this service counts nothing", "run it by policyctl serve")
	}
	var text bytes.Buffer
	if err := x.Metrics(x.Context(), &text); err != nil {
		return err
	}
	return x.Write(http.StatusOK, metricsType, text.Bytes())
}
