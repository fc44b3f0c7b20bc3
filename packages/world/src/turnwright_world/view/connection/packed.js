/**
 * Encodes and decodes messages as MessagePack arrays.
 *
 * `turnwright_world/wire/packed.py` does the same in Python. Change both.
 *
 *     [number of the package, value, …]    a package of PACKED, with its fields in order
 *     [0, "Package.Name", {…}]             any other package
 *
 * Reading is limited by the length of the message and by a depth.
 */

/** Number: package, and its fields. @type {Record<number, [string, string[]]>} */
export const PACKED = {
  1: ["Time.Ping", ["n", "c", "l"]],
  2: ["Time.Pong", ["n", "c", "r", "s"]],
  3: ["Time.Segment", ["g", "w", "rate"]],
  4: ["Combat.Threat.Add", ["id", "from", "name", "kind", "at", "us", "damage"]],
  5: ["Combat.Threat.Gone", ["id", "why", "damage"]],
  6: ["Combat.React", ["reaction", "at", "id", "band"]],
  7: ["Turn", ["turn", "now_us", "vitals", "heard", "action", "here", "here_more"]],
};

const DEPTH_MAX = 32;
const TWO_32 = 2 ** 32;
const LENGTHS = [1, 2, 4];
/** First bytes of values whose length or number is in the next 1, 2, 4 or 8 bytes. */
const STR_8 = 0xd9;
const BIN_8 = 0xc4;
const UINT_8 = 0xcc;
const INT_8 = 0xd0;

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
    this.decoder = new TextDecoder();
  }

  /** @param {number} size */
  skip(size) {
    const from = this.at;
    this.at += size;
    if (this.at > this.bytes.length) {
      throw new RangeError("the message is truncated");
    }
    return from;
  }

  /** @param {number} size of a whole number without a sign: 1, 2, 4 or 8 bytes */
  whole(size) {
    const at = this.skip(size);
    if (size === 8) {
      return this.view.getUint32(at) * TWO_32 + this.view.getUint32(at + 4);
    }
    return size === 4 ? this.view.getUint32(at) : size === 2 ? this.view.getUint16(at) : this.view.getUint8(at);
  }

  /** @param {number} size */
  signed(size) {
    const value = this.whole(size);
    const most = 2 ** (8 * size - 1);
    return value >= most ? value - 2 * most : value;
  }

  /** @param {number} size */
  string(size) {
    const from = this.skip(size);
    return this.decoder.decode(this.bytes.subarray(from, from + size));
  }

  /**
   * @param {number} size
   * @param {number} depth
   */
  array(size, depth) {
    const items = [];
    for (let nth = 0; nth < size; nth += 1) {
      items.push(this.value(depth + 1));
    }
    return items;
  }

  /**
   * @param {number} size
   * @param {number} depth
   */
  map(size, depth) {
    /** @type {[string, unknown][]} */
    const entries = [];
    for (let nth = 0; nth < size; nth += 1) {
      const key = String(this.value(depth + 1));
      entries.push([key, this.value(depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  /**
   * @param {number} depth
   * @returns {unknown}
   */
  value(depth) {
    if (depth > DEPTH_MAX) {
      throw new RangeError("the message is too deep");
    }
    const first = this.whole(1);
    if (first < 0x80) {
      return first;
    }
    if (first < 0x90) {
      return this.map(first & 0x0f, depth);
    }
    if (first < 0xa0) {
      return this.array(first & 0x0f, depth);
    }
    if (first < 0xc0) {
      return this.string(first & 0x1f);
    }
    return first >= 0xe0 ? first - 0x100 : this.marked(first, depth);
  }

  /**
   * @param {number} first
   * @param {number} depth
   * @returns {unknown}
   */
  marked(first, depth) {
    if (first === 0xc0) {
      return null;
    }
    if (first === 0xc2 || first === 0xc3) {
      return first === 0xc3;
    }
    if (first === 0xca || first === 0xcb) {
      const size = first === 0xca ? 4 : 8;
      const at = this.skip(size);
      return size === 4 ? this.view.getFloat32(at) : this.view.getFloat64(at);
    }
    if (first >= UINT_8 && first < UINT_8 + 4) {
      return this.whole(2 ** (first - UINT_8));
    }
    if (first >= INT_8 && first < INT_8 + 4) {
      return this.signed(2 ** (first - INT_8));
    }
    if (first >= STR_8 && first < STR_8 + 3) {
      return this.string(this.whole(LENGTHS[first - STR_8]));
    }
    if (first === 0xdc || first === 0xdd) {
      return this.array(this.whole(first === 0xdc ? 2 : 4), depth);
    }
    if (first === 0xde || first === 0xdf) {
      return this.map(this.whole(first === 0xde ? 2 : 4), depth);
    }
    if (first >= BIN_8 && first < BIN_8 + 3) {
      return this.string(this.whole(LENGTHS[first - BIN_8]));
    }
    throw new RangeError("the message contains an unknown value");
  }
}

/**
 * Read a packed message. Return null if it is not valid.
 * @param {Uint8Array} bytes
 * @returns {{ name: string, data: Record<string, unknown> } | null}
 */
export function unpackMessage(bytes) {
  try {
    const values = new Reader(bytes).value(0);
    if (!Array.isArray(values)) {
      return null;
    }
    const [number, ...rest] = values;
    if (number === 0 && typeof rest[0] === "string" && typeof rest[1] === "object" && rest[1] !== null) {
      return { name: rest[0], data: rest[1] };
    }
    const row = PACKED[number];
    if (row === undefined || rest.length > row[1].length) {
      return null;
    }
    const entries = rest.map((value, nth) => [row[1][nth], value]).filter(([, value]) => value !== null);
    return { name: row[0], data: Object.fromEntries(entries) };
  } catch {
    return null;
  }
}

/**
 * Return a message as bytes.
 *
 * data: JSON values. Numbers are whole and not negative. Other values become texts.
 * @param {string} name
 * @param {Record<string, unknown>} data
 */
export function packMessage(name, data) {
  const row = Object.entries(PACKED).find(([, [known]]) => known === name);
  const fits = row !== undefined && Object.keys(data).every((key) => row[1][1].includes(key));
  /** @type {unknown[]} */
  let values = [0, name, data];
  if (fits) {
    values = [Number(row[0]), ...row[1][1].map((field) => data[field] ?? null)];
    while (values[values.length - 1] === null) {
      values.pop();
    }
  }
  /** @type {number[]} */
  const out = [];
  write(out, values);
  return Uint8Array.from(out);
}

/**
 * @param {number[]} out
 * @param {number} size in bytes
 * @param {number} value
 */
function whole(out, size, value) {
  for (let nth = size - 1; nth >= 0; nth -= 1) {
    out.push(Math.floor(value / 256 ** nth) % 256);
  }
}

/**
 * @param {number[]} out
 * @param {unknown} value
 */
function write(out, value) {
  if (value === null || value === undefined) {
    out.push(0xc0);
  } else if (typeof value === "boolean") {
    out.push(value ? 0xc3 : 0xc2);
  } else if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) {
    writeNumber(out, value);
  } else if (Array.isArray(value)) {
    out.push(0xdc);
    whole(out, 2, value.length);
    value.forEach((one) => write(out, one));
  } else if (typeof value === "object") {
    const entries = Object.entries(value);
    out.push(0xde);
    whole(out, 2, entries.length);
    for (const [key, one] of entries) {
      write(out, key);
      write(out, one);
    }
  } else {
    const bytes = new TextEncoder().encode(String(value));
    const size = bytes.length < 256 ? 1 : bytes.length < 65536 ? 2 : 4;
    out.push(STR_8 + LENGTHS.indexOf(size));
    whole(out, size, bytes.length);
    bytes.forEach((byte) => out.push(byte));
  }
}

/**
 * @param {number[]} out
 * @param {number} value
 */
function writeNumber(out, value) {
  if (value < 0x80) {
    out.push(value);
    return;
  }
  const power = value < 256 ? 0 : value < 65536 ? 1 : value < TWO_32 ? 2 : 3;
  out.push(UINT_8 + power);
  whole(out, 2 ** power, value);
}
