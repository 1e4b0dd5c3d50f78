package decisions

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/agents/install"
	"github.com/policyctl/policyctl/pkg/audit"
	"github.com/policyctl/policyctl/pkg/permission"
	"github.com/policyctl/policyctl/pkg/policy"
	"github.com/policyctl/policyctl/pkg/trail"
	"github.com/policyctl/policyctl/pkg/world"
)

// A Decision is what is on record of one, for people and as JSON.
type Decision struct {
	ID       string    `json:"id"`
	Time     time.Time `json:"time"`
	Decision string    `json:"decision"`
	Stage    string    `json:"stage"`
	Rule     string    `json:"rule"`
	Reason   string    `json:"reason"`
	Why      string    `json:"why"`
	// Source is the file of the rule, with its line.
	Source  string `json:"source"`
	Risk    string `json:"risk"`
	Agent   string `json:"agent"`
	Session string `json:"session"`
	// Project is the directory of the project around Dir, in which the call was made.
	Project string `json:"project"`
	Dir     string `json:"dir"`
	Tool    string `json:"tool"`
	// Call is the command, or the tool with what it is about, with secrets masked.
	Call      string          `json:"call"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Via is what decided, and ApprovedBy who answered, "" for nobody.
	Via        string `json:"via"`
	ApprovedBy string `json:"approved_by"`
	// Left says that the agent's own permissions answered the ask.
	Left bool `json:"left_to_agent"`
	// Observed is what a policy that only observes says of the call, "" for one in force.
	Observed string `json:"observed,omitempty"`
	// Revision is that of the policy.
	Revision string `json:"revision"`
	// Record is its number in the audit log, 0 for one that is in none yet.
	Record int64 `json:"record"`
}

// A Viewer makes decisions of records. It remembers projects.
type Viewer struct {
	home     string
	projects map[string]string
}

// NewViewer returns a viewer for a user with a home directory.
func NewViewer(home string) *Viewer { return &Viewer{home, make(map[string]string)} }

// Of returns the decision of a record.
func (v *Viewer) Of(r *audit.Record) Decision {
	return Decision{
		ID: r.Detail[trail.ID], Time: At(r).UTC(), Decision: r.Decision, Stage: r.Stage, Rule: r.Rule, Reason: r.Reason, Why: r.Detail["why"],
		Source: r.Detail["source"], Risk: r.Detail["risk"], Agent: r.Agent, Session: r.Session, Project: v.Project(r.Dir), Dir: r.Dir, Tool: r.Tool,
		Call: callOf(r), Arguments: r.Arguments, Via: r.Detail["via"], ApprovedBy: r.Detail["approved_by"], Left: r.Detail["undecided"] != "",
		Observed: r.Detail["observed"], Revision: r.Revision, Record: r.Seq,
	}
}

// Word is the decision, with what a policy that only observes would have decided
// otherwise.
func (d *Decision) Word() string {
	if d.Observed == "" || d.Observed == d.Decision {
		return d.Decision
	}
	return d.Decision + " (" + d.Observed + ")"
}

// Project returns the directory of the project around a directory, and the directory
// itself where there is none.
func (v *Viewer) Project(dir string) string {
	if at, known := v.projects[dir]; known {
		return at
	}
	w := world.Work{Dir: dir, Home: v.home}
	at := w.Project()
	if at == "" {
		at = dir
	}
	v.projects[dir] = at
	return at
}

// Short returns a path for people: from the home directory on.
func (v *Viewer) Short(path string) string {
	if v.home == "" || !permission.IsWithin(path, v.home) {
		return path
	}
	return "~" + strings.TrimPrefix(path, strings.TrimSuffix(v.home, string(os.PathSeparator)))
}

// callOf returns what a call is about.
func callOf(r *audit.Record) string {
	if len(r.Arguments) == 0 {
		if r.Detail["cut"] != "" {
			return r.Tool + " (its arguments were too long for the record)"
		}
		return r.Tool
	}
	var input map[string]any
	if json.Unmarshal(r.Arguments, &input) == nil {
		if t, ok := policy.ToolNamed(r.Tool); ok {
			for _, field := range t.Subject {
				subject, _ := input[field].(string)
				switch {
				case subject == "":
				case t.Kind == policy.KindShell:
					return subject
				default:
					return t.Name + " " + subject
				}
			}
		}
	}
	var short bytes.Buffer
	if json.Compact(&short, r.Arguments) != nil {
		return r.Tool
	}
	return r.Tool + " " + short.String()
}

// Cause names in few words what decided: the rule, or else the stage, and the reason
// where that says more.
func (d *Decision) Cause() string {
	text := d.Rule
	switch {
	case d.Left:
		text = "left to the agent"
	case text == "":
		text = d.Stage
	}
	switch d.Reason {
	case policy.ReasonNone.String(), policy.ReasonHardline.String(), policy.ReasonPermissionRule.String(), policy.ReasonDoomLoop.String():
	default:
		text += ", " + strings.ReplaceAll(d.Reason, "_", " ")
	}
	if d.ApprovedBy != "" {
		text += ", " + d.ApprovedBy
	}
	if install.IsTrial(d.Session) {
		text += ", tried by policyctl doctor"
	}
	return text
}
