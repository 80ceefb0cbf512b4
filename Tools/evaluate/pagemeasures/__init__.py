"""How readable and how true a flat page is, measured against the page as it was before it was photographed."""
