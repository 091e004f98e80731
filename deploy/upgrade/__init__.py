"""A new version of the fold beside the old one: how both stand, how they differ, the switch, and the removal.

`rebuild` folds everything again with the same version.
"""
