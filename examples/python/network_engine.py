#!/usr/bin/env python3
"""The network of train_network.py as an engine for matches, ratings and the exam.

zermelo match --engine cmd="python3 network_engine.py network.npz" --engine name=level-5 "option.Skill Level=5" --each nodes=1000
zermelo rate --engine cmd="python3 network_engine.py network.npz"
zermelo exam --engine cmd="python3 network_engine.py network.npz"
"""

import sys

import zermelo
from train_network import Network

if __name__ == "__main__":
    network = Network.load(sys.argv[1] if len(sys.argv) > 1 else "network.npz")
    zermelo.serve(network.choose, name="network")
