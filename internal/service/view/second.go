package view

import "github.com/policyctl/policyctl/pkg/approval"

// HighRisk is what people type to approve what is of high risk, where they can type.
const HighRisk = "high risk"

// SecondAct returns the words with which a person confirms that they approve a request,
// "" where one act is enough. Every surface asks it, and has people confirm in its own
// way: by the words, by a slide, by a dialog or by a second press. What is not known to
// be of less risk is of high risk.
func SecondAct(r *approval.Request) string {
	switch risk, _ := r.Harm(); risk {
	case "low", "medium":
		return ""
	}
	return HighRisk
}
