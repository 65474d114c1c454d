"""The verdict, pure: a comparison and its gates in, reasons out."""
