package shell

// parts returns what is known of the texts of a set, in part where no more is.
func (s Set) Parts() []string {
	if len(s.Values) == 0 && s.Partial != "" {
		return []string{s.Partial}
	}
	return s.Values
}
