"""The waist of the observatory: what a metric is called, how it is written, and the figures of a cycle.

Trials give samples, and samples give figures. Charts, pages, expectations and comparisons ask for figures by
the names of catalogue.yaml.
"""
