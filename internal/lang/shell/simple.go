package shell

func AllNumbers(s Set) bool {
	for _, v := range s.Values {
		if !IsNumber(v) {
			return false
		}
	}
	return !s.Open && len(s.Values) > 0
}
