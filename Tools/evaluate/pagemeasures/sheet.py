"""The page to look at, the table to read and the table to go on with; needs nothing but Python."""

import csv
import html
import statistics
import urllib.parse

# Column, digits, and what it is.
MEASURES = [
    ("CER", 3, "wrong characters"), ("bgstd", 2, "deviation over blank paper"), ("pure", 3, "blank paper exactly 255"),
    ("faintx", 2, "faint strokes' contrast over the photo's"), ("chrom", 2, "chroma of coloured marks over the clean page's"),
    ("hue", 1, "their difference of hue, degrees"), ("lost", 3, "their share turned grey"), ("dE00", 1, "their difference, ΔE2000"),
]
# The modes of our own, which the sheet is sorted by.
OWN = ("enhanced", "bw")


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def mean(values):
    values = [value for value in values if value is not None]
    return statistics.fmean(values) if values else None


def worst_first(pages):
    """By our own error rate, missed pages first, those without one by name at the end."""
    def key(page):
        rates = [page["measures"].get(name, {}).get("CER") for name in OWN]
        return -max((rate for rate in rates if rate is not None), default=-1), page["file"]
    return sorted(pages, key=key)


def lines(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join([row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])])


def measure_rows(pages, names):
    head = [""] + [name for name, _, _ in MEASURES] + ["lowest faintx"]
    rows = [head]
    for name in names:
        own = [page["measures"].get(name, {}) for page in pages]
        faint = [entry["faintx"] for entry in own if entry.get("faintx") is not None]
        rows.append([name] + [number(mean([entry.get(key) for entry in own]), digits) for key, digits, _ in MEASURES]
                    + [number(min(faint, default=None), 2)])
    return rows


def error_rows(pages, names):
    """The error rate by kind and tag."""
    groups = [("all pages", pages)]
    groups += [(kind, [p for p in pages if p["kind"] == kind]) for kind in sorted({p["kind"] for p in pages})]
    groups += [("#" + tag, [p for p in pages if tag in p["tags"]]) for tag in sorted({t for p in pages for t in p["tags"]})]
    rows = [["CER", "pages"] + names]
    for title, members in groups:
        rates = [mean([page["measures"].get(name, {}).get("CER") for page in members]) for name in names]
        rows.append([title, str(len(members))] + [number(rate, 3) for rate in rates])
    return rows


def tables(pages, names):
    """Those that have anything in them."""
    measured = [entry for page in pages for entry in page["measures"].values()]
    if any(measured):
        yield measure_rows(pages, names)
    if any("CER" in entry for entry in measured):
        yield error_rows(pages, names)


def count(pages):
    return f"{len(pages)} page{'' if len(pages) == 1 else 's'}"


def report(pages, names, remarks):
    """The figures as text."""
    text = [count(pages), ""]
    for rows in tables(pages, names):
        text += [*lines(rows), ""]
    return "\n".join(text + remarks)


def write_csv(path, pages, names):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["file", "kind", "tags", "picture"] + [key for key, _, _ in MEASURES])
        for page in worst_first(pages):
            for name in names:
                found = page["measures"].get(name, {})
                values = [number(found.get(key), digits + 2) if found.get(key) is not None else "" for key, digits, _ in MEASURES]
                writer.writerow([page["file"], page["kind"], " ".join(page["tags"]), name] + values)


STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5em; background: Canvas; color: CanvasText; }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .15em .7em; border-bottom: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); }
th:first-child, td:first-child { text-align: left; }
.row { display: flex; gap: .8em; overflow-x: auto; align-items: flex-start; padding-bottom: .8em; }
figure { margin: 0; flex: 0 0 22em; }
figure img { display: block; width: 100%; height: auto; border: 1px solid color-mix(in srgb, CanvasText 30%, Canvas); margin-bottom: .3em; }
h2 { font-size: 1.05em; margin: 1.6em 0 .4em; }
small { font-weight: normal; }
"""


def table(rows):
    def row(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
    return "<table>\n" + "\n".join([row(rows[0], "th")] + [row(cells, "td") for cells in rows[1:]]) + "\n</table>"


def figure(page, name):
    found = page["measures"].get(name, {})
    caption = ", ".join(f"{key} {number(found[key], digits)}" for key, digits, _ in MEASURES if found.get(key) is not None)
    images = "".join(f'<img src="{html.escape(urllib.parse.quote(path))}" alt="" loading="lazy">' for path in page["views"].get(name, []))
    full = page["full"].get(name)
    title = f'<a href="{html.escape(urllib.parse.quote(full))}">{html.escape(name)}</a>' if full else html.escape(name)
    return f"<figure><figcaption><b>{title}</b></figcaption>{images}<figcaption>{html.escape(caption)}</figcaption></figure>"


def write_sheet(path, pages, names, remarks):
    """Every page with all its pictures side by side, worst first, for any browser, without scripts and network."""
    body = [f"<h1>Flat pages</h1>\n<p>{count(pages)}, worst first by our own error rate.</p>"]
    body += [table(rows) for rows in tables(pages, names)]
    if len(body) > 1:
        body += ["<p>" + "; ".join(f"{key}: {html.escape(meaning)}" for key, _, meaning in MEASURES) + "</p>"]
    body += ["<ul>" + "".join(f"<li>{html.escape(remark)}</li>" for remark in remarks) + "</ul>"] if remarks else []
    for page in worst_first(pages):
        kind = " ".join([page["kind"]] + ["#" + tag for tag in page["tags"]])
        shown = [figure(page, name) for name in names if name in page["views"]]
        body.append(f"<h2>{html.escape(page['file'])} <small>{html.escape(kind)}</small></h2>\n"
                    f"<div class=\"row\">{''.join(shown) if shown else 'missed: no page was found'}</div>")
    with open(path, "w", encoding="utf-8") as file:
        file.write('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
                   '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
                   f"<title>Flat pages</title>\n<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n")
