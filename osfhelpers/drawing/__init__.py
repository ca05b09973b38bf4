"""What a figure looks like, and how it reaches the reader."""
