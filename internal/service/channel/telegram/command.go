package telegram

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A command is what people write instead of pressing a button.
type command struct {
	word    string // approve, deny, start or help
	request string // "" where a reply says it
	reason  string
	// wrong reports that something stands there which is neither an id nor a reason.
	wrong bool
}

var (
	commandForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^/(approve|deny|start|help)(?:@([A-Za-z0-9_]+))?(?:\s+|$)`)
	})
	requestForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })
	reasonMark  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:reason):`) })
)

// parse reads /approve ID and /deny ID reason: WHY. The id may be left out in a reply,
// and the word reason too where there is an id. It reports whether this is a command
// for us.
func parse(text, username string) (command, bool) {
	text = strings.TrimSpace(text)
	found := commandForm().FindStringSubmatch(text)
	if found == nil || found[2] != "" && !strings.EqualFold(found[2], username) {
		return command{}, false
	}
	c := command{word: found[1]}
	rest := text[len(found[0]):]
	if words := strings.Fields(rest); len(words) > 0 && !reasonMark().MatchString(rest) {
		c.request, c.wrong = words[0], !requestForm().MatchString(words[0])
		rest = strings.TrimSpace(strings.TrimPrefix(rest, words[0]))
	}
	c.reason = strings.TrimSpace(reasonMark().ReplaceAllString(rest, ""))
	return c, true
}

// usage is what is told to who writes what is no command.
func usage(word string) string {
	return fmt.Sprintf("Write /%s and the id of a request, or reply with it to the message of one.", word)
}
