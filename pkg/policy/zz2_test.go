package policy_test
import ("testing";"os")
func TestZ2(t *testing.T) {
	e := engine(t, "deny read *private/*|deny shell git push *|deny write locked/*", nil)
	n := 30<<10
	if os.Getenv("N") == "s" { n = 4<<10 }
	decide(t, e, nil, call(feeds[os.Getenv("F")](odd[os.Getenv("T")](n))))
}
