-- How many of the people that a rule names must approve, null for one; and in events how
-- many must approve a request and how many have, 0 twice where one person decides.

-- +goose Up

ALTER TABLE approval_rules ADD COLUMN approver_any INTEGER;
ALTER TABLE events ADD COLUMN quorum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN approved INTEGER NOT NULL DEFAULT 0;
