"""Titles of findings: one short line a finding, in the words of the people of the floor."""
