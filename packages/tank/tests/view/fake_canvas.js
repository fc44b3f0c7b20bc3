// A canvas for Node that draws nothing: it notes what is called and complains of invalid numbers.
import assert from "node:assert/strict";

const PLAIN = new Set(["string", "boolean", "undefined"]);

function check(name, values) {
  for (const value of values.flat()) {
    if (typeof value === "number") {
      assert.ok(!Number.isNaN(value), `${name}(${values.join(", ")})`);
    } else {
      assert.ok(PLAIN.has(typeof value) || value !== null, `${name} with nothing`);
    }
  }
}

export function fakeContext(width = 800, height = 600) {
  const calls = [];
  const state = { canvas: { width, height }, calls };
  return new Proxy(state, {
    get(target, name) {
      if (name in target) {
        return target[name];
      }
      return (...values) => {
        check(String(name), values);
        calls.push([String(name), ...values]);
        if (name === "measureText") {
          return { width: 7 * String(values[0]).length };
        }
        return String(name).startsWith("create") ? { addColorStop: (at, color) => check("addColorStop", [at, color]) } : undefined;
      };
    },
    set(target, name, value) {
      check(`set ${String(name)}`, [value]);
      target[name] = value;
      return true;
    },
  });
}

export class FakeCanvas {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.context = null;
  }

  getContext() {
    this.context ??= fakeContext(this.width, this.height);
    return this.context;
  }
}

globalThis.OffscreenCanvas = FakeCanvas;
