"""From a decision to files of the content: in a folder or on a branch, once, and taken out again."""
