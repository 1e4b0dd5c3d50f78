package desk

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// A plot is bars, with the table of what they show.
type plot struct {
	Title   string
	Columns []string
	Rows    []plotRow
	// Width and Height are those of the picture, Bars and Texts what is in it.
	Width, Height int
	Bars          []bar
	Texts         []label
}

// A plotRow is one bar: its name, its size, and its cells of the table.
type plotRow struct {
	Name  string
	Size  float64
	Cells []string
}

// A bar is a rectangle; Title says what it shows.
type bar struct {
	X, Y, Width, Height string
	Title               string
}

// A label is a text at a place. Its end is there where End says so, else its
// beginning.
type label struct {
	X, Y string
	End  bool
	Text string
}

// Empty reports whether there is nothing to show.
func (p *plot) Empty() bool { return p.most() == 0 }

func (p *plot) most() (most float64) {
	for _, r := range p.Rows {
		most = max(most, r.Size)
	}
	return most
}

func number(v float64) string { return fmt.Sprintf("%.1f", v) }

func (p *plot) draw(x, y, width, height float64, title string) {
	p.Bars = append(p.Bars, bar{number(x), number(y), number(width), number(height), written(title)})
}

func (p *plot) write(x, y float64, end bool, text string) {
	p.Texts = append(p.Texts, label{number(x), number(y), end, written(text)})
}

// upright draws the bars side by side, from the left to the right.
func (p *plot) upright() *plot {
	const width, height, left, top, foot = 640, 160, 44, 10, 24
	p.Width, p.Height = width, height
	most := max(1, math.Ceil(p.most()))
	p.write(left-6, top+10, true, number(most))
	p.write(left-6, height-foot, true, "0")
	step := float64(width-left) / float64(max(1, len(p.Rows)))
	for i, r := range p.Rows {
		tall := r.Size / most * (height - top - foot)
		p.draw(left+float64(i)*step+step*0.1, height-foot-tall, step*0.8, tall, r.Name+": "+r.Cells[1])
	}
	if n := len(p.Rows); n > 0 {
		p.write(left, height-6, false, p.Rows[0].Name)
		p.write(width, height-6, true, p.Rows[n-1].Name)
	}
	return p
}

// maxLabel is how many letters the name of a bar has at most.
const maxLabel = 28

// lying draws the bars one below the other, each with its name and its size.
func (p *plot) lying() *plot {
	const width, left, line, right = 640, 230, 24, 90
	p.Width, p.Height = width, line*len(p.Rows)+4
	most := max(1, p.most())
	for i, r := range p.Rows {
		y, wide := float64(i*line+2), r.Size/most*(width-left-right)
		name := r.Name
		if utf8.RuneCountInString(name) > maxLabel {
			name = string([]rune(name)[:maxLabel-1]) + "…"
		}
		p.write(left-8, y+15, true, name)
		p.draw(left, y, wide, line-6, r.Name+": "+r.Cells[1])
		p.write(left+wide+8, y+15, false, r.Cells[1]+", "+r.Cells[2])
	}
	return p
}
