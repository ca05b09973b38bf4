"""How do the tools go over a real protocol, and what do a client and a killed server make of it?"""
