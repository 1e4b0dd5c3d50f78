package foreign

type export struct{}

func writeClaude(*export) []byte   { return nil }
func writeCodex(*export) []byte    { return nil }
func writeGemini(*export) []byte   { return nil }
func writeOpenCode(*export) []byte { return nil }
func writeCursor(*export) []byte   { return nil }
func writeCopilot(*export) []byte  { return nil }
