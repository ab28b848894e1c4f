print("all values found")
