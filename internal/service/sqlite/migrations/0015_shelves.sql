-- Documents that the instances of a service share, each by its name.

-- +goose Up

CREATE TABLE shelves (
	name     TEXT NOT NULL PRIMARY KEY,
	document TEXT NOT NULL
) STRICT;
