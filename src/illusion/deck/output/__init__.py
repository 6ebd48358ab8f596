"""A deck as files: SVG folders, contact sheets, and the PDF to print and cut."""
