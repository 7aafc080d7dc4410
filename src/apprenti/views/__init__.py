"""What is seen: text boards, pictures, tables."""
