"""How sure a number is, and whether the answers to one question agree."""
