package exchange

import (
	"errors"

	"github.com/policyctl/policyctl/pkg/document"
	"github.com/policyctl/policyctl/pkg/strictjson"
)

// readJSON returns the value of a text with its places.
func readJSON(name string, data []byte) (document.Node, error) {
	n, err := strictjson.Read(data, strictjson.Options{})
	return nodeOf(n), placed(name, err)
}

// placed returns an error of JSON with the name of its file.
func placed(name string, err error) error {
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return e.In(name)
	}
	return err
}

var kinds = map[byte]document.Kind{
	'{': document.Map, '[': document.List, '"': document.Text, '0': document.Number, 't': document.Bool, 'f': document.Bool,
}

func nodeOf(n strictjson.Node) document.Node {
	return document.Node{
		Kind: kinds[byte(n.Kind)], Text: n.Text, Keys: nodesOf(n.Keys), Items: nodesOf(n.Items), Line: n.Line, Column: n.Column,
	}
}

func nodesOf(list []strictjson.Node) (out []document.Node) {
	for _, n := range list {
		out = append(out, nodeOf(n))
	}
	return out
}
