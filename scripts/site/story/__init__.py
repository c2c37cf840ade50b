"""The results of a cycle in sentences, made from its figures by rules.

A sentence claims something only where there are six trials and an interval. Below that it says what was seen.
"""
