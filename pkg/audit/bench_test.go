package audit

import "testing"

func BenchmarkNext(b *testing.B) {
	last, e := next(b, nil, full()), full()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Next(last, e); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	r := next(b, nil, full())
	b.ReportAllocs()
	for b.Loop() {
		var v Verifier
		if err := v.Check(r); err != nil {
			b.Fatal(err)
		}
	}
}
