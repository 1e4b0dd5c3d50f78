package redact

import "strings"

// findPrivateKey finds the body of a private key in PEM (RFC 7468), OpenPGP or
// SSH2 armour, whole or cut short. The lines that frame it stay.
func findPrivateKey(s string, i int) (int, int) {
	const label = 48 // the longest "-----BEGIN … PRIVATE KEY BLOCK-----"
	head := s[i:min(len(s), i+label)]
	before, _, ok := strings.Cut(head, "PRIVATE KEY")
	if !ok || strings.ContainsAny(before, "\r\n\"'`") {
		return 0, 0
	}
	from := i + len(before) + len("PRIVATE KEY")
	if strings.HasPrefix(s[from:], " BLOCK") {
		from += len(" BLOCK")
	}
	for from < len(s) && s[from] == '-' {
		from++
	}
	return keyLines(s, from)
}

// keyLines finds lines of base64 from i on: runs of letters with nothing
// between them but line ends, quotes and what joins literals in a program. A
// short run counts if it ends the key.
func keyLines(s string, i int) (int, int) {
	const (
		line        = 16 // the shortest run that is surely no word
		mostHeaders = 8
	)
	first, last, headers := 0, 0, 0
	for {
		i = keyFill(s, i)
		end := base64ish.run(s, i)
		if trimDashes(s, i, end) == i {
			break
		}
		if end < len(s) && s[end] == ':' && first == 0 && headers < mostHeaders { // "Proc-Type: 4,ENCRYPTED"
			i, headers = keyHeader(s, end), headers+1
			continue
		}
		ends := last > 0 && strings.HasPrefix(s[min(len(s), keyFill(s, end)):], "---")
		if !ends && trimDashes(s, i, end)-i < line {
			break
		}
		if end = trimDashes(s, i, end); first == 0 {
			first = i
		}
		last, i = end, end
	}
	return first, last
}

// keyHeader returns the end of the line of a header that has its colon at i.
func keyHeader(s string, i int) int {
	const longest = 200
	for end := min(len(s), i+longest); i < end && s[i] != '\n' && s[i] != '"' && !strings.HasPrefix(s[i:], `\n`); i++ {
	}
	return i
}

// trimDashes takes off the dashes of an end line that follows without a break.
func trimDashes(s string, from, end int) int {
	line, _, _ := strings.Cut(s[from:end], "---")
	return from + len(line)
}

// keyFill returns the end of what stands between two lines of a key.
func keyFill(s string, i int) int {
	for i < len(s) {
		switch b := s[i]; {
		case b == '\\' && i+1 < len(s) && strings.IndexByte(`nrt"'\`, s[i+1]) >= 0:
			i += 2
		case space[b], isQuote(b), b == ',', b == '(', b == '.', b == '>', b == '|', b == ';':
			i++
		case b == '+' && i+1 < len(s) && (space[s[i+1]] || isQuote(s[i+1])):
			i++
		default:
			return i
		}
	}
	return i
}
