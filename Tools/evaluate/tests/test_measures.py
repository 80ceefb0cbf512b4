"""Known answers: `make test-tools`, or `python3 -m unittest discover -s Tools/evaluate/tests -t Tools/evaluate`."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import cv2
import numpy as np

from pagemeasures import looks, peers, placing, sheet, text

TRUTH = {"kind": "note", "paper_rgb": [250, 250, 250], "clean_size": [600, 400], "lines": [
    {"text": "a faint line", "box": [100, 100, 400, 140], "faint": True, "occluded": 0.0}]}


def clean_page():
    """White paper with a faint line of strokes, a row of dark ones and a red patch."""
    page = np.full((400, 600, 3), 250, np.uint8)
    for x in range(104, 396, 12):
        cv2.rectangle(page, (x, 104), (x + 4, 136), (210, 210, 210), -1)
    for x in range(60, 540, 17):
        cv2.rectangle(page, (x, 200), (x + 5, 230), (30, 30, 30), -1)
    cv2.rectangle(page, (200, 300), (300, 360), (40, 40, 220), -1)
    return page


class Text(unittest.TestCase):
    def test_a_line_is_compared_with_its_nearest_place(self):
        self.assertEqual(text.distance_within("total", "sub total 12"), 0)
        self.assertEqual(text.distance_within("total", "sub t0tal 12"), 1)
        self.assertEqual(text.distance_within("total", "tol"), 2)
        self.assertEqual(text.distance_within("total", ""), 5)

    def test_the_error_rate_weighs_lines_by_their_length_and_leaves_order_and_extra_text_alone(self):
        self.assertEqual(text.error_rate(["one two", "three"], "Three, more\nONE  two"), 0)
        self.assertAlmostEqual(text.error_rate(["abcd", "efghij"], "abxd"), (1 + 6) / 10)
        self.assertIsNone(text.error_rate([" "], "anything"))

    def test_signs_that_look_alike_are_the_same(self):
        self.assertEqual(text.plain("“It’s” –  |x"), "\"it's\" - x")


class Colours(unittest.TestCase):
    def test_ciede2000_is_as_published(self):
        # Rows of the table in Sharma, Wu and Dalal (2005).
        for one, other, difference in [
                ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, -1, 2), (50, 0, 0), 2.3669),
                ((50, 2.5, 0), (73, 25, -18), 27.1492), ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792)]:
            found = looks.ciede2000(np.array([one]), np.array([other]))[0]
            self.assertAlmostEqual(found, difference, places=4)

    def test_marks_of_the_clean_page_itself_are_perfect_and_grey_ones_are_lost(self):
        clean, seen = clean_page(), looks.visible(TRUTH)
        same = looks.of_colours(clean, clean, TRUTH, seen)
        self.assertEqual((same["chrom"], same["lost"], same["hue"], same["dE00"]), (1, 0, 0, 0))
        gray = cv2.cvtColor(cv2.cvtColor(clean, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        self.assertEqual(looks.of_colours(gray, clean, TRUTH, seen)["lost"], 1)


class Paper(unittest.TestCase):
    def test_blank_paper_has_no_deviation_and_is_pure_only_at_255(self):
        clean, seen = clean_page(), looks.visible(TRUTH)
        self.assertEqual(looks.of_paper(clean, clean, TRUTH, seen), {"bgstd": 0, "pure": 0})
        white = np.full_like(clean, 255)
        white[:200] = 253
        found = looks.of_paper(white, clean, TRUTH, seen)
        self.assertAlmostEqual(found["bgstd"], 1, delta=0.05)
        self.assertAlmostEqual(found["pure"], 0.5, delta=0.1)

    def test_what_lies_on_the_page_does_not_count(self):
        truth = {**TRUTH, "occluded": [[[0, 0], [599, 0], [599, 199], [0, 199]]]}
        seen = looks.visible(truth)
        self.assertFalse(seen[100, 300])
        page = np.full((400, 600, 3), 255, np.uint8)
        page[:190] = 0
        self.assertEqual(looks.of_paper(page, clean_page(), truth, seen)["pure"], 1)


class Strokes(unittest.TestCase):
    def test_contrast_is_in_levels_also_where_the_line_has_moved(self):
        clean, seen = clean_page(), looks.visible(TRUTH)
        self.assertAlmostEqual(looks.faint_contrast(clean, clean, TRUTH, seen), 40, delta=1)
        moved = np.roll(clean, (3, 2), (0, 1))
        self.assertAlmostEqual(looks.faint_contrast(moved, clean, TRUTH, seen), 40, delta=3)


class PlacingTests(unittest.TestCase):
    corners = [[20, 30], [620, 30], [620, 430], [20, 430]]

    def test_true_corners_need_no_search(self):
        clean = clean_page()
        place = placing.Placing(clean, clean, looks.visible(TRUTH), self.corners, self.corners)
        self.assertLess(np.abs(place.placed(clean).astype(int) - clean).mean(), 0.5)

    def test_found_corners_that_are_off_are_undone(self):
        clean = clean_page()
        used = [[0, 0], [640, 10], [630, 460], [10, 450]]  # flattened with some of the desk
        photo = np.full((480, 660, 3), 90, np.uint8)
        photo[30:430, 20:620] = clean
        flat = cv2.warpPerspective(photo, placing.quad_map(used, [[0, 0], [700, 0], [700, 500], [0, 500]]), (700, 500))
        place = placing.Placing(flat, clean, looks.visible(TRUTH), used, self.corners)
        inner = np.s_[10:-10, 10:-10]
        self.assertLess(np.abs(place.placed(flat)[inner].astype(int) - clean[inner]).mean(), 6)
        self.assertGreater(np.abs(place.shrunk(flat)[inner].astype(int) - clean[inner]).mean(), 12)


class Others(unittest.TestCase):
    def test_peers_keep_the_size_and_whiten_a_grey_page(self):
        page = (clean_page() * 0.6).astype(np.uint8)
        for name, make, _ in peers.at_hand()[0]:
            with self.subTest(name):
                made = make(page)
                self.assertEqual(made.shape, page.shape)
                if name != "unpaper":
                    self.assertGreater(np.median(made), 240)


    def test_a_program_that_fails_tells_why(self):
        with self.assertRaisesRegex(peers.Failure, "no such thing"):
            peers.run(clean_page(), ".png", lambda source, result: ["sh", "-c", "echo no such thing >&2; exit 3"])
        with self.assertRaisesRegex(peers.Failure, "status 0"):
            peers.run(clean_page(), ".png", lambda source, result: ["true"])


class Sheet(unittest.TestCase):
    def test_missed_pages_come_first_then_the_worst(self):
        def page(file, rate):
            return {"file": file, "measures": {"bw": {"CER": rate}, "threshold": {"CER": 1}} if rate is not None else {}}
        pages = [page("a", 0.1), page("b", None), page("c", 1.0), page("d", 0.4)]
        self.assertEqual([p["file"] for p in sheet.worst_first(pages)], ["c", "d", "a", "b"])

    def test_a_folder_without_clean_pages_gets_its_pictures_side_by_side(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "pages/a b.png").mkdir(parents=True)
            pictures = {}
            for mode in ("original", "enhanced", "bw"):
                pictures[mode] = f"pages/a b.png/{mode}.png"
                cv2.imwrite(str(folder / pictures[mode]), clean_page())
            (folder / "truth.json").write_text('{"a b.png": {"kind": "note"}}', encoding="utf-8")
            (folder / "pages.json").write_text(json.dumps({"data": name, "remarks": ["c.png has no truth"], "pages": [
                {"file": "a b.png", "kind": "note", "tags": ["<hand>"], "folder": "pages/a b.png", "pictures": pictures,
                 "corners": [[0, 0], [600, 0], [600, 400], [0, 400]], "true_corners": [[0, 0], [600, 0], [600, 400], [0, 400]]}]}),
                encoding="utf-8")
            program = pathlib.Path(__file__).parents[1] / "evaluate_pages.py"
            run = subprocess.run([sys.executable, str(program), name, "--no-text"], capture_output=True, text=True, check=True)
            self.assertIn("1 page\n", run.stdout)
            self.assertIn("c.png has no truth", run.stdout)
            page = (folder / "pages.html").read_text(encoding="utf-8")
            self.assertIn('src="pages/a%20b.png/enhanced.view.jpg"', page)
            self.assertIn("#&lt;hand&gt;", page)
            self.assertNotIn("<script", page)
            detail = folder / "pages/a b.png/threshold.detail.jpg"
            self.assertTrue(detail.exists())
            # Again: what was measured is kept, so nothing is drawn anew.
            detail.unlink()
            subprocess.run([sys.executable, str(program), name, "--no-text"], capture_output=True, check=True)
            self.assertFalse(detail.exists())
            self.assertEqual((folder / "pages.html").read_text(encoding="utf-8"), page)


if __name__ == "__main__":
    unittest.main()
