"""Review: what was sent is screened, an editor decides, and what is accepted becomes files of the content again."""
