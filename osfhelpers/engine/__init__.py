"""What the server does with a call, and what a client does about a lost reply."""
