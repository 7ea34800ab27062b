"""How far the prover reaches in TixTax, and what solving the whole game would cost.

`__main__` parses the command line. `games` plays self-play games, `curve` measures how many of their positions are
proven by ply and `chart` draws the result. `price` estimates the cost of a proof from a position by a frontier of
leaf proofs: `upper_tree` is the tree above the frontier, `sampling` draws probes from it, `leaves` proves what was
drawn and `intervals` computes the intervals. `validate` compares estimates with completely enumerated trees.
`program` talks to the program and `records` stores results.
"""
