/** Draws a frame of snake and puts its events into words. */

/** The share of a cell that a snake fills. */
const BODY = 0.78;

/** @type {import("../../viewer/generic/game_view.js").SimpleView} */
export const view = {
  size: ({ grid }) => ({ width: grid.width, height: grid.height }),

  status: ({ snakes }, seat) => (snakes[seat].alive ? `${snakes[seat].body.length} long` : "✕ dead"),

  mark: ({ type }) => (type === "died" ? "end" : "mark"),

  say: ({ type, seat }, nameOf) => (type === "died" ? `${nameOf(seat)} died` : `${nameOf(seat)} ate`),

  describe: ({ snakes, food }) => `${snakes.filter((/** @type {any} */ snake) => snake.alive).length} snakes, ${food.length} pieces of food.`,

  draw(context, { state, next, part, color, ink, selected }) {
    const { grid, snakes, food } = state;
    context.fillStyle = ink("panel");
    context.fillRect(0, 0, grid.width, grid.height);
    context.strokeStyle = ink("line");
    context.lineWidth = 0.03;
    for (let x = 0; x <= grid.width; x += 1) context.strokeRect(x, 0, 0, grid.height);
    for (let y = 0; y <= grid.height; y += 1) context.strokeRect(0, y, grid.width, 0);
    context.fillStyle = ink("good");
    for (const [x, y] of food) disc(context, x, y, 0.3);
    snakes.forEach((/** @type {any} */ snake, /** @type {number} */ seat) => {
      const moves = snake.alive && next?.snakes[seat].alive;
      context.globalAlpha = snake.alive ? 1 : 0.25;
      context.strokeStyle = color(seat);
      context.fillStyle = color(seat);
      drawSnake(context, snake.body, moves ? next.snakes[seat].body[0] : null, part);
      if (seat === selected) {
        context.strokeStyle = ink("accent");
        context.lineWidth = 0.12;
        context.strokeRect(snake.body[0][0], snake.body[0][1], 1, 1);
      }
      context.globalAlpha = 1;
    });
  },
};

/**
 * Draw a body as one line. The head is `part` of the way to its next cell.
 * @param {CanvasRenderingContext2D} context
 * @param {[number, number][]} body
 * @param {[number, number] | null} goal
 * @param {number} part
 */
function drawSnake(context, body, goal, part) {
  const [x, y] = body[0];
  const head = goal === null ? [x, y] : [x + (goal[0] - x) * part, y + (goal[1] - y) * part];
  context.lineWidth = BODY;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.beginPath();
  context.moveTo(head[0] + 0.5, head[1] + 0.5);
  for (const cell of body) context.lineTo(cell[0] + 0.5, cell[1] + 0.5);
  context.stroke();
  context.fillStyle = "#fff";
  disc(context, head[0] - 0.15, head[1] - 0.1, 0.1);
  disc(context, head[0] + 0.15, head[1] - 0.1, 0.1);
}

/**
 * Fill a circle in the middle of a cell.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function disc(context, x, y, radius) {
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, radius, 0, 2 * Math.PI);
  context.fill();
}
