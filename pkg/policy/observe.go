package policy

// managedLayers are those of an organisation, as pkg/config names them.
const (
	managedLayer = "managed"
	bundleLayer  = "bundle"
)

// observed returns a verdict as it counts in the mode [Observe]: a call runs whatever the
// policy says of it. The floor stops it all the same, and so do an error, since nobody
// knows what the policy would have said, a denial that is held, and a layer of an
// organisation that cannot be read.
func (e *Engine) observed(v Verdict) Verdict {
	if e.settings.Mode != Observe || v.Stage == StageHardline || e.options.Broken != nil && e.settings.HoldDenials {
		return v
	}
	said := v.Decision
	v.Observed = &said
	if said == Deny && e.settings.HoldDenials && v.isHeld() {
		return v
	}
	v.Decision, v.Ask = Allow, nil
	return v
}

// isHeld reports whether a denial is one of an organisation, or may be one.
func (v *Verdict) isHeld() bool {
	switch v.Origin.Layer {
	case managedLayer, bundleLayer, "":
		return true
	}
	return false
}

// said is what the policy says of the call, whether or not it only observes.
func (v *Verdict) said() Decision {
	if v.Observed != nil {
		return *v.Observed
	}
	return v.Decision
}
