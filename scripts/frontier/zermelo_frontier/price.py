def add_options(p): pass
def run(o): pass
