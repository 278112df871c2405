"""Models and datasets: where they are, whether they are whole, and how they come to a host.

In come the asset registry of a config and the answers of the hubs; out go verified places with tree hashes. Never used
before it was hashed, never stored here above the local size limit, never fetched when the user said offline. Arrives
with the formal case.
"""
