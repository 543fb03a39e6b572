"""Tests mirror src/pli; scenarios/ holds rules questions, reference/ a second implementation."""
