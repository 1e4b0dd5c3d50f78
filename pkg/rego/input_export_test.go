package rego

// InputValue is inputValue for tests of the package from outside.
var InputValue = inputValue
