// The pixels around a corner while it is moved, large: a finger or a hand hides them otherwise.

/** Pixels of the photo that are fetched around the place: enough for some strokes of movement. */
const fetched = 400;

export class Loupe {
  #canvas;
  #fetchPart;
  #part = null;
  #isFetching = false;
  #wanted = null;

  /** `fetchPart` gives a part of the photo in its own pixels: `{bitmap, part}`. */
  constructor(canvas, fetchPart) {
    this.#canvas = canvas;
    this.#fetchPart = fetchPart;
  }

  forget() {
    this.#part = null;
    this.hide();
  }

  hide() {
    this.#wanted = null;
    this.#canvas.hidden = true;
  }

  /** Shows the surroundings of a place, with the outline's lines; `zoom` is screen pixels for one of the photo. */
  show({ place, corners, overview, overviewScale, zoom, onLeft }) {
    this.#wanted = { place, corners, overview, overviewScale, zoom };
    this.#canvas.hidden = false;
    this.#canvas.classList.toggle("right", !onLeft);
    this.#draw();
    this.#fetch();
  }

  #draw() {
    const { place, corners, overview, overviewScale, zoom } = this.#wanted;
    const size = this.#canvas.clientWidth, dense = devicePixelRatio;
    this.#canvas.width = this.#canvas.height = Math.round(size * dense);
    const context = this.#canvas.getContext("2d");
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.fillStyle = "#777";
    context.fillRect(0, 0, size, size);
    context.translate(size / 2, size / 2);
    context.scale(zoom, zoom);
    context.translate(-place[0], -place[1]);
    context.imageSmoothingEnabled = zoom < 3;
    context.drawImage(overview, 0, 0, overview.width / overviewScale, overview.height / overviewScale);
    if (this.#part) {
      const [x, y, width, height] = this.#part.part;
      context.drawImage(this.#part.bitmap, x, y, width, height);
    }
    context.beginPath();
    corners.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.lineWidth = 3 / zoom;
    context.strokeStyle = "#000a";
    context.stroke();
    context.lineWidth = 1.2 / zoom;
    context.strokeStyle = "#fff";
    context.stroke();
  }

  async #fetch() {
    const { place } = this.#wanted;
    if (this.#isFetching || this.#covers(place)) return;
    this.#isFetching = true;
    try {
      this.#part = await this.#fetchPart({
        x: Math.round(place[0] - fetched / 2), y: Math.round(place[1] - fetched / 2), w: fetched, h: fetched, side: fetched,
      });
    } catch {
      // The coarse picture is there already.
      return;
    } finally {
      this.#isFetching = false;
    }
    if (!this.#wanted) return;
    this.#draw();
    if (this.#wanted.place !== place) this.#fetch();
  }

  /** Whether what was fetched reaches well around a place. */
  #covers([x, y]) {
    if (!this.#part) return false;
    const [left, top, width, height] = this.#part.part;
    const margin = fetched / 5;
    const { overview, overviewScale } = this.#wanted;
    const inside = (value, start, length, end) =>
      value > start + (start > 0 ? margin : -Infinity) && value < start + length - (start + length < end ? margin : -Infinity);
    return inside(x, left, width, overview.width / overviewScale) && inside(y, top, height, overview.height / overviewScale);
  }
}
