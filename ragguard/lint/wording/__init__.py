"""What the wording of a query gives away."""
