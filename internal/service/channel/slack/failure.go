package slack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// An answer is what all methods answer.
type answer struct {
	OK       bool   `json:"ok"`
	Error    string `json:"error"`
	Needed   string `json:"needed"`
	Metadata struct {
		Messages []string `json:"messages"`
	} `json:"response_metadata"`
}

// isBusy reports whether an error of Slack is that it is asked too often.
func isBusy(code string) bool {
	return slices.Contains([]string{"ratelimited", "rate_limited", "message_limit_exceeded"}, code)
}

// passing are errors of Slack after which to try again; all others last.
var passing = []string{"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"}

// steps are what a person does about errors that last.
var steps = map[string]string{
	"invalid_auth":           badToken,
	"not_authed":             badToken,
	"token_revoked":          badToken,
	"token_expired":          badToken,
	"account_inactive":       badToken,
	"not_allowed_token_type": "token_file is for the token of the bot (xoxb-), app_token_file for that of the app (xapp-)",
	"channel_not_found":      "check the id of the channel, and write /invite @ and the name of the bot in it",
	"not_in_channel":         "write /invite @ and the name of the bot in the channel",
	"is_archived":            "the channel is archived: name another one",
	"restricted_action":      "the workspace does not let the bot write there: ask its administrator",
	"message_not_found":      "the message was deleted",
	"cant_update_message":    "the message is not one of this bot",
}

const badToken = "copy the token again from the settings of the app, and write it to its file"

// refused is the error for an answer that is no success, in the words of package
// channel.
func (a *api) refused(method string, said *answer) error {
	why := fmt.Sprintf("slack: %s: %s", method, a.clean(said.Error))
	if slices.Contains(passing, said.Error) {
		return fmt.Errorf("%s", why)
	}
	step := steps[said.Error]
	switch {
	case said.Error == "missing_scope":
		step = fmt.Sprintf("give the app the scope %s, and install it again", a.clean(said.Needed))
	case step == "" && len(said.Metadata.Messages) > 0:
		step = a.clean(strings.Join(said.Metadata.Messages, ", "))
	case step == "":
		step = "trying again does not help"
	}
	return &channel.Refusal{Text: why + "; " + step}
}
