"""What is shown, and how: pages, JSON, markdown, skills, feeds, pictures. Pure."""
