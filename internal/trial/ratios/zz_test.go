package ratios
import ("testing";"context";"slices")
func BenchmarkDecide(b *testing.B) {
	e := engine(b)
	all := slices.Concat(lines(b), scripts(b))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		for _, c := range all { _, _ = e.Decide(context.Background(), nil, call(c)) }
	}
}
func BenchmarkLines(b *testing.B) {
	e := engine(b)
	all := lines(b)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		for _, c := range all { _, _ = e.Decide(context.Background(), nil, call(c)) }
	}
}
