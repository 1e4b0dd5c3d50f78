package requests

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/policyctl/policyctl/internal/cli/console"
	"github.com/policyctl/policyctl/internal/service/view"
	"github.com/policyctl/policyctl/pkg/approval"
)

// A key is what a person may type at a question. The letters are those of every
// surface, and no letter alone approves for longer than the chat.
type key struct {
	// letter and word choose it; a key without a letter is chosen by its word
	// alone.
	letter, word string
	// help says what it does, hint stands in the question where it can be
	// chosen; "" for a key that is explained only.
	help, hint string
	// scope is the approval that it gives, "" for another thing. What it stores ends
	// after lasts; "" is for the usual time.
	scope approval.Scope
	lasts string
	do    func(w *watcher, ctx context.Context) error
}

// keys returns the keys, in the order of the question.
func keys() []key {
	return []key{
		{"a", "once", "approve: this call; stores nothing", "a once", approval.Once, "", nil},
		{"s", "chat", "", "s chat", approval.ForChat, "", nil},
		{"", "today", "approve: here, until midnight", "today", approval.Here, console.Today, nil},
		{"", "here", "", "here", approval.Here, "", nil},
		{"", "anywhere", "", "anywhere", approval.Anywhere, "", nil},
		{"d", "deny", "deny this call; c before it gives the agent a reason", "d deny", "", "", (*watcher).deny},
		{"c", "comment", "a comment for the next answer, which the agent is told", "c comment", "", "", (*watcher).comment},
		{"h", "", "says how to approve always here: by the word", "", "", "", (*watcher).mean},
		{"j", "next", "leave it pending, and go to the next one", "j next", "", "", (*watcher).forward},
		{"k", "back", "leave it pending, and go back to the one before", "", "", "", (*watcher).backward},
		{"o", "open", "show it again, whole; so does Enter", "", "", "", (*watcher).again},
		{"x", "select", "select it, or no longer: a and d then answer all that are selected", "", "", "", (*watcher).choose},
		{"?", "help", "this", "? help", "", "", (*watcher).explain},
	}
}

// offers reports whether a key can be chosen now.
func (w *watcher) offers(k *key) bool {
	switch k.scope {
	case "":
		return true
	case approval.Once:
		return w.turn.offered(k.scope)
	}
	return w.turn.offered(k.scope) && len(w.ring.chosen()) == 0 // which were shown for themselves
}

// press does what the person has typed at a question.
func (w *watcher) press(ctx context.Context, text string) error {
	word := strings.ToLower(text)
	if text == "" {
		word = "o"
	}
	if filter, ok := strings.CutPrefix(word, "/"); ok {
		return w.narrow(strings.TrimSpace(filter))
	}
	word, life, timed := strings.Cut(word, " ")
	if timed && (word == "d" || word == "deny") {
		return w.denyAlways(ctx, strings.TrimSpace(life))
	}
	for _, k := range keys() {
		stores := k.scope != "" && k.scope != approval.Once
		if word != k.letter && word != k.word || word == "" || !w.offers(&k) || timed && (!stores || k.lasts != "") {
			continue
		}
		if k.scope != "" {
			return w.approve(ctx, &k, strings.TrimSpace(life))
		}
		return k.do(w, ctx)
	}
	w.say(fmt.Sprintf("%.40q is not a choice here; ? shows them all", text))
	w.prompt()
	return nil
}

// approve approves for the scope of a key, for a time that the person may have typed
// behind it.
func (w *watcher) approve(ctx context.Context, k *key, life string) error {
	a, err := approving(string(k.scope), "")
	if err != nil {
		return err
	}
	if k.scope != approval.Once {
		if a.For, a.Uses, err = lifeAndUses(life, cmp.Or(k.lasts, console.StoredFor)); err != nil {
			w.say(strings.TrimPrefix(err.Error(), "--for "))
			w.prompt()
			return nil
		}
	}
	if w.turn.again = w.second(); w.turn.again != "" {
		w.turn.sure = &a
		w.prompt()
		return nil
	}
	return w.answer(ctx, a)
}

func (w *watcher) deny(ctx context.Context) error {
	return w.answer(ctx, approval.Answer{Word: approval.Rejected})
}

