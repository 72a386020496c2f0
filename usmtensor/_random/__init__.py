"""Random numbers: streams of words, and the samples that are made from them."""
