// Command gen draws the icons of the desk into a directory.
package main

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"

	"github.com/policyctl/policyctl/internal/service/desk/icon"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen DIRECTORY")
		os.Exit(2)
	}
	for name, d := range icon.Files {
		if err := write(filepath.Join(os.Args[1], name), d); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func write(file string, d icon.Drawing) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(f, d.Draw()); err != nil {
		return err
	}
	return f.Close()
}
