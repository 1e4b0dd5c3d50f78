package policy
import ("testing";"os";"strings";"github.com/policyctl/policyctl/pkg/world")
func TestZZ(t *testing.T){
 data,_:=os.ReadFile(os.Getenv("ZZ"))
 e,_:=New(Defaults(),Options{World:world.New([]string{"HOME=/home/user"})})
 for _,l:=range strings.Split(strings.TrimSpace(string(data)),"\n"){
  c:=Shell(l,"/home/user/proj"); c.Home="/home/user"; c.ProjectDir="/home/user/proj"
  r:=&run{facts:facts{e:e,call:c},replies:replies{}}
  r.replies.facts=&r.facts
  r.replies.ctx=t.Context()
  r.replies.session=NewSession("x")
  r.unread=reader{&r.facts}.prepare()
  v,err:=r.chain()
  if err!=nil||v.Decision!=Ask{ t.Log(v.Decision,l); continue}
  out:=""
  s:=r.site()
  if r.line!=nil&&s!=nil { for i:=range r.line.Commands{ if r.parts.list[i].stage==StageNone{ p:=s.prover.Plain(r.line,i,undecided{r}.readsService(i)); out+=" ["+r.line.Commands[i].Name+": "+p.Why+"]"; if p.Proved {out+="+"} }}}
  t.Log((undecided{r}).holds(&v),v.Rule,l,out)
 }
}
