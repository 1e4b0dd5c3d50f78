package exchange

import "errors"

// problems are all that is wrong with a file.
type problems []error

func (p *problems) add(err error) {
	if err != nil {
		*p = append(*p, err)
	}
}

// err returns one error with a line for each problem, nil if there is none.
func (p problems) err() error { return errors.Join(p...) }
