package dangerous
import ("testing";"os";"strings";"fmt")
func TestCorpus(t *testing.T){
 b,_:=os.ReadFile(os.Getenv("CORPUS"))
 n:=0
 for _,l:=range strings.Split(string(b),"\n"){
  if strings.HasPrefix(l,"#")||l=="" {continue}
  cmd := l
  pre := ""
  if p:=strings.SplitN(l," · ",4); len(p)==4 { cmd=p[3]; pre=p[1]+" "+p[2] }
  if strings.HasPrefix(cmd,"$ "){ cmd=strings.NewReplacer(`\n`,"\n",`\t`,"\t",`\\`,`\`).Replace(cmd[2:]) }
  n++
  if ids:=found(scene(cmd)); len(ids)>0 { fmt.Println(pre,"|",ids,"|",l) }
 }
 fmt.Println(n)
}
