// The photo with the outline over it: corners and sides to drag, by mouse, finger or keys; zoom and pan.

import { Loupe } from "./loupe.js";
import { isConvex, middle, ordered, wholeOf, withCorner, withSide } from "./geometry.js";

/** Screen pixels around the photo, in which corners outside of it can be reached. */
const margin = 26;
/** How near to a side, in screen pixels, the pointer takes hold of it. */
const reach = 14;
/** How far outside a corner may lie, as a share of the photo. */
const outside = 0.5;
const cornerNames = ["Top left corner", "Top right corner", "Bottom right corner", "Bottom left corner"];
const sideNames = ["Top side", "Right side", "Bottom side", "Left side"];

/** Fires "move" while the outline is moved, and "settle" when it is let go; both have `corners` in the photo's pixels. */
export class Stage extends EventTarget {
  corners = null;
  #root;
  #canvas;
  #context;
  #handles;
  #loupe;
  #announcer;
  #fetchPart;
  #overview = null;
  #size = [1, 1];
  #patch = null;
  /** The photo's pixel (0, 0) on the screen, and screen pixels for each of the photo's. */
  #view = { x: 0, y: 0, scale: 1 };
  #isFitted = true;
  #pointers = new Map();
  #drag = null;
  #patchTimer = 0;
  #drawing = 0;

