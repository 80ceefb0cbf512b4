// How a page will look, roughly and at once: the program makes the true picture after letting go.

/** Pixels of a cell in which the paper's lightness is looked for. */
const cell = 24;
/** Of the pixels of a cell, how many may be lighter than its paper. */
const lighterShare = 0.15;
/** What the paper comes out as, and the grey below which ink is pushed down. */
const white = 252, knee = 150;

/** A copy of the picture as the mode will make it. */
export function lit(picture, mode) {
  if (mode === "original") return picture;
  const { width, height, data } = picture;
  const columns = Math.ceil(width / cell), rows = Math.ceil(height / cell);
  const paper = blurred(widened(papers(picture, columns, rows), columns, rows), columns, rows);
  const result = new ImageData(width, height);
  const out = result.data;
  const curve = inkCurve();
  const gray = mode === "bw";
  for (let y = 0; y < height; y += 1) {
    const cellY = Math.min(Math.max(y / cell - 0.5, 0), rows - 1), top = Math.floor(cellY);
    const down = cellY - top, below = Math.min(top + 1, rows - 1);
    for (let x = 0; x < width; x += 1) {
      const cellX = Math.min(Math.max(x / cell - 0.5, 0), columns - 1), left = Math.floor(cellX);
      const across = cellX - left, right = Math.min(left + 1, columns - 1);
      const upper = paper[top * columns + left] * (1 - across) + paper[top * columns + right] * across;
      const lower = paper[below * columns + left] * (1 - across) + paper[below * columns + right] * across;
      const gain = 255 / (upper * (1 - down) + lower * down);
      const index = 4 * (y * width + x);
      if (gray) {
        const luma = (77 * data[index] + 150 * data[index + 1] + 29 * data[index + 2]) >> 8;
        out[index] = out[index + 1] = out[index + 2] = curve[Math.min(255, luma * gain) | 0];
      } else {
        out[index] = curve[Math.min(255, data[index] * gain) | 0];
        out[index + 1] = curve[Math.min(255, data[index + 1] * gain) | 0];
        out[index + 2] = curve[Math.min(255, data[index + 2] * gain) | 0];
      }
      out[index + 3] = 255;
    }
  }
  return result;
}

/** The lightness of each cell's paper. */
function papers({ width, height, data }, columns, rows) {
  const result = new Float32Array(columns * rows);
  const counts = new Uint32Array(64);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      counts.fill(0);
      let total = 0;
      for (let y = row * cell; y < Math.min((row + 1) * cell, height); y += 2) {
        for (let x = column * cell; x < Math.min((column + 1) * cell, width); x += 2) {
          const index = 4 * (y * width + x);
          counts[(77 * data[index] + 150 * data[index + 1] + 29 * data[index + 2]) >> 10] += 1;
          total += 1;
        }
      }
      let level = 63;
      for (let lighter = 0; level > 0; level -= 1) {
        lighter += counts[level];
        if (lighter >= lighterShare * total) break;
      }
      result[row * columns + column] = Math.max(level * 4, 24);
    }
  }
  return result;
}

/** Each cell as light as the lightest around it: a cell full of ink has its neighbours' paper. */
function widened(cells, columns, rows) {
  return around(cells, columns, rows, (values) => Math.max(...values));
}

function blurred(cells, columns, rows) {
  return around(cells, columns, rows, (values) => values.reduce((sum, value) => sum + value) / values.length);
}

function around(cells, columns, rows, combine) {
  return cells.map((_, index) => {
    const column = index % columns, row = (index - column) / columns;
    const values = [];
    for (let y = Math.max(row - 1, 0); y <= Math.min(row + 1, rows - 1); y += 1) {
      for (let x = Math.max(column - 1, 0); x <= Math.min(column + 1, columns - 1); x += 1) {
        values.push(cells[y * columns + x]);
      }
    }
    return combine(values);
  });
}

function inkCurve() {
  return Uint8ClampedArray.from({ length: 256 }, (_, value) => {
    const level = Math.min(value / (white - 14), 1) * 255;
    return level > knee ? knee + ((level - knee) * (255 - knee)) / (255 - knee) : (level * level) / knee;
  });
}
