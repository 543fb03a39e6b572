"""The report of a study: question, answer, charts with intervals, and how to find the same again.

It is one HTML file, Markdown, and the charts as SVG.
"""

from pli.study.report.quotes import Texts
from pli.study.report.results import Results, read_results
from pli.study.report.write import write_report

__all__ = ["Results", "Texts", "read_results", "write_report"]
