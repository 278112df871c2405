"""Report: in comes a bundle, out goes one offline page and a check of it.

The page shows what ``report-data.json`` holds and computes nothing; text from logs, configs and models is escaped;
nothing is loaded from anywhere, and nothing is ever written into a sealed bundle.
"""
