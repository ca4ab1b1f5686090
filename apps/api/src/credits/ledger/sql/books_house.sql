-- The house's account that serves a person: one of sixty-four of a kind, since whoever shares one waits for the other's
-- commit.
CREATE OR REPLACE FUNCTION books_house(kind text, person text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN kind || ':' || lpad((get_byte(sha256(convert_to(person, 'UTF8')), 0) % 64)::text, 2, '0');
