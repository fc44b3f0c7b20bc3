/**
 * The ground: floor, grid, walls and the numbers along them.
 *
 * It is drawn again only when the camera moves.
 */

/** @typedef {import("./draw_target.js").DrawTarget} DrawTarget */

const CELL = 50;
const STRONG_EVERY = 2;
/** The smallest distance of grid lines, CSS pixels. */
const LINE_GAP_MIN = 9;
/** The smallest distance of numbers, CSS pixels. */
const NUMBER_GAP_MIN = 64;
/** The room for numbers next to an arena, CSS pixels. In a closer view they are at the edge of the view. */
const ROOM_PX_MIN = 26;
const WALL_PX_MIN = 3;
const WALL = 6;

/**
 * Return a round step that is at least `least`.
 *
 * It is 1, 2 or 5 times a power of ten times `unit`.
 * @param {number} unit
 * @param {number} least
 */
export function niceStep(unit, least) {
  for (let power = 1; ; power *= 10) {
    for (const step of [1, 2, 5]) {
      if (unit * step * power >= least) {
        return unit * step * power;
      }
    }
  }
}

/**
 * Draw the ground.
 * @param {DrawTarget} target
 * @param {boolean} overlay whether to draw only a thin line for the walls, without a ground
 */
export function drawGround(target, overlay) {
  const { context, camera, theme, ratio } = target;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const left = target.x(0);
  const top = target.y(camera.arenaHeight);
  const width = camera.arenaWidth * camera.scale;
  const height = camera.arenaHeight * camera.scale;
  if (overlay) {
    context.strokeStyle = theme.wallLight;
    context.lineWidth = 2;
    context.strokeRect(left - 1, top - 1, width + 2, height + 2);
    return;
  }
  context.fillStyle = theme.outside;
  context.fillRect(0, 0, camera.viewWidth, camera.viewHeight);
  drawWalls(target, left, top, width, height);
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  drawFloor(target, left, top, width, height);
  drawGrid(target);
  context.restore();
  drawNumbers(target, left, top + height);
}

/**
 * @param {DrawTarget} target
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} height
 */
function drawFloor(target, left, top, width, height) {
  const { context, theme } = target;
  context.fillStyle = theme.floor;
  context.fillRect(left, top, width, height);
  if (!target.camera.fits) {
    return;
  }
  const middleX = left + width / 2;
  const middleY = top + height / 2;
  const shade = context.createRadialGradient(
    middleX,
    middleY,
    Math.min(width, height) * 0.25,
    middleX,
    middleY,
    Math.hypot(width, height) * 0.55,
  );
  shade.addColorStop(0, theme.floor);
  shade.addColorStop(1, theme.floorEdge);
  context.fillStyle = shade;
  context.fillRect(left, top, width, height);
}

/** @param {DrawTarget} target */
function drawGrid(target) {
  const { context, camera, theme } = target;
  const step = niceStep(CELL, LINE_GAP_MIN / camera.scale);
  for (const strong of [false, true]) {
    context.strokeStyle = strong ? theme.gridStrong : theme.grid;
    context.lineWidth = 1;
    context.beginPath();
    for (let line = 1; line * step < camera.arenaWidth; line++) {
      if ((line % STRONG_EVERY === 0) === strong) {
        const x = Math.round(target.x(line * step)) + 0.5;
        context.moveTo(x, 0);
        context.lineTo(x, camera.viewHeight);
      }
    }
    for (let line = 1; line * step < camera.arenaHeight; line++) {
      if ((line % STRONG_EVERY === 0) === strong) {
        const y = Math.round(target.y(line * step)) + 0.5;
        context.moveTo(0, y);
        context.lineTo(camera.viewWidth, y);
      }
    }
    context.stroke();
  }
}

/**
 * @param {DrawTarget} target
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} height
 */
function drawWalls(target, left, top, width, height) {
  const { context, camera, theme } = target;
  const thick = Math.max(WALL_PX_MIN, WALL * Math.min(1.6, camera.scale));
  context.fillStyle = theme.wall;
  context.beginPath();
  context.roundRect(left - thick, top - thick, width + 2 * thick, height + 2 * thick, thick * 0.7);
  context.fill();
  context.strokeStyle = theme.wallLight;
  context.lineWidth = 1;
  context.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
}

/**
 * @param {DrawTarget} target
 * @param {number} left
 * @param {number} bottom
 */
function drawNumbers(target, left, bottom) {
  const { context, camera, theme } = target;
  const step = niceStep(CELL * 2, NUMBER_GAP_MIN / camera.scale);
  const thick = Math.max(WALL_PX_MIN, WALL * Math.min(1.6, camera.scale));
  context.font = `${Math.min(16, target.textPx - 1)}px system-ui, sans-serif`;
  context.fillStyle = theme.scale;
  context.textAlign = "center";
  context.textBaseline = "top";
  const y = Math.min(bottom + thick + 4, camera.viewHeight - 13);
  for (let x = 0; x <= camera.arenaWidth; x += step) {
    context.fillText(String(x), target.x(x), y);
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  const x = left - thick - 5;
  if (camera.fits && x < ROOM_PX_MIN) {
    return;
  }
  for (let y = step; y <= camera.arenaHeight; y += step) {
    context.fillText(String(y), Math.max(x, ROOM_PX_MIN), target.y(y));
  }
}
