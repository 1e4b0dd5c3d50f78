-- The latest time that the service has seen, so that a clock that was set back
-- gives nothing more time.

-- +goose Up

CREATE TABLE clock (
	id     INTEGER PRIMARY KEY CHECK (id = 1),
	latest INTEGER NOT NULL
) STRICT;
