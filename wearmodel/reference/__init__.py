"""What results are compared with: closed forms, and the classical time schemes."""
