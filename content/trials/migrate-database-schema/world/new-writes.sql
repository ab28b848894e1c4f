INSERT INTO sensor (name) VALUES ('balcony');
INSERT INTO measurement (sensor_id, value, station_id) SELECT id, 4.5, 1 FROM sensor WHERE name = 'balcony';
INSERT INTO measurement (sensor_id, value, station_id) SELECT id, 4.5, 1 FROM sensor WHERE name = 'cellar';
