-- playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
CREATE TABLE station (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE reading (id serial PRIMARY KEY, sensor text NOT NULL, taken_at timestamptz NOT NULL DEFAULT now(),
  value numeric(12,4) NOT NULL CHECK (value > -274), note text, station_id int REFERENCES station, UNIQUE (sensor, taken_at));
CREATE TABLE alarm (id serial PRIMARY KEY, reading_id int NOT NULL REFERENCES reading, said text NOT NULL);
INSERT INTO station VALUES (1, 'home'), (2, 'shed');
INSERT INTO reading SELECT 11000 + i, (ARRAY['a', 'a ', ' a', 'A', 'b,"c"', E'd\te'])[1 + i % 6], timestamptz '2026-03-28 20:00+01' + make_interval(secs => i * 60.5),
  i / 10000.0, CASE i % 4 WHEN 0 THEN '' WHEN 1 THEN NULL WHEN 2 THEN ' ' || i || ' ' ELSE 'x' END, CASE WHEN i % 3 > 0 THEN i % 3 END FROM generate_series(1, 2000) i;
SELECT setval('reading_id_seq', 13100);
INSERT INTO alarm (reading_id, said) VALUES (11003, 'x'), (11600, 'y');
