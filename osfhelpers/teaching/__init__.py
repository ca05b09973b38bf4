"""What a chapter is made of: explorers, pictures, exercises, guesses."""
