package email

import (
	"bytes"
	"mime"
	"mime/quotedprintable"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
)

var messageIDs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A<[0-9a-f]{32}@[!-;=?A-~]+>\z`) })

// maxText bounds the text of a mail, in bytes.
const maxText = 32 << 10

// letter is a mail (RFC 5322) in plain text, and a reply where it follows another one.
// What comes from elsewhere stands only in its text and, encoded, in its subject.
func (d *Driver) letter(m *channel.Message, id, follows string) []byte {
	subject := "Approval required: " + asked(m)
	if follows != "" {
		subject = "Re: " + subject // as the other one: mail is threaded by subjects too
	}
	var to []string
	for _, a := range d.to {
		to = append(to, a.String())
	}
	header := [][2]string{
		{"From", d.from.String()}, {"To", strings.Join(to, ", ")}, {"Subject", folded("Subject", mime.QEncoding.Encode("utf-8", subject))},
		{"Date", d.o.Now().UTC().Format(time.RFC1123Z)}, {"Message-ID", id},
		{"Auto-Submitted", "auto-generated"}, {"X-Auto-Response-Suppress", "All"}, // no replies of programs
		{"MIME-Version", "1.0"}, {"Content-Type", "text/plain; charset=utf-8"}, {"Content-Transfer-Encoding", "quoted-printable"},
	}
	if messageIDs().MatchString(follows) {
		header = append(header, [2]string{"In-Reply-To", follows}, [2]string{"References", follows})
	}
	var b bytes.Buffer
	for _, h := range header {
		b.WriteString(h[0] + ": " + h[1] + "\r\n")
	}
	b.WriteString("\r\n")
	w := quotedprintable.NewWriter(&b)
	_, _ = w.Write([]byte(text(m))) // a buffer takes all
	_ = w.Close()
	return b.Bytes()
}

// maxAsked bounds what a subject says of a request, in runes.
const maxAsked = 60

// asked is what a subject says of a request: what is to run, in one line, or else its id.
// Nothing in it is an encoded word, since programs would read that as another text.
func asked(m *channel.Message) string {
	what := strings.Join(strings.Fields(channel.Saying(m.Command)), " ")
	if what == "" {
		what = channel.Saying(m.Request)
	}
	return strings.ReplaceAll(channel.Limit(what, maxAsked), "=?", "= ?")
}

// maxLine is how long a line of a header should be at most, in bytes (RFC 5322, section
// 2.1.1).
const maxLine = 78

// folded is the value of a header with line breaks before blanks where it is too long.
func folded(name, value string) string {
	var b strings.Builder
	at := len(name) + len(": ")
	for i, word := range strings.Split(value, " ") {
		if at+1+len(word) > maxLine {
			b.WriteString("\r\n ")
			at = 1
		} else if i > 0 {
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	return b.String()
}

// text is what a mail says.
func text(m *channel.Message) string {
	write := func(m *channel.Message) string {
		plain := *m
		if m.Outcome != "" {
			plain.Head += "\n" + m.Outcome
		}
		plain.Link, plain.Held = "", "" // every request is decided on its page
		return plain.Text()
	}
	said := write(m.Fit(maxText, func(m *channel.Message) int { return len(write(m)) })) + "\n\n"
	switch {
	case m.Outcome != "":
		return said + "-- \n" + m.Link + "\n"
	case m.Link == "":
		return said + "-- \nDecide at the desk, or with `policyctl requests`. Replies are not read.\n"
	}
	return said + "-- \nDecide on this page. Replies are not read.\n" + m.Link + "\n"
}
