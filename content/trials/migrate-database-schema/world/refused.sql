INSERT INTO sensor (name) SELECT name FROM sensor LIMIT 1
INSERT INTO measurement (id, sensor_id, value) SELECT max(id), min(sensor_id), 1 FROM measurement
INSERT INTO measurement (sensor_id, taken_at, value) SELECT sensor_id, taken_at, 1 FROM measurement LIMIT 1
INSERT INTO measurement (sensor_id, taken_at, value) VALUES (-1, '2030-01-01', 1)
INSERT INTO measurement (sensor_id, taken_at, value) SELECT min(id), '2030-01-01', NULL FROM sensor
INSERT INTO measurement (sensor_id, taken_at, value) SELECT min(id), '2030-01-01', -1000 FROM sensor
INSERT INTO measurement (sensor_id, taken_at, value, station_id) SELECT min(id), '2030-01-01', 1, -1 FROM sensor
INSERT INTO alarm (reading_id, said) VALUES (-1, 'of no reading')
