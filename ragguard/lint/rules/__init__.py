"""One rule a file; `ragguard.lint.registry` lists them."""
