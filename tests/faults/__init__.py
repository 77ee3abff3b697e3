"""Faults done to the real store: killed, out of space, powered off, damaged, crowded.

A run asserts on acknowledged work: what `ACK` was printed for must be there afterwards,
exactly, whatever happened. `python -m tests.faults --full` does everything at length.
"""