// lifeAndUses reads what a person types behind a word that stores: a time, a number of
// calls such as 3x, or both.
func lifeAndUses(text, usual string) (life approval.Life, uses int, err error) {
	for _, part := range strings.Fields(text) {
		if n, isNumber := strings.CutSuffix(part, "x"); isNumber {
			if uses, err = strconv.Atoi(n); err != nil || uses < 1 {
				return 0, 0, fmt.Errorf("%s is not a number of calls: write 3x", part)
			}
			continue
		}
		usual = part
	}
	lasts, err := console.Lifetime(usual, time.Now())
	return approval.Life(lasts), uses, err
}

// denyAlways denies for the scope that the person has typed behind the word, and for a
// time where one follows.
func (w *watcher) denyAlways(ctx context.Context, text string) error {
	scope, life, _ := strings.Cut(text, " ")
	for _, o := range w.turn.d.Denials {
		if scope != scopeWord(o.Scope) && scope != string(o.Scope) || len(w.ring.chosen()) > 0 {
			continue
		}
		lasts, err := console.Lifetime(cmp.Or(life, console.Forever), time.Now())
		if err != nil {
			w.say(strings.TrimPrefix(err.Error(), "--for "))
			w.prompt()
			return nil
		}
		return w.answer(ctx, approval.Answer{Word: approval.Rejected, Scope: o.Scope, For: approval.Life(lasts)})
	}
	w.say(fmt.Sprintf("deny %.40q is not offered here; ? shows what is", scope))
	w.prompt()
	return nil
}

// comment has the next line be a comment.
func (w *watcher) comment(context.Context) error {
	w.turn.commenting = true
	w.prompt()
	return nil
}

// mean says what to type for an approval whose letter does not give it.
func (w *watcher) mean(context.Context) error {
	text := "always here is not offered"
	if w.turn.offered(approval.Here) {
		text = "to approve it always here, type: here always"
	}
	w.say(text)
	w.prompt()
	return nil
}

func (w *watcher) forward(context.Context) error { return w.move(1) }

func (w *watcher) backward(context.Context) error { return w.move(-1) }

// move leaves the request pending, and asks about another one.
func (w *watcher) move(by int) error {
	if !w.ring.step(by) {
		w.say("nothing else waits" + w.filtered())
		w.prompt()
		return nil
	}
	w.turn = nil
	return nil
}

// filtered names the filter, "" for none.
func (w *watcher) filtered() string {
	if w.ring.filter == "" {
		return ""
	}
	return " that has " + w.ring.filter + " in its line; / alone shows all"
}

func (w *watcher) again(context.Context) error {
	w.show(w.turn.d, w.turn.alike)
	w.prompt()
	return nil
}

// choose selects the request, or no longer, and goes on.
func (w *watcher) choose(context.Context) error {
	i := w.ring.find(w.turn.d.ID)
	if i < 0 { // it was withdrawn
		w.prompt()
		return nil
	}
	one := &w.ring.list[i]
	one.chosen = !one.chosen
	if one.chosen && w.ring.step(1) {
		w.turn = nil
		return nil
	}
	w.prompt()
	return nil
}

// narrow shows only requests that have a text in their line, "" for all.
func (w *watcher) narrow(filter string) error {
	before := w.ring.filter
	w.ring.filter = filter
	if w.ring.current() == nil {
		w.ring.filter = before
		w.say("nothing that waits has " + filter + " in its line")
		w.prompt()
		return nil
	}
	if w.ring.list[w.ring.at].id == w.turn.d.ID {
		w.prompt()
		return nil
	}
	w.turn = nil
	return nil
}

// explain says what each key does.
func (w *watcher) explain(context.Context) error {
	rows := [][]string{}
	for _, k := range keys() {
		help := k.help
		if k.scope != "" && k.scope != approval.Once && k.help == "" {
			help = w.turn.stores(k.scope)
		}
		if w.offers(&k) && help != "" {
			rows = append(rows, []string{"  " + strings.TrimSpace(k.letter+"  "+k.word), help})
		}
	}
	if w.turn.offered(approval.Here) {
		rows = append(rows, []string{"  here 7d", "approve: here, for 7 days; any time such as 30m, today or always goes behind a word that stores"})
		rows = append(rows, []string{"  here 3x", "approve: here, for the next 3 calls"})
	}
	for _, o := range w.turn.d.Denials {
		rows = append(rows, []string{"  d " + scopeWord(o.Scope), "deny: " + view.ScopeName(o.Scope) + "; stores " + strings.Join(o.Stores, "; ")})
	}
	rows = append(rows, []string{"  /text", "show only requests with the text in their line; / alone shows all"})
	page := w.Sheet()
	page.Table(rows)
	_ = page.Close() // who does not see it does not answer
	w.prompt()
	return nil
}
