"""Small drawings of pages: a record of what each shows, and a function that gives what its partial draws.

The partials of the same names are in site/common/layouts/_partials/. A drawing is an SVG that fills the width
of its place without an inline style. A strip and a series have a view box without an aspect ratio. Their
strokes keep their width, and a dot is a line of length 0.1 with round ends. A bar has no view box, and
coordinates in percent.
"""
