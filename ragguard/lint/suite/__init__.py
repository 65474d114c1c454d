"""A suite as the rules see it: what is noted of it while its rows are read."""
