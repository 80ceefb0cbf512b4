"""Draws pages, puts them on a desk or a wall, and photographs them: what `make_samples.py` is made of.

catalogue.py  the list of samples: what lies where, in which light
receipts.py notes.py invoices.py whiteboards.py cards.py certificates.py    the flat pages
drawing.py    the sheet of paper these draw on: text, handwriting, marker strokes
camera.py     a pinhole camera over the page's plane
materials.py  wood, cloth, stone, laminate, walls
objects.py    what else lies about: cups, pens, keyboards
painting.py   polygons and pictures blended into the photo
paper.py      fibre, folds and curl of the paper, and drawing it into the photo
light.py      lamps, shadows, glare
sensor.py     lens blur, noise and tone curve
photo.py      one photo from all of these
encode.py     EXIF, colour profile and file formats
"""
