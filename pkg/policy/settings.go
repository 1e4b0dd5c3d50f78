package policy

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/policyctl/policyctl/pkg/doom"
	"github.com/policyctl/policyctl/pkg/own"
)

// Settings is one effective policy. The zero value is the strictest: everything
// except low-risk calls asks. [Defaults] returns what applies where a policy says
// nothing. An [Engine] keeps a copy.
type Settings struct {
	Mode Mode
	// HoldDenials says that in the mode [Observe] the denials of a managed layer or a
	// bundle deny all the same, and those that no file accounts for.
	HoldDenials bool `json:",omitempty"`
	Yolo        bool
	// YoloConfirm says what yolo leaves to the stages behind it.
	YoloConfirm       YoloConfirm
	Confirm           Confirm
	AutoAllowReadonly bool
	// AutoAllowWorkspace allows calls that are proved to change nothing but files
	// in SafeSpaces, or, where these are nil, in the project and the session
	// directory, and to lose nothing that git or a build cannot give back. It needs
	// a [WorkspaceWorld].
	AutoAllowWorkspace bool
	// ProjectCommands are forms of the project's own commands, such as
	// "go build|test" or "python FILE"; see [workspace.Form]. They are allowed in the
	// spaces of AutoAllowWorkspace, with arguments, settings and output that stay
	// there.
	ProjectCommands []Entry
	// RemoteReaders are services and hosts that commands may read; see
	// [remote.Parse].
	RemoteReaders []Entry
	// ReadonlyCommands are leading words of commands that the operator
	// declares to be read-only, such as "bazel query".
	ReadonlyCommands []Entry
	// SafeSpaces are the directories in which commands that only read are
	// allowed: absolute, below ~, or [SpaceSession] or [SpaceProject]. Nil means
	// anywhere.
	SafeSpaces []Entry
	// Audience is the smallest group that sees what commands read; a call may
	// name a wider one. For [Team] and [Public] the safe spaces are narrower.
	Audience Audience
	// Wrappers are programs that start the command behind them and change nothing
	// about it: names, and paths as seen from the project. Permissions and proofs
	// then mean that command.
	Wrappers    []Entry `json:",omitempty"`
	Permissions []Permission
	// Agents holds permissions that apply to one agent in addition, as "claude", or to its
	// subagents of one type, as "claude/Explore".
	Agents      map[string][]Permission
	Allowlist   []Entry
	ToolPolicy  ToolPolicy
	AutoApprove []AutoApprove
	Approval    Approval
	DoomLimits  doom.Limits
	// Polling names tools and leading words of commands that may repeat, such as
	// "gh run view".
	Polling []string
	// Protect are absolute paths that no call may change.
	Protect []string
	// Own is where policyctl keeps its own files: reading them asks in every mode,
	// and no grant answers that. Calls that log in to its services, decide there or
	// change their rules and tokens are denied; calls that might do so ask.
	Own own.Place
	// Tools extend or replace the built-in table by name.
	Tools []Tool
	// DenyWrites denies calls that may change something, unless a permission,
	// tool policy, rule or other source covers them.
	DenyWrites bool
	// FreeAgentFiles lets calls change a project's policy, the settings of
	// agents that hold their hooks, and policyctl, which is otherwise denied.
	FreeAgentFiles bool
	// AdmissionDeadline is how long an organisation's program may take for one
	// call; 0 leaves it to the program's source.
	AdmissionDeadline time.Duration `json:",omitzero"`
	// Undecided says who answers what nothing but the lack of an allow asks about.
	Undecided Undecided `json:",omitzero"`
	// UndecidedModes are those of [UnaskedModes] in which the agent answers it too.
	UndecidedModes []string `json:",omitempty"`
	// RecordAllows is how many of 100 allows are put on record; denials and asks
	// always are. It changes no decision.
	RecordAllows int `json:",omitzero"`
}

// The bounds of [Settings.AdmissionDeadline] in a policy: hooks wait for no
// more than some seconds, and one slice of time of a busy machine is 10 ms.
const (
	MinAdmissionDeadline = 10 * time.Millisecond
	MaxAdmissionDeadline = 2 * time.Second
)

// Defaults returns the settings that apply without any policy.
func Defaults() Settings { return Settings{AutoAllowReadonly: true, Undecided: UndecidedAgent} }

// An Origin is the place where part of a policy was written. The zero value
// means built in.
type Origin struct {
	Layer string // "policy", "user", "project", …; "" for built in
	File  string
	Line  int // from 1; 0 where there is none
	// Untrusted says that the text of the rule must not reach a model.
	Untrusted bool
	// Tightens says that the rule may only tighten: it adds to the answers of
	// other rules and replaces none of them.
	Tightens bool
}

