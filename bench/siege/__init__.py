"""What an honest pair feels while one guest attacks: see bench/README.md."""