  constructor({ root, canvas, loupe, handles, announcer, fetchPart }) {
    super();
    this.#root = root;
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.#fetchPart = fetchPart;
    this.#loupe = new Loupe(loupe, fetchPart);
    this.#announcer = announcer;
    this.#handles = [...cornerNames, ...sideNames].map((name, index) => this.#makeHandle(handles, name, index));
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, (event) => this.#up(event));
    root.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    root.addEventListener("dblclick", () => this.fit());
    new ResizeObserver(() => this.#resized()).observe(root);
  }

  /** Shows a photo by a small copy; `size` is its own. */
  setPhoto(overview, size) {
    this.#overview = overview;
    this.#size = size;
    this.#patch = null;
    this.#loupe.forget();
    this.fit();
  }

  clear() {
    this.#overview = null;
    this.corners = null;
    this.#loupe.forget();
    this.#draw();
  }

  get size() { return this.#size; }
  get isMoving() { return this.#drag?.kind === "handle"; }

  /** Sets the outline; nothing is fired. */
  setCorners(corners) {
    this.corners = corners ? corners.map((corner) => [...corner]) : wholeOf(this.#size);
    this.#draw();
  }

  // View

  fit() {
    const { clientWidth: width, clientHeight: height } = this.#root;
    const scale = Math.min((width - 2 * margin) / this.#size[0], (height - 2 * margin) / this.#size[1]);
    this.#view = { scale, x: (width - scale * this.#size[0]) / 2, y: (height - scale * this.#size[1]) / 2 };
    this.#isFitted = true;
    this.#patch = null;
    this.#draw();
  }

  /** Makes everything larger by a factor, around a place on the screen. */
  zoom(factor, [x, y] = [this.#root.clientWidth / 2, this.#root.clientHeight / 2]) {
    const least = Math.min(this.#root.clientWidth / this.#size[0], this.#root.clientHeight / this.#size[1]) / 2;
    const scale = Math.min(Math.max(this.#view.scale * factor, least), 8);
    const [px, py] = this.#toPhoto([x, y]);
    this.#view = { scale, x: x - px * scale, y: y - py * scale };
    this.#isFitted = false;
    this.#viewChanged();
  }

  #pan(x, y) {
    this.#view.x += x;
    this.#view.y += y;
    this.#isFitted = false;
    this.#viewChanged();
  }

  #viewChanged() {
    // Some of the photo always stays in sight.
    const { clientWidth: width, clientHeight: height } = this.#root;
    const { scale } = this.#view;
    this.#view.x = Math.min(Math.max(this.#view.x, 60 - this.#size[0] * scale), width - 60);
    this.#view.y = Math.min(Math.max(this.#view.y, 60 - this.#size[1] * scale), height - 60);
    this.#draw();
    clearTimeout(this.#patchTimer);
    this.#patchTimer = setTimeout(() => this.#sharpen(), 160);
  }

  #resized() {
    if (this.#isFitted) this.fit();
    else this.#viewChanged();
  }

  #toScreen([x, y]) {
    return [x * this.#view.scale + this.#view.x, y * this.#view.scale + this.#view.y];
  }

  #toPhoto([x, y]) {
    return [(x - this.#view.x) / this.#view.scale, (y - this.#view.y) / this.#view.scale];
  }

  /** Fetches what is in sight in its own pixels, when the small copy has fewer than the screen. */
  async #sharpen() {
    const overview = this.#overview;
    if (!overview || this.#view.scale * devicePixelRatio < (1.2 * overview.width) / this.#size[0]) return;
    const [left, top] = this.#toPhoto([0, 0]);
    const [right, bottom] = this.#toPhoto([this.#root.clientWidth, this.#root.clientHeight]);
    const x = Math.max(0, Math.floor(left)), y = Math.max(0, Math.floor(top));
    const w = Math.ceil(Math.min(this.#size[0], right)) - x, h = Math.ceil(Math.min(this.#size[1], bottom)) - y;
    if (w <= 0 || h <= 0) return;
    const side = Math.round(Math.max(this.#root.clientWidth, this.#root.clientHeight) * devicePixelRatio);
    try {
      const patch = await this.#fetchPart({ x, y, w, h, side: Math.min(side, 2600) });
      if (this.#overview === overview) this.#patch = patch;
    } catch {
      // The coarse picture is there already.
    }
    this.#draw();
  }

  // Handles

  #makeHandle(parent, name, index) {
    const handle = document.createElement("button");
    handle.type = "button";
    handle.className = `handle ${index < 4 ? "corner" : "side"}`;
    handle.dataset.index = index;
    handle.ariaLabel = name;
    handle.setAttribute("aria-describedby", "keys");
    handle.setAttribute("aria-roledescription", index < 4 ? "movable corner" : "movable side");
    handle.addEventListener("keydown", (event) => this.#key(event, index));

    handle.addEventListener("focus", () => this.#draw());
    handle.addEventListener("blur", () => this.#loupe.hide());
    parent.append(handle);
    return handle;
  }

  #place(index) {
    return index < 4 ? this.corners[index] : middle(this.corners[index - 4], this.corners[(index - 3) % 4]);
  }

  #set(index, corners) {
    const [width, height] = this.#size;
    const isNear = corners.every(([x, y]) =>
      x >= -outside * width && x <= (1 + outside) * width && y >= -outside * height && y <= (1 + outside) * height);
    if (!isNear || !isConvex(corners)) return;
    this.corners = corners;
    this.#draw();
    this.#showLoupe(index);
    this.dispatchEvent(new Event("move"));
  }

  #showLoupe(index) {
    if (!this.#overview) return;
    const place = this.#place(index);
    const [x, y] = this.#toScreen(place);
    this.#loupe.show({
      place, corners: this.corners, overview: this.#overview, overviewScale: this.#overview.width / this.#size[0],
      zoom: Math.max(2 * this.#view.scale, 1),
      onLeft: x > this.#root.clientWidth / 2 || y > this.#root.clientHeight / 2,
    });
  }

  /** Lets go: the outline begins with its first corner again, which the listener is told of as `shift`. */
  #settle() {
    const { corners, shift } = ordered(this.corners);
    this.corners = corners;
    this.#draw();
    this.dispatchEvent(new CustomEvent("settle", { detail: { shift } }));
  }

  #key(event, index) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey || !this.corners) return;
    event.preventDefault();
    // A pixel as it is seen: the more it is zoomed, the finer.
    const unit = Math.max(1 / this.#view.scale, 1) * (event.shiftKey ? 10 : 1);
    const offset = step.map((value) => value * unit);
    const [x, y] = this.#place(index);
    const corners = index < 4
      ? withCorner(this.corners, index, [x + offset[0], y + offset[1]])
      : withSide(this.corners, index - 4, offset);
    this.#set(index, corners);
    const [nowX, nowY] = this.#place(index).map(Math.round);
    this.#announcer.textContent = `${nowX}, ${nowY}`;
    this.dispatchEvent(new CustomEvent("nudge"));
  }



  /** Ends a series of key strokes. */
  settleKeys() {
    this.#loupe.hide();
    const focused = this.#handles.indexOf(document.activeElement);
    const before = focused >= 0 && focused < 4 ? this.corners[focused] : null;
    this.#settle();
    // The keys go on moving the corner that they moved, even if it is another one in the order now.
    if (before) this.#handles[this.corners.indexOf(before)]?.focus();
  }

  // Pointer

  #position(event) {
    const box = this.#root.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #down(event) {
    if (!this.#overview || event.button > 0) return;
    const position = this.#position(event);
    this.#pointers.set(event.pointerId, position);
    this.#root.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 2) {
      // A second finger: from now on it is zoomed.
      if (this.#drag?.kind === "handle") this.#settle();
      this.#drag = { kind: "pinch" };
      this.#loupe.hide();
      return;
    }
    const index = this.#hit(event, position);
    if (index !== null) {
      event.preventDefault();
      this.#handles[index].focus({ preventScroll: true });
      const [x, y] = this.#toScreen(this.#place(index));
      this.#drag = {
        kind: "handle", index, start: position, corners: this.corners, grip: [position[0] - x, position[1] - y], moved: false,
      };
      this.#showLoupe(index);
    } else {
      this.#drag = { kind: "pan" };
    }
    this.#root.dataset.drag = this.#drag.kind;
  }

  /** Which handle the pointer is on: itself, or its side's line. */
  #hit(event, [x, y]) {
    if (event.target.dataset.index !== undefined) return Number(event.target.dataset.index);
    if (!this.corners) return null;
    const nearest = this.corners.map((corner, index) => {
      const [ax, ay] = this.#toScreen(corner), [bx, by] = this.#toScreen(this.corners[(index + 1) % 4]);
      const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
      const at = Math.min(Math.max(along, 0), 1);
      return { index: index + 4, distance: Math.hypot(x - ax - at * (bx - ax), y - ay - at * (by - ay)) };
    }).sort((one, other) => one.distance - other.distance)[0];
    return nearest.distance < reach ? nearest.index : null;
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before || !this.#drag) return;
    const position = this.#position(event);
    if (this.#drag.kind === "pinch") {
      const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const factor = Math.hypot(position[0] - other[0], position[1] - other[1]) / Math.hypot(before[0] - other[0], before[1] - other[1]);
        this.#pan((position[0] - before[0]) / 2, (position[1] - before[1]) / 2);
        if (Number.isFinite(factor) && factor > 0) this.zoom(factor, middle(position, other));
      }
    } else if (this.#drag.kind === "pan") {
      this.#pan(position[0] - before[0], position[1] - before[1]);
    } else {
      const { index, start, corners, grip } = this.#drag;
      this.#drag.moved = true;
      if (index < 4) {
        const place = this.#toPhoto([position[0] - grip[0], position[1] - grip[1]]);
        this.#set(index, withCorner(this.corners, index, place));
      } else {
        const { scale } = this.#view;
        this.#set(index, withSide(corners, index - 4, [(position[0] - start[0]) / scale, (position[1] - start[1]) / scale]));
      }
    }
    this.#pointers.set(event.pointerId, position);
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (this.#drag?.kind === "handle") {
      this.#loupe.hide();
      const { moved } = this.#drag;
      this.#drag = null;
      if (moved) this.#settle();
      else this.#draw();
    }
    if (this.#pointers.size === 0) {
      this.#drag = null;
      delete this.#root.dataset.drag;
    }
  }

  #wheel(event) {
    if (!this.#overview) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / (event.deltaMode === 1 ? 12 : 300)), this.#position(event));
  }

  // Drawing

  #draw() {
    if (this.#drawing) return;
    this.#drawing = requestAnimationFrame(() => {
      this.#drawing = 0;
      this.#drawNow();
    });
  }

  #drawNow() {
    const { clientWidth: width, clientHeight: height } = this.#root, dense = devicePixelRatio;
    const context = this.#context;
    if (this.#canvas.width !== Math.round(width * dense) || this.#canvas.height !== Math.round(height * dense)) {
      this.#canvas.width = Math.round(width * dense);
      this.#canvas.height = Math.round(height * dense);
    }
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, width, height);
    const isEmpty = !this.#overview || !this.corners;
    for (const handle of this.#handles) handle.hidden = isEmpty;
    if (!this.#overview) return;
    const { x, y, scale } = this.#view;
    // The better filter takes longer than a frame where there is no graphics card.
    context.imageSmoothingQuality = this.#drag ? "low" : "medium";
    context.drawImage(this.#overview, x, y, this.#size[0] * scale, this.#size[1] * scale);
    if (this.#patch) {
      const [left, top, w, h] = this.#patch.part;
      context.imageSmoothingEnabled = scale * dense < 3;
      context.drawImage(this.#patch.bitmap, x + left * scale, y + top * scale, w * scale, h * scale);
      context.imageSmoothingEnabled = true;
    }
    if (isEmpty) return;
    const places = this.corners.map((corner) => this.#toScreen(corner));
    const outline = () => places.forEach(([px, py], index) => (index ? context.lineTo(px, py) : context.moveTo(px, py)));
    context.beginPath();
    context.rect(0, 0, width, height);
    outline();
    context.closePath();
    context.fillStyle = "rgb(10 14 20 / 45%)";
    context.fill("evenodd");
    context.beginPath();
    outline();
    context.closePath();
    context.lineWidth = 5;
    context.strokeStyle = "rgb(10 14 20 / 70%)";
    context.stroke();
    context.lineWidth = 2.5;
    context.strokeStyle = "#fff";
    context.stroke();
    this.#handles.forEach((handle, index) => {
      const place = this.#place(index), [px, py] = this.#toScreen(place);
      handle.style.transform = `translate(${px}px, ${py}px)`;
      if (index >= 4) {
        const [a, b] = [places[index - 4], places[(index - 3) % 4]];
        handle.style.setProperty("--angle", `${Math.atan2(b[1] - a[1], b[0] - a[0])}rad`);
      }
      const name = (index < 4 ? cornerNames[index] : sideNames[index - 4]);
      handle.ariaLabel = `${name}, at ${Math.round(place[0])}, ${Math.round(place[1])}`;
    });
  }
}
