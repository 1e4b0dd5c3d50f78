package shell

// Matches says whether a pattern of a [Set] matches a whole text without
// slashes: * and ? and [...] as in POSIX 2.13, a backslash quotes.
func Matches(pattern, text string) bool {
	for len(pattern) > 0 {
		switch pattern[0] {
		case '*':
			for len(pattern) > 0 && pattern[0] == '*' {
				pattern = pattern[1:]
			}
			if pattern == "" {
				return true
			}
			for i := 0; i <= len(text); i++ {
				if Matches(pattern, text[i:]) {
					return true
				}
			}
			return false
		case '?':
			if text == "" {
				return false
			}
			pattern, text = pattern[1:], text[1:]
		case '[':
			rest, ok, isClass := matchClass(pattern, text)
			if isClass {
				if !ok {
					return false
				}
				pattern, text = rest, text[1:]
				continue
			}
			if text == "" || text[0] != '[' {
				return false
			}
			pattern, text = pattern[1:], text[1:]
		case '\\':
			if len(pattern) > 1 {
				pattern = pattern[1:]
			}
			fallthrough
		default:
			if text == "" || text[0] != pattern[0] {
				return false
			}
			pattern, text = pattern[1:], text[1:]
		}
	}
	return text == ""
}

// matchClass matches the bracket expression at the start of pattern with the
// first byte of text.
func matchClass(pattern, text string) (rest string, ok, isClass bool) {
	i := 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	hit := false
	for first := true; ; first = false {
		if i >= len(pattern) {
			return "", false, false
		}
		if pattern[i] == ']' && !first {
			break
		}
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		lo, hi := pattern[i], pattern[i]
		i++
		if i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			hi = pattern[i+1]
			i += 2
		}
		hit = hit || text != "" && lo <= text[0] && text[0] <= hi
	}
	return pattern[i+1:], text != "" && hit != negated, true
}
