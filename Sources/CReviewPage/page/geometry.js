// Points are [x, y]; an outline is four of them, clockwise from the one nearest the photo's top-left.

/** The map from the unit square to an outline's corners, as nine numbers in row order (Heckbert 1989, 2.2.3). */
export function unitSquareTo([a, b, c, d]) {
  const sumX = a[0] - b[0] + c[0] - d[0], sumY = a[1] - b[1] + c[1] - d[1];
  const rightX = b[0] - c[0], rightY = b[1] - c[1];
  const downX = d[0] - c[0], downY = d[1] - c[1];
  const determinant = rightX * downY - rightY * downX;
  const g = (sumX * downY - sumY * downX) / determinant;
  const h = (rightX * sumY - rightY * sumX) / determinant;
  return [
    b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0], a[0],
    b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1], a[1],
    g, h, 1,
  ];
}

/** Whether all turns go clockwise, and no corner is straight. */
export function isConvex(corners) {
  return corners.every((corner, index) => {
    const next = corners[(index + 1) % 4], after = corners[(index + 2) % 4];
    const side = [next[0] - corner[0], next[1] - corner[1]], turn = [after[0] - next[0], after[1] - next[1]];
    const longest = Math.max(side[0] ** 2 + side[1] ** 2, turn[0] ** 2 + turn[1] ** 2);
    return side[0] * turn[1] - side[1] * turn[0] > 0.005 * longest;
  });
}

/** The outline so that it begins with the corner nearest the top-left, and by how many corners it was moved on. */
export function ordered(corners) {
  let shift = 0;
  corners.forEach((corner, index) => {
    if (Math.hypot(...corner) < Math.hypot(...corners[shift])) shift = index;
  });
  return { corners: corners.map((_, index) => corners[(index + shift) % 4]), shift };
}

/** The outline with one corner elsewhere, or as it was when that would make a dent. */
export function withCorner(corners, index, place) {
  const moved = corners.map((corner, other) => (other === index ? place : corner));
  return isConvex(moved) ? moved : corners;
}

/** The outline with a side moved sideways: its corners slide along the two sides next to it. */
export function withSide(corners, index, offset) {
  const [before, start, end, after] = [3, 0, 1, 2].map((step) => corners[(index + step) % 4]);
  const direction = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(...direction);
  const normal = [-direction[1] / length, direction[0] / length];
  const distance = offset[0] * normal[0] + offset[1] * normal[1];
  const slide = (corner, neighbour) => {
    const way = [neighbour[0] - corner[0], neighbour[1] - corner[1]];
    const along = way[0] * normal[0] + way[1] * normal[1];
    // Where the next side runs nearly along this one, sliding would throw the corner far away.
    if (Math.abs(along) < 0.3 * Math.hypot(...way)) {
      return [corner[0] + normal[0] * distance, corner[1] + normal[1] * distance];
    }
    return [corner[0] + (way[0] * distance) / along, corner[1] + (way[1] * distance) / along];
  };
  const moved = [...corners];
  moved[index] = slide(start, before);
  moved[(index + 1) % 4] = slide(end, after);
  return isConvex(moved) ? moved : corners;
}

/** The outline of all of a photo. */
export function wholeOf([width, height]) {
  return [[0, 0], [width, 0], [width, height], [0, height]];
}

/** An outline as the page is read, after quarter turns clockwise: its first corner is the one that comes out top-left. */
export function turned(corners, turn) {
  return corners.map((_, index) => corners[(index - turn + 4) % 4]);
}

/** Width over height by the mean of facing sides: good for the moment until the server knows better. */
export function roughAspect([a, b, c, d]) {
  const length = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  return (length(a, b) + length(d, c)) / (length(a, d) + length(b, c));
}

export function middle(one, other) {
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}
