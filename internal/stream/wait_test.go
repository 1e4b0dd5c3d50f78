package stream

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
)

func woken(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestWake(t *testing.T) {
	w := NewWaiters(10)
	a1, leave1, _ := w.Wait(t.Context(), "a")
	a2, leave2, _ := w.Wait(t.Context(), "a")
	b, leaveB, _ := w.Wait(t.Context(), "b")
	w.Wake("nobody")
	if woken(a1) || woken(a2) || woken(b) {
		t.Error("woken by another key")
	}
	w.Wake("a")
	w.Wake("a")
	if !woken(a1) || !woken(a2) || woken(b) {
		t.Errorf("a %t %t, b %t", woken(a1), woken(a2), woken(b))
	}
	again, leaveAgain, _ := w.Wait(t.Context(), "a")
	leave1()
	leave1()
	leave2()
	if woken(again) {
		t.Error("woken by what was before")
	}
	w.Wake("a")
	if !woken(again) {
		t.Error("not woken: those who left before took it along")
	}
	leaveAgain()
	leaveB()
	if w.count != 0 || len(w.rooms) != 0 {
		t.Errorf("%d wait, %d rooms", w.count, len(w.rooms))
	}
}

func TestWaitersBounded(t *testing.T) {
	w := NewWaiters(2)
	_, leave, _ := w.Wait(t.Context(), "a")
	_, _, _ = w.Wait(t.Context(), "b")
	for range 3 {
		c, refused, err := w.Wait(t.Context(), "c")
		if c != nil || !errors.Is(err, ErrWaiting) {
			t.Errorf("%v, %v", c, err)
		}
		refused() // gives back what it has not
	}
	w.Wake("a")
	if _, _, err := w.Wait(t.Context(), "c"); err == nil {
		t.Error("who is woken is still at work")
	}
	leave()
	if _, _, err := w.Wait(t.Context(), "c"); err != nil {
		t.Error(err)
	}
	var none Waiters
	if _, _, err := none.Wait(t.Context(), "a"); err == nil {
		t.Error("the zero value takes somebody")
	}
}

// The end of a context gives the place back, and wakes nobody.
func TestWaitContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWaiters(2)
		ctx, cancel := context.WithCancel(t.Context())
		gone, _, _ := w.Wait(ctx, "a")
		stays, leave, _ := w.Wait(t.Context(), "a")
		cancel()
		synctest.Wait()
		if woken(gone) || woken(stays) || w.count != 1 {
			t.Errorf("%t, %t, %d wait", woken(gone), woken(stays), w.count)
		}
		leave()
		if w.count != 0 || len(w.rooms) != 0 {
			t.Errorf("%d wait, %d rooms", w.count, len(w.rooms))
		}
	})
}

// Who waits first and looks then never misses a wake.
func TestWaitRace(t *testing.T) {
	w := NewWaiters(100)
	for i := range 200 {
		key := fmt.Sprint(i % 3)
		var mu sync.Mutex
		decided := false
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				c, leave, err := w.Wait(t.Context(), key)
				defer leave()
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				done := decided
				mu.Unlock()
				if !done {
					<-c
				}
			})
		}
		wg.Go(func() {
			mu.Lock()
			decided = true
			mu.Unlock()
			w.Wake(key)
		})
		wg.Wait()
	}
	if w.count != 0 || len(w.rooms) != 0 {
		t.Errorf("%d wait, %d rooms", w.count, len(w.rooms))
	}
}
