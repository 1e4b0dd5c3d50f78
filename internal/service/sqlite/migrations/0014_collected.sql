-- How far the decisions of each source are in the audit log, as who ships them counts:
-- it moves in the transaction that records them, so that none is recorded twice.

-- +goose Up

CREATE TABLE collected (
	shipper  TEXT NOT NULL,
	source   TEXT NOT NULL,
	position INTEGER NOT NULL,
	PRIMARY KEY (shipper, source)
) STRICT;

-- Records are found by stage and by the id of a decision too: they are read into the
-- index anew.
INSERT INTO audit_search (audit_search) VALUES ('delete-all');
