// The flat page: warped here from a small copy of the photo while something moves, and as the program makes it afterwards.

import { lit } from "./light.js";
import { turned, unitSquareTo } from "./geometry.js";

/** Pixels of the moving picture: few enough for the display's rate on a slow machine, enough to judge edges by. */
const livePixels = 260_000;

export class Preview {
  #canvas;
  #image;
  /** Half-size copies of the photo, the largest first, for each mode that was asked for. */
  #copies = new Map();
  #scale = 1;
  #address;

  constructor(canvas, image) {
    this.#canvas = canvas;
    this.#image = image;
  }

  /** Takes a small copy of a photo; `scale` is its pixels over the photo's. */
  setPhoto(picture, scale) {
    this.#copies = new Map([["original", [picture, halved(picture)]]]);
    this.#scale = scale;
  }

  clear() {
    this.#copies.clear();
    this.#show(null);
    this.#canvas.hidden = true;
  }

  /** Shows what the program made. */
  async showTrue(blob, text) {
    const address = URL.createObjectURL(blob);
    this.#image.src = address;
    this.#image.alt = text;
    await this.#image.decode().catch(() => {});
    this.#show(address);
  }

  #show(address) {
    if (this.#address && this.#address !== address) URL.revokeObjectURL(this.#address);
    this.#address = address;
    this.#image.hidden = !address;
    if (address) this.#canvas.hidden = true;
  }

  /** Draws the page within these corners of the photo, `aspect` being width over height before the turn. */
  drawLive(corners, { aspect, turn, mode }) {
    const copies = this.#copies.get("original");
    if (!copies) return;
    if (!this.#copies.has(mode)) {
      const look = lit(copies[0], mode);
      this.#copies.set(mode, [look, halved(look)]);
    }
    const ratio = turn % 2 ? 1 / aspect : aspect;
    const width = Math.max(1, Math.round(Math.sqrt(livePixels * ratio)));
    const height = Math.max(1, Math.round(livePixels / width));
    const places = turned(corners, turn).map(([x, y]) => [x * this.#scale, y * this.#scale]);
    const area = Math.abs(
      (places[2][0] - places[0][0]) * (places[3][1] - places[1][1])
      - (places[2][1] - places[0][1]) * (places[3][0] - places[1][0])) / 2;
    const isLarge = area > 2 * width * height;
    const source = this.#copies.get(mode)[isLarge ? 1 : 0];
    const result = warped(source, isLarge ? places.map(([x, y]) => [x / 2, y / 2]) : places, width, height);
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#canvas.getContext("2d").putImageData(result, 0, 0);
    this.#canvas.hidden = false;
    this.#image.hidden = true;
  }
}

/** The part of a picture within an outline, flat; white where there is no picture. */
export function warped(source, corners, width, height) {
  const map = unitSquareTo(corners);
  const pixels = new Uint32Array(source.data.buffer, source.data.byteOffset, source.width * source.height);
  const result = new ImageData(width, height);
  const out = new Uint32Array(result.data.buffer);
  const { width: columns, height: rows } = source;
  let index = 0;
  for (let y = 0; y < height; y += 1) {
    const v = (y + 0.5) / height;
    for (let x = 0; x < width; x += 1, index += 1) {
      const u = (x + 0.5) / width;
      const w = 1 / (map[6] * u + map[7] * v + 1);
      const px = (map[0] * u + map[1] * v + map[2]) * w - 0.5, py = (map[3] * u + map[4] * v + map[5]) * w - 0.5;
      const left = Math.floor(px), top = Math.floor(py);
      if (left < 0 || top < 0 || left + 1 >= columns || top + 1 >= rows) {
        out[index] = left >= -1 && top >= -1 && left < columns && top < rows
          ? pixels[Math.min(Math.max(top, 0), rows - 1) * columns + Math.min(Math.max(left, 0), columns - 1)]
          : 0xffffffff;
        continue;
      }
      out[index] = between(pixels, top * columns + left, columns, (px - left) * 256, (py - top) * 256);
    }
  }
  return result;
}

/** The value between four pixels, two bytes at a time; weights are in 256ths. */
function between(pixels, at, columns, across, down) {
  const right = across | 0, left = 256 - right, below = down | 0, above = 256 - below;
  const a = pixels[at], b = pixels[at + 1], c = pixels[at + columns], d = pixels[at + columns + 1];
  const redBlue = (one, other, p, q) => (((one & 0xff00ff) * p + (other & 0xff00ff) * q) >>> 8) & 0xff00ff;
  const green = (one, other, p, q) => (((one & 0xff00) * p + (other & 0xff00) * q) >>> 8) & 0xff00;
  return (
    redBlue(redBlue(a, b, left, right), redBlue(c, d, left, right), above, below)
    | green(green(a, b, left, right), green(c, d, left, right), above, below)
    | 0xff000000
  ) >>> 0;
}

function halved(picture) {
  const width = Math.max(1, picture.width >> 1), height = Math.max(1, picture.height >> 1);
  const result = new ImageData(width, height);
  const from = picture.data, to = result.data, stride = 4 * picture.width;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const start = 2 * y * stride + 8 * x;
      for (let channel = 0; channel < 4; channel += 1) {
        const at = start + channel;
        to[4 * (y * width + x) + channel] = (from[at] + from[at + 4] + from[at + stride] + from[at + stride + 4] + 2) >> 2;
      }
    }
  }
  return result;
}
