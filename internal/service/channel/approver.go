package channel

import (
	"context"
	"net/http"

	"github.com/policyctl/policyctl/pkg/approval"
)

// Approvers returns the channels as the service knows them.
func (d *Dispatcher) Approvers() (list []approval.Approver) {
	for _, name := range d.names {
		l := d.lines[name]
		list = append(list, &approver{d, l, l.Driver.Webhook(l.hearing(d))})
	}
	return list
}

// An approver is a channel as the service knows it.
type approver struct {
	d    *Dispatcher
	l    *line
	hook http.Handler // made once, since it may remember what it has seen
}

// Info implements [approval.Approver].
func (a *approver) Info() approval.ApproverInfo {
	return approval.ApproverInfo{
		ID: a.l.Name, Name: a.l.Name, Description: "people whom policyctl reaches by " + a.l.Type, Source: approval.Human,
	}
}

// Ask implements [approval.Approver]. What is told is derived of the events of the store,
// which a crash does not lose.
func (a *approver) Ask(context.Context, *approval.Request, func(context.Context, string, approval.Answer) error) error {
	a.d.Wake()
	return nil
}

// Webhook implements [approval.Approver].
func (a *approver) Webhook() http.Handler { return a.hook }
