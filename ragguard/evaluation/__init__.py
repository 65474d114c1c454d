"""Running a retriever over a suite, and scoring what it answered."""
