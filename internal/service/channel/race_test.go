package channel_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/policyctl/policyctl/internal/service/channel"
	"github.com/policyctl/policyctl/internal/service/channel/channeltest"
	"github.com/policyctl/policyctl/internal/service/server/servertest"
	"github.com/policyctl/policyctl/pkg/approval"
)

// Three channels, a terminal and the API decide at once: one wins, and within a second all
// of them say which.
func TestOneWinner(t *testing.T) {
	drivers := map[string]*channeltest.Driver{"phone": {}, "slack": {}, "mail": {}}
	var channels []channel.Channel
	for name, d := range drivers {
		channels = append(channels, of(name, d, 0))
	}
	s := serve(t, servertest.Options{Channels: channels})
	ann, ben := s.Client(t, s.Token(t, "ann", "approve")), s.Client(t, s.Token(t, "ben", "approve"))
	winners := make(map[string]bool)
	for round := range 12 {
		r := submit(t, s, fmt.Sprintf("make target%d", round))
		var mu sync.Mutex
		var won []string
		said := make(map[string]string)
		win := func(who, text string, first bool) {
			mu.Lock()
			defer mu.Unlock()
			said[who] = text
			if first {
				won = append(won, who)
			}
		}
		start := make(chan struct{})
		var work sync.WaitGroup
		for name, d := range drivers {
			label := []string{"Approve once", "Deny"}[round%2]
			token := channeltest.Token(t, d.Await(t, r.ID), label)
			for _, who := range []string{"1", "2"} {
				work.Go(func() {
					<-start
					reply := d.Say(t, press(who, token))
					win(name+":"+people[who], reply.Text, !strings.HasPrefix(reply.Text, "already "))
				})
			}
		}
		for who, client := range map[string]*approval.Client{"token:ann": ann, "token:ben": ben} {
			work.Go(func() {
				<-start
				got, err := client.Decide(t.Context(), r.ID, approval.Answer{Word: approval.ApprovedOnce})
				text := ""
				if got != nil && got.Decision != nil {
					text = "by " + got.Decision.By + " "
				}
				win(who, text, err == nil)
			})
		}
		close(start)
		work.Wait()
		decidedAt := time.Now()
		got, err := s.Service.Get(t.Context(), r.ID)
		if err != nil || len(won) != 1 || got.Decision.By != won[0] {
			t.Fatalf("won: %v; %+v, %v; %v", won, got.Decision, err, said)
		}
		winners[won[0]] = true
		for who, text := range said {
			if !strings.Contains(text, "by "+won[0]+" ") {
				t.Errorf("%s was told %q, and %s won", who, text, won[0])
			}
		}
		for name, d := range drivers {
			channeltest.Until(t, name+" is amended", func() bool { return len(d.Amended(r.ID)) > 0 })
			if a := d.Amended(r.ID); len(a) != 1 || !strings.Contains(a[0].Outcome, "by "+won[0]+" ") {
				t.Errorf("%s: %+v", name, a)
			}
		}
		if took := time.Since(decidedAt); took > time.Second {
			t.Errorf("all surfaces knew after %v", took)
		}
	}
	t.Logf("winners: %v", winners)
}

// Of each request every channel is told first that it waits and then how it ended, however
// fast both happen.
func TestOrder(t *testing.T) {
	phone := &channeltest.Driver{OnPost: func(*channel.Message) error { time.Sleep(20 * time.Millisecond); return nil }}
	s := serve(t, servertest.Options{Channels: []channel.Channel{of("phone", phone, 0)}})
	var ids []string
	for i := range 20 {
		r := submit(t, s, fmt.Sprintf("make target%d", i))
		ids = append(ids, r.ID)
		if i%2 == 0 {
			time.Sleep(10 * time.Millisecond) // its message is on its way
		}
		if _, err := s.Service.Decide(t.Context(), r.ID, "token:ann", approval.Answer{Word: approval.Rejected}); err != nil {
			t.Fatal(err)
		}
	}
	channeltest.Until(t, "nothing waits", func() bool {
		open, err := s.Data.Deliveries(t.Context(), channel.Filter{})
		return err == nil && len(open) == 0
	})
	for _, id := range ids {
		if asks, ends := len(phone.Posted(id)), len(phone.Amended(id)); asks > 1 || ends != asks {
			t.Errorf("%s: %d asks and %d ends", id, asks, ends)
		}
	}
}
