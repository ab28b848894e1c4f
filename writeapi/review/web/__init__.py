"""The pages of review: an application of its own below `/review`, for editors who are signed in."""
