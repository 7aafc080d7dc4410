"""The exercises of the course: what is asked, hidden cases, typical mistakes, and who has solved what."""
