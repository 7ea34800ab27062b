"""Matches, training data, training and proofs of Zermelo on the machines of a Ray cluster.

`__main__` parses the command line. The commands `matches`, `datagen`, `training` and `proofs` split their work
into jobs and merge the results. `worker_pool` runs jobs through Ray, `job` is the code that runs on a
node, `supervisor` ends a program when its worker dies, `shards` stores results on disk, `tree` is the
proof tree, and `certificates` checks and joins what proves its leaves.
"""
