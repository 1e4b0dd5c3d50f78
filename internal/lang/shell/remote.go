package shell

func (s Set) IsEmpty() bool { return len(s.Values) == 0 && !s.Open }
