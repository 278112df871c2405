"""Telemetry: in come readings of the machine, out go raw samples, their statistics, one table and one exposition of
the same numbers.

Raw text is written first and parsed afterwards; a value that is missing stays missing and is never a zero. Nothing
here may delay the work that is measured, join two sources into one line, or state a sampling interval that was only
asked for.
"""
