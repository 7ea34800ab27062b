"""Matches, training data and training of Zermelo on the machines of a Ray cluster.

`__main__` parses the command line. The commands `matches`, `datagen` and `training` split their work into jobs
and merge the results. `worker_pool` runs jobs through Ray, `job` is the code that runs on a node, `supervisor`
ends a program when its worker dies, and `shards` stores results on disk.
"""
