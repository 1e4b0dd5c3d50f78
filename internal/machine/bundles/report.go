package bundles

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/policyctl/policyctl/internal/machine/decisionlog"
	"github.com/policyctl/policyctl/internal/machine/spool"
	"github.com/policyctl/policyctl/pkg/config"
	"github.com/policyctl/policyctl/pkg/policy"
)

// parting bounds how long Close waits for collectors: less than service
// managers wait before they kill.
const parting = 5 * time.Second

// every is how often a status is reported that did not change.
const every = time.Minute

// serve starts what reports to the collectors of a subscription.
func (c *Client) serve(e *entry) {
	s := &e.source
	if s.LogURL != "" {
		e.log, e.logErr = c.logger(e)
	}
	if s.StatusURL != "" {
		c.running.Go(func() { c.report(e) })
	}
}

// logger returns what sends decisions: those of this process, and those that
// hooks left on disk.
func (c *Client) logger(e *entry) (*decisionlog.Logger, error) {
	cfg := decisionlog.Config{URL: e.source.LogURL, Labels: spool.Labels(c.state), Header: c.header(e)}
	if c.state != "" && e.source.Origin.Layer != config.Flag {
		cfg.Spool = spool.Of(c.state, e.source.Name)
	}
	return decisionlog.New(cfg)
}

// Ship sends the decisions that hooks left on disk, once. The error says what
// the collectors did not get.
func (c *Client) Ship() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, e := range c.entries {
		if e.log != nil || e.source.LogURL == "" {
			continue
		}
		var err error
		if e.log, err = c.logger(e); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// header returns the token of a subscription for its collectors.
func (c *Client) header(e *entry) func() (http.Header, error) {
	if e.source.TokenFile == "" {
		return nil
	}
	return func() (http.Header, error) { return bearer(c.expanded(e.source.TokenFile)) }
}

// report sends the status when it changes, and now and then.
func (c *Client) report(e *entry) {
	last, sent := "", time.Time{}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		h := e.sub.Health()
		now := fmt.Sprint(h.Digest, h.Err, h.Stale, h.Expired)
		if now != last || c.now().Sub(sent) >= every {
			last, sent = now, c.now()
			ctx, cancel := context.WithTimeout(e.ctx, parting)
			err := c.send(ctx, e)
			cancel()
			c.mu.Lock()
			e.reportErr = err
			c.mu.Unlock()
		}
		select {
		case <-e.ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (c *Client) send(ctx context.Context, e *entry) error {
	var header http.Header
	if read := c.header(e); read != nil {
		var err error
		if header, err = read(); err != nil {
			return err
		}
	}
	h := e.sub.Health()
	status := decisionlog.BundleStatus{
		Name: e.source.Name, ActiveRevision: h.Revision, LastSuccessfulActivation: h.Activated,
		LastSuccessfulDownload: h.Downloaded, LastSuccessfulRequest: h.Contact, LastRequest: h.Contact,
	}
	if h.Err != nil {
		status.Code, status.Message, status.LastRequest = "bundle_error", h.Err.Error(), h.ErrTime
	}
	return decisionlog.SendStatus(ctx, nil, e.source.StatusURL, header, decisionlog.StatusReport{
		Labels: spool.Labels(c.state), Bundles: map[string]decisionlog.BundleStatus{e.source.Name: status},
	})
}

// Log hands a decision to the collectors of the bundles. It never waits for
// them.
func (c *Client) Log(call *policy.Call, v *policy.Verdict, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.entries {
		if e.log == nil {
			continue
		}
		revisions := map[string]string{}
		for _, b := range v.Bundles {
			revisions[b.Name] = b.Revision
		}
		e.log.Log(decisionlog.Event{Call: call, Verdict: v, Bundles: revisions, Time: c.now(), Took: took})
	}
}

// Close ends all requests, waits for them, and sends the decisions that are
// left. The error says what the collectors did not get.
func (c *Client) Close() error {
	c.stop()
	c.running.Wait()
	for _, e := range c.entries {
		c.part(e)
	}
	return errors.Join(c.lost...)
}

// part sends the decisions that are left of a subscription that ended, and
// notes what its collector did not get.
func (c *Client) part(e *entry) {
	var errs []error
	if e.log == nil {
		errs = append(errs, e.logErr)
	} else {
		ctx, cancel := context.WithTimeout(context.Background(), parting)
		defer cancel()
		if err := e.log.Close(ctx); err != nil {
			errs = append(errs, fmt.Errorf("bundle %s: decision log: %w", e.source.Name, err))
		}
		if s := e.log.Stats(); s.Dropped+s.Rejected > 0 {
			errs = append(errs, fmt.Errorf("bundle %s: decision log: %d decisions dropped, %d refused by the collector: %s", e.source.Name, s.Dropped, s.Rejected, s.LastError))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = append(c.lost, errs...)
}
