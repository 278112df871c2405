"""Names that the server runbook imports, from the checkout only; all are defined in ``autoresearch``."""
