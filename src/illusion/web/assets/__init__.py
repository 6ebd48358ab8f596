"""What is made of the static files before it is sent: a page's scripts in one file, the display face's letters."""
