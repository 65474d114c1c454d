"""`python -m ragguard`, and the `ragguard` command."""

from ragguard.cli import main

if __name__ == "__main__":
    main()
