"""The context of each page, and what is made of it: pages, JSON, markdown, skills, feeds, pictures. Pure."""
