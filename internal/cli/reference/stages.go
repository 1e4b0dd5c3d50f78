package reference

import (
	"fmt"
	"regexp"

	"github.com/policyctl/policyctl/pkg/policy"
)

const stagesIntro = `The chain is the order in which a call is judged: the first stage with an answer decides, and what denies comes before
what allows.
` + "`policyctl stages`" + ` lists it, and ` + "`policyctl explain COMMAND`" + ` shows what each stage says of a command.`

func stagesPage(stages []policy.StageInfo, reasons []string) document {
	c := class{name: "The chain"}
	for i, s := range stages {
		order := ""
		if i < len(reasons) {
			order = fmt.Sprintf("It comes before %s because %s.", code(stages[i+1].Stage.String()), prose(reasons[i]))
		}
		c.entries = append(c.entries, entry{s.Stage.String(), prose(s.Speaks), join(
			fields("Number", fmt.Sprint(i+1), "Answers when", prose(s.Speaks), "Answer", prose(s.Answer)),
			order,
		)})
	}
	return document{"The stages of the chain", stagesIntro, []class{c}}
}

// reasons returns why each stage comes before the next, as the comment in the
// source of the chain says.
func reasons(chain string, stages []policy.StageInfo) ([]string, error) {
	var out []string
	for i := range stages[1:] {
		pair := fmt.Sprintf("%s before %s", stages[i].Stage, stages[i+1].Stage)
		m := regexp.MustCompile(`(?m)^//\t` + pair + `: (.+)$`).FindStringSubmatch(chain)
		if m == nil {
			return nil, fmt.Errorf("pkg/policy/chain.go: no reason for %q: add the line \"//\t%s: …\" to the comment of the chain", pair, pair)
		}
		out = append(out, m[1])
	}
	return out, nil
}
