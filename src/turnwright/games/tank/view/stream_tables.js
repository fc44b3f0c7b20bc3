/**
 * Reads tables of whole numbers, sent as deviations from a prediction.
 *
 * The twin of `games/tank/wire/stream/delta_tables.py`; how it works stands in docs/reference/spectator-stream.md.
 */

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {number} perUnit a value is the number divided by it
 * @property {"hold" | "linear" | "follows"} predicted
 * @property {number} modulus 0: numbers do not wrap around
 * @property {number} follows index of the column whose change is followed
 * @property {number} less index of the column whose change is taken off; -1: none
 */

/** @typedef {{ ids: number[], values: number[][], carry: (number | number[])[] }} TableKey */
/** @typedef {number | (number | number[])[]} ColumnDelta */
/** @typedef {{ out?: number[], come?: number[], columns?: ColumnDelta[] }} TableDelta */

/**
 * Return a column.
 * @param {string} name
 * @param {number} perUnit
 * @param {Partial<Column>} [how]
 * @returns {Column}
 */
export function column(name, perUnit, how) {
  return { name, perUnit, predicted: "hold", modulus: 0, follows: 0, less: -1, ...how };
}

/**
 * Bring a number into [-modulus / 2, modulus / 2).
 * @param {number} number
 * @param {number} modulus
 * @returns {number}
 */
function relative(number, modulus) {
  const half = modulus / 2;
  return within(number + half, modulus) - half;
}

/**
 * Bring a number into [0, modulus).
 * @param {number} number
 * @param {number} modulus
 * @returns {number}
 */
function within(number, modulus) {
  const rest = number % modulus;
  return rest < 0 ? rest + modulus : rest + 0;
}

export class TableReader {
  /** @param {Column[]} columns */
  constructor(columns) {
    this.columns = columns;
    /** @type {number[]} */
    this.ids = [];
    /** @type {number[][]} for each column the number of each row */
    this.values = columns.map(() => []);
    /** @type {number[][]} for each column what its predictor carries */
    this.carry = columns.map(() => []);
  }

  /**
   * Return another reader that goes on from here.
   *
   * Nothing of it is shared that is ever changed.
   * @returns {TableReader}
   */
  clone() {
    const other = new TableReader(this.columns);
    other.ids = this.ids;
    other.values = this.values;
    other.carry = this.carry.slice();
    return other;
  }

  /**
   * Take a whole table.
   * @param {TableKey} key
   */
  begin(key) {
    const rows = key.ids.length;
    const carry = key.carry.map((given) => (Array.isArray(given) ? given : new Array(rows).fill(0)));
    const all = [...key.values, ...carry];
    if (all.length !== 2 * this.columns.length || all.some((numbers) => numbers.length !== rows)) {
      throw new Error("a table that is not whole");
    }
    this.ids = key.ids;
    this.values = key.values;
    this.carry = carry;
  }

  /**
   * Take what became of the table.
   * @param {TableDelta | undefined} delta undefined: all is as predicted
   */
  read(delta) {
    if (delta?.out !== undefined || delta?.come !== undefined) {
      this.reshape(new Set(delta.out ?? []), delta.come ?? []);
    }
    const before = this.values;
    this.values = before.slice();
    this.columns.forEach((_, k) => this.take(k, delta?.columns?.[k] ?? 0, before));
  }

  /**
   * Let rows leave and come; new ones begin at zero.
   * @param {Set<number>} out
   * @param {number[]} come
   */
  reshape(out, come) {
    const ids = [...this.ids.filter((id) => !out.has(id)), ...come].sort((a, b) => a - b);
    const rowOf = new Map(this.ids.map((id, row) => [id, row]));
    const rows = ids.map((id) => rowOf.get(id) ?? -1);
    const keep = (/** @type {number[]} */ numbers) => rows.map((row) => (row < 0 ? 0 : numbers[row]));
    this.ids = ids;
    this.values = this.values.map(keep);
    this.carry = this.carry.map(keep);
  }

  /**
   * @param {number} k of the column
   * @param {ColumnDelta} told
   * @param {number[][]} before
   */
  take(k, told, before) {
    const { predicted, modulus } = this.columns[k];
    const residuals = residualsOf(told, this.ids.length);
    if (predicted === "hold") {
      if (residuals !== null) {
        this.values[k] = before[k].map((number, row) => number + residuals[row]);
      }
      return;
    }
    if (residuals !== null) {
      const sums = this.carry[k].map((number, row) => number + residuals[row]);
      this.carry[k] = modulus > 0 ? sums.map((number) => relative(number, modulus)) : sums;
    }
    const carry = this.carry[k];
    const base = predicted === "linear" ? before[k] : this.followed(k, before);
    const moved = base.map((number, row) => number + carry[row]);
    this.values[k] = modulus > 0 ? moved.map((number) => within(number, modulus)) : moved;
  }

  /**
   * Return by how much the columns that a column follows have changed.
   * @param {number} k
   * @param {number[][]} before
   * @returns {number[]}
   */
  followed(k, before) {
    const { follows, less } = this.columns[k];
    const changes = this.changed(follows, before);
    if (less < 0) {
      return changes;
    }
    const others = this.changed(less, before);
    return changes.map((change, row) => change - others[row]);
  }

  /**
   * @param {number} k
   * @param {number[][]} before
   * @returns {number[]}
   */
  changed(k, before) {
    const { modulus } = this.columns[k];
    const old = before[k];
    return this.values[k].map((number, row) =>
      modulus > 0 ? relative(number - old[row], modulus) : number - old[row],
    );
  }
}

/**
 * Return a residual for each row, or null when all are zero.
 * @param {ColumnDelta} told
 * @param {number} rows
 * @returns {number[] | null}
 */
function residualsOf(told, rows) {
  if (!Array.isArray(told)) {
    return null;
  }
  const [gaps, found] = told;
  if (!Array.isArray(gaps) || !Array.isArray(found)) {
    if (told.length !== rows) {
      throw new Error(`${told.length} residuals for ${rows} rows`);
    }
    return /** @type {number[]} */ (told);
  }
  const residuals = new Array(rows).fill(0);
  let row = 0;
  gaps.forEach((gap, k) => {
    row += gap;
    if (!(row >= 0 && row < rows)) {
      throw new Error(`row ${row} of ${rows}`);
    }
    residuals[row] = found[k];
  });
  return residuals;
}
