// Package icon draws the icon of the desk for what shows no SVG: phones that install
// it. It reads and writes no file.
package icon

import (
	"image"
	"image/color"
	"math"
)

// Files are the names of the pictures, with what is drawn in each.
var Files = map[string]Drawing{
	"icon-192.png":      {192, false},
	"icon-512.png":      {512, false},
	"icon-mask-512.png": {512, true},
	"icon-touch.png":    {180, true},
	"icon-mask-192.png": {192, true},
}

// A Drawing is a size in pixels. A full one is opaque to its edges, with the shield
// where no mask of a phone cuts it off.
type Drawing struct {
	Size int
	Full bool
}

var (
	blue  = color.NRGBA{0x0b, 0x57, 0xb0, 0xff}
	dark  = color.NRGBA{0x14, 0x16, 0x1a, 0xff}
	white = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// The shield and the tick are those of icon.svg, on a field of 64 by 64.
const field = 64

var tick = []point{{20, 32}, {29, 41}, {45, 23}}

const tickWidth = 6

type point struct{ x, y float64 }

// samples is how often a pixel is looked at in each direction, for soft edges.
const samples = 4

// Draw returns the picture.
func (d Drawing) Draw() *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, d.Size, d.Size))
	scale, shift := field/float64(d.Size), 0.0
	if d.Full { // a mask keeps the middle four fifths for sure
		scale /= 0.68
		shift = (field - float64(d.Size)*scale) / 2
	}
	for y := range d.Size {
		for x := range d.Size {
			var r, g, b, a int
			for i := range samples * samples {
				at := point{
					(float64(x)+(float64(i%samples)+0.5)/samples)*scale + shift, (float64(y)+(float64(i/samples)+0.5)/samples)*scale + shift,
				}
				c := d.at(at)
				r, g, b, a = r+int(c.R)*int(c.A), g+int(c.G)*int(c.A), b+int(c.B)*int(c.A), a+int(c.A)
			}
			if a > 0 {
				out.SetNRGBA(x, y, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(a / (samples * samples))})
			}
		}
	}
	return out
}

func (d Drawing) at(p point) color.NRGBA {
	switch {
	case near(tick[0], tick[1], p) || near(tick[1], tick[2], p):
		return white
	case shield(p):
		return blue
	case d.Full:
		return dark
	}
	return color.NRGBA{}
}

// near reports whether a point is on the stroke from a to b, with round ends.
func near(a, b, p point) bool {
	dx, dy := b.x-a.x, b.y-a.y
	t := math.Max(0, math.Min(1, ((p.x-a.x)*dx+(p.y-a.y)*dy)/(dx*dx+dy*dy)))
	return math.Hypot(p.x-a.x-t*dx, p.y-a.y-t*dy) <= tickWidth/2.0
}

// shield reports whether a point is on the shield: two slopes, two sides, and below
// them two curves that meet in a tip.
func shield(p point) bool {
	x := math.Abs(p.x - 32)
	switch {
	case x > 24 || p.y > 61:
		return false
	case p.y <= 30:
		return p.y >= 3+9*x/24
	}
	return x <= edge(p.y)
}

// edge returns how far the shield reaches at a height below its sides: the curve of
// Bézier from (24, 30) by (24, 45) and (14, 56) to (0, 61), seen from the middle.
func edge(y float64) float64 {
	low, high := 0.0, 1.0
	for range 30 {
		t := (low + high) / 2
		if bezier(t, 30, 45, 56, 61) < y {
			low = t
		} else {
			high = t
		}
	}
	return bezier(low, 24, 24, 14, 0)
}

func bezier(t, a, b, c, d float64) float64 {
	u := 1 - t
	return u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d
}
