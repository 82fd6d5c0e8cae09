"""What is declared, put into words and rows for people: for the admin and for the terminal."""
