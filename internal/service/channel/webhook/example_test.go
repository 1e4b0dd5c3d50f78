package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/webhook"
)

// An approver is a program of somebody else's: it approves what lists a directory, and
// leaves all else to people. It needs nothing but the standard library.
type approver struct {
	secret []byte // what stands behind whsec_
	// answers is where the service hears it: …/api/approvers/NAME/.
	answers string
}

// A request is what the approver reads of a message.
type request struct {
	Type string `json:"type"`
	Data struct {
		Request string `json:"request"`
		Command string `json:"command"`
		Note    string `json:"note"` // not "" where the command is cut
		Buttons []struct {
			Label string `json:"label"`
			Token string `json:"token"`
		} `json:"buttons"`
	} `json:"data"`
}

func (a *approver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	id, stamp := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
	seconds, wrong := strconv.ParseInt(stamp, 10, 64)
	age := time.Since(time.Unix(seconds, 0)).Abs()
	if err != nil || wrong != nil || age > 5*time.Minute || !a.holds(r.Header.Get("webhook-signature"), id, stamp, body) {
		http.Error(w, "not signed by policyctl", http.StatusUnauthorized)
		return
	}
	var q request
	if err := json.Unmarshal(body, &q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	if q.Type != "request.waiting" || q.Data.Note != "" || q.Data.Command != "ls" {
		return // people decide
	}
	for _, b := range q.Data.Buttons {
		if b.Label == "Approve" && b.Token != "" {
			a.say(id, b.Token)
		}
	}
}

// say answers a message. Its id is made of that of the message, so that an answer which
// is sent twice counts once.
func (a *approver) say(id, token string) {
	body, err := json.Marshal(map[string]string{"token": token, "sender": "lister", "reason": "it only lists"})
	if err != nil {
		panic(err) // three texts are always JSON
	}
	id, stamp := id+"-answer", strconv.FormatInt(time.Now().Unix(), 10)
	r, err := http.NewRequest(http.MethodPost, a.answers, bytes.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("webhook-id", id)
	r.Header.Set("webhook-timestamp", stamp)
	r.Header.Set("webhook-signature", a.sign(id, stamp, body))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	fmt.Print(answer.Status, " ")
	_, _ = io.Copy(os.Stdout, answer.Body)
}

func (a *approver) sign(id, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, a.secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func (a *approver) holds(signatures, id, stamp string, body []byte) bool {
	for one := range strings.FieldsSeq(signatures) {
		if hmac.Equal([]byte(one), []byte(a.sign(id, stamp, body))) {
			return true
		}
	}
	return false
}

// A program of somebody else's answers a request.
func Example() {
	secret := []byte("0123456789abcdef0123456789abcdef")
	theirs := &approver{secret: secret}
	receiver := httptest.NewServer(theirs)
	defer receiver.Close()

	driver, err := webhook.New(webhook.Options{
		URL: receiver.URL, AllowPrivate: true, Secret: "whsec_" + base64.StdEncoding.EncodeToString(secret),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	service := httptest.NewServer(driver.Webhook(func(_ context.Context, a channel.Answer) channel.Reply {
		fmt.Printf("%s answers by %s: %s\n", a.Sender, a.Token, a.Reason)
		return channel.Reply{Text: "approved by lister", Done: true}
	}))
	defer service.Close()
	theirs.answers = service.URL + "/api/approvers/lister/"

	_, err = driver.Post(context.Background(), &channel.Message{
		ID: "dlv_1", Request: "req_1", Command: "ls",
		Buttons: []channel.Button{{Label: "Approve", Token: "dG9rZW4"}},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// lister answers by dG9rZW4: it only lists
	// 200 OK {"text":"approved by lister","done":true,"refused":false}
}
