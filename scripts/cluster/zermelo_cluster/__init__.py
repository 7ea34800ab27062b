"""Matches, training data, training and proofs of Zermelo on the machines of a Ray cluster.

`__main__` reads the command line. `matches`, `datagen`, `training` and `proofs` are the commands; each
cuts its work into jobs and puts together what comes back. `crew` has jobs done by Ray, `job` is what
runs on a node, `leash` sees that no program outlives the one that started it, `parts` keeps what came
back on disk, `tree` is the proof tree.
"""
