package agents_test

import (
	"testing"

	"github.com/policyctl/policyctl/internal/agents/hook"
	"github.com/policyctl/policyctl/internal/agents/install"
)

// A hook ends before the agent that waits for it, however it is installed.
func TestHooksEndInTime(t *testing.T) {
	if least := hook.DefaultWait + hook.Margin; install.MinTimeout <= least {
		t.Errorf("an agent may wait %s, and a hook takes %s", install.MinTimeout, least)
	}
	if install.Slack <= hook.Margin {
		t.Errorf("an agent waits %s longer, and a hook takes %s to answer", install.Slack, hook.Margin)
	}
	if install.MaxWait > hook.MaxWait {
		t.Errorf("a hook is told to wait %s, and refuses more than %s", install.MaxWait, hook.MaxWait)
	}
}
