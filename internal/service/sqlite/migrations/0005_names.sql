-- What a submitter calls what it asks for: several attempts bear one name. A
-- program of before bears its id.

-- +goose Up

ALTER TABLE requests ADD COLUMN name TEXT NOT NULL DEFAULT '';
UPDATE requests SET name = id WHERE kind = 'clauz3.run';
CREATE INDEX requests_name ON requests (name, submitter) WHERE name <> '';
