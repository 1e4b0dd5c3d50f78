package approval

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// other returns a second instance of the service on the store of the first.
func (r *rig) other() *rig {
	o := &rig{t: r.t, store: r.store, judge: r.judge, key: r.key}
	o.now.Store(r.now.Load())
	o.restart()
	return o
}

// Who waits at one instance is woken by what another one has stored, and the receipt is
// good at both, once.
func TestAwaitAtAnother(t *testing.T) {
	a := newRig(t)
	b := a.other()
	q := a.submit("make")
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan *Request, 1)
		go func() {
			r, err := a.Await(t.Context(), q.ID)
			if err != nil {
				t.Error(err)
			}
			answer <- r
		}()
		synctest.Wait()
		if _, err := b.Decide(t.Context(), q.ID, "ann", once); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		select {
		case <-answer:
			t.Error("woken before it was told")
		default:
		}
		a.Changed(q.ID)
		if r := <-answer; r.State != Approved {
			t.Errorf("%+v", r)
		}
	})
	receipt := a.want(q.ID, Approved).Receipt.Text
	if _, err := b.Consume(t.Context(), "token:agent", receipt); err != nil {
		t.Error(err)
	}
	if _, err := a.Consume(t.Context(), "token:agent", receipt); !errors.Is(err, ErrConsumed) {
		t.Errorf("consumed again at the other: %v", err)
	}
}

// A session that one instance denies is denied at all, until one of them releases it.
func TestSessionDeniedAtAnother(t *testing.T) {
	a := newRig(t)
	b := a.other()
	pending := b.submit("make")
	if _, err := a.DenySession(t.Context(), "s1", "ann", "it runs wild", time.Time{}); err != nil {
		t.Fatal(err)
	}
	b.want(pending.ID, Denied)
	b.want(b.submit("make all").ID, Denied)
	if err := b.ReleaseSession(t.Context(), "s1", "ann"); err != nil {
		t.Fatal(err)
	}
	a.want(a.submit("make install").ID, Pending)
}

// An instance whose key another one has retired signs nothing any more, and trusts what
// the new key has signed.
func TestRotationAtAnother(t *testing.T) {
	a := newRig(t)
	var told []string
	a.begin(func(err error) { told = append(told, err.Error()) })
	b := a.other()
	waits, done := a.submit("make"), a.submit("make all")
	if err := b.SignWith(t.Context(), NewPrivateKey(), "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Decide(t.Context(), done.ID, "ann", once); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Verify(t.Context(), "", a.want(done.ID, Approved).Receipt.Text); err != nil {
		t.Errorf("a receipt of the new key: %v", err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "was retired at") {
		t.Errorf("told %q", told)
	}
	if _, err := a.Decide(t.Context(), waits.ID, "ann", once); err == nil || !strings.Contains(err.Error(), "give this one the key that signs now") {
		t.Errorf("it signs: %v", err)
	}
	a.want(waits.ID, Pending)
}

// An instance that nobody asks learns by itself that its key has ended.
func TestRotationIsSeen(t *testing.T) {
	a := newRig(t)
	told := make(chan error, 1)
	a.begin(func(err error) { told <- err })
	if err := a.other().SignWith(t.Context(), NewPrivateKey(), "ann"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go a.Run(ctx, func(err error) { t.Error(err) })
	if err := <-told; !strings.Contains(err.Error(), "was retired at") {
		t.Error(err)
	}
}