// String returns "FILE:LINE", or the layer where there is no file.
func (o Origin) String() string {
	switch {
	case o.File == "":
		return o.Layer
	case o.Line == 0:
		return o.File
	}
	return fmt.Sprintf("%s:%d", o.File, o.Line)
}

// ToolNames returns the names of tools that the settings spell, some with
// wildcards: those of permissions, of the tool policy and of the tools that
// they declare. They are sorted.
func (s *Settings) ToolNames() []string {
	var out []string
	add := func(list []Permission) {
		for _, p := range list {
			name, _, _ := strings.Cut(strings.TrimSpace(p.Match), " ")
			out = append(out, name)
		}
	}
	add(s.Permissions)
	for _, list := range s.Agents {
		add(list)
	}
	for i := range s.Tools {
		out = append(append(out, s.Tools[i].Name), s.Tools[i].Aliases...)
	}
	out = slices.AppendSeq(out, maps.Keys(s.ToolPolicy.Tools))
	for _, f := range s.ToolPolicy.Firm {
		out = append(out, f.Tool)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// An Entry is one pattern of a list together with its place.
type Entry struct {
	Text   string
	Origin Origin
}

// A Permission answers calls whose tool and subject match a pattern.
type Permission struct {
	// Match is "TOOL subject-glob", such as "shell git push *".
	Match string
	// Action is the answer for a match.
	Action Decision
	// Except are narrower forms, written like Match, that do not match.
	Except []string
	// EveryTime says that no grant answers the ask.
	EveryTime bool
	// OutsideSandbox says that an allow also holds for calls that leave the
	// agent's sandbox, and that a deny or an ask holds for these alone.
	OutsideSandbox bool
	// Why is a clause for people; "" for one made from the pattern.
	Why    string
	Origin Origin
}

// A Treatment is what a tool policy does with a tool. The zero value is
// Unset: the tool policy does not speak.
type Treatment uint8

// The treatments.
const (
	Unset Treatment = iota
	Denied
	Supervised
	Allowed
)

var treatmentNames = [...]string{"", "deny", "supervised", "allow"}

// String returns "deny", "supervised", "allow", or "" for Unset.
func (t Treatment) String() string { return name(treatmentNames[:], int(t)) }

// UnmarshalText accepts exactly "allow", "deny" and "supervised".
func (t *Treatment) UnmarshalText(text []byte) error {
	i, err := index("treatment", treatmentNames[1:], string(text))
	if err == nil {
		*t = Treatment(i + 1)
	}
	return err
}

// Stricter reports whether a treatment is stricter than another. Unset lies
// between Supervised and Allowed: whether such a tool asks depends on its risk.
func (t Treatment) Stricter(than Treatment) bool {
	rank := [...]int{Denied: 0, Supervised: 1, Unset: 2, Allowed: 3}
	return rank[t] < rank[than]
}

// A ToolPolicy treats whole tools, by name before group before default.
type ToolPolicy struct {
	Default Treatment
	Tools   map[string]Treatment
	Groups  map[string]Treatment
	// Origin is where the default was written, and each entry of which Origins
	// tells nothing. The keys of Origins are the rules of verdicts, such as
	// "tool_policy.tools.fetch".
	Origin  Origin
	Origins map[string]Origin
	// Firm holds treatments that can only tighten: the strictest of them counts
	// if it is stricter than the others.
	Firm []FirmTreatment
}

// A FirmTreatment treats one tool, or else the tools of one group.
type FirmTreatment struct {
	Tool, Group string
	Treatment   Treatment
	Origin      Origin
}

// An AutoApprove answers asks of supervised tools whose arguments match its
// patterns. Those that are set must all match.
type AutoApprove struct {
	Tool    string
	Command *regexp.Regexp // each simple command of a shell line
	Path    *regexp.Regexp // each cleaned path
	URL     *regexp.Regexp
	Args    *regexp.Regexp // the canonical JSON of all arguments
	Origin  Origin
}

// An Approval gives the terms under which asks are answered.
type Approval struct {
	Timeout   time.Duration // 0 means [DefaultTimeout]
	OnTimeout Decision
	// NotifyChannel names the channels that tell people of asks, separated by commas
	// if there are several; "" means none.
	NotifyChannel string
	// Supervisor names who may decide, separated by commas if there are several;
	// "" means anyone with the right to.
	Supervisor string
	// Quorum is how many of them must approve; 0 stands for one.
	Quorum int
	// PasskeyAbove says which approvals need a passkey at the approval service.
	PasskeyAbove Threshold
}

// Channels returns the names in NotifyChannel.
func (a Approval) Channels() (names []string) {
	for name := range strings.SplitSeq(a.NotifyChannel, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// DefaultTimeout is how long an ask waits unless the policy says otherwise.
const DefaultTimeout = 300 * time.Second
