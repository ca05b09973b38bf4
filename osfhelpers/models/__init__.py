"""The parts that experiments are made of: short histories on the real store, and their arithmetic."""
