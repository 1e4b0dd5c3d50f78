package serve

import (
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/cli/inforce"
	"github.com/policyctl/policyctl/internal/machine/bundles"
	"github.com/policyctl/policyctl/internal/machine/layers"
	"github.com/policyctl/policyctl/internal/service/backend"
	"github.com/policyctl/policyctl/pkg/config"
)

// inForce says of what the policy of the service is made.
func inForce(live *layers.Live, client *bundles.Client) *backend.InForce {
	live.Engine() // which looks at the files
	last, force := live.Policies()
	out := &backend.InForce{Tools: force.Settings.Tools, With: live.With}
	if last.Err != nil {
		out.Problems = append(out.Problems, strings.Split(last.Err.Error(), "\n")...)
	}
	if last.TrustErr != nil {
		out.Problems = append(out.Problems, last.TrustErr.Error())
	}
	for _, w := range last.Warnings {
		out.Notes = append(out.Notes, w.Error())
	}
	for _, k := range inforce.Keys() {
		if s := settingOf(force, k); len(s.Values) > 0 {
			out.Settings = append(out.Settings, s)
		}
	}
	for i := range last.Sources {
		out.Files = append(out.Files, fileOf(last, &last.Sources[i]))
	}
	if client == nil {
		return out
	}
	for _, h := range client.Healths() {
		out.Bundles = append(out.Bundles, bundleOf(&h))
	}
	return out
}

func settingOf(p *layers.Policy, k config.Key) backend.Setting {
	out := backend.Setting{Key: k.Path}
	for _, v := range inforce.Values(p, k) {
		one := backend.SettingValue{Value: v.Value}
		if v.Origin != nil {
			one.Origin = *v.Origin
		}
		out.Values = append(out.Values, one)
	}
	for _, h := range inforce.Held(p, k) {
		out.Values = append(out.Values, backend.SettingValue{Value: h.Value, Origin: h.Origin, Held: h.Why})
	}
	return out
}

func fileOf(p *layers.Policy, s *layers.Source) backend.PolicyFile {
	out := backend.PolicyFile{Layer: s.Layer, Path: s.Path, Trust: inforce.Trust(s)}
	if s.Err != nil {
		out.Error = s.Err.Error()
	}
	for _, a := range p.Assignments {
		if a.Path == "locked" && a.Origin.File == s.Path {
			keys := strings.FieldsFunc(a.Value, func(r rune) bool { return strings.ContainsRune("[], '\"", r) })
			out.Locks = append(out.Locks, slices.DeleteFunc(keys, func(k string) bool { return k == "" })...)
		}
	}
	return out
}

func bundleOf(h *bundles.Health) backend.PolicyBundle {
	out := backend.PolicyBundle{
		Name: h.Source.Name, URL: h.URL, Revision: h.Revision, Contact: h.Contact, Stale: h.Stale, Expired: h.Expired,
	}
	if out.URL == "" {
		out.URL = h.Source.URL
	}
	if h.Err != nil {
		out.Error = h.Err.Error()
	}
	return out
}
