package telegram

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

// A failure is what Telegram answers to a call that it refuses.
type failure struct {
	method string
	code   int
	text   string
}

func (f *failure) Error() string {
	return fmt.Sprintf("telegram: %s: %s (%d)", f.method, f.text, f.code)
}

// maxPause bounds what Telegram may ask for.
const maxPause = time.Hour

// refused is the error for an answer that is no success, in the words of package
// channel. The failure is always within it.
func (a *api) refused(method string, said *answer) error {
	f := &failure{method, said.Code, a.clean(said.Text)}
	switch said.Code {
	case http.StatusTooManyRequests:
		rest := max(1, min(said.Parameters.RetryAfter, int64(maxPause/time.Second)))
		return &channel.Pause{For: time.Duration(rest) * time.Second, Err: f}
	case http.StatusConflict:
		return conflict(f)
	}
	if next := nextStep(f, said); next != "" {
		return &lasting{&channel.Refusal{Text: f.Error() + "; " + next}, f}
	}
	return f
}

// conflict is the error where somebody else takes the updates.
func conflict(f *failure) error {
	if strings.Contains(f.text, "webhook") {
		return &lasting{&channel.Refusal{Text: f.Error() + "; this bot has a webhook, which takes what people say: call deleteWebhook, or give policyctl a bot of its own"}, f}
	}
	return fmt.Errorf("%w; another program, perhaps a second policyctl serve, asks for what is said to this bot: stop it, or give each a bot of its own", f)
}

// nextStep is what a person does about a failure that lasts, "" for one that passes.
func nextStep(f *failure, said *answer) string {
	switch text := strings.ToLower(f.text); {
	case f.code == http.StatusUnauthorized, f.code == http.StatusNotFound:
		return "it does not know the token: ask @BotFather for the token of the bot, and write it to token_file"
	case said.Parameters.MigrateTo != 0:
		return fmt.Sprintf("the group has a new number: write chat: \"%d\"", said.Parameters.MigrateTo)
	case f.code == http.StatusForbidden:
		return "open the chat and start the bot, or add it to the group"
	case strings.Contains(text, "chat not found"):
		return "write to the bot first, and check the number of the chat"
	case f.code >= 400 && f.code < 500:
		return "trying again does not help"
	}
	return ""
}

// A lasting is a refusal that remembers what was answered.
type lasting struct {
	*channel.Refusal
	why *failure
}

// Unwrap returns the refusal and the failure.
func (l *lasting) Unwrap() []error { return []error{l.Refusal, l.why} }

// refusesLinks reports whether Telegram takes the address of a button for none, as it
// does with hosts that only this network knows.
func refusesLinks(err error) bool {
	f, ok := errors.AsType[*failure](err)
	if !ok || f.code != http.StatusBadRequest {
		return false
	}
	text := strings.ToLower(f.text)
	return strings.Contains(text, "button_url_invalid") || strings.Contains(text, "button url")
}
