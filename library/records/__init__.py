"""What a record is: its fields and their kinds, the models, its name, and the library that holds them all."""
