package postgres

// SetNear has searches look through fewer rows before they ask the index, so that both ways
// are tried on few.
func SetNear(rows int64) { near = rows }
