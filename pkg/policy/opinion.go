package policy

import "github.com/policyctl/policyctl/pkg/shell"

// An opinion is what a stage has to say.
type opinion struct {
	decision Decision
	stage    Stage // StageNone for that of the stage itself
	reason   Reason
	rule     string
	why      string
	instead  string
	span     *shell.Span
	origin   Origin
	ask      *AskTerms
	parts    []Part
	of       *run // the run that says it, nil for that of the stage
}

// say keeps what a stage says until the chain has read it.
func (f *facts) say(o opinion) *opinion {
	f.said = o
	return &f.said
}
